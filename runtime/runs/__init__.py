"""Runs of a reasoner: data time, wall time, checkpoints."""
