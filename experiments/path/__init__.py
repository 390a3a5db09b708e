"""The whole path of a fact, measured by one command: reading, windows, rules, changes, writing, memory.

`python -m experiments path` runs all parts, each measurement in a process of its own, those that are compared
in turns, and prints a table with ratios to what they are to take at most.
"""
