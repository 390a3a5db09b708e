"""Programs of other systems in our syntax."""
