"""What to say of text that other languages would read."""
