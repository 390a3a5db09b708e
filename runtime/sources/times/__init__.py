"""From times as people write them to ticks, and back."""
