"""The naive definition of the semantics, to hold the evaluators to.

It works on the abstract syntax alone and shares no code with translation, database or evaluators. An answer
stream at tick t is found as LARS defines it (Beck, Dao-Tran, Eiter 2018, definition 9): guess what negated
atoms say, take the least model of the reduct, keep it if it agrees with the guess. Truth over time is a set
of atoms for each tick; windows are sets of ticks, written out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from lars2asp.syntax import (
    Absolute,
    Aggregate,
    Atom,
    AtTick,
    BinaryOperation,
    Boolean,
    Box,
    Comparison,
    Diamond,
    Function,
    Literal,
    Node,
    Number,
    Program,
    Rule,
    Sign,
    SlidingWindow,
    String,
    Term,
    Tuple,
    UnaryOperation,
    Variable,
    Window,
)
from lars2asp.traversal import walk

Value = int | tuple[str, tuple["Value", ...]] | tuple[str, str]
"""An integer, a function as (name, arguments), a string as ('"', text)."""

Ground = tuple[str, tuple[Value, ...]]
"""A ground atom."""

Binding = dict[str, Value]
Views = tuple[frozenset[Ground], frozenset[Ground]]
"""The current tick as positive literals see it, and as negated ones do."""

MOST_GUESSES = 8


class TooManyGuessesError(Exception):
    """The program has too many undecided atoms for trying them all."""


def text_of(value: Value) -> str:
    """The value as clingo writes it."""
    if isinstance(value, int):
        return str(value)
    name, rest = value
    if isinstance(rest, str):
        return f'"{rest}"'
    arguments = ",".join(map(text_of, rest))
    return f"{name}({arguments}{',' if not name and len(rest) == 1 else ''})" if rest or not name else name


def atom_text(atom: Ground) -> str:
    """The atom as clingo writes it."""
    return text_of(atom)


@dataclass(frozen=True)
class Told:
    """One record: atoms told at a tick, to hold at it or until a later one, to begin or to end."""

    tick: int
    facts: frozenset[Ground] = frozenset()
    until: int | None = None
    begin: frozenset[Ground] = frozenset()
    end: frozenset[Ground] = frozenset()


def data_stream(records: Sequence[Told], start: int, last: int) -> dict[int, frozenset[Ground]]:
    """The atoms that the records say hold, tick by tick."""
    holds: dict[int, set[Ground]] = {tick: set() for tick in range(start, last + 1)}
    is_open: set[Ground] = set()
    for tick in range(start, last + 1):
        for record in records:
            if record.tick == tick:
                is_open = (is_open - record.end) | record.begin
                for later in range(tick, min(last, record.until or tick) + 1):
                    holds[later] |= record.facts
        holds[tick] |= is_open
    return {tick: frozenset(atoms) for tick, atoms in holds.items()}


class Oracle:
    """Evaluates a program (windows in plain ticks) by definition, one tick after the other."""

    def __init__(self, program: Program, *, start: int, is_strict: bool, complete_windows: bool) -> None:
        self._rules = list(program.rules())
        self._start = start
        self._is_strict = is_strict
        self._complete = complete_windows
        self._background = frozenset(
            self._ground_head(rule, {}, 0)
            for rule in self._rules
            if not rule.body
            and isinstance(rule.head, Atom)
            and not any(isinstance(n, Function) and n.is_external for n in walk(rule))
        )
        facts = [
            rule
            for rule in self._rules
            if not rule.body and not any(isinstance(n, Function) and n.is_external for n in walk(rule))
        ]
        self._proper = [rule for rule in self._rules if rule not in facts]
        self.derived = {rule.head.name for rule in self._proper if isinstance(rule.head, Atom)}
        self._negated = {
            part.name
            for rule in self._rules
            for literal in rule.body
            if literal.sign is not Sign.POSITIVE
            for part in walk(literal)
            if isinstance(part, Atom)
        }
        self._past: dict[int, frozenset[Ground]] = {}
        self._now = start
        self._values: list[Value] = []

    # --- a tick ---------------------------------------------------------------------------------------

    def answer_streams(self, tick: int, data: frozenset[Ground]) -> list[frozenset[Ground]]:
        """The current ticks of all answer streams."""
        self._now = tick
        self._values = self._domain(data)
        base = data | self._background
        lower, upper = base, self._least(base, lambda positive: (positive, frozenset()), ignores_not=True)
        while True:  # bounds of the well-founded model; what lies between is guessed
            new_lower = self._between(base, upper, lower)
            new_upper = self._between(base, new_lower, upper)
            if (new_lower, new_upper) == (lower, upper):
                break
            lower, upper = new_lower, new_upper
        undecided = sorted((a for a in upper - lower if a[0] in self._negated), key=atom_text)
        if len(undecided) > MOST_GUESSES:
            raise TooManyGuessesError
        found = []
        for size in range(len(undecided) + 1):
            for chosen in combinations(undecided, size):
                guess = frozenset(lower | set(chosen))
                model = self._least(base, lambda positive, guess=guess: (positive, guess))  # type: ignore[misc]
                agrees = all((a in model) == (a in guess) for a in upper if a[0] in self._negated)
                if agrees and not self._violates(model):
                    found.append(model)
        return found

    def follow(self, tick: int, data: frozenset[Ground], chosen: frozenset[Ground] | None) -> None:
        """Goes on with an answer stream (None: there is none)."""
        recorded = frozenset() if self._is_strict or chosen is None else chosen
        self._past[tick] = data | recorded

    def output(self, model: frozenset[Ground]) -> frozenset[str]:
        """The atoms that are output of an answer stream."""
        if self._is_strict:
            heads = {
                self._ground_head(rule, binding, self._now)
                for rule in self._proper
                if isinstance(rule.head, Atom)
                for binding in self._bindings(rule, (model, model))
            }
            model = frozenset(a for a in heads | self._background if a in model)
        return frozenset(atom_text(atom) for atom in model if atom[0] in self.derived)

    def _between(
        self, base: frozenset[Ground], other: frozenset[Ground], same: frozenset[Ground]
    ) -> frozenset[Ground]:
        """The least model with `not` read against one bound and `not not` against the other."""
        return self._least(base, lambda positive: (positive, other), double=same)

    def _least(
        self,
        base: frozenset[Ground],
        views: Callable[[frozenset[Ground]], Views],
        *,
        ignores_not: bool = False,
        double: frozenset[Ground] | None = None,
    ) -> frozenset[Ground]:
        model = base
        while True:
            derived = {
                self._ground_head(rule, binding, self._now)
                for rule in self._proper
                if isinstance(rule.head, Atom)
                for binding in self._bindings(rule, views(model), ignores_not=ignores_not, double=double)
            }
            if derived <= model:
                return model
            model = model | derived

    def _violates(self, model: frozenset[Ground]) -> bool:
        constraints = (rule for rule in self._proper if rule.head is None)
        return any(True for rule in constraints for _ in self._bindings(rule, (model, model)))

    # --- instances of rules ---------------------------------------------------------------------------

    def _domain(self, data: frozenset[Ground]) -> list[Value]:
        values: set[Value] = set()
        numbers = {0, self._now}
        nodes = [node for rule in self._rules for node in walk(rule)]
        atoms = [*data, *self._background, *(a for past in self._past.values() for a in past)]
        for node in nodes:
            if isinstance(node, Function) and not node.arguments and not node.is_external:
                values.add((node.name, ()))
            elif isinstance(node, String):
                values.add(('"', node.value))
            elif isinstance(node, Number):
                numbers.add(node.value)
        for atom in atoms:
            for value in atom[1]:
                if isinstance(value, int):
                    numbers.add(value)
                else:
                    values.add(value)
        near = range(min(numbers) - 3, max(numbers) + 4)
        return [*near, *sorted(values, key=text_of)]

    def _bindings(
        self,
        rule: Rule,
        views: Views,
        *,
        ignores_not: bool = False,
        double: frozenset[Ground] | None = None,
    ) -> Iterator[Binding]:
        """The substitutions under which a body is true."""
        literals = [
            literal for literal in rule.body if not (ignores_not and literal.sign is not Sign.POSITIVE)
        ]
        matchable = [li for li in literals if li.sign is Sign.POSITIVE and _is_matchable(li.atom)]
        others = [literal for literal in literals if literal not in matchable]
        outside = {
            node.name
            for part in [*others, rule]
            for node in _outside_aggregates(part)
            if isinstance(node, Variable) and not node.is_anonymous
        }
        if ignores_not:  # variables of dropped literals do not matter
            kept = [*others, *matchable, *([rule.head] if rule.head else [])]
            outside &= {n.name for part in kept for n in walk(part) if isinstance(n, Variable)}
        for binding in self._matches(matchable, {}, views[0]):
            for extended in self._extended(others, outside, binding, views[0]):
                if all(self._is_true(literal, extended, views, double) for literal in others):
                    yield extended

    def _extended(
        self, literals: Sequence[Literal], names: set[str], binding: Binding, now: frozenset[Ground]
    ) -> Iterator[Binding]:
        """All ways to give values to the names that are not bound yet: by an equation, or from the domain."""
        assigned = self._assigned(literals, binding, now)
        free = sorted(name for name in names if name not in assigned)
        if not free:
            yield assigned
            return
        sides = {
            term.name
            for literal in literals
            if isinstance(literal.atom, Comparison)
            for term in (literal.atom.term, literal.atom.guards[0].term)
            if isinstance(term, Variable)
        }
        first = min(free, key=lambda name: (name in sides, name))
        for value in self._values:
            yield from self._extended(literals, names, assigned | {first: value}, now)

    def _assigned(self, literals: Sequence[Literal], binding: Binding, now: frozenset[Ground]) -> Binding:
        """The binding with values for variables that an equation gives: spares trying the whole domain."""
        for literal in [*literals, *literals]:
            atom = literal.atom
            if literal.sign is not Sign.POSITIVE:
                continue
            if isinstance(atom, Comparison) and atom.guards[0].comparison == "=":
                sides = (atom.term, atom.guards[0].term)
                for one, other in (sides, sides[::-1]):
                    if isinstance(one, Variable) and one.name not in binding:
                        value = self._value(other, binding)
                        binding = binding if value is None else binding | {one.name: value}
            elif isinstance(atom, Aggregate) and atom.left and atom.left.comparison == "=":
                term = atom.left.term
                if isinstance(term, Variable) and term.name not in binding:
                    binding = binding | {term.name: self._total(atom, binding, now)}
        return binding

    def _matches(
        self, literals: Sequence[Literal], binding: Binding, positive: frozenset[Ground]
    ) -> Iterator[Binding]:
        if not literals:
            yield binding
            return
        atom = literals[0].atom
        if isinstance(atom, AtTick):
            tick_value = self._value(atom.tick, binding)
            tick_term = atom.tick if tick_value is None else _term(tick_value)
            pattern = (*atom.atom.arguments, tick_term)
            candidates: set[tuple[Value, ...]] = {
                (*ground[1], tick)
                for tick in self._window(atom.window)
                for ground in self._atoms(atom.atom, tick, positive)
            }
        elif isinstance(atom, Diamond | Box):
            pattern = atom.atom.arguments
            ticks = self._window(atom.window)
            candidates = {
                ground[1]
                for ground in set().union(*(self._atoms(atom.atom, tick, positive) for tick in ticks))
                if self._streams(atom, ground, positive)
            }
        else:
            assert isinstance(atom, Atom)
            pattern = atom.arguments
            candidates = {ground[1] for ground in self._atoms(atom, self._now, positive)}
        for candidate in candidates:
            matched: Binding | None = binding
            for term, value in zip(pattern, candidate, strict=True):
                matched = None if matched is None else _match(term, value, matched)
            if matched is not None:
                yield from self._matches(literals[1:], matched, positive)

    def _atoms(self, atom: Atom, tick: int, now: frozenset[Ground]) -> set[Ground]:
        return {
            ground
            for ground in self._at(tick, now)
            if ground[0] == atom.name and len(ground[1]) == len(atom.arguments)
        }

    # --- truth ----------------------------------------------------------------------------------------

    def _at(self, tick: int, now: frozenset[Ground]) -> frozenset[Ground]:
        return now if tick == self._now else self._past.get(tick, frozenset()) | self._background

    def _window(self, window: Window | None) -> list[int]:
        """T(W,t), written out."""
        timeline = range(self._start, self._now + 1)
        if window is None:
            return list(timeline)
        if isinstance(window, SlidingWindow):
            size = window.duration.size
            assert isinstance(size, Number)
            return [tick for tick in timeline if self._now - tick <= size.value]
        offsets = {offset.value for offset in window.offsets if isinstance(offset, Number)}
        return [tick for tick in timeline if self._now - tick in offsets]

    def _is_whole(self, window: Window) -> bool:
        if isinstance(window, SlidingWindow):
            assert isinstance(window.duration.size, Number)
            return self._now - window.duration.size.value >= self._start
        return all(
            self._now - offset.value >= self._start for offset in window.offsets if isinstance(offset, Number)
        )

    def _streams(self, atom: Diamond | Box, ground: Ground, now: frozenset[Ground]) -> bool:
        ticks = self._window(atom.window)
        if isinstance(atom, Diamond):
            return any(ground in self._at(tick, now) for tick in ticks)
        if not ticks or (self._complete and not self._is_whole(atom.window)):
            return False
        return all(ground in self._at(tick, now) for tick in ticks)

    def _is_true(
        self, literal: Literal, binding: Binding, views: Views, double: frozenset[Ground] | None
    ) -> bool:
        if literal.sign is Sign.POSITIVE:
            return self._holds(literal.atom, binding, views[0])
        if literal.sign is Sign.NOT:
            return self._is_defined(literal.atom, binding) and not self._holds(
                literal.atom, binding, views[1]
            )
        return self._holds(literal.atom, binding, views[1] if double is None else double)

    def _is_defined(self, atom: Node, binding: Binding) -> bool:
        """An instance with undefined arithmetic does not exist, `not` or no `not`."""
        plain = atom.atom if isinstance(atom, Diamond | Box | AtTick) else atom
        terms: list[Term] = []
        if isinstance(plain, Atom):
            terms += plain.arguments
        if isinstance(atom, AtTick):
            terms.append(atom.tick)
        if isinstance(atom, Comparison):
            terms += [atom.term, *(guard.term for guard in atom.guards)]
        return all(
            (isinstance(term, Variable) and term.is_anonymous) or self._value(term, binding) is not None
            for term in terms
        )

    def _holds(self, atom: Node, binding: Binding, now: frozenset[Ground]) -> bool:
        match atom:
            case Boolean(value):
                return value
            case Comparison(term, guards):
                values = [self._value(t, binding) for t in (term, *(guard.term for guard in guards))]
                if any(value is None for value in values):
                    return False
                signs = [guard.comparison for guard in guards]
                return all(
                    _compare(sign, values[i], values[i + 1])  # type: ignore[arg-type]
                    for i, sign in enumerate(signs)
                )
            case Aggregate():
                return self._aggregate(atom, binding, now)
            case Atom() | Diamond() | Box() | AtTick():
                literal = Literal(atom)
                grounded = _substituted(literal, lambda term: self._value(term, binding))
                return grounded is not None and any(
                    True for _ in self._matches([grounded], dict(binding), now)
                )
            case _:
                raise TypeError(type(atom))

    def _aggregate(self, aggregate: Aggregate, binding: Binding, now: frozenset[Ground]) -> bool:
        total = self._total(aggregate, binding, now)
        for guard, flipped in ((aggregate.left, False), (aggregate.right, True)):
            if guard is not None:
                value = self._value(guard.term, binding)
                if value is None:
                    return False
                pair = (total, value) if flipped else (value, total)
                if not _compare(guard.comparison, *pair):
                    return False
        return True

    def _total(self, aggregate: Aggregate, binding: Binding, now: frozenset[Ground]) -> int:
        tuples: set[tuple[Value, ...]] = set()
        for element in aggregate.elements:
            inner = Rule(None, element.condition)
            literals = list(inner.body)
            matchable = [li for li in literals if li.sign is Sign.POSITIVE and _is_matchable(li.atom)]
            others = [literal for literal in literals if literal not in matchable]
            for found in self._matches(matchable, dict(binding), now):
                if all(self._is_true(other, found, (now, now), None) for other in others):
                    values = [self._value(term, found) for term in element.terms]
                    if all(value is not None for value in values):
                        tuples.add(tuple(values))  # type: ignore[arg-type]
        weights = [t[0] for t in tuples if t and isinstance(t[0], int)]
        assert aggregate.function in ("#count", "#sum"), "the oracle knows these aggregates"
        return len(tuples) if aggregate.function == "#count" else sum(weights)

    # --- terms ----------------------------------------------------------------------------------------

    def _ground_head(self, rule: Rule, binding: Binding, now: int) -> Ground:
        assert isinstance(rule.head, Atom)
        values = []
        for term in rule.head.arguments:
            value = self._value(term, binding)
            if value is None:
                return ("", ())  # no instance: an atom that no predicate has
            values.append(value)
        return (rule.head.name, tuple(values))

    def _value(self, term: Term, binding: Mapping[str, Value]) -> Value | None:
        match term:
            case Number(value):
                return value
            case String(value):
                return ('"', value)
            case Variable(name):
                return binding.get(name)
            case Function("now", (), True):
                return self._now
            case Function(_, arguments) | Tuple(arguments):
                name = term.name if isinstance(term, Function) else ""
                values = [self._value(argument, binding) for argument in arguments]
                return None if any(v is None for v in values) else (name, tuple(values))  # type: ignore[return-value]
            case UnaryOperation("-", argument):
                operand = self._value(argument, binding)
                return -operand if isinstance(operand, int) else None
            case Absolute(argument):
                operand = self._value(argument, binding)
                return abs(operand) if isinstance(operand, int) else None
            case BinaryOperation(operator, left, right):
                one, other = self._value(left, binding), self._value(right, binding)
                if not isinstance(one, int) or not isinstance(other, int):
                    return None
                return {"+": one + other, "-": one - other, "*": one * other}[operator]
            case _:
                raise TypeError(type(term))


def _is_matchable(atom: Node) -> bool:
    """Whether matching the atom's plain arguments binds its variables."""
    if isinstance(atom, AtTick):
        has_variables = any(isinstance(node, Variable) for node in walk(atom.tick))
        return _is_matchable(atom.atom) and (isinstance(atom.tick, Variable) or not has_variables)
    if isinstance(atom, Diamond | Box):
        return _is_matchable(atom.atom)
    return isinstance(atom, Atom) and all(
        isinstance(node, Variable | Number | String | Tuple | Function | Atom) for node in walk(atom)
    )


def _outside_aggregates(node: Node) -> Iterable[Node]:
    if isinstance(node, Rule):
        parts: list[Node] = [node.head] if node.head else []
        return [n for part in [*parts, *node.body] for n in _outside_aggregates(part)]
    if isinstance(node, Literal) and isinstance(node.atom, Aggregate):
        guards = [guard for guard in (node.atom.left, node.atom.right) if guard]
        return [inner for guard in guards for inner in walk(guard)]
    return walk(node)


def _match(term: Term, value: Value, binding: Binding) -> Binding | None:
    match term:
        case Variable("_"):
            return binding
        case Variable(name):
            if name in binding:
                return binding if binding[name] == value else None
            return binding | {name: value}
        case Number(number):
            return binding if value == number else None
        case String(text):
            return binding if value == ('"', text) else None
        case Function() | Tuple():
            name = term.name if isinstance(term, Function) else ""
            if isinstance(value, int) or value[0] != name or isinstance(value[1], str):
                return None
            if len(value[1]) != len(term.arguments):
                return None
            matched: Binding | None = binding
            for argument, part in zip(term.arguments, value[1], strict=True):
                matched = None if matched is None else _match(argument, part, matched)
            return matched
        case _:
            raise TypeError(type(term))


def _substituted(literal: Literal, value: Callable[[Term], Value | None]) -> Literal | None:
    """The literal with arithmetic worked out; None where it is undefined."""
    atom = literal.atom
    plain = atom.atom if isinstance(atom, Diamond | Box | AtTick) else atom
    assert isinstance(plain, Atom)
    arguments = []
    for term in plain.arguments:
        done = _evaluated(term, value)
        if done is None:
            return None
        arguments.append(done)
    ground = Atom(plain.name, tuple(arguments))
    match atom:
        case Diamond(_, window):
            return Literal(Diamond(ground, window))
        case Box(_, window):
            return Literal(Box(ground, window))
        case AtTick(_, tick, window):
            done = _evaluated(tick, value)
            return None if done is None else Literal(AtTick(ground, done, window))
        case _:
            return Literal(ground)


def _evaluated(term: Term, value: Callable[[Term], Value | None]) -> Term | None:
    if isinstance(term, Variable):
        return term
    found = value(term)
    return None if found is None else _term(found)


def _term(value: Value) -> Term:
    if isinstance(value, int):
        return Number(value)
    name, rest = value
    if isinstance(rest, str):
        return String(rest)
    arguments = tuple(map(_term, rest))
    return Function(name, arguments) if name else Tuple(arguments)


def _rank(value: Value) -> tuple[int, int, str]:
    """clingo's order: numbers, then constants, then strings (the only terms that are compared here)."""
    if isinstance(value, int):
        return 0, value, ""
    name, rest = value
    return (2, 0, rest) if isinstance(rest, str) else (1, 0, name)


def _compare(sign: str, left: Value, right: Value) -> bool:
    one, other = _rank(left), _rank(right)
    match sign:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return one < other
        case "<=":
            return left == right or one < other
        case ">":
            return one > other
        case _:
            return left == right or one > other
