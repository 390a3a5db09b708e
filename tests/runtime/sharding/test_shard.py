"""The reasoner of a shard: its state has all that counts, and no more than that."""

from collections.abc import Iterable
from itertools import chain

import pytest

from lars2asp.compiler import checked_program, compile_part
from lars2asp.externals.terms.table import TermReader
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import OUTPUT, Packet
from lars2asp.runtime.sharding.shard import BatchResult, ShardReasoner, ShardState
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec, check_fingerprint
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import whole
from lars2asp.syntax.source import Source
from tests.runtime.sharding.packet_texts import packet_of, texts_of
from tests.support.blocks import ends_of_blocks

SHORT = Tuning(shard_journal=3)


class Carried:
    """A shard of a whole program, and its state as a carrier keeps it."""

    def __init__(
        self,
        program: str,
        start: int | None = None,
        tuning: Tuning = DEFAULT,
        evaluator: EvaluatorName = EvaluatorName.AUTO,
    ) -> None:
        checked = checked_program(Source("text", program))
        layout = Layout(Split((whole(checked.program),)), (1,))
        self.plan = compile_part(layout.split.parts[0], checked.semantics)
        settings = ShardSettings(checked.semantics, start, evaluator=evaluator, tuning=tuning)
        self.spec = ShardSpec(layout.shards[0], settings, layout.routes_above(0))
        self._reasoner = ShardReasoner(self.spec, self.plan)
        self.state = ShardState()
        self.bases = 0

    def whole(self, text: str) -> list[str]:
        """Takes a packet with all of the input; the lines of the output."""
        return _lines(self._reasoner.evaluate([packet_of(text)]))

    def break_down(self) -> None:
        """Makes the reasoner anew from its state."""
        self._reasoner = ShardReasoner(self.spec, self.plan, self.state)

    def take(self, text: str, late: int | None, over: int | None) -> list[str]:
        """Takes a packet, written with an atom a line; the lines of the output."""
        taken: BatchResult = self._reasoner.take([packet_of(text)] if text else [], late, over)
        if taken.base is not None:
            self.bases += 1
            self.state = ShardState(taken.base, [taken.entry])
        else:
            self.state.journal.append(taken.entry)
        return _lines(taken.packets)


def _lines(packets: Iterable[Packet]) -> list[str]:
    found = (entry for packet in packets if packet.target == OUTPUT for entry in texts_of(packet.data))
    return sorted(f"{tick} {sign} {text}" for tick, sign, texts in found for text in texts)


def test_what_begins_before_the_timeline_starts_is_kept() -> None:
    shard = Carried("a(X) :- p(X).", start=100, tuning=SHORT)
    assert shard.take("\n".join(f"{tick} b p({tick})" for tick in range(1, 6)), None, 10) == []
    shard.break_down()
    assert shard.take("", 10, 110) == [f"100 + a({tick})" for tick in range(1, 6)]


def test_the_timeline_does_not_start_with_what_comes_too_late() -> None:
    shard = Carried("a :- not p.")
    shard.take("10 f q\n10 s ", None, None)
    [rejected] = shard.take("2 f q\n2 s ", 9, 9)
    assert rejected.startswith("2 ! ")
    assert shard.take("", 20, 20) == ["10 + a"]


def test_what_comes_too_late_is_not_kept() -> None:
    shard = Carried("a(X) :- p(X).")
    shard.take("5 f p(5)\n5 s ", None, None)
    lines = shard.take("1 f p(1)\n6 f p(6)\n2 f9 p(2)", 4, 4)
    assert len(lines) == 2
    assert shard.state.journal[-1] == b"4 4\n" + packet_of("6 f p(6)")
    shard.break_down()
    assert shard.take("", 6, 6) == ["5 + a(5)", "6 + a(6)", "6 - a(5)"]


def test_the_journal_is_short_where_there_is_no_input() -> None:
    shard = Carried("a(X) :- p(X).", tuning=SHORT)
    shard.take("0 f p(1)\n0 s ", None, 0)
    for tick in range(1, 50):
        shard.take("", tick, tick)
        assert len(shard.state.journal) <= 4 + 2 * len("ap")


def test_what_waits_is_not_written_down_again_and_again() -> None:
    shard = Carried("a(X) :- p(X).", tuning=SHORT)
    ahead = range(1000, 2000)
    shard.take("\n".join(["0 s ", *(f"{tick} f p({tick})" for tick in ahead)]), None, None)
    for tick in range(100):
        shard.take(f"{tick + 1} f p(0)", tick, tick)
    assert shard.bases == 1


def test_what_cannot_be_taken_is_rejected_alone() -> None:
    shard = Carried("a(X) :- p(X).")
    lines = shard.take("1 s \n1 f p(1)\n1 e p(2)\n1 f0 p(3)\n1 f4 p(4)", None, 1)
    assert [line for line in lines if "!" not in line] == ["1 + a(1)", "1 + a(4)"]
    assert sorted(line.rsplit(" ")[-1] for line in lines if "!" in line) == ["p(2)", "p(3)"]


def test_a_checkpoint_of_an_older_version_is_refused() -> None:
    shard = Carried("a(X) :- p(X).")
    with pytest.raises(SnapshotError, match="another version of lars2asp: go on with that version"):
        check_fingerprint("0123456789abcdef", shard.spec)
    with pytest.raises(SnapshotError, match="another program"):
        check_fingerprint(f"{shard.spec.fingerprint}0", shard.spec)
    check_fingerprint(shard.spec.fingerprint, shard.spec)


def test_a_state_of_0_3_0_has_times() -> None:
    """What waits there has no ranks; it is still taken in the order of its times."""
    shard = Carried("#tick 1 min. a(X) :- p(X) in [1 #].", start=0, tuning=SHORT)
    shard.take("\n".join(f"99 f p({number})" for number in range(5)), None, None)
    for tick in range(20):
        shard.take(f"{tick} f p(0)", tick - 1, tick)
    state = unpacked(shard.state.base)
    [(tick, sign, until, signature, rows)] = state.pop("ranked")
    assert (tick, sign, until) == (99, "f", None)
    state["waiting"] = [
        [tick, sign, until, signature, [rows[place]], 10**15 + moment]
        for place, moment in enumerate([3, 1, 9, 4, 2])
    ]
    shard.state = ShardState(packed(state), [])
    shard.break_down()
    [(newest,)] = TermReader(state["terms"]).read([rows[2]])
    assert f"99 + a({newest})" in shard.take("", 20, 99)


def test_facts_of_the_tick_at_which_blocks_end_are_not_lost() -> None:
    """No block may have a fact that holds for a while where its ticks are asked for."""
    shard = Carried("a(X,T) :- p(X) at T in [5].", evaluator=EvaluatorName.FLOW)
    found = shard.whole("2 f p(1)\n3 f p(2)\n3 f4 p(3)\n2 s \n4 c ")
    assert found == ["2 + a(1,2)", "3 + a(2,3)", "3 + a(3,3)", "4 + a(3,4)"]


def test_facts_of_several_predicates_keep_their_ticks_where_blocks_end() -> None:
    """A fact that rules derive as well ends the blocks."""
    shard = Carried("a(X) :- p(X). a(X) :- q(X).", evaluator=EvaluatorName.FLOW)
    found = shard.whole("0 f p(1)\n1 f a(2)\n2 f q(3)\n3 f p(4)\n0 s \n4 c ")
    expected = [[f"{tick} + a({tick + 1})", f"{tick + 1} - a({tick + 1})"] for tick in range(4)]
    assert found == sorted(chain.from_iterable(expected))


def test_facts_that_are_held_are_in_blocks_where_all_input_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those of one tick the last one by its text is the current one, as in batches."""
    ends = ends_of_blocks(monkeypatch)
    program = "#held p(K,_) by K for 5. a(K,X) :- p(K,X)."
    text = "0 f p(1,2)\n0 f p(1,10)\n3 f p(1,7)\n3 f p(2,7)\n0 s \n9 c "
    found = Carried(program).whole(text)
    assert ends
    assert found == Carried(program).take(text, None, 9)
    assert "3 - a(1,2)" in found
