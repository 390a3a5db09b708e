"""Rules over rows, for the evaluator `delta`."""
