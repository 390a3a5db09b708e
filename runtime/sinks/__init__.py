"""Answers on the way out."""
