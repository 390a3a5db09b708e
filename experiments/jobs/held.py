"""What a fact costs by the facts held and the gaps between ticks: every window and streaming atom."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import process_time

from experiments.jobs.part import Settings, Table, number
from lars2asp import Reasoner
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax.nodes import Signature

SPACINGS = (1, 30, 10_000)
SIZES, LARGE = (1500, 6000), (10_000, 80_000)
"""The numbers of facts that are held, two to compare; the large ones where that is asked for."""

MOST = 100e-6
"""In CPU seconds: a measurement that takes longer for a fact, on average over all facts, is ended."""

FEW = 1000
"""So many facts are all taken, whatever they take."""

P, R, Q = Signature("p", 2), Signature("r", 1), Signature("q", 1)

Facts = Callable[[int, int, int], Events]
"""Takes the number of a fact, the number of facts that are held, and how far ticks lie apart."""

Text = Callable[[int, int], str]
"""Takes the number of facts that are held, and how far ticks lie apart."""

WINDOWS: Mapping[str, Callable[[str, int, int], str]] = {
    "[n]": lambda atom, held, apart: f"[{held * apart}]",
    "[n step d]": lambda atom, held, apart: f"[{held * apart} step {8 * apart}]",
    "[every d]": lambda atom, held, apart: f"[every {held * apart}]",
    "{0,d}": lambda atom, held, apart: f"{{0,{held // 2 * apart}}}",
    "[n #]": lambda atom, held, apart: f"[{held} #]",
    "[n # p/k]": lambda atom, held, apart: f"[{held} # {atom}]",
    "[n # by X]": lambda atom, held, apart: "[2 # by C]",
}
"""By what they look like: the window of an atom that holds so many facts."""

RULES: Mapping[str, str] = {
    "in": "q(C,X) :- p(C,X) in {p}.",
    "always": "q(C,X) :- p(C,X) always in {p}.",
    "at T": "q(C,X,T) :- p(C,X) at T in {p}.",
    "at least": "q(C,X) :- p(C,X) at least 2 in {p}.",
    "at most": "q(C,X) :- p(C,X) in {p}, p(C,X) at most 1 in {p}.",
    "count": "q(C,X,N) :- p(C,X) count N in {p}.",
    "not in": "q(C,X) :- p(C,X) in {p}, not r(C) in {r}.",
}
"""By streaming atoms: a rule over windows of p/2 and r/1."""


@dataclass(frozen=True)
class Case:
    """A program and its facts.

    Attributes:
        name: what is measured.
        program: its text.
        facts: what comes at a tick.
    """

    name: str
    program: Text
    facts: Facts


def twice(fact: int, held: int, apart: int) -> Events:
    """Each atom comes twice among those that are held; half of them in one block of a tumbling window."""
    half = held // 2
    return Events((AtomRows(P, [(fact % half, (fact + half // 2) // half // 2)]),))


def lasting(fact: int, held: int, apart: int) -> Events:
    """Each atom holds for half as long again as the window is."""
    return Events((AtomRows(P, [(fact, 0)]),), until=fact * apart + 3 * held * apart // 2)


def with_exceptions(fact: int, held: int, apart: int) -> Events:
    """As `twice`, but each third fact is one of r/1."""
    if fact % 3 == 2:
        return Events((AtomRows(R, [(fact % (held // 2),)]),))
    return twice(fact, held, apart)


def recurring(fact: int, held: int, apart: int) -> Events:
    """Facts p/2 of fifty values, and q/1 with each fourth."""
    atoms = [AtomRows(P, [(fact * 7 % 50, fact % 3)])]
    if fact % 4 == 0:
        atoms.append(AtomRows(Q, [(fact % 50,)]))
    return Events(tuple(atoms))


FACTS: Mapping[str, Facts] = {"always": lasting, "not in": with_exceptions}
"""By streaming atoms that need others than `twice`."""


def cases() -> Iterator[Case]:
    """Every window with every streaming atom, the whole timeline, and four programs as people write them."""
    for window, text in WINDOWS.items():
        for atom, rule in RULES.items():
            yield Case(f"`{window}` {atom}", _program(rule, text), FACTS.get(atom, twice))
    yield Case("timeline, at T", lambda held, apart: "q(C,X,T) :- p(C,X) at T.", twice)
    for program in (
        "a(C) :- p(C,_), p(C,_) at least 2 in [10000000].",
        "a(C,N) :- q(C), p(C,0) count N in [10000000].",
        "a(C,X) :- p(C,X) in [5000 #].",
        "#tick 1 sec. a(C) :- p(C,_) in [30 day], q(C).",
    ):
        yield Case(f"`{program}`", _fixed(program), recurring)


def _program(rule: str, window: Callable[[str, int, int], str]) -> Text:
    return lambda held, apart: rule.format(p=window("p/2", held, apart), r=window("r/1", held, apart))


def _fixed(program: str) -> Text:
    return lambda held, apart: program


@dataclass(frozen=True)
class Found:
    """What a fact took.

    Attributes:
        us: microseconds, on average.
        is_whole: whether all facts were taken; later ones may take longer, where they were not.
    """

    us: float
    is_whole: bool

    def __str__(self) -> str:
        return number(self.us) if self.is_whole else f"> {number(self.us)}"


def tables(settings: Settings) -> Iterator[Table]:
    """One table of all."""
    small, large = (settings.some(size, 40) for size in (LARGE if settings.is_full else SIZES))
    headings = ["program"]
    for apart in SPACINGS:
        headings += [f"{apart:,} apart: {small:,}", f"{large:,}", "ratio"]
    rows = []
    for case in cases():
        if settings.only not in case.name:
            continue
        row = [case.name]
        for apart in SPACINGS:
            settings.say(f"{case.name}, {apart} apart")
            one = measured(case, small, apart)
            other = measured(case, large, apart) if one.is_whole else None
            ratio = "" if other is None or not other.is_whole else f"{other.us / one.us:.2f}"
            row += [str(one), "" if other is None else str(other), ratio]
        rows.append(row)
    yield Table("Facts held, ticks apart: us a fact", headings, rows)


def measured(case: Case, held: int, apart: int) -> Found:
    """Takes half as many facts again as are held, one a tick, from an empty window on."""
    records = [Record(fact * apart, case.facts(fact, held, apart)) for fact in range(held + held // 2)]
    reasoner = Reasoner.from_text(case.program(held, apart))
    taken = 0

    def some() -> Iterator[Record]:
        nonlocal taken
        for record in records:
            if process_time() - began > MOST * len(records) and len(records) > FEW:
                return
            taken += 1
            yield record

    gc.collect()
    began = process_time()
    take(reasoner, some())
    return Found((process_time() - began) * 1e6 / taken, taken == len(records))


def take(reasoner: Reasoner, records: Iterable[Record]) -> None:
    """Runs to the end of a stream, and has the changes of each answer as rows."""
    for answer in reasoner.run(records, emit=None):
        answer.row_changes  # noqa: B018 - it is worked out when it is asked for
