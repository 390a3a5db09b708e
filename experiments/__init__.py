"""Benchmarks and comparisons; each module prints one table."""
