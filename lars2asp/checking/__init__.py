"""Checks explanations: whether the claims of one are true by the definition, and say all that they must."""
