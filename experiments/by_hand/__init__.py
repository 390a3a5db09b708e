"""Programs of the microbenchmarks written as Python loops over dictionaries: bounds for what an engine can reach."""
