"""Time passes: sources, clock, evaluators, the reasoner, sinks."""
