"""Each record is counted once, whichever way it is read."""

import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.sources.account import COUNTS, Account, Accounts
from lars2asp.runtime.sources.files import FileInput, input_at
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.merged_input import MergedInput
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Rejected

ROOMS = "#input temp(room, int(temp)) at time. hot(R) :- temp(R, _)."

TABLE = """\
time,room,temp
1,a,20
2,a,
3,b,21
4,,22
5,,
6,a,23
5,a,9
6,a,x
x,a,1
"""

OBJECTS = """\
{"time": 1, "room": "a", "temp": 20}
{"time": 2, "room": "a"}
{"time": 3, "room": "a", "temp": null}
{"time": 5}
{"time": 6, "facts": []}
{"time": 7, "facts": ["temp(b,1)"]}
{"time": 4, "room": "a", "temp": 1}
{"time": 3, "room": "a", "temp": null}
{"time": 8, "room": "a", "temp": "x"}
{broken
"""


def account_of(found: Account) -> list[int]:
    """Its counts, in their order."""
    return [*found.json.values()][: len(COUNTS)]


def judged(reasoner: Reasoner, source: object) -> tuple[Account, list[Rejected]]:
    """The account of the only input, and what was rejected."""
    rejected: list[Rejected] = []
    for _ in reasoner.run(source, on_reject=rejected.append):  # type: ignore[call-overload]
        pass
    [account] = reasoner.statistics.inputs.values()
    return account, rejected


@pytest.mark.parametrize("evaluator", ["auto", "oneshot"])
@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [("a.csv", TABLE, [3, 1, 2, 2, 1, 0]), ("a.jsonl", OBJECTS, [2, 1, 2, 2, 1, 2])],
)
def test_each_record_of_a_file_is_in_one_count(
    tmp_path: Path, evaluator: str, name: str, text: str, counts: Sequence[int]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    account, _ = judged(Reasoner.from_text(ROOMS, evaluator=evaluator), path)
    assert account_of(account) == counts
    assert account.records == sum(counts)


def test_records_without_a_fact_are_counted_in_columns_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [f"{number},a,{'' if number % 3 else number}" for number in range(900)]
    path.write_text("\n".join(["time,room,temp", *rows, "900,,"]))
    account, _ = judged(Reasoner.from_text(ROOMS), path)
    assert account_of(account) == [300, 1, 600, 0, 0, 0]


def test_rows_of_a_frame_are_counted_one_by_one() -> None:
    frame = pytest.importorskip("pyarrow").table(
        {
            "time": [1, 1, 1, 2, 3, 2, 2],
            "room": ["a", "b", "c", None, "a", "a", "b"],
            "temp": [1, 2, None, None, 3, 4, 5],
        }
    )
    for evaluator in ("auto", "oneshot"):
        account, rejected = judged(Reasoner.from_text(ROOMS, evaluator=evaluator), frame)
        assert account_of(account) == [3, 1, 1, 0, 2, 0]
        assert len(rejected) == 2


def test_pairs_of_a_python_program_are_counted() -> None:
    account, _ = judged(
        Reasoner.from_text("#input p(x) at time. q :- p(_)."),
        [(1, ["p(1)"]), (2, []), (5, ["p(2)"]), (3, ["p(1)"]), (6, ["p("]), "none"],
    )
    assert account_of(account) == [2, 0, 0, 2, 1, 1]


SEVERAL_TIMES = "#input temp(room, int(temp)) at time. #input seen(room) at other. q :- temp(_, _), seen(_)."


def test_a_record_with_several_times_gave_facts_if_one_was_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("time,other,room,temp\n1,2,a,20\n2,9,a,\n1,1,a,1\n1,10,b,1\n11,3,a,9\n")
    account, rejected = judged(Reasoner.from_text(SEVERAL_TIMES), path)
    assert account_of(account) == [4, 0, 0, 0, 1, 0]  # both facts of the third are late
    assert account.late_facts == 2
    assert len(rejected) == 3


def test_a_row_without_a_fact_that_comes_late_is_without_a_fact(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("time,room,temp\n5,a,1\n3,a,\n3,,\n3,a,2\n")
    account, rejected = judged(Reasoner.from_text(ROOMS), path)
    assert account_of(account) == [1, 1, 1, 0, 1, 0]
    assert [one.origin.line for one in rejected] == [5]


def test_lines_of_live_sources_are_counted_as_those_of_files() -> None:
    reasoner = Reasoner.from_text(ROOMS)
    for form, text, counts in (
        (Format.CSV, TABLE, [4, 1, 2, 2, 0, 0]),
        (Format.JSONL, OBJECTS, [3, 1, 2, 2, 0, 2]),
    ):
        reading = Reading(form, declarations=reasoner.plan.inputs)
        reader = LiveReader(reading, lambda _: None, is_one_text=True)
        for number, line in enumerate(text.splitlines(), start=1):
            reader.records(Line("x", number, line))
        reader.finish()
        assert account_of(reader.account) == counts


def test_an_interrupted_input_goes_on_with_its_counts(tmp_path: Path) -> None:
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text(TABLE)
    other.write_text("time,room,temp\n2,z,1\n2,z,\n9,z,1\n")
    reading = Reasoner.from_text(ROOMS).reading

    def inputs() -> MergedInput:
        return MergedInput([FileInput(str(one), reading, lambda _: None) for one in (path, other)])

    with inputs() as whole:
        number = sum(1 for _ in whole.records())
        expected = [account for _, account in whole.accounts]
    for stop in range(number):
        with inputs() as first:
            records = first.records()
            for _ in range(stop):
                next(records)
            state = first.state()
        with inputs() as second:
            second.restore(state)
            assert sum(1 for _ in second.records()) == number - stop
            assert [account for _, account in second.accounts] == expected


def test_a_folder_is_one_input(tmp_path: Path) -> None:
    for number in range(3):
        rows = [f"{3 * time + number},a,{'' if time == 2 else time}" for time in range(4)]
        (tmp_path / f"{number}.csv").write_text("\n".join(["time,room,temp", *rows, f"{number},,"]))
    account, rejected = judged(Reasoner.from_text(ROOMS), tmp_path)
    assert account_of(account) == [9, 3, 3, 0, 0, 0]
    assert not rejected
    reading = Reasoner.from_text(ROOMS).reading
    for stop in range(15):
        with input_at(str(tmp_path), reading, lambda _: None) as first:
            records = first.records()
            for _ in range(stop):
                next(records)
            state = first.state()
        with input_at(str(tmp_path), reading, lambda _: None) as second:
            second.restore(state)
            assert sum(1 for _ in second.records()) == 15 - stop
            assert [*second.accounts] == [(str(tmp_path), account)]


def test_accounts_can_be_added_and_sent() -> None:
    one, other = Account(1, 2, 3, 4, 5, 6, 7, 8), Account(gave_facts=2, late_facts=1)
    assert pickle.loads(pickle.dumps(one)) + other == Account(3, 2, 3, 4, 5, 6, 8, 8)
    accounts = Accounts([("a", one), ("b", other), ("a", other)])
    assert accounts.total == Account(5, 2, 3, 4, 5, 6, 9, 8)
    assert accounts.by_name == {"a": Account(3, 2, 3, 4, 5, 6, 8, 8), "b": other}


def test_a_live_input_without_a_fact_is_doubted_once(caplog: pytest.LogCaptureFixture) -> None:
    reading = Reading(Format.JSONL, declarations=Reasoner.from_text(ROOMS).plan.inputs)
    reader = LiveReader(reading, lambda _: None, name="tcp:\x1b[1m")
    for number in range(1, 1500):
        reader.records(Line("x", number, '{"time": 1, "other": 2}'))
    said = "tcp:\\x1b[1m: no fact so far: 1000 records: 0 gave facts, 1000 passed over (no #input fits)"
    assert caplog.messages == [said]
