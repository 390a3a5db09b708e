"""What is said of `always` over facts that hold at ticks of their own, and never at as many in a row."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from statistics import median

from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import Sliding
from lars2asp.externals.events import Events
from lars2asp.runtime.sources.survey.table_survey import duration_text
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Sign, Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

MOST_DISTANCES = 1000
"""The number of distances between ticks of a predicate that are looked at."""


@dataclass
class _Ticks:
    """The ticks at which the input has facts of a predicate.

    Attributes:
        last: the last one.
        run: the number of ticks in a row up to that one.
        longest: the largest such number.
        apart: the first distances between such ticks.
    """

    last: int
    run: int = 1
    longest: int = 1
    apart: list[int] = field(default_factory=list)


class ToldTicks:
    """At how many ticks in a row there are facts of predicates of which nothing lasts.

    Attributes:
        ticks: by predicate; none of those that come late, or last.
    """

    def __init__(self) -> None:
        self.ticks: dict[Signature, _Ticks] = {}
        self._lasting: set[Signature] = set()

    def take(self, tick: int, events: Events) -> None:
        """Takes the events of a record."""
        lasting = (*events.begin, *events.end, *(events.facts if events.until is not None else ()))
        for signature, _ in lasting:
            self._lasting.add(signature)
            self.ticks.pop(signature, None)
        for signature, _ in events.facts:
            known = self.ticks.get(signature)
            if signature in self._lasting or (known is not None and tick == known.last):
                continue
            if known is None:
                self.ticks[signature] = _Ticks(tick)
            elif tick < known.last:
                self._lasting.add(signature)
                del self.ticks[signature]
            else:
                if len(known.apart) < MOST_DISTANCES:
                    known.apart.append(tick - known.last)
                known.run = known.run + 1 if tick == known.last + 1 else 1
                known.longest, known.last = max(known.longest, known.run), tick


def boxes_over_points(program: Program, told: ToldTicks, length: int | None) -> Iterator[str]:
    """What is said of places where `always` asks for facts at more ticks in a row than they ever hold.

    Args:
        program: the program as it was checked, its windows in ticks.
        told: what an input tells.
        length: that of a tick in microseconds, if it is known.
    """
    analysis = ProgramAnalysis(program)
    held = {one.predicate for one in program.every(nodes.Held)}
    of = _momentary(analysis, {s: s for s in told.ticks if s not in held and s not in analysis.facts})
    for one in analysis.streaming_atoms:
        source = of.get(one.atom.signature) if isinstance(one, nodes.Box) else None
        window = window_of(one, analysis.constants) if source is not None else None
        if source is None or not isinstance(window, Sliding):
            continue
        ticks = told.ticks[source]
        if ticks.longest > window.size or not ticks.apart:
            continue
        place, apart = one.location, int(median(ticks.apart))
        text = " ".join(place.source.text[place.begin : place.end].split())
        from_which = "" if source == one.atom.signature else f", from which {one.atom.signature} follows,"
        kept = str(3 * apart) if length is None else duration_text(3 * apart * length)
        yield (
            f"{place}: warning: {shown(text)} needs {window.size + 1} ticks in a row, "
            f"but {source}{from_which}"
            f" is there at {ticks.longest} at most, and mostly {apart} ticks apart: #held "
            f"{_pattern(source)} for {kept}. has each fact hold until the next one"
        )


def _momentary(analysis: ProgramAnalysis, known: Mapping[Signature, Signature]) -> dict[Signature, Signature]:
    """The predicates that hold only where facts of the input do, each with such a predicate of the input."""
    found = {one: source for one, source in known.items() if one not in analysis.derived}
    heads: dict[Signature, list[nodes.Rule]] = {}
    placed = analysis.placed
    for rule, head in analysis.heads:
        heads.setdefault(head.atom.signature, []).append(rule)
    is_more = True
    while is_more:
        is_more = False
        for signature, rules in heads.items():
            if signature in found or signature in placed or signature in analysis.facts:
                continue
            sources = [_source(rule, found) for rule in rules]
            if len({*sources}) == 1 and sources[0] is not None and signature not in known:
                found[signature] = sources[0]
                is_more = True
    return found


def _source(rule: nodes.Rule, found: Mapping[Signature, Signature]) -> Signature | None:
    """The predicate of the input without whose facts a rule derives nothing at a tick."""
    for item in rule.body:
        if (
            isinstance(item, nodes.Literal)
            and item.sign is Sign.POSITIVE
            and isinstance(item.atom, nodes.Atom)
        ):
            source = found.get(item.atom.signature)
            if source is not None:
                return source
    return None


def _pattern(signature: Signature) -> str:
    """The beginning of a `#held` that has the first argument as its key, if there are others."""
    if signature.arity < 2:
        arguments = "(_)" * signature.arity
        return f"{signature.name}{arguments}"
    return f"{signature.name}(K{',_' * (signature.arity - 1)}) by K"
