"""The evaluator `stamped`."""
