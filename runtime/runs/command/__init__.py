"""What `lars2asp run` does: settings, legs, outputs, costs."""
