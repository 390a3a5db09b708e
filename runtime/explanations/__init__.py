"""Explanations: why an atom holds at a tick, or why not."""
