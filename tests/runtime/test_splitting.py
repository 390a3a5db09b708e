"""Splitting, a capability of several modules: the parts together give the answers of the whole program."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, product
from random import randrange
from zlib import crc32

import pytest
from clingo import Control, Function, Number, Symbol
from hypothesis import assume, given, note, seed, settings
from hypothesis import strategies as st

from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_part, compile_plan
from lars2asp.externals.terms.symbols import atom_symbol, key_of, keys_by_predicate
from lars2asp.externals.terms.terms import AtomRows, turns_of
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Record
from lars2asp.splitting.parts import Part, Split
from lars2asp.splitting.split import split
from lars2asp.splitting.split_text import split_text
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Constant, Rule, Semantics, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.strategies import (
    ALL_PROGRAMS,
    Case,
    cases,
    keyed_choices,
    sparse_cases,
    splittable_programs,
    with_held,
)
from tests.support.definition import record
from tests.support.examples import number_of_examples
from tests.support.records import events

EXAMPLES = number_of_examples(8)
BUCKETS = (1, 2, 8)

Atoms = frozenset[Symbol]


def signature_of(atom: Symbol) -> Signature:
    [signature] = keys_by_predicate([key_of(atom)])
    return signature


def facts_of(part: Part) -> tuple[Symbol, ...]:
    """The facts of a part, as clingo has them."""
    kept = [
        s for s in part.program.statements if isinstance(s, Constant) or (isinstance(s, Rule) and not s.body)
    ]
    return ground_facts("\n".join(map(to_text, kept)))


@cache
def ground_facts(text: str) -> tuple[Symbol, ...]:
    control = Control()
    control.add(text)
    control.ground()
    return tuple(atom.symbol for atom in control.symbolic_atoms)


def buckets_of(atom: Symbol, part: Part, buckets: int) -> list[int] | None:
    """The buckets that an atom belongs to, None for all."""
    key = part.keys.get(signature_of(atom))
    if key is None:
        return None
    values = {atom.arguments[key.position]}
    facts = facts_of(part) if key.lookups else ()
    for table, given_, found in key.lookups:
        rows = [fact.arguments for fact in facts if signature_of(fact) == table]
        values = {end for v in values for end in {row[found] for row in rows if row[given_] == v} or {v}}
    return sorted(crc32(str(value).encode()) % buckets for value in values)


class Bucket:
    """One of the buckets of a part, and what goes in and out."""

    def __init__(self, part: Part, number: int, buckets: int) -> None:
        self._part, self._number, self._buckets = part, number, buckets

    def is_here(self, atom: Symbol) -> bool:
        found = buckets_of(atom, self._part, self._buckets)
        return found is None or self._number in found

    def told(self, atoms: Sequence[AtomRows]) -> list[Symbol]:
        part = self._part
        read = [one for one in turns_of(atoms) if part.reads_all or one.signature in part.reads]
        found = [atom_symbol(signature, row) for signature, rows in read for row in rows]
        return list(filter(self.is_here, found))

    def kept(self, answer: Answer) -> Atoms:
        part = self._part
        if not answer.satisfiable:
            number = 1000 * part.number + self._number
            return frozenset([Function(part.failed.name, [Number(number)])] if part.failed else [])
        return frozenset(
            atom
            for atom in answer.holds.symbols
            if signature_of(atom) in part.outputs | part.hands_on
            and (buckets_of(atom, part, self._buckets) or [0])[0] == self._number
        )

    def records(self, records: Sequence[Record], heard: Mapping[int, Atoms]) -> Iterator[Record]:
        by_tick = {tick: list(found) for tick, found in groupby(records, lambda told: told.tick)}
        before: Atoms = frozenset()
        for tick in sorted(heard.keys() | by_tick.keys()):
            for told in by_tick.get(tick, ()):
                e = told.events
                begin, end = self.told(e.begin), self.told(e.end)
                yield Record(tick, events(self.told(e.facts), begin=begin, end=end, until=e.until))
            now = frozenset(filter(self.is_here, heard.get(tick, before)))
            yield Record(tick, events(begin=sorted(now - before), end=sorted(before - now)))
            before = now


def answers_of_parts(
    found: Split, checked: CheckedProgram, case: Case, start: int, buckets: int
) -> dict[int, Atoms | None]:
    """The union of the outputs of the parts at each tick; None where they say that there is no answer."""
    records = list(map(record, case.records))
    ticks = range(start, case.last + 1)
    all_ = {tick: frozenset[Symbol]() for tick in ticks}
    without: set[int] = set()
    for part in found.parts:
        plan = compile_part(part, checked.semantics)
        heard = {tick: frozenset(a for a in all_[tick] if signature_of(a) in part.listens) for tick in ticks}
        given_ = dict(all_)
        for number in range(buckets if part.is_keyed else 1):
            bucket = Bucket(part, number, buckets)
            reasoner = Reasoner(plan, start=start, complete_windows=case.complete_windows)
            told = bucket.records(records, heard if part.listens else {})
            for answer in reasoner.run(told, until=case.last, emit="every"):
                given_[answer.tick] |= bucket.kept(answer)
                if not answer.satisfiable and not part.failed:
                    without.add(answer.tick)
        all_ = given_
    shown = frozenset(s for part in found.parts for s in part.outputs)
    return {
        tick: None if tick in without else frozenset(a for a in all_[tick] if signature_of(a) in shown)
        for tick in ticks
    }


def check_form(found: Split) -> None:
    """What holds of every split."""
    assert "lars_" not in split_text(found)
    outputs = [s for part in found.parts for s in part.outputs]
    assert len(outputs) == len(set(outputs))
    handed: dict[Signature, int] = {}
    for number, part in enumerate(found.parts):
        assert part.number == number
        assert all(handed[s] < part.level for s in part.listens)
        assert not (part.listens and part.reads_all)
        assert not part.listens & part.reads
        assert part.level == max((handed[s] + 1 for s in part.listens), default=0)
        handed |= dict.fromkeys(part.hands_on, part.level)


def compare(case: Case, buckets: int) -> Counter[str]:
    """Holds the parts to the whole program, split in every way, and counts what was seen."""
    note(case.program)
    try:
        source = Source("random.lars", case.program)
        checked = checked_program(source, overrides=Overrides(semantics=Semantics(case.semantics)))
    except ProgramError:
        assume(False)
        raise
    splits: list[Split] = []
    for by_key, pipelined in product((True, False), (True, False)):
        found = split(checked.program, checked.semantics, by_key=by_key, pipelined=pipelined)
        check_form(found)
        if all(found.parts != other.parts for other in splits):
            splits.append(found)
    seen = Counter(programs=1, split=not all(found.is_whole for found in splits))
    seen["keyed"] = any(part.is_keyed for found in splits for part in found.parts)
    seen["by tables"] = any(part.tables for found in splits for part in found.parts)
    seen["cut"] = any(found.levels > 1 for found in splits)
    seen["apart"] = any(len(found.parts) > 1 and not any(p.keys for p in found.parts) for found in splits)
    plan = compile_plan(checked)
    seen["chosen"] = not all(component.is_certain for component in plan.components) and seen["split"]
    start = case.records[0].tick if case.start is None else case.start
    models = 0 if seen["chosen"] else 1
    whole = Reasoner(plan, start=start, complete_windows=case.complete_windows, models=models)
    if not seen["split"]:
        return seen
    expected: dict[int, list[list[str] | None]] = {
        answer.tick: [sorted(map(str, model.symbols)) for model in answer.models] or [None]
        for answer in whole.run(map(record, case.records), until=case.last, emit="every")
    }
    for found in splits:
        note("\n".join(map(str, found.parts)))
        got = answers_of_parts(found, checked, case, start, buckets)
        for tick, streams in expected.items():
            atoms = got[tick]
            assert (None if atoms is None else sorted(map(str, atoms))) in streams, f"at tick {tick}"
    seen["atoms"] = any(stream for streams in expected.values() for stream in streams)
    seen["unsatisfiable"] = any(None in streams for streams in expected.values())
    seen["several"] = any(len(streams) > 1 for streams in expected.values())
    return seen


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "lars2asp")


few = settings(max_examples=EXAMPLES)

ENOUGH = {"split": 25, "keyed": 15, "by tables": 5, "cut": 1, "atoms": 10}
"""The number of programs to be found that are split, have keys, some through tables, levels, and answers."""

CHOSEN = {"chosen": 25, "several": 10, "unsatisfiable": 5, "atoms": 10}
"""The same, where there may be several answer streams, or none."""

MOST = 1000
"""The number of programs among which these are found whatever chance draws; mostly sixty are enough."""


@few
@given(with_held(cases(splittable_programs()) | sparse_cases(ALL_PROGRAMS)), st.sampled_from(BUCKETS))
def test_facts_that_are_held(case: Case, buckets: int) -> None:
    compare(case, buckets)


@few
@given(cases(ALL_PROGRAMS) | sparse_cases(ALL_PROGRAMS), st.sampled_from(BUCKETS))
def test_programs_of_all_kinds(case: Case, buckets: int) -> None:
    compare(case, buckets)


@pytest.mark.parametrize(("programs", "enough"), [(splittable_programs(), ENOUGH), (keyed_choices(), CHOSEN)])
def test_programs_made_to_be_split(programs: st.SearchStrategy[str], enough: Mapping[str, int]) -> None:
    """Most of them are, many of them by keys; on it goes until there were enough of each kind."""
    seen: Counter[str] = Counter()
    first = 0 if settings().derandomize else randrange(10**9)
    while any(seen[kind] < least for kind, least in enough.items()):
        assert seen["programs"] < MOST, seen

        @seed(first + seen["programs"])
        @few
        @given(cases(programs), st.sampled_from(BUCKETS))
        def hold(case: Case, buckets: int) -> None:
            seen.update(compare(case, buckets))

        hold()


@few
@given(st.data())
@pytest.mark.parametrize(
    "program",
    [
        ":- not p(X) in [3], k(X). k(0). g(X) :- p(X), e(X,_).",
        "{ a(X) } :- p(X). :- a(X), not p(X). a(0). :- e(X,_), not p(X) in [2].",
        "{ a(X) } :- p(X). g(X) :- e(X,_), not a(X) in [2]. :- a(X), e(X,X).",
        "1 { d(X,V) : k(V) } 1 :- e(X,_) in [3]. k(0). k(1). :- d(X,0), p(X).",
    ],
)
def test_what_buckets_could_choose_or_exclude_for_others(program: str, data: st.DataObject) -> None:
    compare(data.draw(cases(st.just(program))), data.draw(st.sampled_from(BUCKETS)))


SEEN = [
    *("", " in [2]", " in {1}", " in {1,3}", " in [2 step 3]", " in [every 2]", " always in [1]"),
    *(" always in {1,2}", " always in [every 2]", " always in [1 step 2]", " at @now-1", " at 3", " at T"),
    *(" at T in [3]", " at least 2 in [3]", " count 2 in [3]", " count 1 in [every 3]", " in [2 # by Y]"),
]
HEADS = ["d(X,Y)", "d(X,Y) at @now+1", "d(X,Y) at @now-1", "#temp d(X,Y)"]
"""Of rules whose atoms are handed on where that is exact."""


@settings(max_examples=max(1, EXAMPLES // 4))
@given(st.data())
@pytest.mark.parametrize("head", HEADS)
def test_what_is_handed_on_is_seen_by_all_windows(head: str, data: st.DataObject) -> None:
    """Item by the input as well, perhaps a fact, and negated."""
    seen = data.draw(st.sampled_from(SEEN))
    fact = data.draw(st.sampled_from(["", "d(1,1)."]))
    negated = f"a(Y) :- p(Y) in [2], not d(_,Y){seen.replace(' at T', ' at 2')}."
    if "at @now" in head:  # then the program may have several answer streams, and is not split
        negated = "a(Y) :- p(Y) in [2], not d(_,Y)."
    program = f"""
        {head} :- e(X,Y), p(X). {fact}
        b(Y) :- d(_,Y){seen}, p(Y).
        {negated}
        #show a/1. #show b/1. #show d/2.
    """
    compare(data.draw(cases(st.just(program))), data.draw(st.sampled_from(BUCKETS)))
