"""Rules as Python text: a function for each formula that drives the join of a rule, as nested loops.

The driver is the formula whose new instances are joined with the others. From

    q(X,Z) :- p(X,Y) in [80], r(Y,Z) in [5], X < 9.

with the first formula's new instances comes

    for h0, batch in fresh:
        for x0 in batch:
            v_X = x0[1]
            v_Y = x0[2]
            if not ((v_X < 9 if v_X.__class__ is int else rank(v_X) < rank(9))): continue
            for x1 in index_1.get(v_Y, NOTHING):
                a1 = entries_1[x1]
                v_Z = x1[2]
                h1 = a1[1] if a1[1] < h0 else h0
                ...

and the head with the least of the horizons. What is new in both is joined once: formulae written before the
one that drives give only what was there before the tick.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from experiments.native import terms
from experiments.native.conclusions import Batches
from experiments.native.formulae import FormulaInstances, PredicateState
from experiments.native.native_program import FOREVER, BodyFormula, Formula, NativeRule, UnsupportedError
from experiments.native.terms import (
    Anything,
    Known,
    Name,
    NativeComparison,
    mentions_now,
    names,
    variable,
    written,
)

JoinFunction = Callable[[int, int, Batches], None]
"""A compiled join; takes the tick, the first tick of the timeline, and the batches that drive it."""

NOTHING = ()


class Lookups(Protocol):
    """Where the instances of formulae are looked up."""

    def instances(self, formula: Formula) -> FormulaInstances:
        """The instances of a formula, which will be kept from now on."""
        ...


@dataclass(frozen=True)
class JoinPlan:
    """How a rule is joined.

    Attributes:
        driver: the position of the formula (among the positive ones) whose instances drive the join, None
            for rules without any.
        is_over_all: whether all its instances do, and not just the batches that are handed over.
        holds_now: whether heads hold [t,t] whatever the annotations say.
        excludes_new: whether formulae before the driver give only what is older than the tick.
    """

    driver: int | None
    is_over_all: bool = False
    holds_now: bool = False
    excludes_new: bool = False


@dataclass
class _FunctionText:
    """Python text in the making, with the objects that it uses."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    scope: dict[str, Any] = field(
        default_factory=lambda: {
            "NOTHING": NOTHING,
            "rank": terms.rank,
            "quotient": terms.quotient,
            "remainder": terms.remainder,
        }
    )

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def open(self, line: str) -> None:
        self.add(line)
        self.depth += 1

    def skip_if(self, condition: str) -> None:
        self.add(f"if {condition}: continue")


def compiled(rule: NativeRule, plan: JoinPlan, head: PredicateState, lookups: Lookups) -> JoinFunction:
    """The function for a join of a rule.

    Raises:
        UnsupportedError: if a variable is bound by inverted arithmetic alone.
    """
    text, scope = written_out(rule, plan, head, lookups)
    exec(compile(text, f"<{rule.predicate}>", "exec"), scope)
    join: JoinFunction = scope["join"]
    return join


def written_out(
    rule: NativeRule, plan: JoinPlan, head: PredicateState, lookups: Lookups
) -> tuple[str, dict[str, Any]]:
    """The text of the function `join` for a join of a rule, and the objects that it uses."""
    text = _JoinWriter(rule, plan, head, lookups).text()
    return "\n".join(["def join(t, start, fresh):", *text.lines]), text.scope


class _JoinWriter:
    def __init__(self, rule: NativeRule, plan: JoinPlan, head: PredicateState, lookups: Lookups) -> None:
        self._rule = rule
        self._plan = plan
        self._head = head
        self._lookups = lookups
        self._text = _FunctionText()
        self._bound: set[str] = set()
        self._comparisons = list(rule.comparisons)
        self._negated = list(rule.negated)
        self._horizon = "t" if plan.holds_now else ""
        self._made = 0

    def text(self) -> _FunctionText:
        """The body of the function."""
        positive = list(enumerate(self._rule.positive))
        if self._plan.driver is None:
            self._text.open("for _ in (0,):")
        else:
            _, driver = positive.pop(self._plan.driver)
            self._drive(driver)
        self._check()
        while positive:
            position, one = max(positive, key=lambda item: (*self._promise(item[1]), -item[0]))
            positive.remove((position, one))
            excludes = (
                self._plan.excludes_new and self._plan.driver is not None and position < self._plan.driver
            )
            self._join(one, excludes_new=excludes)
            self._check()
        if self._comparisons or self._negated:
            raise UnsupportedError(self._rule.source, "variables bound by arithmetic alone")
        self._conclude()
        return self._text

    # --- the body -------------------------------------------------------------------------------------

    def _drive(self, driver: BodyFormula) -> None:
        text = self._text
        if self._plan.is_over_all:
            self._text.scope["entries"] = self._lookups.instances(driver.formula).entries
            text.open("for x0, a0 in entries.items():")
            if not self._horizon:
                self._horizon = "h0"
                text.add("h0 = a0[1]")
        else:
            text.open("for h0, batch in fresh:")
            text.open("for x0 in batch:")
            self._horizon = self._horizon or "h0"
        self._bind(driver, "x0", ())

    def _promise(self, one: BodyFormula) -> tuple[bool, int]:
        """How good it is to join a formula next: best where all is bound, then where much is."""
        known = self._known_positions(one)
        return len(known) == len(one.terms), len(known)

    def _known_positions(self, one: BodyFormula) -> tuple[int, ...]:
        return tuple(
            i
            for i, term in enumerate(one.terms, start=1)
            if isinstance(term, Known) or (isinstance(term, Name) and term.name in self._bound)
        )

    def _join(self, one: BodyFormula, *, excludes_new: bool) -> None:
        self._made += 1
        text, number = self._text, self._made
        instance, annotation = f"x{number}", f"a{number}"
        known = self._known_positions(one)
        entries = self._lookups.instances(one.formula)
        if len(known) == len(one.terms):
            text.scope[f"get_{number}"] = entries.entries.get
            text.add(f"{annotation} = get_{number}({self._whole(one)})")
            text.skip_if(f"{annotation} is None")
        elif known:
            text.scope[f"index_{number}"] = entries.index(known)
            key = self._key(one, known)
            text.open(f"for {instance} in index_{number}.get({key}, NOTHING):")
            if excludes_new or not self._plan.holds_now:
                text.scope[f"entries_{number}"] = entries.entries
                text.add(f"{annotation} = entries_{number}[{instance}]")
        else:
            text.scope[f"entries_{number}"] = entries.entries
            text.open(f"for {instance}, {annotation} in entries_{number}.items():")
        if excludes_new:
            text.skip_if(f"{annotation}[0] == t")
        self._bind(one, instance, known)
        if not self._plan.holds_now:
            before = self._horizon
            self._horizon = f"h{number}"
            text.add(
                f"h{number} = {annotation}[1] if {annotation}[1] < {before} else {before}"
                if before
                else f"h{number} = {annotation}[1]"
            )

    def _whole(self, one: BodyFormula) -> str:
        values = [repr(one.formula.predicate.name), *(self._value(term) for term in one.terms)]
        return f"({', '.join(values)},)"

    def _key(self, one: BodyFormula, positions: Sequence[int]) -> str:
        values = [self._value(one.terms[i - 1]) for i in positions]
        return values[0] if len(values) == 1 else f"({', '.join(values)})"

    @staticmethod
    def _value(term: terms.BodyArgument) -> str:
        assert not isinstance(term, Anything)
        return written(term)

    def _bind(self, one: BodyFormula, instance: str, known: Sequence[int]) -> None:
        """Gives variables their values, and checks those that are there already."""
        for i, term in enumerate(one.terms, start=1):
            if i in known or isinstance(term, Anything):
                continue
            if isinstance(term, Name) and term.name not in self._bound:
                self._bound.add(term.name)
                self._text.add(f"{variable(term.name)} = {instance}[{i}]")
            else:
                self._text.skip_if(f"{instance}[{i}] != {written(term)}")

    def _check(self) -> None:
        """Adds the comparisons and negated formulae whose variables are all bound by now."""
        is_found = True
        while is_found:
            is_found = False
            for compared in list(self._comparisons):
                if self._compare(compared):
                    self._comparisons.remove(compared)
                    is_found = True
        for one in list(self._negated):
            if self._bound.issuperset(names(*one.terms)):
                self._negated.remove(one)
                self._exclude(one)

    def _compare(self, compared: NativeComparison) -> bool:
        """Adds a comparison, or a value for the variable on one side; False where it is too early for it."""
        left, right = (self._bound.issuperset(names(side)) for side in (compared.left, compared.right))
        if left and right:
            for condition in (*terms.hindrances(compared.left), *terms.hindrances(compared.right)):
                self._text.skip_if(condition)
            self._text.skip_if(f"not ({terms.comparison(compared)})")
            return True
        for name, is_bound, value in (
            (compared.left, right, compared.right),
            (compared.right, left, compared.left),
        ):
            if is_bound and isinstance(name, Name) and compared.sign == "=":
                for condition in terms.hindrances(value):
                    self._text.skip_if(condition)
                self._text.add(f"{variable(name.name)} = {written(value)}")
                self._bound.add(name.name)
                return True
        return False

    def _exclude(self, one: BodyFormula) -> None:
        self._made += 1
        text, number = self._text, self._made
        known = self._known_positions(one)
        entries = self._lookups.instances(one.formula)
        if len(known) == len(one.terms):
            text.scope[f"entries_{number}"] = entries.entries
            text.skip_if(f"{self._whole(one)} in entries_{number}")
        elif known:
            text.scope[f"index_{number}"] = entries.index(known)
            text.skip_if(f"{self._key(one, known)} in index_{number}")
        else:
            text.scope[f"entries_{number}"] = entries.entries
            text.skip_if(f"entries_{number}")

    # --- the head -------------------------------------------------------------------------------------

    def _conclude(self) -> None:
        rule, head, text = self._rule, self._head, self._text
        for term in rule.terms:
            for condition in terms.hindrances(term):
                text.skip_if(condition)
        values = [repr(rule.predicate.name), *map(written, rule.terms)]
        horizon = self._horizon
        conclusions = head.present
        if rule.tick is not None:
            for condition in terms.hindrances(rule.tick):
                text.skip_if(condition)
            text.add(f"tick = {written(rule.tick)}")
            text.skip_if("tick.__class__ is not int or tick < start")
            text.scope["waiting"] = head.waiting
            values.append("tick")
            conclusions = head.placed
            text.open("if tick > t:")
            text.add(f"if {horizon} >= tick: waiting[tick].append((({', '.join(values)},), {horizon}))")
            text.add("continue")
            text.depth -= 1
            if not self._plan.holds_now and head.reach < FOREVER:
                text.add(f"h = {horizon} if {horizon} < tick + {head.reach} else tick + {head.reach}")
                text.skip_if("h < t")
                horizon = "h"
            elif self._plan.holds_now and head.reach < FOREVER:
                text.skip_if(f"tick + {head.reach} < t")
        assert conclusions is not None
        text.scope |= {
            "known": conclusions.horizons.get,
            "horizons": conclusions.horizons,
            "derived": conclusions.fresh,
            "began": conclusions.began,
        }
        text.add(f"head = ({', '.join(values)},)")
        text.add("was = known(head)")
        text.open("if was is None:")
        text.add("began.append(head)")
        text.depth -= 1
        text.open(f"elif was >= {horizon}:")
        text.add("continue")
        text.depth -= 1
        text.add(f"horizons[head] = {horizon}")
        text.add(f"derived[{horizon}].append(head)")


def is_of_the_tick(rule: NativeRule) -> bool:
    """Whether a rule's instances hold [t,t] whatever they join: by `not`, `@now`, or for want of formulae."""
    expressions = [
        *rule.terms,
        *([] if rule.tick is None else [rule.tick]),
        *(side for compared in rule.comparisons for side in (compared.left, compared.right)),
    ]
    return not rule.positive or bool(rule.negated) or any(map(mentions_now, expressions))
