"""What `lars2asp run` does: settings, segments, outputs, costs."""
