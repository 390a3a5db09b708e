"""A study: positive recursion over rows, kept up to date by programs written by hand, beside clingo.

`reachable(C,R) :- reachable(C,Q), link(Q,R), working(R)` and a transitive closure in three ways:

- from nothing at each tick at which something changed, semi-naively;
- delete and rederive (Gupta, Mumick, Subrahmanian 1993): all that may rest on what ended is deleted, what has
  another derivation comes back;
- counting from below: each row has a rank, one more than that of the rows of its first derivation, and counts
  its derivations from rows of lower ranks. At zero it is deleted, and comes back with a new rank if it has a
  derivation left. Counts of all derivations would keep cycles alive; derivations from below are no cycles.
"""
