"""Windows: an operator for each kind of window and streaming atom."""
