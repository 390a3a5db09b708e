"""Runs that are long, or interrupted: is their output right, and do they get slower or larger?"""
