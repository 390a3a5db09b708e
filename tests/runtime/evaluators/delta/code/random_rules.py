"""Texts of random rules over rows."""

import random
import re
from collections.abc import Sequence

PREDICATES = {"p": 2, "r": 1, "s": 2, "g": 0, "u": 3}
COMPARISONS = ["=", "!=", "<", "<=", ">", ">="]


class RandomRules:
    """Makes rules whose variables are mostly bound by what holds.

    Args:
        choose: makes the choices.
        features: what there is besides joins and negation: `aggregates`, `functions`, `arithmetic`.
    """

    def __init__(self, choose: random.Random, features: frozenset[str]) -> None:
        self._choose = choose
        self._features = features

    def rules(self) -> str:
        """A few rules, of one or two predicates."""
        return " ".join(self._rule(self._choose.choice("qh")) for _ in range(self._choose.randint(1, 3)))

    def _rule(self, name: str) -> str:
        choose = self._choose
        variables = choose.sample(["X", "Y", "Z"], choose.randint(1, 3))
        body = [self._atom(variables) for _ in range(choose.choice([0, 1, 1, 2, 2, 3]))]
        bound = variables_in(body)
        if self._may("arithmetic", 0.3):
            interval = f"0..{choose.choice(bound or ['2'])}"
            body.append(f"W = {choose.choice([interval, self._computed(bound)])}")
            bound.append("W")
        if self._may("aggregates", 0.8):
            for variable in ("N", "M")[: choose.choice([1, 1, 2])]:
                body.append(self._aggregate(bound, variable))
                bound += [variable] * body[-1].startswith(f"{variable} =")
        for _ in range(choose.choice([0, 0, 1, 1, 2])):
            body.append(choose.choice(["not ", "not ", "not not "]) + self._atom(bound, is_negated=True))
        if bound and choose.random() < 0.3:
            body.append(f"{choose.choice(bound)} {choose.choice(COMPARISONS[1:])} {self._computed(bound)}")
        if len(bound) > 1 and choose.random() < 0.15:
            body.append(f"{bound[0]} = {choose.choice([bound[1], self._computed(bound[1:2])])}")
        choose.shuffle(body)
        arity = choose.randint(0, 3)
        head = _with_arguments(f"{name}{arity}", [self._computed(bound) for _ in range(arity)])
        return f"{head} :- {', '.join(body)}." if body else f"{head}."

    def _may(self, feature: str, chance: float) -> bool:
        return feature in self._features and self._choose.random() < chance

    def _atom(self, variables: Sequence[str], *, is_negated: bool = False) -> str:
        name = self._choose.choice(list(PREDICATES))
        terms = [self._term(variables, is_negated=is_negated) for _ in range(PREDICATES[name])]
        return _with_arguments(name, terms)

    def _term(self, variables: Sequence[str], *, is_negated: bool, is_inner: bool = False) -> str:
        choose = self._choose
        if variables and choose.random() < 0.65:
            return choose.choice(variables)
        if choose.random() < 0.3:
            return "_"
        if not is_inner and self._may("functions", 0.5):
            inner = [self._term(variables, is_negated=is_negated, is_inner=True) for _ in range(2)]
            return choose.choice([f"f({inner[0]})", f"({inner[0]},{inner[1]})"])
        if variables and self._may("arithmetic", 0.6):
            one = choose.choice(variables)
            forms = [f"{one}+1", f"{one}-1", f"1-{one}", f"-{one}", f"2*{one}+1"]
            return choose.choice([*forms, f"|{one}|", f"{one}*{one}"] if is_negated else forms)
        return choose.choice(["1", "2", "a", '"s"'])

    def _computed(self, variables: Sequence[str]) -> str:
        """A term over variables that are bound."""
        choose = self._choose
        if not variables:
            return choose.choice(["1", "2", "a"])
        one, other = choose.choice(variables), choose.choice(variables)
        if self._may("functions", 0.3):
            return choose.choice([f"f({one})", f"({one},{other})"])
        if self._may("arithmetic", 0.5):
            forms = [f"{one}+{other}", f"{one}*{other}", f"|{one}|", f"-{one}", f"{one}-1", f"{one}/{other}"]
            return choose.choice([*forms, f"{one}\\2"])
        return choose.choice([one, one, one, "1", "a"])

    def _aggregate(self, outer: Sequence[str], variable: str) -> str:
        choose = self._choose
        function = choose.choice(["#count", "#sum", "#sum+", "#min", "#max"])
        elements = "; ".join(self._element(outer) for _ in range(choose.choice([1, 1, 2])))
        written = f"{function} {{ {elements} }}"
        sign = choose.choice(["", "", "not ", "not not "])
        if not sign and choose.random() < 0.5:
            return f"{variable} = {written}"
        low = "1 <= " if choose.random() < 0.2 else ""
        bound = choose.choice([*"0123", "a", *outer])
        return f"{sign}{low}{written} {choose.choice(COMPARISONS)} {bound}"

    def _element(self, outer: Sequence[str]) -> str:
        choose = self._choose
        own = choose.sample(["A", "B", "C"], choose.randint(1, 2))
        pool = [*own, *choose.sample(outer, min(len(outer), choose.randint(0, 2)))]
        body = [self._atom(pool) for _ in range(choose.randint(1, 2))]
        bound = variables_in(body)
        if choose.random() < 0.3:
            body.append("not " + self._atom(bound, is_negated=True))
        if bound and choose.random() < 0.3:
            body.append(
                f"{choose.choice(bound)} {choose.choice(COMPARISONS[1:])} {self._computed([*bound, *outer])}"
            )
        terms = [self._computed(bound) for _ in range(choose.randint(1, 2))]
        return f"{','.join(terms)} : {', '.join(body)}"


def variables_in(literals: Sequence[str]) -> list[str]:
    """The variables that stand in literals, each once."""
    return sorted(set(re.findall(r"\b[A-Z]\b", " ".join(literals))))


def _with_arguments(name: str, terms: Sequence[str]) -> str:
    return f"{name}({','.join(terms)})" if terms else name
