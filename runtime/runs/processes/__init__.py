"""The processes of a run: what they hand to each other, and how they end."""
