"""What is kept of a shard: all that counts, and no more than that."""

import pytest

import lars2asp.runtime.sharding.shard
from lars2asp.compiler import checked_program, compile_part
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import OUTPUT
from lars2asp.runtime.sharding.shard import Settings, ShardReasoner, Spec, State, Taken
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import whole
from lars2asp.syntax.source import Source


class Kept:
    """A shard of a whole program, and what a carrier keeps of it."""

    def __init__(self, program: str, start: int | None = None) -> None:
        checked = checked_program(Source("text", program))
        layout = Layout(Split((whole(checked.program),)), (1,))
        self._plan = compile_part(layout.split.parts[0], checked.semantics)
        self._spec = Spec(layout.shards[0], Settings(checked.semantics, start), layout.routes_above(0))
        self._reasoner = ShardReasoner(self._spec, self._plan)
        self.state = State()
        self.bases = 0

    def break_down(self) -> None:
        """Makes the reasoner anew of what is kept."""
        self._reasoner = ShardReasoner(self._spec, self._plan, self.state)

    def take(self, text: str, late: int | None, over: int | None) -> list[str]:
        """Takes a packet; the lines of the output."""
        taken: Taken = self._reasoner.take([text] if text else [], late, over)
        if taken.base is not None:
            self.bases += 1
            self.state = State(taken.base, [taken.entry])
        else:
            self.state.journal.append(taken.entry)
        packets = (packet for packet in taken.packets if packet.target == OUTPUT)
        return sorted(line for packet in packets for line in packet.text.split("\n"))


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lars2asp.runtime.sharding.shard, "WORK", 3)


@pytest.mark.usefixtures("_short")
def test_what_begins_before_the_timeline_starts_is_kept() -> None:
    kept = Kept("a(X) :- p(X).", start=100)
    assert kept.take("\n".join(f"{tick} b p({tick})" for tick in range(1, 6)), None, 10) == []
    kept.break_down()
    assert kept.take("", 10, 110) == [f"100 + a({tick})" for tick in range(1, 6)]


def test_the_timeline_does_not_start_with_what_comes_too_late() -> None:
    kept = Kept("a :- not p.")
    kept.take("10 f q\n10 s ", None, None)
    [rejected] = kept.take("2 f q\n2 s ", 9, 9)
    assert rejected.startswith("2 ! ")
    assert kept.take("", 20, 20) == ["10 + a"]


def test_what_comes_too_late_is_not_kept() -> None:
    kept = Kept("a(X) :- p(X).")
    kept.take("5 f p(5)\n5 s ", None, None)
    told = kept.take("1 f p(1)\n6 f p(6)\n2 u9 p(2)", 4, 4)
    assert len(told) == 2
    assert kept.state.journal[-1] == "4 4\n6 f p(6)"
    kept.break_down()
    assert kept.take("", 6, 6) == ["5 + a(5)", "6 + a(6)", "6 - a(5)"]


@pytest.mark.usefixtures("_short")
def test_the_journal_is_short_where_nothing_is_told() -> None:
    kept = Kept("a(X) :- p(X).")
    kept.take("0 f p(1)\n0 s ", None, 0)
    for tick in range(1, 50):
        kept.take("", tick, tick)
        assert len(kept.state.journal) <= 4 + 2 * len("ap")


@pytest.mark.usefixtures("_short")
def test_what_waits_is_not_written_down_again_and_again() -> None:
    kept = Kept("a(X) :- p(X).")
    ahead = range(1000, 2000)
    kept.take("\n".join(["0 s ", *(f"{tick} f p({tick})" for tick in ahead)]), None, None)
    for tick in range(100):
        kept.take(f"{tick + 1} f p(0)", tick, tick)
    assert kept.bases == 1
