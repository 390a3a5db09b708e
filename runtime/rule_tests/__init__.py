"""Tests of rules: files with a program, streams, and what is to follow from them."""
