"""Runs that are made to explain answers find by replays what lies before that which they keep."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lars2asp.analysis.predicates import head_atoms
from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import CheckedProgram, checked_program, compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.explanations.words.explanation import Explanation
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.explained_run import ExplainedRun
from lars2asp.runtime.runs.states.restart_points import RestartPoints
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import refuse
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Rule
from lars2asp.syntax.source import Source

FORGETFUL = Tuning(explained_spare=0, restart_share=0, work_between_states=10)

PROGRAMS = (
    # What is derived is passed on, as far back as one likes.
    """late(X) :- landed(X). late(Y) :- late(X) in [3], next(X,Y). next(X,X) :- on(X). next(0,1).
    alarm(X) :- late(X), not landed(X).""",
    # Heads at other ticks, and negation of what was placed.
    """up(X) at @now+2 :- up(X), not on(X). up(X) :- landed(X). high(X) :- up(X) in [4], not up(X).""",
    # Tuple windows, and a fixed tick, look back without end.
    """seen(X) :- landed(X) in [2 #]. first(X) :- landed(X) at 1. both(X) :- seen(X), up(X).
    up(X) :- seen(X), on(X). up(X) :- up(X) in [2], not landed(0).""",
    # Of several answer streams one is followed; evaluation begins anew where that of any run does.
    """1 { chosen(X); left(X) } 1 :- landed(X). chosen(X) :- chosen(X) in [3], not landed(2).
    left(X) :- left(X) in [3], not landed(1). :- chosen(0), left(0), on(0).""",
)


@pytest.mark.parametrize("text", PROGRAMS)
def test_explanations_of_replays_are_explanations(text: str, tmp_path: Path) -> None:
    """All are accepted by the checker, and the last one rests on nothing that is not kept."""
    program = checked_program(Source("random.lars", text))
    derived = sorted({head.atom.name for rule in program.program.every(Rule) for head in head_atoms(rule)})
    replays = 0
    file = tmp_path / "input.jsonl"
    file.write_text("\n".join(map(json.dumps, lines(Random(0)))))
    stream = arrivals(sorted(read_file(str(file), Reading()), key=lambda one: one.tick))
    run = ExplainedRun(
        compile_plan(program, explained=True), (str(file),), Reading(), {}, None, FORGETFUL, None, 2
    )
    session = run.run(refuse, keeps_all=False)
    held = {atom_text(one, row) for one, rows in session.output.now.items() for row in rows}
    for atom in (f"{name}({n})" for name in derived for n in range(2)):
        found = explained(session, atom)
        assert found.holds == (atom in held)
        assert faults(program, stream, found) == []
        for replayed in run.replays() if found.lacks_history else ():
            replays += 1
            found = explained(replayed, atom)
            assert found.holds == (atom in held)
            assert faults(program, stream, found) == []
        assert not found.lacks_history
    assert replays > 3


def lines(choose: Random) -> Iterator[dict[str, Any]]:
    """Lines of a stream of 40 ticks: facts, intervals, and facts that come late."""
    is_on = [False] * 3
    for tick in range(40):
        facts = [f"landed({choose.randrange(3)})"] if choose.random() < 0.2 else []
        yield {"time": max(0, tick - choose.randrange(3)), "facts": facts}
        which = choose.randrange(3)
        yield {"time": tick, "end" if is_on[which] else "begin": [f"on({which})"]}
        is_on[which] = not is_on[which]


def explained(session: Session, atom: str) -> Explanation:
    return session.explained(parsed_atom(atom), None, None, 1, None)


def faults(program: CheckedProgram, stream: Sequence[Arrival], explanation: Explanation) -> list[str]:
    return check_explanation(program.written, stream, json.loads(json.dumps(explanation.to_dict())))


def test_restart_points_are_nearer_to_one_another_near_the_end() -> None:
    """From each to the end it is at most about twice as far as from the one after the next."""
    points = RestartPoints(dict, FORGETFUL, is_certain=True)
    reasoner = Reasoner.from_text("a :- b.", explain_last=0)
    for tick in range(1000):
        reasoner.step(tick)
        assert points.is_due(tick)
        points.keep(reasoner.session, dict)
    ticks = [point.tick for point in points.points]
    assert ticks[0] == 0
    assert ticks[-1] == 999
    assert len(ticks) < 25
    assert all(999 - one <= 4 * (999 - other) + 4 for one, other in pairwise(ticks[:-1]))
