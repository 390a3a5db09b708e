"""The evaluator `blocks`: many ticks at once, over the intervals at which rows hold."""
