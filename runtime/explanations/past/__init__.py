"""What was told and answered, as far as it is kept, and what holds when by that."""
