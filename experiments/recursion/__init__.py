"""Positive recursion kept up to date: `delta` beside `external`, and beside a program written by hand.

By hand `reachable(C,R) :- reachable(C,Q), link(Q,R), working(R)` is kept up to date by deletion and
rederivation (Gupta, Mumick, Subrahmanian 1993, section 7): all that may rest on what ended is deleted, what
has another derivation comes back. `delta` counts derivations from below instead
(lars2asp.runtime.evaluators.delta.code.recursion), and deletes less.
"""
