"""Records far ahead: taken where the ticks in between cost nothing, else they must not stop the stream."""

import json
from pathlib import Path

import pytest

from lars2asp import EvaluationError, InputError, Reasoner, Record, Rejected
from lars2asp.__main__ import main
from lars2asp.runtime.sources.reordering import GAP_HINT
from lars2asp.runtime.tuning import DEFAULT, Tuning
from tests.support.records import events

FAR = 1_000_000_000

OPEN = events(begin=["p"])
"""p holds from now on."""


def run(
    program: str,
    records: list[Record],
    *,
    lateness: int = 0,
    largest_gap: int | None = None,
    tuning: Tuning = DEFAULT,
) -> tuple[list[tuple[int, str]], list[str]]:
    """The answers that differ, and the times of the records that are rejected, with the reason."""
    rejected: list[Rejected] = []
    reasoner = Reasoner.from_text(program, largest_gap=largest_gap, tuning=tuning)
    answers = reasoner.run(records, emit=None, lateness=lateness, on_reject=rejected.append)
    return [(answer.tick, " ".join(answer.holds.texts)) for answer in answers], [
        each.reason for each in rejected
    ]


@pytest.mark.parametrize(
    "program",
    [
        "a at @now+2 :- p. b :- r.",
        "a(@now) :- p. b :- r.",
        "#show b/0. a :- p, not a in {1}. b :- r. b :- a, x.",
    ],
)
def test_a_record_for_which_too_many_ticks_are_to_be_evaluated_is_rejected(program: str) -> None:
    """It changes nothing: more may be told for the tick before it, and the stream goes on."""
    told = [Record(0, OPEN), Record(5, events()), Record(6, events(["r"]))]
    more = [Record(6, events(["q"])), Record(8, events(["r"]))]
    expected, _ = run(program, [*told, *more])
    far = Record(FAR, events(["r"]))
    found, rejected = run(program, [*told[:1], far, *told[1:], far, far, *more])
    assert found == expected
    assert len(rejected) == 3
    assert rejected[0] == (
        f"tick {FAR} is {FAR} ticks after 0, and more than 1000000 ticks between them need "
        f"evaluation: {GAP_HINT}"
    )


@pytest.mark.parametrize(
    "program",
    [
        "a :- p. b :- r.",
        "#show b/0. a :- p, not a in {1}. b :- r.",  # nobody looks at a
        "a :- p always in [20]. b :- r in [5].",
        "a(N) :- p count N in [3000]. b :- r.",
        "a(T) :- r at T in [3000]. b :- r.",
        "a :- r in [9000 step 1000], p. b :- r.",
        "a(@now) :- r in [2500]. b :- r.",
        "b at @now+3000 :- r. b at @now+1000000 :- r. c(@now) :- b. d :- r.",
    ],
)
def test_a_record_before_which_little_happens_is_taken(program: str) -> None:
    """However long windows are: they are waited for until what is in them has left them."""
    told = [Record(0, OPEN), Record(1, events(["r"])), Record(FAR, events(["r"]))]
    found, rejected = run(program, told)
    assert not rejected
    assert found[-1][0] == FAR


def test_ticks_that_are_known_to_lie_ahead_are_counted() -> None:
    """They are no sample of what goes on for ever."""
    tuning = Tuning(many_ticks=2000, gap_sample=10)
    booked = events([("booked", 60 * number) for number in range(500)])
    found, rejected = run(
        "a(T) at T :- booked(T).", [Record(0, booked), Record(FAR, events())], tuning=tuning
    )
    assert not rejected
    assert len(found) == 1000


def test_a_step_too_far_is_refused_and_changes_nothing() -> None:
    reasoner = Reasoner.from_text("a(@now) :- p. b :- r.")
    reasoner.step(0, begin=["p"])
    with pytest.raises(InputError, match=f"tick {FAR} is {FAR} ticks after 0, and more than"):
        reasoner.step(FAR, ["r"])
    assert reasoner.now == 0
    assert reasoner.step(1, ["r"]).holds.texts == ("b", "a(1)")
    limited = Reasoner.from_text("a(@now) :- p.", largest_gap=10)
    limited.step(FAR, begin=["p"])
    with pytest.raises(
        InputError,
        match="11 ticks after 1000000000, but the limit is 10: allow larger gaps with --largest-gap",
    ):
        limited.step(FAR + 11)
    assert limited.step(FAR + 10).holds.texts == (f"a({FAR + 10})",)


def test_a_gap_that_is_allowed_is_not_judged() -> None:
    tuning = Tuning(many_ticks=10, gap_sample=5)
    told = [Record(0, OPEN), Record(100, events()), Record(301, events())]
    assert run("a(@now) :- p.", told, tuning=tuning)[1][0].startswith(
        "tick 100 is 100 ticks after 0, and more than 10 ticks"
    )
    found, rejected = run("a(@now) :- p.", told, largest_gap=200, tuning=tuning)
    assert [tick for tick, _ in found] == list(range(101))
    assert rejected == [f"tick 301 is 201 ticks after 100, but the limit is 200: {GAP_HINT}"]


def test_until_goes_as_far_as_it_says() -> None:
    tuning = Tuning(many_ticks=10)
    for largest_gap in (None, 5):
        reasoner = Reasoner.from_text("a(@now) :- p.", largest_gap=largest_gap, tuning=tuning)
        assert len(list(reasoner.run([Record(0, OPEN)], until=50, emit="every"))) == 51


@pytest.mark.parametrize("lateness", [0, 3])
def test_a_time_that_is_wrong_does_not_make_others_late(lateness: int) -> None:
    told = [Record(tick, events(["r"])) for tick in (0, 2, 60, 1, 4)]
    if not lateness:
        del told[3]
    found, rejected = run("b :- r.", told, lateness=lateness, largest_gap=50)
    assert rejected == [f"tick 60 is 58 ticks after 2, but the limit is 50: {GAP_HINT}"]
    assert [tick for tick, atoms in found if atoms] == ([0, 4] if lateness else [0, 2, 4])


def test_what_fails_on_the_way_fails_when_the_record_is_taken() -> None:
    class Functions:
        def picky(self, tick: object) -> object:
            if str(tick) == "20":
                raise RuntimeError("no")
            return tick

    reasoner = Reasoner.from_text("a(@picky(@now)) :- p.", functions=Functions())
    reasoner.step(0, begin=["p"])
    with pytest.raises(EvaluationError, match="picky"):
        reasoner.step(FAR)
    assert reasoner.now == 20


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, stream, rejects = tmp_path / "p.lars", tmp_path / "s.jsonl", tmp_path / "r.jsonl"
    program.write_text("#tick 1 sec.\na(X) :- p(X).\n")
    told = [{"time": tick, "facts": [f"p({tick})"]} for tick in (1, 3000, 60)]
    stream.write_text("".join(json.dumps(line) + "\n" for line in told))
    given = ["run", str(program), "--input", str(stream), "--rejects", str(rejects), "--largest-gap", "1 min"]
    assert main(given) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["time"] for line in found if line["atoms"]] == [1, 60]
    [rejected] = map(json.loads, rejects.read_text().splitlines())
    assert rejected["line"] == 2
    assert "its clock is ahead, more than 60 ticks after" in rejected["reason"]
    assert main([*given[:-1], "0"]) == 2
    assert main([*given, "--clock", "wall"]) == 2


@pytest.mark.parametrize("gap", [0, -1, 2.5, True])
def test_gaps_that_are_none(gap: object) -> None:
    with pytest.raises(ValueError, match="the largest gap must be a number of ticks, 1 or more"):
        Reasoner.from_text("a.", largest_gap=gap)  # type: ignore[arg-type]
