"""Explanations as a page shows them: lines that unfold, and what they rest on, on its lanes."""

from collections.abc import Iterator, Sequence
from typing import Any

from lars2asp.runtime.charts.lanes import predicate_name
from lars2asp.runtime.explanations.words.claims import Claim, FromInput, RuleLiteral
from lars2asp.runtime.explanations.words.entries import Entry, Lane
from lars2asp.runtime.explanations.words.explanation import Explanation
from lars2asp.runtime.explanations.words.outline import outline
from lars2asp.runtime.live_page.messages import Mark

MOST_LINES = 1000
"""The number of lines of an explanation from which on no more rules are shown."""

MOST_ATOMS = 50
"""The number of atoms that are explained where a question has variables."""

MOST_MARKS = 2000
"""The number of atoms that are marked."""


def explained_lines(explanation: Explanation) -> dict[str, Any]:
    """An explanation as JSON has it: `trees` of lines, of which each has those below it in `children`."""
    claims = explanation.claims[:MOST_ATOMS]
    trees = [_line(outline(claim, explanation.shown_tick, most_lines=MOST_LINES)) for claim in claims]
    return {
        "atom": explanation.atom,
        "tick": explanation.tick,
        "when": explanation.shown_tick(explanation.tick),
        "holds": explanation.holds,
        "trees": trees,
        "more": len(explanation.claims) - len(claims),
        "hints": list(explanation.hints),
    }


def marks_of(explanation: Explanation) -> list[Mark]:
    """What an explanation rests on: the atoms of its claims, and the windows in which they lie."""
    found: list[Mark] = []
    for claim in explanation.claims[:MOST_ATOMS]:
        for one in claim.claims():
            found += _of_claim(one)
            for literal in one.literals:
                found += _of_literal(literal)
            if len(found) >= MOST_MARKS:
                return found[:MOST_MARKS]
    return found


def _of_claim(claim: Claim) -> Iterator[Mark]:
    if claim.holds:
        yield _mark(claim, [(claim.tick, claim.tick)])


def _of_literal(literal: RuleLiteral) -> Iterator[Mark]:
    """The window of a streaming atom, and where in it the atom holds."""
    witness = literal.witness
    if witness is None or not literal.children:
        return
    claim = literal.children[0]
    yield _mark(claim, witness.window)._replace(is_window=True)
    if not witness.of and witness.holds_at:
        yield _mark(claim, witness.holds_at)


def _mark(claim: Claim, runs: Sequence[tuple[int, int]]) -> Mark:
    predicate = predicate_name(claim.of.signature) if isinstance(claim.reason, FromInput) else None
    return Mark(claim.atom, predicate, runs)


def _line(root: Entry) -> dict[str, Any]:
    """A line and those below it; no recursion, as trees may be deep."""
    made = _own(root)
    waiting = [(root, made)]
    while waiting:
        entry, here = waiting.pop()
        for child in entry.children:
            below = _own(child)
            here["children"].append(below)
            waiting.append((child, below))
    return made


def _own(entry: Entry) -> dict[str, Any]:
    return {
        "lead": entry.lead,
        "where": entry.where,
        "text": entry.text,
        "code": entry.is_code,
        "tail": entry.tail,
        "note": entry.note,
        "holds": entry.holds,
        "lane": None if entry.lane is None else _drawn(entry.lane),
        "children": [],
    }


def _drawn(lane: Lane) -> dict[str, Any]:
    return {
        "begin": lane.begin,
        "end": lane.end,
        "cells": [*map(int, lane.cells)],
        "ticks": lane.ticks,
        "holding": lane.holding,
        "words": lane.words,
    }
