"""Interval streams, the interval database, and the @-functions by which clingo looks things up in it."""
