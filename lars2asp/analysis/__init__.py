"""What is known of a program, and the passes that check and rewrite it."""
