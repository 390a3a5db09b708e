"""The streaming query of the command `lars2asp spark`: what it reads, keeps and counts, and how it ends."""
