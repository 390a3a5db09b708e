"""Mistakes with the Python API: each message says how to repair the call."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import lars2asp
from lars2asp import (
    Events,
    Format,
    InputError,
    Lars2aspError,
    Reasoner,
    Record,
    Source,
    TimeUnit,
    check,
    compile_program,
    constant,
    function,
    pure,
    read_frame,
)

ALARM = "alarm(R) :- hot(R) always in [2]."
FRAME = pd.DataFrame({"time": [1], "room": ["hall"]})


def alarm(**options: Any) -> Any:
    return Reasoner.from_text(ALARM, **options)


def told(**options: Any) -> Any:
    reasoner = alarm(explain_last=5)
    reasoner.step(0, ["hot(hall)"])
    return reasoner.why(**{"atom": "alarm(hall)"} | options)


ANY: Any = SimpleNamespace(
    Events=Events,
    Record=Record,
    Reasoner=Reasoner,
    check=check,
    compile=compile_program,
    constant=constant,
    function=function,
    pure=pure,
    read_frame=read_frame,
)
"""The same without types, which would refuse the mistakes."""


def run(source: Any, **options: Any) -> list[Any]:
    return [*alarm().run(source, **options)]


def live(source: Any, on_answer: Any = print, **options: Any) -> None:
    alarm().run_live(source, on_answer, **options)


MISTAKES: list[tuple[Callable[[], object], str]] = [
    # programs
    (ANY.Reasoner, "use Reasoner.from_text for the text of a program"),
    (lambda: ANY.Reasoner("rooms.lars"), "Reasoner.from_file for its path"),
    (
        lambda: Reasoner.from_text("rooms.lars"),
        "is the name of a file.*write Reasoner.from_file('rooms.lars')",
    ),
    (lambda: ANY.Reasoner.from_text(Path("rooms.lars")), "write Reasoner.from_file(path)"),
    (lambda: ANY.Reasoner.from_text([ALARM]), "needs the text of a program, not a value of type list"),
    (lambda: ANY.Reasoner.from_text(None), "needs the text of a program, not a value of type NoneType"),
    (lambda: Reasoner.from_file(ALARM), "is the text of a program.*write Reasoner.from_text(text)"),
    (Reasoner.from_file, "needs the path of a program"),
    (lambda: ANY.Reasoner.from_file(["rooms.lars"]), "write Reasoner.from_file(*paths)"),
    (lambda: ANY.check(ALARM), "a program is a Source, such as Source('rooms.lars', text), not 'alarm"),
    (lambda: ANY.compile("rooms.lars"), "a program is a Source"),
    (lambda: ANY.check(Source("", ALARM), foo=1), "there is no keyword 'foo': use const"),
    # keywords of a reasoner
    (lambda: alarm(tik="1 sec"), "Reasoner knows no keyword 'tik': use start"),
    (lambda: alarm(const="n=5"), "const maps names to values, such as {'limit': 5}, not 'n=5'"),
    (lambda: alarm(const=["n=5"]), "const maps names to values"),
    (lambda: alarm(const={"n": None}), "the constant n is an integer, a decimal, or text"),
    (lambda: alarm(const={"n": True}), "the constant n is an integer, a decimal, or text"),
    (lambda: alarm(declare="hot(room)"), "declare is a list of declarations, such as ['reading(room"),
    (lambda: alarm(show="alarm/1"), "show is a list of predicates, such as ['alarm/1']"),
    (
        lambda: alarm(show=["alarm"]),
        "show lists predicates and their arities, such as 'alarm/1', not 'alarm'",
    ),
    (lambda: alarm(functions="f.py"), "functions is an object whose methods the program calls"),
    (lambda: alarm(functions={"f": len}), "functions is an object whose methods the program calls"),
    (lambda: alarm(functions=len), "functions is an object whose methods the program calls"),
    (lambda: alarm(tick_timeout="soon"), "tick_timeout is a number of seconds, a text such as '2 sec' or a"),
    (lambda: alarm(ahead=1.5), "ahead is a number of ticks, a text such as '15 sec', or a timedelta"),
    (lambda: alarm(explain_last=1.5), "explain_last is a number of ticks, a text such as '15 sec'"),
    (lambda: alarm(explain_max_records="x"), "explain_max_records is a whole number, not 'x'"),
    (lambda: alarm(largest_interval="x"), "largest_interval is a whole number, not 'x'"),
    (lambda: alarm(trusted="no"), "trusted is True or False, not 'no'"),
    (lambda: alarm(stats="no"), "stats is True or False, not 'no'"),
    (lambda: alarm(complete_windows="no"), "complete_windows is True or False, not 'no'"),
    (lambda: alarm(evaluator="fast"), "there are 'auto', 'oneshot'"),
    # facts of a tick
    (lambda: alarm().step(0, {"hot": "hall"}), "is a mapping: give a list of facts, such as ['p(a)']"),
    (lambda: alarm().step(0, "hot(hall)"), "is a single fact: pass a list"),
    (lambda: alarm().step(0, [["hot", "hall"]]), "as a tuple ("),
    (lambda: alarm().step(1.5), "the tick 1.5 is no integer and no datetime"),
    (lambda: alarm(tick="1 sec").step(datetime(2026, 1, 1)), 'pass timezone="Europe/Vienna"'),
    # streams
    (lambda: run(None), "runs on pairs of a time and facts.* not on a value of type NoneType"),
    (lambda: run(b"stream.jsonl"), "not on a value of type bytes"),
    (lambda: run({1: ["hot(hall)"]}), "write its pairs of a time and facts, source.items()"),
    (lambda: run(Record(1, Events())), "put it in a list"),
    (lambda: run("tcp:9000"), "tcp:9000 is a live source: write reasoner.run_live(source, on_answer)"),
    (lambda: run(StringIO("{}")), "give its path"),
    (lambda: run([], lateness=1.5), "lateness is a number of ticks"),
    (lambda: run([], emit=1.5), 'emit is "change", "every", "windows" or a number of ticks, not 1.5'),
    (lambda: run([], revise=True), "revise is a number of ticks"),
    (lambda: run([], reading="csv"), "reading is a Reading, such as"),
    (lambda: ANY.Reasoner.from_text(ALARM).run([])[0], "list(reasoner.run(...))[0]"),
    (lambda: alarm().run([]).texts, "for answer in reasoner.run(...)"),
    (lambda: ANY.read_frame("stream.jsonl", alarm().reading), "read_file reads files"),
    (lambda: replace(alarm().reading, missing="n/a"), "missing lists the cells that are missing"),
    (lambda: replace(alarm().reading, format="xls"), "'xls' is not a value of Format: there are 'jsonl'"),
    # live sources
    (
        lambda: live([(1, ["hot(hall)"])]),
        "needs an address, the path of a file, or a Feed.*reasoner.run(data)",
    ),
    (lambda: live(FRAME), "needs an address, the path of a file, or a Feed"),
    (lambda: live("a.jsonl", clock="walls"), 'clock is "data", "wall", or a clock of your own'),
    (
        lambda: live("a.jsonl", idle_timeout=[5]),
        "idle_timeout is a number of seconds, a text such as '2 sec'",
    ),
    (lambda: live("a.jsonl", stop=True), "stop is a threading.Event, not True"),
    (lambda: live("a.jsonl", "print"), "on_answer is a function that takes an Answer, not 'print'"),
    # answers, explanations, snapshots
    (
        lambda: "alarm/1" in alarm().step(0).holds,
        "is a predicate, not an atom: write answer.holds['alarm/1']",
    ),
    (lambda: alarm().intervals([])[0], "0 is not one predicate of the output, which has alarm/1"),
    (lambda: told(atom=("alarm", "hall")), "why needs an atom as text, such as 'alarm(kitchen)'"),
    (lambda: told(depth="all"), "depth is a number of rules, 1 or more, not 'all'"),
    (lambda: told(depth=0), "depth is a number of rules, 1 or more, not 0"),
    (lambda: alarm().resume("x"), "resume needs the bytes of a snapshot, not 'x'"),
    # values
    (lambda: ANY.constant(5), "the name of a constant is text, not 5"),
    (lambda: ANY.function("f", [1]), "the arguments of a function are a tuple, such as (1, 2), not [1]"),
    (lambda: ANY.function("f", "abc"), "the arguments of a function are a tuple, such as (1, 2), not 'abc'"),
    (lambda: ANY.pure(5), "write @pure above its def"),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_messages_say_how_to_repair_the_call(call: Callable[[], object], message: str) -> None:
    expected = ".*".join(map(re.escape, message.split(".*")))
    with pytest.raises((Lars2aspError, TypeError, ValueError, AttributeError, KeyError), match=expected):
        call()


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ((1, {"hot": "hall"}), "is a mapping: give a list of facts"),
        ("hot(hall)", "is neither a record nor a pair of a time and facts, such as (1, ['p(a)'])"),
        (ANY.Record(1, ["hot(hall)"]), "for a list of facts give a pair (time, facts)"),
        (Record(1, ANY.Events(until=1.5)), "until is a tick, a whole number, not 1.5"),
        ((datetime(2026, 1, 1), []), "lacks a time zone"),
    ],
)
def test_items_of_a_stream(item: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        run([item], on_reject="stop")


def test_values_in_other_forms_are_taken() -> None:
    reading = replace(alarm().reading, format="csv")
    assert reading.format is Format.CSV
    timeline = replace(reading.timeline, unit="sec")
    assert timeline.unit is TimeUnit.SEC
    assert alarm(timezone=UTC).plan.zone.key == "UTC"
    stop = Event()
    stop.set()
    live("host:", stop=stop)


def test_names_that_are_missing_are_proposed() -> None:
    """Python proposes another one by what the error names."""
    for of, name in ((alarm(), "stepp"), (alarm().step(0), "hold"), (lars2asp, "Reasone")):
        with pytest.raises(AttributeError) as error:
            getattr(of, name)
        assert (error.value.name, error.value.obj) == (name, of)
