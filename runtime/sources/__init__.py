"""Readers of recorded and live input; each turns lines into records."""
