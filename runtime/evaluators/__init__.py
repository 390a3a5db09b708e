"""Evaluators: each computes the answer streams of a plan at a tick, and all must agree."""
