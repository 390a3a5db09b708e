"""Traces: when rows held, as far back as windows look, and the sources of the input."""
