"""What clingo asks back: interval streams, the interval database, and the @-functions over it."""
