"""Static analysis: what follows from a program's text, and the passes that check and rewrite it."""
