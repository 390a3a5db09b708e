"""What has to do with clingo alone: its options, its messages, background data."""
