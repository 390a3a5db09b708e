"""What the cells of a table are, and the declarations with which it can be read."""
