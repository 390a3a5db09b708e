"""`record()`: a number that no other record of the run has."""

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.live_reader import LiveReader, LiveReaders
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Record, refuse

DECLARED = "#input p(u, record()) at ts. h(U,N) :- p(U,N)."


def reading_of(program: str = DECLARED, form: Format | None = None) -> Reading:
    return Reading(form, declarations=Reasoner.from_text(program).plan.inputs)


def numbers(records: Sequence[Record]) -> list[object]:
    return [row[-1] for record in records for atoms in record.events.facts for row in atoms.rows]


def written(path: Path, *records: dict[str, object]) -> str:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return str(path)


def test_it_goes_on_over_files_and_folders(tmp_path: Path) -> None:
    """`row()` begins anew in each of them."""
    first = written(tmp_path / "a.jsonl", {"ts": 0, "u": "x"}, {"ts": 2, "u": "x"})
    second = written(tmp_path / "b.jsonl", {"ts": 1, "u": "x"}, {"ts": 3, "u": "x"})
    for names in ([first, second], [str(tmp_path)]):
        with open_inputs(names, reading_of(), refuse) as source:
            assert numbers([*source.records()]) == [1, 2, 3, 4]


def test_records_of_an_array_on_one_line_have_their_own(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('[{"ts":0,"u":"x"},{"ts":0,"u":"x"}]\n[{"ts":0,"u":"x"}]\n', encoding="utf-8")
    with open_inputs([str(path)], reading_of(), refuse) as source:
        assert numbers([*source.records()]) == [1, 2, 3]


def test_each_element_has_its_own(tmp_path: Path) -> None:
    """Declarations of one list share them, a declaration without `each` has another one."""
    path = written(tmp_path / "a.jsonl", {"ts": 0, "u": ["x", "x"]}, {"ts": 0, "u": ["x"]})
    program = "#input p(each u, record()) at ts. #input q(each u, record()) at ts. #input r(record()) at ts."
    program += " h(N) :- p(_,N), q(_,N), r(N)."
    with open_inputs([path], reading_of(program), refuse) as source:
        assert numbers([*source.records()]) == [1, 2, 1, 2, 3, 4, 4, 5]


@pytest.mark.parametrize("given", [1, 2, 3])
def test_a_run_that_goes_on_counts_on(tmp_path: Path, given: int) -> None:
    paths = [
        written(tmp_path / "a.jsonl", {"ts": 0, "u": "x"}, {"ts": 2, "u": "x"}),
        written(tmp_path / "b.jsonl", {"ts": 1, "u": "x"}, {"ts": 3, "u": "x"}),
    ]
    with open_inputs(paths, reading_of(), refuse) as source:
        records = source.records()
        begun = [next(records) for _ in range(given)]
        state = json.loads(json.dumps(source.state()))
    with open_inputs(paths, reading_of(), refuse) as source:
        source.restore(state)
        assert numbers([*begun, *source.records()]) == [1, 2, 3, 4]


def test_live_inputs_count_together() -> None:
    reading = reading_of(form=Format.JSONL)
    readers = LiveReaders([LiveReader(reading, refuse) for _ in range(2)])
    line = '{"ts": 0, "u": "x"}'
    found = [*readers.records(Line("tcp:a", 1, line)), *readers.records(Line("tcp:b", 1, line, input=1))]
    later = reading_of(form=Format.JSONL)
    restored = LiveReaders([LiveReader(later, refuse) for _ in range(2)])
    restored.restore(json.loads(json.dumps(readers.states())))
    found += restored.records(Line("tcp:a", 2, line))
    assert numbers(found) == [1, 2, 3]


def test_rows_of_frames_and_of_csv_have_them(tmp_path: Path) -> None:
    """Also equal rows of one tick, and in all that one reasoner reads."""
    reasoner = Reasoner.from_text(DECLARED)
    frame = pa.table({"ts": [0, 0], "u": ["x", "x"]})
    (tmp_path / "a.csv").write_text("ts,u\n1,x\n1,x\n", encoding="utf-8")
    found = [answer.holds.texts for answer in reasoner.run(frame)]
    found += [answer.holds.texts for answer in reasoner.run(tmp_path / "a.csv")]
    assert found == [('h("x",1)', 'h("x",2)'), ('h("x",3)', 'h("x",4)')]


def test_a_snapshot_of_a_reasoner_has_the_last_number(tmp_path: Path) -> None:
    for name, begin in (("a", 0), ("b", 3)):
        rows = (json.dumps({"ts": tick, "u": "x"}) for tick in range(begin, begin + 3))
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{row}\n" for row in rows))
    program = "#input login(u, record()) at ts. seen(N) :- login(_,N)."

    def told(reasoner: Reasoner, name: str) -> list[str]:
        answers = reasoner.run(tmp_path / f"{name}.jsonl")
        return [text for answer in answers for text in answer.began.texts]

    first, second = Reasoner.from_text(program), Reasoner.from_text(program)
    assert told(first, "a") == ["seen(1)", "seen(2)", "seen(3)"]
    second.resume(first.snapshot())
    assert told(second, "b") == told(first, "b") == ["seen(4)", "seen(5)", "seen(6)"]
