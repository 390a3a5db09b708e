"""The naive definition of what programs mean: explanations are held to it, and evaluators in tests.

It imports the tree and what is known of a program, and nothing that plans or evaluates.
"""
