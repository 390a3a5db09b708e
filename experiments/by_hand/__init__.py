"""The microbenchmarks' programs as Python loops over dictionaries: bounds for what engines can reach."""
