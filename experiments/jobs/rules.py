"""Ticks that touch little of a program: one rule of many, one fact, nothing."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice, product

from experiments.jobs.part import Settings, Table, number
from experiments.path.parts import group_of
from experiments.path.steps import ProductFact, Steps

NUMBERS = (1, 4, 16, 64, 256)
TICKS, WARM_UP = 4000, 300
VALUES = 40

Touched = Callable[[int, int], int]
"""The rule that a tick touches; takes the tick and the number of rules."""

TOUCHED: dict[str, Touched] = {
    "always the same": lambda tick, rules: 0,
    "each in its turn": lambda tick, rules: tick % rules,
}


def program(rules: int, *, by_constant: bool) -> str:
    """Rules that have nothing to do with one another, with three windows: over predicates, or constants."""
    body = "a{0}(X) in [20], b{0}(X) in [50], not c{0}(X) in [5]"
    if by_constant:
        body = "a({0},X) in [20], b({0},X) in [50], not c({0},X) in [5]"
    return "\n".join(f"found{i}(X) :- {body.format(i)}." for i in range(rules))


def stream(rules: int, touched: Touched, *, by_constant: bool) -> Iterator[Sequence[ProductFact]]:
    """Four facts a tick, all of them for one rule."""

    def fact(name: str, rule: int, value: int) -> ProductFact:
        return (name, rule, value % VALUES) if by_constant else (f"{name}{rule}", value % VALUES)

    for tick in count():
        rule, value = touched(tick, rules), tick // 7
        yield [
            fact("a", rule, value),
            fact("a", rule, value * 3),
            fact("b", rule, value),
            fact("c", rule, value + tick),
        ]


def tables(settings: Settings) -> Iterator[Table]:
    """Two tables: many rules, and single ticks."""
    numbers = NUMBERS if settings.scale == 1 else NUMBERS[:3]
    rows = []
    for by_constant, (name, touched) in product((False, True), TOUCHED.items()):
        found, what = [], f"{name}, by its {'constant' if by_constant else 'predicates'}"
        for rules in numbers:
            settings.say(f"{rules} rules, {what}")
            found.append(measured(rules, touched, settings, by_constant=by_constant))
        rows.append([what, *map(number, found), f"{found[-1] / found[0]:.2f}"])
    headings = ["rule that is touched", *(f"n = {rules}" for rules in numbers), "last / first"]
    yield Table("n rules with three windows, four facts a tick touch one: us a tick", headings, rows)
    rows = []
    for group, what in (("one fact", "one fact through one rule"), ("idle", "nothing happens")):
        settings.say(what)
        measure = group_of("single-ticks", group).measures["auto"]
        rows.append([what, number(min(measure(settings.scale)["us"] for _ in range(settings.runs)))])
    yield Table("a tick: us", ["what it brings", "us"], rows)


def measured(rules: int, touched: Touched, settings: Settings, *, by_constant: bool) -> float:
    """Microseconds a tick, the least of several runs."""
    found = []
    for _ in range(settings.runs):
        steps = Steps(program(rules, by_constant=by_constant))
        facts = stream(rules, touched, by_constant=by_constant)
        steps.warm_up(islice(facts, WARM_UP), WARM_UP)
        found.append(steps.timed(facts, settings.some(TICKS, 50)))
    return min(found)
