"""Tests of the experiments that run for long."""
