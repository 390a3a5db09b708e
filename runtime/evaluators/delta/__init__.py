"""The evaluator `delta`."""
