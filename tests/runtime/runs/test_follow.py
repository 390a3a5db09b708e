"""Live sources in Python."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lars2asp import InputError, Reasoner, follow
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.timeline import Timeline
from tests.support.feeds import ScriptedFeed


class Enough(Exception):  # noqa: N818 - it is none
    """Ends a run."""


def test_answers_go_to_a_function() -> None:
    found = []

    def take(answer: Answer) -> None:
        found.append((answer.tick, [*map(str, answer.added)], [*map(str, answer.removed)]))

    reasoner = Reasoner.from_text("a(X) :- p(X) in [2].")
    rejected: list[object] = []
    feed = ScriptedFeed(["3: p(1)", "2: p(9)", "4: p(2)", "p(3)", "9: q"])
    follow(reasoner, feed, take, reading=Reading(Format.FACTS), lateness=1, on_reject=rejected.append)
    assert found == [
        (2, ["a(9)"], []),
        (3, ["a(1)"], []),
        (4, ["a(2)"], []),
        (5, [], ["a(9)"]),
        (6, [], ["a(1)"]),
        (7, [], ["a(2)"]),
    ]
    assert len(rejected) == 1


def test_by_the_clock() -> None:
    """The timeline begins now; what the function raises ends the run."""
    ticks = []

    def take(answer: Answer) -> None:
        ticks.append(answer.tick)
        if len(ticks) == 3:
            raise Enough

    reasoner = Reasoner.from_text("a(X) :- p(X).")
    reading = Reading(timeline=Timeline(20_000, origin=datetime.now(UTC) - timedelta(hours=1)))
    with pytest.raises(Enough):
        follow(reasoner, ScriptedFeed([]), take, by_clock=True, every=1, until=10**9, reading=reading)
    assert ticks == [*range(ticks[0], ticks[0] + 3)]
    assert reasoner.start == ticks[0]


def test_what_is_no_feed(tmp_path: Path) -> None:
    reasoner = Reasoner.from_text("a.")
    with pytest.raises(InputError, match="a folder is read in data time"):
        follow(reasoner, tmp_path, print)
    with pytest.raises(InputError, match="cannot be read"):
        follow(reasoner, tmp_path / "none", print)
    with pytest.raises(InputError, match="tcp:PORT"):
        follow(reasoner, "tcp:x", print)
