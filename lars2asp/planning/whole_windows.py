"""What programs demand that have whole windows: `not a in W` and `at most` are false where W is not whole.

    a :- p, not q in [5].    ->    a :- p, not q in [5], lars_whole always in [5].    lars_whole.

A fact holds at each tick of the timeline, so that `always` says of it that the window is whole. `[since b]`
and `[after b]` are whole once b began: `b in [since b]`.
"""

import dataclasses
from collections.abc import Iterable
from typing import Any

from lars2asp.analysis.predicates import needs_whole_window
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Literal, Node, Program, Rule, Statement
from lars2asp.syntax.traversal import body_of, every, rewrite, with_body

_Elements = nodes.AggregateElement | nodes.HeadAggregateElement | nodes.ConditionalLiteral


def with_whole_windows(program: Program, name: str) -> Program:
    """The program, without `at most`, as it demands whole windows; `name` is that of the fact."""
    fact = nodes.Atom(name)
    demanding = _Demanding(fact)
    found = program.rewritten(demanding.statements)
    if not demanding.has_some:
        return program
    return Program((*found.statements, Rule(fact)), found.sources)


class _Demanding:
    def __init__(self, fact: nodes.Atom) -> None:
        self._fact = fact
        self.has_some = False
        """Whether a literal was found that demands a whole window."""

    def statements(self, statement: Statement) -> Iterable[Statement]:
        if not any(map(needs_whole_window, every(Literal, statement))):
            return [statement]
        self.has_some = True
        inner = rewrite(statement, self._inside)
        body: list[Any] = []
        for part in body_of(inner):
            body.append(part)
            if isinstance(part, Literal):
                body += self._whole([part])
            else:
                whole = self._whole(nodes.alternatives_of(part.literal))
                body += [
                    nodes.ConditionalLiteral(one, part.condition, location=one.location) for one in whole
                ]
        return [with_body(inner, tuple(body)) if body else inner]

    def _inside(self, node: Node) -> Node:
        if isinstance(node, _Elements):
            return dataclasses.replace(node, condition=(*node.condition, *self._whole(node.condition)))
        if isinstance(node, nodes.SetAggregate):
            elements = (
                dataclasses.replace(
                    one, condition=(*one.condition, *self._whole(nodes.alternatives_of(one.literal)))
                )
                for one in node.elements
            )
            return dataclasses.replace(node, elements=tuple(elements))
        return node

    def _whole(self, literals: Iterable[Any]) -> list[Literal]:
        """What says that the windows of literals are whole that need it."""
        atoms: list[Any] = [
            one.atom for one in literals if isinstance(one, Literal) and needs_whole_window(one)
        ]
        windows = dict.fromkeys(atom.window for atom in atoms)
        return [Literal(self._said_of(window), location=window.location) for window in windows]

    def _said_of(self, window: nodes.Window) -> nodes.StreamingAtom:
        """What is true while a window is whole."""
        if not isinstance(window, nodes.SinceWindow):
            return nodes.Box(self._fact, window, location=window.location)
        whole = dataclasses.replace(window, is_after=False)
        return nodes.Diamond(window.atom, whole, location=window.location)
