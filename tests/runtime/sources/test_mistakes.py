"""Of equal mistakes standard error has the first ones and a count; a file of rejects has all."""

import json
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.sources.mistakes import FIRST_COUNT, MOST_KINDS, SHOWN_EACH, Mistakes, kind_of
from lars2asp.runtime.sources.records import Origin, Rejected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("column temp: '24,1' is not a number", "column temp: 'n/a' is not a number"),
        ("the time goes backwards: tick 4 after 5", "the time goes backwards: tick 14 after 50"),
        (
            "tick 4 (2026-01-01T00:04:00+01:00) was already over; to accept all records so far, add "
            "--lateness '1 min'",
            "tick 9 (2026-01-01T00:09:00+01:00) was already over; to accept all records so far, add "
            "--lateness '1 hour'",
        ),
        ("on(m,f(a)) ends, but is not open", "on(n,f(b,g)) ends, but is not open"),
        ("p(1.5): 1.5 is a decimal", "p(a,2.25): 2.25 is a decimal"),
    ],
)
def test_values_make_no_other_kind(one: str, other: str) -> None:
    assert kind_of(one) == kind_of(other)


def test_columns_and_reasons_make_other_kinds() -> None:
    reasons = [
        "column temp: 'a' is not a number",
        "column time: 'a' is not a number",
        "column temp: 'a' is not an integer",
    ]
    assert len({*map(kind_of, reasons)}) == len(reasons)


def test_the_number_of_messages_is_bounded() -> None:
    """Whatever the reasons are."""
    mistakes, shown = Mistakes(), 0
    for number in range(20_000):
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        shown += len([*mistakes.messages(Rejected(Origin("s", number), f"{name} is wrong"), "x")])
    assert shown < 3 * SHOWN_EACH * MOST_KINDS
    assert len([*mistakes.summary()]) <= MOST_KINDS + 1


def test_counts_go_on_from_a_state() -> None:
    mistakes = Mistakes()
    for number in range(SHOWN_EACH + FIRST_COUNT + 1):
        assert [*mistakes.messages(Rejected(Origin("s", number), f"{number} is wrong"), "x")] or number > 4
        state, mistakes = json.loads(json.dumps(mistakes.state())), Mistakes()
        mistakes.restore(state)
        if number == SHOWN_EACH + 1:
            break
    [line] = mistakes.summary()
    assert line == "s:6: error: 6 is wrong\n  (and 1 more like this one)"


def test_one_mistake_more_than_is_shown_is_shown_last() -> None:
    mistakes = Mistakes()
    for number in range(SHOWN_EACH + 1):
        _ = [*mistakes.messages(Rejected(Origin("s", number), f"{number} is wrong"), "x")]
    assert [*mistakes.summary()] == [f"s:{SHOWN_EACH}: error: {SHOWN_EACH} is wrong"]


def test_equal_mistakes_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Few lines for many mistakes, and the lateness with which no record had come too late."""
    (tmp_path / "p.lars").write_text("#tick 1 min. a(X) :- p(X). #input p(x) at t.")
    wrong = [f"2026-01-01T12:{59 - i % 30:02}Z,{i}" for i in range(1, 3000)]
    (tmp_path / "in.csv").write_text("\n".join(["t,x", "2026-01-01T12:59Z,0", *wrong]))
    command = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in.csv")]
    assert main(command) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) < 30
    assert told[0].endswith(
        "the time goes backwards: tick 29454538 (2026-01-01T12:58:00+00:00) after 29454539 "
        "(2026-01-01T12:59:00+00:00); to accept all records so far, add --lateness '1 min'"
    )
    assert told[-4].endswith("to accept all records so far, add --lateness '29 min'")
    counts = f"{tmp_path / 'in.csv'}: 3000 records: 100 gave facts, 2900 late"
    assert told[-3:] == [
        "  (and 2894 more like this one)",
        counts,
        "2900 records were rejected (2900 of them late); to keep all of them, add --rejects FILE",
    ]
    assert main([*command, "--rejects", str(tmp_path / "rejects")]) == 1
    assert capsys.readouterr().err == f"{counts}\n2900 records were rejected (2900 of them late)\n"
    assert len((tmp_path / "rejects").read_text().splitlines()) == 2900
    assert main([*command, "--lateness", "29 min"]) == 0
