"""Trees of explanations, built by hand; claims are numbered as they are made."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import count

from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.past.terms import Terms
from lars2asp.runtime.explanations.words.claims import (
    Absent,
    Claim,
    CutOff,
    Element,
    FailedRule,
    FromInput,
    FromProgram,
    FromRule,
    LastTold,
    Place,
    Reason,
    Repeated,
    RuleLiteral,
    Witness,
)
from lars2asp.runtime.explanations.words.instances import Bound, ClaimedAtom, ClaimedTuple, Instance
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.explanations.words.tick_texts import TickTexts
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax import nodes
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Location, Source

MINUTE = 60_000_000
NOON = TickTexts(Timeline(MINUTE, origin=datetime(2026, 1, 1, 12, tzinfo=UTC)))
"""Tick 5 is 12:05."""

ROOMS = Source(
    "rooms.lars",
    """#tick 1 min.
#input reading(room, temperature*10) at timestamp.

opened(R) :- window(R, open).
hot(R) :- reading(R, T), T > 250.
alarm(R) :- hot(R) always in [2 min], not opened(R) in [30 sec].
alarm(R) :- smoke(R).
""",
)


def place(text: str, source: Source = ROOMS, label: str = "") -> Place:
    """The rule of a source that begins so."""
    begin = source.text.index(text)
    end = source.text.index(".\n", begin) + 1
    return Place(source.text.count("\n", 0, begin), Location(source, begin, end), label)


def rule_of(text: str, line: int = 1, label: str = "") -> Place:
    """A rule in a file of its own, at a line."""
    front = "\n" * (line - 1)
    return Place(0, Location(Source("p.lars", front + text), line - 1, line - 1 + len(text)), label)


def atom(text: str) -> ClaimedAtom:
    """The atom of a text."""
    found = parsed_atom(text.replace("\n", "\\n"))
    return ClaimedAtom(found.signature, Terms({}, {}, {}).pattern(found.arguments, {}, 0))


def bound(bindings: Mapping[str, str]) -> Bound:
    """Values of variables."""
    row = atom(f"p({','.join(bindings.values())})").row if bindings else ()
    return Bound(dict(zip(bindings, row or (), strict=True)))


def instance(text: str) -> Instance:
    """The literal of a text."""
    [rule] = parse(Source("literal", f":- {text}.")).rules()
    assert isinstance(rule.body[0], nodes.Literal)
    return Instance(rule.body[0])


class Trees:
    """Makes the claims of a tree."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def claim(
        self, text: str, tick: int, reason: Reason, *, holds: bool | None = None, label: str = ""
    ) -> Claim:
        """A claim; it holds unless there is nothing that derives it."""
        is_true = not isinstance(reason, Absent) if holds is None else holds
        return Claim(next(self._numbers), atom(text), tick, tick, is_true, reason, label)

    def told(self, text: str, tick: int, origin: str, last: int | None = -1, label: str = "") -> Claim:
        """An atom that the input tells, at one tick unless there is another end."""
        return self.claim(text, tick, FromInput(origin, tick, tick if last == -1 else last), label=label)

    def rule(
        self, text: str, tick: int, by: Place, *body: RuleLiteral, at: int | None = None, chosen: bool = False
    ) -> Claim:
        """An atom that a rule derives."""
        return self.claim(text, tick, FromRule(by, bound({}), body, tick if at is None else at, chosen))

    def fact(self, text: str, tick: int, by: Place) -> Claim:
        """A fact of the program."""
        return self.claim(text, tick, FromProgram(by))

    def absent(
        self, text: str, tick: int, *rules: tuple[Place, RuleLiteral | None], last_told: int | None = None
    ) -> Claim:
        """An atom that nothing derives."""
        failed = tuple(FailedRule(by, bound({}), literal, tick) for by, literal in rules)
        last = None if last_told is None else LastTold(last_told, atom(text), "a.csv:1")
        return self.claim(text, tick, Absent(last, failed))

    def seen(self, claim: Claim) -> Claim:
        """The same claim once more."""
        return self.claim(claim.atom, claim.tick, Repeated(claim.number), holds=claim.holds)

    def cut(self, text: str, tick: int, why: str = "depth") -> Claim:
        """A claim that is not explained."""
        return self.claim(text, tick, CutOff(why), holds=True)

    def hot(self, tick: int, temperature: int, origin: str, room: str = "kitchen") -> Claim:
        """The room is hot."""
        reading = self.told(f"reading({room},{temperature})", tick, origin)
        body = plain(reading), bare(1, f"{temperature} > 250")
        bindings = bound({"R": room, "T": f"{temperature}"})
        return self.claim(f"hot({room})", tick, FromRule(place("hot(R)"), bindings, body, tick))

    def no_alarm(self) -> Claim:
        """The hall was cool for a minute in between, and there is no smoke."""
        cool = self.absent("hot(hall)", 6, (place("hot(R)"), bare(1, "240 > 250", holds=False)))
        always = window(
            "hot(hall) always in [2 min]", cool, over=(5, 7), holding=[(5, 5), (7, 7)], holds=False
        )
        smoke = plain(self.absent("smoke(hall)", 7), holds=False)
        rules = (place("alarm(R) :- hot"), always), (place("alarm(R) :- smoke"), smoke)
        return self.absent("alarm(hall)", 7, *rules)

    def alarm(self) -> Claim:
        """The room was hot for three minutes, and nobody opened the window."""
        hots = (self.hot(5, 265, "a.csv:3"), self.hot(6, 270, "a.csv:5"), self.hot(7, 268, "a.csv:7"))
        return self.rule(
            "alarm(kitchen)",
            7,
            place("alarm(R) :- hot"),
            window("hot(kitchen) always in [2 min]", *hots, over=(5, 7), holding=[(5, 7)]),
            window(
                "not opened(kitchen) in [30 sec]", self.absent("opened(kitchen)", 7), over=(7, 7), position=1
            ),
        )


def plain(claim: Claim, text: str = "", position: int = 0, *, holds: bool = True) -> RuleLiteral:
    """A literal that is an atom."""
    return RuleLiteral(position, instance(text or claim.atom), holds, (claim,))


def bare(position: int, text: str, *, holds: bool = True) -> RuleLiteral:
    """A comparison."""
    return RuleLiteral(position, instance(text), holds)


def window(
    text: str,
    *claims: Claim,
    over: Run | list[Run],
    holding: Sequence[Run] = (),
    position: int = 0,
    holds: bool = True,
    tuples: bool = False,
) -> RuleLiteral:
    """A streaming atom."""
    ticks = tuple(over) if isinstance(over, list) else (over,)
    return RuleLiteral(position, instance(text), holds, claims, Witness(ticks, tuple(holding), tuples))


def aggregate(
    text: str, value: str, elements: Mapping[str, Sequence[Claim]], *, holds: bool = True
) -> RuleLiteral:
    """An aggregate."""
    rows = {name: atom(f"p({name})").row or () for name in elements}
    found = tuple(Element(ClaimedTuple(rows[name]), tuple(claims)) for name, claims in elements.items())
    return RuleLiteral(0, instance(text), holds, (), None, atom(f"p({value})").row or (), found)
