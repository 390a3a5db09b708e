"""One run of an engine."""

from collections.abc import Iterator, Mapping, Sequence

from experiments.benchmark import EngineName, Per, Setting
from experiments.benchmarks.streams import fresh_pairs
from experiments.by_hand.program import ByHand
from experiments.engine import AnswerChanges, Fact
from experiments.measuring.worker import Digest, run


def stream() -> Iterator[Sequence[Fact]]:
    return fresh_pairs(3)


SETTING = Setting(
    name="n=2", x=2, program="q(A,B) :- p(A,B) in [2].", stream=stream, warm_up=5, ticks=4, window=2
)


class Liar(ByHand):
    """Gives its input, but for one tick."""

    @property
    def counts(self) -> Mapping[str, int]:
        return {"steps": 1}

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        return AnswerChanges([] if tick == 6 else [("q", *fact[1:]) for fact in facts], [])


def test_ticks_of_the_warm_up_are_not_timed() -> None:
    found = run(SETTING, EngineName.AUTO, Per.FACT, 60.0, None)
    assert len(found.times) == 4
    assert len(found.digests) == 9
    assert found.peak_mib > 10
    assert found.cpu > 0


def test_answers_differ_by_their_digests() -> None:
    one, other = Digest(Liar()), Digest(Liar())
    first, second = ("q", 1, 2), ("q", 2, 1)
    assert one.after(AnswerChanges([first, second], [])) == other.after(AnswerChanges([second, first], []))
    assert one.after(AnswerChanges([], [first])) != other.after(AnswerChanges([], [second]))
    assert one.after(AnswerChanges([first], [second])) == other.after(AnswerChanges([], []))


def test_an_engine_that_cannot_serve_is_refused() -> None:
    recursive = Setting("r", 1, "r(X,Z) :- r(X,Y) in [1], p(Y,Z). r(X,Y) :- p(X,Y).", stream, 1, 1, 0)
    assert "recursi" in run(recursive, EngineName.DELTA, Per.TICK, 1.0, None).refused
    assert run(SETTING, EngineName.BY_HAND, Per.TICK, 1.0, None).refused == "it was not written by hand"
