"""Tables of text: how they are written, and how their rows become facts."""
