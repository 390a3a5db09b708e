"""Checks explanations: whether a tree of claims says truly why an atom holds at a tick, or why it does not.

It trusts neither the tree nor the evaluators that made it: NaiveStream works out by the definition what holds
when, and each node is held to that. Where there may be several answer streams, the tree says which one was
followed; each rule must be satisfied by what was followed, and each atom of it must stand in a head.

Why a rule derived nothing: its literals are looked at one after the other, always the first one in the order
of the body that is ready, given the variables that the atom in the head binds and those of literals before. A
positive (streaming) atom is ready once the variables are bound that it cannot bind itself, an equation once
one side is bound that binds the other, an aggregate or a conditional literal once the variables are bound that
stand in it and outside such literals, all others once all their variables are bound. The instance that gets
furthest in this order is the one to show, and the literal there the one that failed.

`@`-functions are called with the texts of their arguments, and give a list of texts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from lars2asp.analysis.graphs import reachable, strongly_connected
from lars2asp.analysis.linear_bounds import linear_variable
from lars2asp.analysis.predicates import HeadAtom, head_atoms, is_fact, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals
from lars2asp.syntax import nodes as n
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import Sign
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import children, every, rewrite, variable_names, walk

