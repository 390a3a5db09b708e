"""Benchmarks and other measurements of the product, alone and beside native engines."""
