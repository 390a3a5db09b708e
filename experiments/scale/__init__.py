"""How far one process goes: facts in all, facts that are live, rules, keys.

A run is fed through a pipe, and what it takes is read in each tenth: CPU time a fact, and memory. Answers on
a small stream are held to those of a plain loop before.
"""
