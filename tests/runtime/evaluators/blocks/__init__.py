"""Tests of the evaluator `blocks`."""
