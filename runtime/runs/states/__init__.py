"""What is kept of a run so that it can go on, or be looked at again."""
