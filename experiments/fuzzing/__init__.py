"""Broken input and broken programs, made from valid ones, and what becomes of them."""
