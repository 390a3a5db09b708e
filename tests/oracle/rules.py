"""Ground rules, and the answer sets of few of them by the definition: guess, reduct, minimal model."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from lars2asp.syntax.nodes import Sign
from tests.oracle.interpretation import Formula, holds
from tests.oracle.stream import Pair

MOST_GUESSES = 9
"""More undecided pairs than these are too many for trying all sets of them."""


class TooManyError(Exception):
    """The program has too many undecided atoms, or answer streams, for trying them all."""


@dataclass(frozen=True)
class Condition:
    """A ground literal of a body, or several of the same sign of which one must be true.

    Attributes:
        sign: how often `not` stands in front.
        formulas: what the literals are about.
    """

    sign: Sign
    formulas: tuple[Formula, ...]

    def is_true(self, here: Collection[Pair], there: Collection[Pair], double: Collection[Pair]) -> bool:
        """Whether it is true where positive literals, `not` and `not not` are read against a set each."""
        match self.sign:
            case Sign.POSITIVE:
                return any(holds(formula, here) for formula in self.formulas)
            case Sign.NOT:
                return not all(holds(formula, there) for formula in self.formulas)
            case _:
                return any(holds(formula, double) for formula in self.formulas)


@dataclass(frozen=True)
class GroundRule:
    """An instance of a rule: a disjunction of pairs, or one pair that may be chosen.

    Without heads it is a constraint.
    """

    heads: frozenset[Pair]
    body: tuple[Condition, ...]
    is_choice: bool = False
    is_temporary: bool = False

    def fires(self, pairs: Collection[Pair]) -> bool:
        """Whether the body is true in an interpretation."""
        return self.fires_between(pairs, pairs, pairs)

    def fires_between(
        self, here: Collection[Pair], there: Collection[Pair], double: Collection[Pair]
    ) -> bool:
        """Whether the body is true; see Condition.is_true."""
        return all(condition.is_true(here, there, double) for condition in self.body)


@dataclass(frozen=True)
class Bounds:
    """What a choice demands where its body is true: that one of some numbers of its distinct pairs hold."""

    body: tuple[Condition, ...]
    pairs: frozenset[Pair]
    numbers: frozenset[int]

    def are_met(self, pairs: Collection[Pair]) -> bool:
        """Whether an interpretation is as demanded."""
        if not all(condition.is_true(pairs, pairs, pairs) for condition in self.body):
            return True
        return sum(pair in pairs for pair in self.pairs) in self.numbers


def answer_sets(rules: Sequence[GroundRule], base: frozenset[Pair]) -> list[frozenset[Pair]]:
    """All answer sets that have a base of pairs, which hold in any case.

    What `not`, `not not` and choices are about is guessed; a guess is right if it is what a minimal model of
    the reduct says (Gelfond and Lifschitz 1991, Beck, Dao-Tran and Eiter 2018, definition 9). What the well-
    founded model decides already is not guessed.
    """
    guessed_about = {
        pair
        for rule in rules
        for condition in rule.body
        if condition.sign is not Sign.POSITIVE
        for formula in condition.formulas
        for threshold in formula
        for pair in threshold.pairs
    }.union(*(rule.heads for rule in rules if rule.is_choice))
    lower, upper = _bounds(rules, base)
    undecided = sorted((upper - lower) & guessed_about, key=repr)
    if len(undecided) > MOST_GUESSES:
        raise TooManyError
    found = []
    for size in range(len(undecided) + 1):
        for chosen in combinations(undecided, size):
            guess = lower.union(chosen)
            reduct = [rule for rule in rules if _is_in_reduct(rule, guess)]
            for model in _minimal_models(reduct, base):
                if model & guessed_about == guess & guessed_about:
                    found.append(model)
    return found


def _is_in_reduct(rule: GroundRule, guess: frozenset[Pair]) -> bool:
    """Whether a rule (or a choice as `a :- body, not not a`) stays when negation is read against a guess."""
    if rule.is_choice and not rule.heads <= guess:
        return False
    return all(
        condition.is_true((), guess, guess) for condition in rule.body if condition.sign is not Sign.POSITIVE
    )


def _minimal_models(reduct: Sequence[GroundRule], base: frozenset[Pair]) -> list[frozenset[Pair]]:
    """The minimal models of positive rules: a least model, or one for each way to satisfy disjunctions."""
    models: set[frozenset[Pair]] = set()
    pending = [base]
    while pending:
        model = _closure((rule for rule in reduct if len(rule.heads) == 1), pending.pop(), _is_positive_true)
        violated = next(
            (rule for rule in reduct if not rule.heads & model and _is_positive_true(rule, model)), None
        )
        if violated is None:
            models.add(model)
        else:
            pending.extend(model | {pair} for pair in violated.heads)
    return [model for model in models if not any(other < model for other in models)]


def _is_positive_true(rule: GroundRule, model: Collection[Pair]) -> bool:
    return all(c.is_true(model, (), ()) for c in rule.body if c.sign is Sign.POSITIVE)


def _bounds(rules: Sequence[GroundRule], base: frozenset[Pair]) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """What is in every answer set, and what may be in one (the alternating fixpoint)."""
    lower = base
    upper = base.union(*(rule.heads for rule in rules))
    while True:
        certain = _closure(
            (rule for rule in rules if len(rule.heads) == 1 and not rule.is_choice),
            base,
            lambda rule, model, low=lower, up=upper: rule.fires_between(model, up, low),  # type: ignore[misc]
        )
        possible = _closure(
            rules,
            base,
            lambda rule, model, low=certain, up=upper: rule.fires_between(model, low, up),  # type: ignore[misc]
        )
        if (certain, possible) == (lower, upper):
            return lower, upper
        lower, upper = certain, possible


def _closure(
    rules: Iterable[GroundRule],
    base: frozenset[Pair],
    fires: Callable[[GroundRule, Collection[Pair]], bool],
) -> frozenset[Pair]:
    """The base with the heads of all rules that fire, again and again."""
    waiting = list(rules)
    model = set(base)
    while True:
        fired: list[GroundRule] = []
        rest: list[GroundRule] = []
        for rule in waiting:
            (fired if fires(rule, model) else rest).append(rule)
        if not fired:
            return frozenset(model)
        waiting = rest
        model.update(*(rule.heads for rule in fired))
