"""What of a program its tests have seen: which rules fired, and which literals ever kept one from it.

The program gets rules of our own, which show it: for `alarm(R) :- hot(R) in [5], not opened(R), T > 25.`

    seen(1) :- hot(R) in [5], not opened(R), T > 25.          it fired
    seen(1,1) :- hot(R) in [5].                               the literal held
    seen(1,2) :- hot(R) in [5], opened(R), T > 25.            it alone kept the rule from firing
    seen(1,3) :- hot(R) in [5], not opened(R), not T > 25.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from lars2asp.compiler import read_program
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.plan import Plan
from lars2asp.runtime.rule_tests.case_run import CaseRun
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Rule, Sign
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.summaries import counted
from lars2asp.syntax.values import dataclass

_OURS = "coverage"


@dataclass
class Coverage:
    """What the cases of one program have seen.

    Attributes:
        rules: the rules, by their places.
        fired: those that fired.
        watched: the literals that can be watched, by the rule and their number in it.
        seen: those that held, or kept the rule from firing.
    """

    rules: dict[str, Rule] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    watched: dict[tuple[str, int], nodes.Literal] = field(default_factory=dict)
    seen: set[tuple[str, int]] = field(default_factory=set)

    def add(self, run: CaseRun) -> None:
        """Takes what a case sees. Raises what its run raises."""
        rules = [one for one in read_program(*run.sources).rules() if _is_watched_rule(one)]
        places = [_place(rule.location) for rule in rules]
        self.rules |= dict(zip(places, rules, strict=True))
        plan, name, watched = _watching(run, rules)
        for number, literal in watched:
            self.watched[places[number], literal] = _literal(rules[number], literal)
        reasoner = run.reasoner_of(plan)
        for answer in reasoner.run(run.records, until=run.last, lateness=run.lateness, on_reject=_pass_by):
            for signature, rows in answer.began.rows.items():
                if signature.name == name:
                    self._take(places, rows)

    def _take(self, places: Sequence[str], rows: Iterable[Row]) -> None:
        for row in rows:
            number, *literal = (value for value in row if isinstance(value, int))
            if literal:
                self.seen.add((places[number], literal[0]))
            else:
                self.fired.add(places[number])

    def lines(self) -> Iterator[str]:
        """The rules that never fired, the literals that decided nothing, and how many there are of each."""
        for place, rule in self.rules.items():
            if place not in self.fired:
                yield f"{place}: never fired: {shown(to_text(rule))}"
            for number, literal in ((n, one) for (where, n), one in self.watched.items() if where == place):
                if (place, number) in self.seen:
                    continue
                if _is_watched_alone(literal):
                    if place not in self.fired:
                        yield f"  {shown(to_text(literal))} never held"
                elif place in self.fired:
                    yield f"{place}: {shown(to_text(literal))} never kept the rule from firing"
        fired, seen = len(self.fired), len(self.seen)
        yield (
            f"{fired} of {counted(len(self.rules), 'rule')} fired, {seen} of "
            f"{counted(len(self.watched), 'literal')} made a difference"
        )


def _watching(run: CaseRun, rules: Sequence[Rule]) -> tuple[Plan, str, set[tuple[int, int]]]:
    """The program with rules that show what it sees, the predicate of these, and the watched literals.

    What would not be safe is left out: a positive literal with a number that others bind, say.
    """
    name = "seen"
    while any(name in source.text for source in run.sources):
        name += "_"
    lines = {}
    for number, rule in enumerate(rules):
        lines[number, 0] = f"{name}({number}) :- {_body(rule.body)}."
        for at in range(1, len(rule.body) + 1):
            if watched := _watched(rule, at):
                lines[number, at] = f"{name}({number},{at}) :- {watched}."
    while True:
        keys = [*lines]
        text = "\n".join([*lines.values(), f"#show {name}/1.", f"#show {name}/2."])
        try:
            plan = run.plan_of((*run.sources, Source(_OURS, text)))
        except ProgramError as error:
            wrong = {one.location.line for one in error.diagnostics if one.location.source.name == _OURS}
            if not wrong:
                raise
            for line in wrong:
                lines.pop(keys[line - 1], None)
            continue
        return plan, name, {key for key in lines if key[1]}


def _watched(rule: Rule, at: int) -> str:
    """The body that is true when a literal has made a difference; empty for one that is not watched."""
    literal = rule.body[at - 1]
    if not isinstance(literal, nodes.Literal) or isinstance(literal.atom, nodes.Boolean):
        return ""
    if _is_watched_alone(literal):
        return to_text(literal)
    other = Sign.POSITIVE if literal.sign is Sign.NOT else Sign.NOT
    return _body((*rule.body[: at - 1], replace(literal, sign=other), *rule.body[at:]))


def _is_watched_alone(literal: nodes.Literal) -> bool:
    """Whether it is a positive atom, which binds variables: without it the rule has no instance."""
    is_atom = not isinstance(literal.atom, nodes.Comparison | nodes.Aggregate | nodes.SetAggregate)
    return is_atom and literal.sign is Sign.POSITIVE


def _literal(rule: Rule, at: int) -> nodes.Literal:
    literal = rule.body[at - 1]
    assert isinstance(literal, nodes.Literal)
    return literal


def _body(body: nodes.Body) -> str:
    """A body as text; conditional literals end with a semicolon."""
    return "; ".join(map(to_text, body))


def _place(location: Location) -> str:
    number, column = location.source.position(location.begin)
    return f"{shown(location.source.name)}:{number}" + (f":{column}" if column > 1 else "")


def _pass_by(_: Rejected) -> None:
    """Rejected records were reported by the run before."""


def _is_watched_rule(rule: Rule) -> bool:
    """Whether it is a rule of the user's that can fire: where a constraint does there is no answer."""
    return bool(rule.body) and rule.head is not None and not rule.is_of_formula
