"""What becomes of bad records, whoever reads them: a warning, an error, or what a function does."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pandas as pd
import pytest

from lars2asp import InputError, Reasoner, Record, Rejected, read_file, read_frame
from lars2asp.connectors import Line
from lars2asp.externals.events import Events

PROGRAM = "#input p(x) at t.  #decimals p(1).  a(X) :- p(X)."
ROWS = [("0", "1.5"), ("1", "bad"), ("1", "2.5"), ("soon", "3.5"), ("2", "4.55"), ("4", "5.5")]
"""Three of them are bad, of which this is the first."""

REASON = "'bad' is not a number"

Read = Callable[[Reasoner, Path, dict[str, Any]], object]


def table(folder: Path) -> Path:
    path = folder / "rows.csv"
    path.write_text("\n".join(["t,x", *(",".join(row) for row in ROWS)]) + "\n")
    return path


def objects(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f'{{"t": "{t}", "x": "{x}"}}\n' for t, x in ROWS))
    return path


def frame(_: Path) -> pd.DataFrame:
    return pd.DataFrame(ROWS, columns=["t", "x"])


def pairs(_: Path) -> list[Any]:
    """The same as a Python program has it."""
    return [
        (0, ["p(1.5)"]),
        (1, "p(2.5)"),
        (1, ["p(2.5)"]),
        ("soon", []),
        (2, [("p", 4.55)]),
        (4, [("p", 5.5)]),
    ]


def live(reasoner: Reasoner, folder: Path, options: dict[str, Any]) -> None:
    reasoner.run_live(str(table(folder)), lambda _: None, until=3, **options)


NAMES = ("run", "intervals", "changes", "chart")


def over(name: str, made: Callable[[Path], Any], **more: Any) -> Read:
    """What calls a method of a reasoner, and takes all that it gives."""

    def read(reasoner: Reasoner, folder: Path, options: dict[str, Any]) -> None:
        assert [*taken(getattr(reasoner, name)(made(folder), **more, **options))]

    return read


MADE = (table, objects, frame, pairs)

WAYS: dict[str, Read] = {
    **{f"{name} of {made.__name__}": over(name, made) for made in MADE for name in NAMES},
    **{f"revise of {made.__name__}": over("run", made, revise=1) for made in MADE},
    "read_file": lambda reasoner, folder, how: [*read_file(table(folder), reasoner.reading, **how)],
    "read_frame": lambda reasoner, folder, how: [*read_frame(frame(folder), reasoner.reading, **how)],
    "run_live": live,
}


def taken(found: Any) -> Iterator[object]:
    """All that a run gives."""
    if hasattr(found, "batches"):
        return iter(found.batches())
    return iter(found) if hasattr(found, "__next__") else iter([found])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", [{}, {"on_reject": "warn"}])
def test_one_warning_for_each_input_names_the_first_reason_and_the_number(
    way: str, options: dict[str, Any], tmp_path: Path
) -> None:
    reason = "is a single fact: pass a list" if way.endswith("pairs") else REASON
    for _ in range(2):  # also where Python shows a text once for each place
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("default")
            reasoner = Reasoner.from_text(PROGRAM)
            WAYS[way](reasoner, tmp_path, options)
        [warning] = said
        assert reason in str(warning.message)
        if way == "run_live":
            assert "such records are left out and counted" in str(warning.message)
            continue
        assert str(warning.message).startswith("3 records of ")
        assert warning.filename == __file__  # the code of the user
        if not way.startswith("read"):
            [account] = reasoner.statistics.inputs.values()
            assert account.rejected == 3


@pytest.mark.parametrize("way", WAYS)
def test_stop_raises_the_first(way: str, tmp_path: Path) -> None:
    reason = "is a single fact: pass a list" if way.endswith("pairs") else REASON
    with pytest.raises(InputError, match=reason):
        WAYS[way](Reasoner.from_text(PROGRAM), tmp_path, {"on_reject": "stop"})


@pytest.mark.parametrize("way", WAYS)
def test_a_function_takes_each(way: str, tmp_path: Path) -> None:
    found: list[Rejected] = []
    WAYS[way](Reasoner.from_text(PROGRAM), tmp_path, {"on_reject": found.append})
    assert len(found) == 3


@pytest.mark.parametrize("way", WAYS)
def test_other_choices_are_refused(way: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'on_reject is "warn", "stop" or a function, not .*ignore'):
        WAYS[way](Reasoner.from_text(PROGRAM), tmp_path, {"on_reject": "ignore"})


@pytest.mark.parametrize(
    "item",
    [
        *((1, None), (1, 5), (None, []), (1.5, []), "text", None, (1,), (1, [None]), (1, [("p", [1])])),
        *(Record(tick, Events()) for tick in (None, "1", 1.5, -1, 2**70)),  # type: ignore[arg-type]
        *(Record(1, Events(until=until)) for until in ("x", b"")),  # type: ignore[arg-type]
        *(Record(1, None), Record(1, Events(None)), Record(1, Events(((1, 2),)))),  # type: ignore[arg-type]
    ],
)
def test_whatever_a_program_gives_the_records_around_it_stay(item: Any) -> None:
    found: list[Rejected] = []
    answers = Reasoner.from_text("a(X) :- p(X).").run(
        [(0, ["p(1)"]), item, (3, ["p(2)"])], on_reject=found.append
    )
    assert {one.tick: one.began.texts for one in answers if one.began} == {0: ("a(1)",), 3: ("a(2)",)}
    assert len(found) == 1


def test_many_connections_of_a_live_input_are_warned_of_once() -> None:
    class Connections:
        name = "tcp:9000"

        def run(self, emit: Callable[[Line], None], stop: Event) -> None:
            for number in range(3):
                emit(Line(f"tcp:192.0.2.1:{number}", 1, "broken"))

    reasoner = Reasoner.from_text("a(X) :- p(X).")
    with pytest.warns(UserWarning, match="tcp:192.0.2.1:0:1: .* are left out and counted") as said:
        reasoner.run_live(Connections(), lambda _: None)
    assert len(said) == 1
    assert [one.rejected for one in reasoner.statistics.inputs.values()] == [3]
