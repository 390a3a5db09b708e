"""An explanation as lines of words with others below them; text and HTML are drawn from it.

Claims and rules alternate in the tree. Here a literal and the claim that it rests on are one line where they
say the same, claims of several ticks that one rule derives stand below that rule once, and comparisons share
a line.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from lars2asp.analysis.predicates import needs_whole_window
from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.words.claim_forms import (
    basis,
    has_rule,
    is_bare,
    is_flat,
    is_unknown,
    kind,
    sources,
    ticks_not_shown,
)
from lars2asp.runtime.explanations.words.claims import (
    DEEPEST,
    Absent,
    Claim,
    CutOff,
    DefinedBy,
    Element,
    FailedRule,
    FromInput,
    FromProgram,
    FromRule,
    LastTold,
    NoAnswer,
    OtherHead,
    Place,
    Remembered,
    Repeated,
    RuleLiteral,
    Weighed,
    Witness,
)
from lars2asp.runtime.explanations.words.entries import Entry, Lane, lane_of
from lars2asp.runtime.explanations.words.tick_texts import TickTexts
from lars2asp.syntax import nodes
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted

MOST_ELEMENTS = 12
"""The number of elements of an aggregate that are drawn."""

MOST_CHARACTERS = 1000
"""Of the text of an atom, a literal or a rule."""

MORE = "..."

_WORDS_OF_CUTS = {
    "depth": MORE,
    "not kept": f"{MORE} no longer kept",
}


def outline(
    claim: Claim,
    shown_tick: Callable[[int], str],
    depth: int | None = None,
    most_lines: int | None = None,
    *,
    is_another: bool = False,
) -> Entry:
    """The lines of an explanation.

    Args:
        claim: what is explained.
        shown_tick: a tick as text.
        depth: the number of rules below one another that are drawn; None for `DEEPEST`.
        most_lines: the number of lines from which on no more rules are drawn; None for any number.
        is_another: whether the same atom is explained before.
    """
    if isinstance(shown_tick, TickTexts):
        when, shown_tick = shown_tick.dated(claim.tick), shown_tick.seen_from(claim.tick)
    else:
        when = shown_tick(claim.tick)
    lines = _Outline(shown_tick, claim.tick, most_lines)
    root = lines.claimed(replace(claim, label=""), when)
    if is_another:
        root.tail += ", another explanation"
    root.note = _clean(claim.label)
    lines.finish(root, claim, DEEPEST if depth is None else depth)
    _resolve(root)
    return root


class _Outline:
    """Makes lines of claims; those below are made later, level by level, so that depth costs no stack."""

    def __init__(self, shown_tick: Callable[[int], str], tick: int, most_lines: int | None) -> None:
        self._shown = shown_tick
        self._tick = tick
        self._most_lines = most_lines
        self._waiting: deque[tuple[Entry, Claim, int, str]] = deque()
        self._failures: set[tuple[object, ...]] = set()
        """For atoms the literals by which rules fail, as far as they are drawn."""
        self._never: set[int] = set()
        """The claims about the first tick of the stream for atoms that never held."""
        self._began: set[int] = set()
        """The claims with which that began which has been so since."""

    def finish(self, root: Entry, claim: Claim, depth: int) -> None:
        """Makes all lines below the first one."""
        self._waiting.append((root, claim, depth, "it"))
        made = 0
        while self._waiting:
            entry, claim, depth, atom = self._waiting.popleft()
            is_full = self._most_lines is not None and made >= self._most_lines
            self.fill(entry, claim, 0 if is_full else depth, atom)
            made += sum(1 for _ in entry.all_entries()) - 1

    # --- claims -----------------------------------------------------------------------------------------

    def claimed(self, claim: Claim, when: str) -> Entry:
        """The line that says that an atom holds, or not."""
        if claim.holds:
            return self._named(claim, tail=f" at {when}")
        if claim.of.has_variables:
            return Entry(self._atom(claim), lead="no ", tail=f" holds at {when}", holds=False)
        return Entry(self._atom(claim), tail=f" does not hold at {when}", holds=False)

    def _named(self, claim: Claim, tail: str = "") -> Entry:
        """An atom that holds, by its label if it has one."""
        text = _clean(claim.label) if claim.label else self._atom(claim)
        return Entry(text, tail=tail, is_code=not claim.label)

    def _atom(self, claim: Claim | LastTold | OtherHead) -> str:
        """The atom of a claim as people read it."""
        return _clean(claim.of.timed(self._shown))

    def fill(self, entry: Entry, claim: Claim, depth: int, atom: str = "it") -> None:
        """Puts behind and below a line why a claim holds, or not.

        Args:
            entry: the line.
            claim: the claim.
            depth: the number of rules below one another that may still be drawn.
            atom: what the atom is called in words about it.
        """
        match claim.reason:
            case Repeated(number=number):
                entry.sees.append(number)
                return
            case CutOff(is_deepest=True):
                entry.add_note(f"{MORE} at most {DEEPEST} rules below one another: ask about it by itself")
            case CutOff(reason=reason):
                entry.add_note(_WORDS_OF_CUTS[reason])
                return
            case Remembered() as remembered:
                self._remembered(entry, remembered, depth, atom)
            case NoAnswer(clashing=clashing, contraries=contraries):
                is_known = clashing or contraries
                entry.add_note(
                    "this tick has no answer" + (": these cannot hold together" if is_known else "")
                )
                entry.below(*(_clashing(place, bindings) for place, bindings in clashing))
                entry.below(*map(_excluding, contraries))
            case FromInput() as told:
                entry.add_note(self._told(told, claim.tick if entry.tail else None))
            case FromProgram(place=place):
                entry.add_note(_fact(place))
            case FromRule() as derived:
                if depth < 1:
                    entry.add_note(_left_out(claim))
                    return
                self._rule(entry, derived, claim.atom, claim.tick, depth)
            case Absent() as absent:
                if absent.rules and depth < 1:
                    entry.add_note(_left_out(claim))
                    return
                self._absent(entry, absent, claim, depth, atom)
        entry.explains.append(claim.number)

    def _remembered(self, entry: Entry, remembered: Remembered, depth: int, atom: str) -> None:
        """Since when it has been so; what it began with stands below."""
        since, first = remembered.since, self._shown(remembered.since.tick)
        if since.holds:
            origins = sources(since)
            record = f", {_clean(origins[0].origin)}" if len(origins) == 1 else ""
            entry.add_note(f"since {first}{record}")
        elif remembered.is_ever:
            entry.add_note(f"it never held: the stream begins at {first}")
            self._never.add(since.number)
        else:
            entry.add_note(f"not since {first}")
        entry.lane = None
        self._began.add(since.number)
        self._waiting.append((entry, since, depth, atom))

    def _later(self, parent: Entry, alike: Sequence[Claim], depth: int) -> None:
        """Puts a line for claims that rest on the same below another one; it is filled later."""
        *others, claim = alike
        when = self._shown(claim.tick)
        entry = self.claimed(claim, f"{self._shown(others[0].tick)} to {when}" if others else when)
        entry.explains += [one.number for other in others for one in other.claims()]
        parent.below(entry)
        self._waiting.append((entry, claim, depth, "it"))

    def _told(self, told: FromInput, at: int | None = None) -> str:
        """The record, and when the atom holds by it unless that is a tick known from the line."""
        origin = _clean(told.origin)
        if told.first == told.last == at or (told.first == told.last and origin == f"step({told.first})"):
            return origin
        first = self._shown(told.first)
        if told.is_held:
            if told.last is None:
                return f"{origin}, held since {first}"
            last = self._shown(told.last)
            if told.may_end_earlier:
                return f"{origin}, held since {first}, at most to {last}"
            return f"{origin}, held from {first} to {last}"
        if told.last is None:
            return f"{origin} since {first}"
        is_one = told.first == told.last
        return f"{origin} at {first}" if is_one else f"{origin} from {first} to {self._shown(told.last)}"

    def _rule(self, parent: Entry, derived: FromRule, atom: str, tick: int, depth: int) -> None:
        """The rule that derives an atom, its body, and the condition of its head's element."""
        entry = _statement(derived.place, "chosen by " if derived.is_chosen else "")
        if derived.at != tick:
            entry.add_note(f"evaluated at {self._shown(derived.at)}")
        parent.below(entry)
        body = *derived.body, *derived.condition
        for are_bare, literals in groupby(body, is_bare):
            if are_bare:
                entry.below(Entry(", ".join(_clean(self._text(literal, body)) for literal in literals)))
            else:
                for literal in literals:
                    self._literal(entry, literal, derived.at, depth - 1, body)
        if derived.calls:
            entry.below(
                Entry(", ".join(f"{_clean(one.value)} = {_clean(one.call)}" for one in derived.calls))
            )
        if derived.weighed is not None:
            entry.below(Entry(cost_words(derived.weighed, f"without {_clean(atom)}"), is_code=False))

    def _absent(self, entry: Entry, absent: Absent, claim: Claim, depth: int, atom: str) -> None:
        """Why nothing derives an atom."""
        if absent.last is not None:
            tick, last = self._shown(claim.tick), self._shown(_tick_of_record(absent.last))
            is_within = entry.lane is not None and entry.lane.holding > 0 and entry.lane.end != tick
            when = f"no record at {tick}, the last at {last}" if is_within else f"last record at {last}"
            which = "" if absent.last.of == claim.of else f": {self._atom(absent.last)}"
            entry.add_note(f"{when}, {_clean(absent.last.origin)}{self._held_to(absent.last)}{which}")
        elif not (absent.rules or absent.later):
            entry.add_note(self._never_told(absent, claim.tick, atom))
            if absent.nearest is not None:
                entry.add_note(self._near(absent.nearest))
        for rule in absent.rules:
            self._failed(entry, rule, claim, depth)
        for late in absent.later:
            line = _statement(replace(late.place, label=""))
            line.holds = False
            tick, at = self._shown(claim.tick), self._shown(late.at)
            line.add_note(f"places atoms at {tick} only when it is evaluated at {at}")
            entry.below(line)
        if absent.rules_from is not None:
            since = self._shown(absent.rules_from)
            entry.below(Entry(f"atoms that rules placed before {since} are no longer kept", is_code=False))

    def _near(self, nearest: LastTold) -> str:
        """What the input told that comes nearest."""
        origin, at = _clean(nearest.origin), self._shown(_tick_of_record(nearest))
        return f"the nearest is {self._atom(nearest)}, {origin} at {at}{self._held_to(nearest)}"

    def _held_to(self, told: LastTold) -> str:
        """Until when an atom was held after its record."""
        return "" if told.held_from is None else f", held to {self._shown(told.tick)}"

    def _never_told(self, absent: Absent, tick: int, atom: str) -> str:
        """Says that no record contains an atom, and no rule derives it."""
        is_before = tick < self._tick
        since = "" if absent.known_from is None else f" since {self._shown(absent.known_from)}"
        until = f" up to {self._shown(tick)}" if is_before else ""
        match absent.source:
            case DefinedBy.FACTS:
                return f"no fact of the program and no record of {atom}{since}{until}"
            case DefinedBy.RULES if atom == "it":
                return f"no rule and no record of it{since}{until}"
            case _:
                return f"no record of {atom}{since}{until}"

    def _failed(self, parent: Entry, rule: FailedRule, claim: Claim, depth: int) -> None:
        """A rule that does not derive an atom, and the literal that is why."""
        if rule.failed is not None and not rule.others:
            failure = claim.of, rule.place.number, rule.failed.position, rule.failed.element, rule.failed.text
            if claim.number in self._began and failure in self._failures:
                return
            if claim.number in self._never and _is_too_early(rule.failed):
                return
            self._failures.add(failure)
        entry = _statement(replace(rule.place, label=""))  # its words say that the head holds
        entry.holds = False
        if rule.at != claim.tick:
            entry.add_note(f"evaluated at {self._shown(rule.at)}")
        parent.below(entry)
        if rule.failed is None:
            entry.below(Entry(f"its body is true, but {self._atom(claim)} was not chosen", is_code=False))
            if rule.weighed is not None:
                entry.below(Entry(cost_words(rule.weighed, f"with {_clean(claim.atom)}"), is_code=False))
        elif rule.others:
            for other in rule.others:
                self._other(entry, other, claim, rule.at, depth - 1)
            if rule.has_more:
                entry.below(Entry(MORE, is_code=False))
        else:
            for literal in (body := (*rule.met, rule.failed)):
                self._literal(entry, literal, rule.at, depth - 1, body)

    def _other(self, parent: Entry, other: OtherHead, claim: Claim, at: int, depth: int) -> None:
        """An instance of a body that is true, but whose head is another atom."""
        when = "" if other.tick in (None, claim.tick) else f" at {self._shown(other.tick)}"
        head = f"{self._atom(other)}{when}"
        which = f"the nearest of its {other.count} heads is" if other.count > 1 else "its head is"
        if not other.count:
            which = "its head is without a value:"
        if len(other.body) == 1:
            self._literal(parent, other.body[0], at, depth, other.body)
            parent.children[-1].add_note(f"{which} {head}")
            return
        entry = Entry(head, lead=f"{which} ")
        parent.below(entry)
        for literal in other.body:
            self._literal(entry, literal, at, depth, other.body)

    # --- literals ---------------------------------------------------------------------------------------

    def _text(self, literal: RuleLiteral, body: Iterable[RuleLiteral]) -> str:
        """A literal of a body as people read it."""
        if _is_atom(literal):
            return literal.children[0].of.timed(self._shown)
        return literal.of.timed((one.of for one in body), self._shown)

    def _flat_text(self, literal: RuleLiteral, body: Iterable[RuleLiteral]) -> str:
        """A literal of a body, by the label of its atom if it has one."""
        label = literal.children[0].label if literal.children and _says(literal, literal.children[0]) else ""
        return _clean(label or self._text(literal, body))

    def _literal(
        self, parent: Entry, literal: RuleLiteral, at: int, depth: int, body: Sequence[RuleLiteral]
    ) -> None:
        """A literal of a body that is evaluated at a tick."""
        text = _clean(self._text(literal, body))
        entry = Entry(text, lead="" if literal.holds else "fails: ", holds=literal.holds)
        parent.below(entry)
        if literal.witness is not None:
            entry.lane = lane_of(literal.witness, self._shown)
            if entry.lane is None:
                entry.add_note(_without_ticks(literal, literal.witness))
            else:
                entry.add_note(_counted(literal, entry.lane))
                if not literal.children:
                    entry.add_note(_outside(literal, entry.lane))
                entry.add_note(self._clipped(literal, literal.witness))
        if literal.values:
            entry.add_note(f"value {_clean(literal.value)}")
        if literal.missing is not None:
            entry.add_note(f"{_clean(literal.undefined)} is undefined")
        self._supports(entry, literal, at, depth)
        adding = [element for element in literal.elements if element.adds]
        for element in adding[:MOST_ELEMENTS]:
            self._element(entry, element, at, depth)
        if (more := len(adding) - MOST_ELEMENTS) > 0:
            entry.below(Entry(f"{MORE} and {more} more", is_code=False))
        if others := [_clean(element.text) for element in literal.elements if not element.adds]:
            more = len(others) - MOST_ELEMENTS
            end = f"; {MORE} and {more} more" if more > 0 else ""
            entry.below(Entry("; ".join(others[:MOST_ELEMENTS]) + end, lead="adds nothing: "))

    def _clipped(self, literal: RuleLiteral, witness: Witness) -> str:
        """Says of a literal that needs all ticks of its window, or none, that the window is not whole."""
        node = literal.of.node
        if witness.clipped_at is None or not literal.holds or not isinstance(node, nodes.Literal):
            return ""
        if not (isinstance(node.atom, nodes.Box) or needs_whole_window(node)):
            return ""
        return f"the window reaches back before the stream begins ({self._shown(witness.clipped_at)})"

    def _supports(self, entry: Entry, literal: RuleLiteral, at: int, depth: int) -> None:
        """What a literal rests on: behind it if the claims say the same of the atom in it, else below it."""
        groups = [list(group) for _, group in groupby(_oldest_first(literal.children), kind)]
        for claims in groups:
            first = claims[0]
            is_visible = len(groups) == 1 and _shows(literal, first)
            if isinstance(first.reason, FromInput) and not is_visible:
                line = self._named(first)
                entry.below(line)
                self._tell(line, claims, literal)
            elif isinstance(first.reason, FromInput):
                _name(entry, literal, first)
                self._tell(entry, claims, literal)
            elif is_visible and depth < 1 and has_rule(first):
                entry.add_note(_left_out(*claims))
            elif is_visible and (
                not has_rule(first)
                or (len(claims) == 1 and (first.tick == at or isinstance(first.reason, Remembered)))
            ):
                _name(entry, literal, first)
                if literal.holds and is_unknown(first) and entry.lane and not entry.lane.holding:
                    entry.lane = None
                self._waiting.append((entry, first, depth, _pronoun(first, _says(literal, first))))
                _also(entry, claims[1:])
            elif is_visible and all(map(is_flat, claims)):
                self._by_one_rule(entry, claims, literal)
            else:
                for _, alike in groupby(claims, lambda claim: basis(claim) or claim.number):
                    self._later(entry, [*alike], depth)

    def _tell(self, entry: Entry, claims: Sequence[Claim], literal: RuleLiteral) -> None:
        """The records that tell one atom, at several ticks."""
        told = [claim.reason for claim in claims if isinstance(claim.reason, FromInput)]
        known = [(one.first, one.first if one.last is None else one.last) for one in told]
        others = ticks_not_shown(claims, literal, known)
        if others and all(one.last is not None for one in told):
            entry.add_note(_more_ticks(others))
        for words in dict.fromkeys(map(self._told, told)):
            entry.add_note(words)
        entry.explains += [claim.number for claim in claims]

    def _by_one_rule(self, parent: Entry, claims: Sequence[Claim], literal: RuleLiteral) -> None:
        """The rule that derives one atom at several ticks, by input and facts alone, with a line for each."""
        derived = [claim.reason for claim in claims if isinstance(claim.reason, FromRule)]
        is_alike = len({one.place.label for one in derived}) == 1
        rule = _statement(derived[0].place if is_alike else replace(derived[0].place, label=""))
        parent.below(rule)
        rule.explains += [claim.number for claim in claims]
        alike = [[*group] for _, group in groupby(derived, _records)]
        runs = [
            _run(group[0], literal) if len(derived) > 1 else (group[0].at, group[0].at) for group in alike
        ]
        if others := ticks_not_shown(claims, literal, runs):
            rule.below(Entry(_more_ticks(others), is_code=False))
        for (one, *more), (first, last) in zip(alike, runs, strict=True):
            bases = [base for part in one.body for base in part.children]
            text = ", ".join(self._flat_text(part, one.body) for part in one.body)
            if not is_alike:
                text = f"{_clean(one.place.label)}: {text}"
            notes = [
                self._told(base.reason, one.at)
                if isinstance(base.reason, FromInput)
                else _fact(base.reason.place)
                for base in bases
                if isinstance(base.reason, FromInput | FromProgram)
            ]
            rule.below(
                Entry(
                    text,
                    lead=f"{self._span(first, last, one.at)}  ",
                    note="; ".join(dict.fromkeys(notes)),
                    is_code=is_alike and any(not base.label for base in bases),
                    explains=[
                        base.number for each in (one, *more) for part in each.body for base in part.children
                    ],
                )
            )

    def _span(self, first: int, last: int, tick: int) -> str:
        """The ticks of a line."""
        return f"{self._shown(first)} to {self._shown(last)}" if first < last else self._shown(tick)

    def _element(self, parent: Entry, element: Element, at: int, depth: int) -> None:
        """An element of an aggregate, or an instance of a conditional literal."""
        entry = Entry(_clean(element.text))
        parent.below(entry)
        if len(element.claims) == 1:
            [claim] = element.claims
            is_visible = element.of.shows(claim.of)
            if (is_visible or claim.holds) and (claim.tick == at or not has_rule(claim)):
                if not is_visible:
                    entry.text = f"{entry.text}: {_clean(claim.label) or self._atom(claim)}"
                self._waiting.append((entry, claim, depth, _pronoun(claim, element.of.says(claim.of))))
                return
        for claim in element.claims:
            self._later(entry, [claim], depth)


# --- lines ------------------------------------------------------------------------------------------------


def _clean(text: str) -> str:
    return shown(text, MOST_CHARACTERS)


def _tick_of_record(told: LastTold) -> int:
    return told.tick if told.held_from is None else told.held_from


def _name(entry: Entry, literal: RuleLiteral, claim: Claim) -> None:
    """A literal that is an atom has the label of the atom, if there is one."""
    if claim.holds and claim.label and _says(literal, claim):
        entry.text, entry.is_code = _clean(claim.label), False


def _pronoun(claim: Claim, is_said: bool) -> str:
    """What an atom is called behind a text, which may be the atom itself."""
    return "it" if is_said else _clean(claim.atom)


def _statement(place: Place, lead: str = "") -> Entry:
    """A rule."""
    return Entry(
        _clean(place.label or place.text), lead=lead, where=_clean(place.where), is_code=not place.label
    )


def _clashing(place: Place, bindings: Mapping[str, str]) -> Entry:
    """An instance of a statement that cannot hold with others."""
    entry = _statement(place)
    if not place.label:
        entry.add_note(_clean(", ".join(f"{name} = {value}" for name, value in bindings.items())))
    return entry


def _excluding(atom: str) -> Entry:
    """An atom that would hold together with its classical negation."""
    entry = Entry(_clean(f"{atom}, -{atom}"))
    entry.add_note("they exclude each other")
    return entry


def _fact(place: Place) -> str:
    """A fact of the program, in a note."""
    words = f"{_clean(place.label)}, " if place.label else "a fact, "
    return words + _clean(place.where)


def _is_too_early(literal: RuleLiteral) -> bool:
    """Whether a literal fails because its window has no ticks yet: that says nothing of later ticks."""
    witness = literal.witness
    return witness is not None and not (witness.window or witness.is_tuple_window)


def _without_ticks(literal: RuleLiteral, witness: Witness) -> str:
    """Says why a window has no ticks."""
    if witness.is_tuple_window:
        return "nothing has arrived in the window"
    is_at_tick = isinstance(literal.of.atom, nodes.AtTick)
    return "there is no such tick yet" if is_at_tick else "the window contains no ticks yet"


def _counted(literal: RuleLiteral, lane: Lane) -> str:
    """At how many ticks the atom of a count that fails holds."""
    atom = literal.of.atom
    is_count = isinstance(atom, nodes.AtLeast | nodes.Count)
    if not is_count or literal.holds or literal.of.is_negated or not lane.holding:
        return ""
    if lane.of:
        return f"no single atom is at {'exactly ' if isinstance(atom, nodes.Count) else ''}so many ticks"
    return f"at {counted(lane.holding, 'tick')}"


def _outside(literal: RuleLiteral, lane: Lane) -> str:
    """Why a streaming atom is not true that no claim is about, in words where the lane does not say it."""
    if literal.witness is not None and not literal.witness.is_whole:
        return "the window is not complete yet"
    if isinstance(literal.of.atom, nodes.Box) and lane.holding == lane.ticks and not literal.holds:
        return "the window is not complete yet"
    if isinstance(literal.of.atom, nodes.AtTick):
        return "no arrival at this tick" if lane.is_of_arrivals else "this tick is outside the window"
    return ""


def cost_words(weighed: Weighed, other: str) -> str:
    """What the answer costs, and the best other one.

    Args:
        weighed: the costs.
        other: the difference of the other one, such as "without take(a)".
    """
    words = f"cost {_costs(weighed.cost)}"
    if not weighed.is_compared:
        return words
    if weighed.other is None:
        return f"{words}; there is no answer {other}"
    return f"{words}; the best answer {other}: {_costs(weighed.other)}"


def _costs(costs: Sequence[tuple[int, int | str]]) -> str:
    """Costs by priority, as weak constraints have them: 10@2, 3@1."""
    is_plain = all(level == 0 for level, _ in costs)
    return ", ".join(f"{cost}" if is_plain else f"{cost}@{level}" for level, cost in costs) or "0"


def _records(derived: FromRule) -> tuple[object, ...]:
    """What an instance rests on by input, facts and comparisons alone: where it is the same, all else is."""
    bases = [base for part in derived.body for base in part.children]
    told = [
        (one.reason.origin, one.reason.first, one.reason.last)
        for one in bases
        if isinstance(one.reason, FromInput)
    ]
    return derived.place.label, *told, *(part.of for part in derived.body)


def _run(derived: FromRule, literal: RuleLiteral) -> Run:
    """The ticks at which an atom holds by an instance that rests on the same."""
    at = derived.at
    held = next((one for one in _held(literal) if one[0] <= at <= one[1]), (at, at))
    told = [
        base.reason for part in derived.body for base in part.children if isinstance(base.reason, FromInput)
    ]
    if not told:
        return at, at
    first = max([held[0], *(one.first for one in told)])
    return first, min([held[1], *(one.last for one in told if one.last is not None)])


def _held(literal: RuleLiteral) -> Sequence[Run]:
    return () if literal.witness is None else literal.witness.holds_at


def _is_atom(literal: RuleLiteral) -> bool:
    """Whether a literal is an atom that is true: that is shown which makes it so, `p(a)` for `p(_)`."""
    parts = literal.witness or literal.elements or literal.values or literal.of.is_negated
    return literal.holds and not parts and len(literal.children) == 1


def _shows(literal: RuleLiteral, claim: Claim) -> bool:
    """Whether the atom of a claim stands in a literal as it is shown."""
    return _is_atom(literal) or literal.of.shows(claim.of)


def _says(literal: RuleLiteral, claim: Claim) -> bool:
    """Whether a literal as it is shown is the atom of a claim, and no more."""
    return _is_atom(literal) or literal.of.says(claim.of)


def _left_out(*claims: Claim) -> str:
    """Says how many claims the rules rest on that are not drawn."""
    number = sum(1 for claim in claims for _ in claim.claims()) - len(claims)
    return f"{MORE} {number} more step{'s' if number > 1 else ''}: see --depth" if number else MORE


def _oldest_first(claims: Sequence[Claim]) -> Sequence[Claim]:
    """Claims in the order of their ticks, as lanes have it; what is explained elsewhere stays behind that."""
    if any(isinstance(claim.reason, Repeated) for claim in claims):
        return claims
    return sorted(claims, key=lambda claim: claim.tick)


def _more_ticks(number: int) -> str:
    return f"{MORE} {number} more tick{'s' if number > 1 else ''}"


def _also(entry: Entry, claims: Sequence[Claim]) -> None:
    """Notes that other claims are explained by the same line."""
    for claim in claims:
        if isinstance(claim.reason, Repeated):
            entry.sees.append(claim.reason.number)
        else:
            entry.explains.append(claim.number)


def _resolve(root: Entry) -> None:
    """Says of claims that are explained elsewhere where that is."""
    places: dict[int, int] = {}
    entries = list(root.all_entries())
    for place, entry in enumerate(entries):
        for number in entry.explains:
            places.setdefault(number, place)
    for place, entry in enumerate(entries):
        known = [places[number] for number in entry.sees if number in places]
        if known:
            entry.add_note("as above" if max(known) < place else "as below")
        elif entry.sees:
            entry.add_note(MORE)
