"""What holds when by the definition, for the checker of explanations: naive, and apart from all evaluators.

Where there may be several answer streams, it is told which one was followed, and holds that to the rules:
each must be satisfied by what was followed, and each atom of it must stand in the head of an instance whose
body is true. Predicates that it can decide are worked out from those that it cannot.

Literals of a body are looked at one after the other, always the first one in the order of the body that is
ready: a positive (streaming) atom once the variables are bound that it cannot bind itself, an equation once
one side is bound that binds the other, an aggregate or a conditional literal once the variables are bound
that stand in it and outside such literals, all others once all their variables are bound.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lars2asp.analysis.dependencies import DependencyKind, dependencies
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.ground_terms import (
    Bindings,
    Row,
    Value,
    binding,
    compared,
    instance_text,
    match,
    match_all,
    names_bound,
    pairs_of,
    read_atom,
    read_row,
    row,
    text_of,
    total,
    value,
    value_text,
    written_out,
)
from lars2asp.analysis.predicates import head_atoms, is_fact
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Signature
from lars2asp.syntax.traversal import children, every, variable_names

Evaluation = dict[tuple[Signature, int], dict[Row, bool]]
"""What the evaluation at a tick derives: by predicate and tick the atoms, and whether they last."""

Layer = frozenset[Signature]
"""Predicates that need each other at one tick."""


class Arrival(NamedTuple):
    """An atom of the input; arrivals stand in the order in which they came.

    Attributes:
        tick: the first tick at which it holds.
        last: the last one; None for an open interval, which has not ended so far.
        atom: as text, `reading("hall",21)`, `-open(door)`.
        record: where it comes from, `readings.csv:3`.
    """

    tick: int
    last: int | None
    atom: str
    record: str


class Told(NamedTuple):
    """An atom of the input with the first and the last tick at which it holds."""

    tick: int
    last: float
    signature: Signature
    row: Row

    def covers(self, tick: int) -> bool:
        """Whether the atom holds at a tick by this arrival."""
        return self.tick <= tick <= self.last


class Look(NamedTuple):
    """The ticks at which a streaming atom looks, and for each atom those at which it holds, and `always`."""

    ticks: Sequence[int]
    rows: Mapping[Row, tuple[Sequence[int], bool]]


def is_choice(rule: nodes.Rule) -> bool:
    """Whether the head leaves it open which of its atoms hold."""
    return not isinstance(rule.head, nodes.Atom | nodes.AtTick | None)


def parts_of(atom: Any) -> tuple[nodes.Atom, nodes.Window | None]:
    """The atom of a streaming atom and its window; of another atom itself and the current tick."""
    now = nodes.SlidingWindow(nodes.Duration(nodes.Number(0)))
    return (atom, now) if isinstance(atom, nodes.Atom) else (atom.atom, atom.window)


def outer_names(literals: Iterable[nodes.Node]) -> set[str]:
    """The variables that stand outside of conditional literals and the elements of aggregates."""
    names: set[str] = set()
    for one in literals:
        atom = getattr(one, "atom", None)
        if isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            names |= variable_names(*(guard for guard in (atom.left, atom.right) if guard))
        elif not isinstance(one, nodes.ConditionalLiteral):
            names |= variable_names(one)
    return names


class NaiveStream:
    """What holds when.

    Args:
        program: as it is before `at most` is written otherwise (`CheckedProgram.written`).
        stream: the input.
        header: `start`, `semantics`, `complete_windows`; `followed` as explanations have it.
        functions: the `@`-functions: they take texts and give a list of texts.
        placed: atoms that choices placed at other ticks: atom, its tick, tick of the evaluation.

    Attributes:
        functions: the `@`-functions.
        derived: the predicates that rules derive.
        rules: by their numbers in the program; `#external` among them.
        faults: what is wrong with the answer streams that were followed, as far as they were looked at.
    """

    def __init__(
        self,
        program: nodes.Program,
        stream: Iterable[Arrival],
        header: Mapping[str, Any],
        functions: Mapping[str, Callable[..., Iterable[str]]] | None = None,
        placed: Iterable[tuple[str, int, int]] = (),
    ) -> None:
        self.derived = ProgramAnalysis(program).derived
        analysis = ProgramAnalysis(program.rewritten(lambda one: [_as_rule(one, self.derived)]))
        constants = {name: value(term, {}) for name, term in analysis.constant_terms.items()}
        self._base = {name: one for name, one in constants.items() if one is not None}
        self.functions = functions or {}
        self.start, self.is_recorded = int(header["start"]), header["semantics"] == "recorded"
        self._is_complete = header["complete_windows"]
        followed = header.get("followed") or {"atoms": {}, "without_answer": []}
        self._without_answer = followed["without_answer"]
        self._followed: dict[Signature, dict[Row, Any]] = {}
        for text, runs in followed["atoms"].items():
            self._followed.setdefault(read_atom(text).signature, {})[read_row(text)] = runs
        self._placements = {(read_atom(a).signature, read_row(a), tick, at) for a, tick, at in placed}
        self.faults: dict[str, None] = {}
        self.told: dict[Signature | None, list[Told]] = {None: []}
        self._points: dict[tuple[Signature, int], set[Row]] = {}
        self._spans: dict[Signature, list[Told]] = {}
        once: dict[tuple[int, str], float] = {}
        for one in stream:
            last = float("inf") if one.last is None else one.last
            once[one.tick, one.atom] = max(last, once.get((one.tick, one.atom), last))
        for (tick, text), last in once.items():
            told = Told(tick, last, read_atom(text).signature, read_row(text))
            self.told[None].append(told)
            self.told.setdefault(told.signature, []).append(told)
            if tick == last:
                self._points.setdefault((told.signature, tick), set()).add(told.row)
            else:
                self._spans.setdefault(told.signature, []).append(told)
        self._facts: dict[Signature, set[Row]] = {}
        self.rules: dict[int, nodes.Rule] = {}
        for number, rule in enumerate(analysis.program.statements):
            is_external = isinstance(program.statements[number], nodes.External)
            if isinstance(rule, nodes.Rule) and is_fact(rule) and not is_external:
                for atom in written_out(rule.head, self._base, self.functions):
                    found = row(atom.arguments, self._base)
                    self._facts.setdefault(atom.signature, set()).update(() if found is None else [found])
            elif isinstance(rule, nodes.Rule):
                self.rules[number] = rule
        self._stratify(analysis, has_followed="followed" in header)
        self._plans: dict[tuple[tuple[int, ...], frozenset[str]], tuple[Any, ...]] = {}
        self._memo: dict[Any, Any] = {}
        self._made: dict[tuple[Layer, int], Evaluation] = {}
        self._working: set[tuple[Layer, int]] = set()
        self._earlier: dict[tuple[Signature, int], list[tuple[int, Row]]] = {}
        self._possible: set[tuple[Signature, Row, int]] = set()

    def _stratify(self, analysis: ProgramAnalysis, *, has_followed: bool) -> None:
        """Cuts the predicates into layers, and says which of these are followed."""
        self._ahead = analysis.placed
        heads = {number: {h.atom.signature for h in head_atoms(rule)} for number, rule in self.rules.items()}
        now: dict[Signature, set[Signature]] = {signature: set() for signature in analysis.derived}
        ever: dict[Signature, set[Signature]] = {signature: set() for signature in now}
        loops = set[tuple[Signature, Signature]]()
        for number, rule in self.rules.items():
            for head in heads[number]:
                ever[head] |= {atom.signature for atom in every(nodes.Atom, rule)} & now.keys()
        for edge in dependencies(analysis):
            if edge.needed in now:
                now[edge.derived].add(edge.needed)
                if edge.kind is not DependencyKind.POSITIVE:
                    loops.add((edge.derived, edge.needed))
        parts = strongly_connected(now)
        self._layers = {signature: part for part in parts for signature in part}
        self._numbers = {part: [i for i, found in heads.items() if part & found] for part in parts}
        self._open = {
            part
            for part in parts
            if has_followed
            and (
                any(one in part and other in part for one, other in loops)
                or any(is_choice(self.rules[i]) for i in self._numbers[part])
            )
        }
        recursive = [part for part in strongly_connected(ever) if len(part) > 1 or part <= ever[min(part)]]
        looking_back = {self._layers[s] for part in (*recursive, self._ahead) for s in part}
        self._done = dict.fromkeys(looking_back if self.is_recorded else (), self.start)

    def bindings(self, now: int) -> Bindings:
        """What is known at a tick before any variable is bound."""
        return {**self._base, "@now": now}

    def told_of(self, atom: nodes.Atom) -> Iterator[Told]:
        """What the input told of the instances of an atom."""
        for one in self.told.get(atom.signature, ()):
            if match_all(atom.arguments, one.row, {}) is not None:
                yield one

    def has_answer(self, tick: int) -> bool:
        """Whether a tick had an answer stream."""
        return not _is_in(tick, self._without_answer)

    # --- what holds -----------------------------------------------------------------------------------

    def holds_now(self, signature: Signature, tick: int) -> frozenset[str]:
        """The atoms of a predicate that hold at a tick, in the answer stream of the tick."""
        return self.texts(signature, self.holding(signature, tick, tick))

    def texts(self, signature: Signature, rows: Iterable[Row]) -> frozenset[str]:
        """The texts of atoms of a predicate."""
        name = f"{'' if signature.is_positive else '-'}{signature.name}"
        return frozenset(text_of(name, found) for found in rows)

    def given(self, signature: Signature, tick: int) -> frozenset[Row]:
        """What input and background say of a predicate at a tick."""
        key = (signature, tick)
        if key not in self._memo:
            spans = {one.row for one in self._spans.get(signature, ()) if one.covers(tick)}
            self._memo[key] = self._points.get(key, set()) | spans | self._facts.get(signature, set())
        return self._memo[key]  # type: ignore[no-any-return]

    def holding(self, signature: Signature, tick: int, now: int) -> set[Row]:
        """What holds of a predicate at a tick, seen from the evaluation at `now`."""
        key, layer = (signature, tick, now), self._layers.get(signature)
        if key in self._memo:
            return self._memo[key]  # type: ignore[no-any-return]
        found = set(self.given(signature, tick))
        if layer is not None and (tick == now or signature in self._ahead):
            found.update(self._evaluation(layer, now).get((signature, tick), ()))
        if layer is not None and self.is_recorded and tick < now:
            made = self._evaluation(layer, tick).get((signature, tick), {})
            found.update(one for one, is_lasting in made.items() if is_lasting)
        if layer is not None and self.is_recorded and signature in self._ahead:
            found |= self._placed_before(signature, tick, now)
        if (layer, now) not in self._working:
            self._memo[key] = found
        return found

    def _placed_before(self, signature: Signature, tick: int, now: int) -> set[Row]:
        """What evaluations before `now` placed at a tick, other than their own."""
        self._look_back(self._layers[signature], now)
        return {found for at, found in self._earlier.get((signature, tick), ()) if at < now}

    def _look_back(self, layer: Layer, now: int) -> None:
        """Evaluates a layer that may look at itself at all ticks before, one after the other."""
        while self._done.get(layer, now) < now:
            at = self._done[layer]
            for (signature, tick), rows in self._evaluation(layer, at).items():
                lasting = [(at, found) for found, is_lasting in rows.items() if is_lasting and tick != at]
                self._earlier.setdefault((signature, tick), []).extend(lasting)
            self._done[layer] = at + 1

    def _evaluation(self, layer: Layer, now: int) -> Evaluation:
        if (layer, now) not in self._made:
            self._look_back(layer, now)
        if (layer, now) not in self._made:
            self._made[layer, now] = {}
            if self.has_answer(now):
                self._working.add((layer, now))
                self._derive(layer, now, self._made[layer, now])
                self._working.remove((layer, now))
        return self._made[layer, now]

    def _derive(self, layer: Layer, now: int, made: Evaluation) -> None:
        is_open, supported = layer in self._open, set[tuple[Signature, Row]]()
        followed = [s for s in layer if s in self._followed]
        said = {s: {one for one, runs in self._followed[s].items() if _is_in(now, runs)} for s in followed}
        if is_open:
            made.update({(signature, now): dict.fromkeys(rows, False) for signature, rows in said.items()})
        is_grown = True
        while is_grown:
            is_grown = False
            for rule in (self.rules[number] for number in self._numbers[layer]):
                for known in list(self.solutions(rule.body, self.bindings(now))):
                    for signature, found, tick in self.heads(rule, known):
                        is_new = tick >= self.start
                        if is_open and tick == now:
                            supported.add((signature, found))
                            is_new = found in self.holding(signature, now, now)
                        elif is_choice(rule):
                            self._possible.add((signature, found, tick))
                            is_new = (signature, found, tick, now) in self._placements
                        rows, is_lasting = made.setdefault((signature, tick), {}), not rule.is_temporary
                        if is_new and (found not in rows or rows[found] < is_lasting):
                            rows[found], is_grown = is_lasting, True
        for signature, all_said in said.items():
            derived, given = made.get((signature, now), {}), self.given(signature, now)
            if not is_open:
                if all_said - self.holding(signature, now, now) or derived.keys() - all_said - given:
                    self.faults[f"followed: at tick {now} other atoms of {signature} hold"] = None
                continue
            for found in all_said - given:
                if (signature, found) not in supported and (signature, found, now) in self._possible:
                    derived[found] = True
                elif (signature, found) not in supported and found not in (
                    self._placed_before(signature, now, now) if signature in self._ahead else ()
                ):
                    (text,) = self.texts(signature, [found])
                    self.faults[f"followed: at tick {now} no rule supports {text}"] = None

    def verify(self) -> None:
        """Finds rules that are not satisfied by what was followed, at the ticks that were looked at."""
        for layer, now in [key for key in self._made if key[0] in self._open and self.has_answer(key[1])]:
            for number in self._numbers[layer]:
                for known in self.solutions(self.rules[number].body, self.bindings(now)):
                    if not self._is_satisfied(self.rules[number], known, now):
                        self.faults[f"followed: at tick {now} statement {number} is not satisfied"] = None

    def _is_satisfied(self, rule: nodes.Rule, known: Bindings, now: int) -> bool:
        """Whether the head of an instance is true; what it says of other ticks is not looked at."""
        head: Any = rule.head
        if not is_choice(rule):
            return all(
                tick != now or one in self.holding(s, now, now) for s, one, tick in self.heads(rule, known)
            )
        if any(every(nodes.AtTick, head)):
            return True
        if isinstance(head, nodes.Disjunction):
            head = nodes.SetAggregate(head.elements, nodes.Guard("<=", nodes.Number(1)))
        elif isinstance(head, nodes.HeadAggregate):
            inner = (nodes.AggregateElement(e.terms, (e.literal, *e.condition)) for e in head.elements)
            head = nodes.Aggregate(head.function, tuple(inner), head.left, head.right)
        return next(self._guarded(head, known), None) is not None

    # --- windows --------------------------------------------------------------------------------------

    def _ticks(self, window: nodes.Window | None, now: int) -> range | list[int]:
        """The ticks of a window, those before the start as well."""
        match window:
            case nodes.SlidingWindow(nodes.Duration(nodes.Number(size))):
                return range(now - size, now + 1)
            case nodes.HoppingWindow(nodes.Duration(nodes.Number(size)), nodes.Duration(nodes.Number(step))):
                last = now - now % step
                return range(last - size, last + 1) if last >= self.start else []
            case nodes.TumblingWindow(nodes.Duration(nodes.Number(size))):
                end = (now + 1) // size * size
                return range(end - size, end)
            case nodes.OffsetWindow(offsets):
                return sorted({now - one.value for one in offsets if isinstance(one, nodes.Number)})
        return range(self.start, now + 1)

    def groups(
        self, atom: nodes.Atom, window: nodes.TupleWindow, now: int, known: Bindings
    ) -> list[list[Told]]:
        """The arrivals that are in a tuple window, for each group that fits what is known."""
        names = {variable.name for variable in window.group}
        pattern = tuple(_only(term, names) for term in atom.arguments)
        found: dict[Any, list[Told]] = {}
        for one in self.told.get(atom.signature if names else window.signature, ()):
            matched = match_all(pattern, one.row, known) if names else known
            if one.tick <= now and matched is not None:
                found.setdefault(tuple(matched.get(name) for name in sorted(names)), []).append(one)
        return [
            told[-window.size.value :] for told in found.values() if isinstance(window.size, nodes.Number)
        ]

    def look(self, atom: Any, now: int) -> Look:
        """What an atom or a streaming atom sees."""
        plain, window = parts_of(atom)
        layer = self._layers.get(plain.signature)
        key = (plain if isinstance(window, nodes.TupleWindow) else plain.signature, window, now)
        if key in self._memo:
            return self._memo[key]  # type: ignore[no-any-return]
        if isinstance(window, nodes.TupleWindow):
            found = self._arrived(plain, window, now)
        else:
            found = self._seen(plain, window, now)
        if (layer, now) not in self._working:
            self._memo[key] = found
        return found

    def _seen(self, atom: nodes.Atom, window: nodes.Window | None, now: int) -> Look:
        every_tick = self._ticks(window, now)
        ticks: Any = [tick for tick in every_tick if tick >= self.start]
        rows: dict[Row, list[int]] = {}
        for tick in ticks:
            for found in self.holding(atom.signature, tick, now):
                rows.setdefault(found, []).append(tick)
        is_whole = len(ticks) == len(every_tick) or not self._is_complete
        return Look(ticks, {found: (at, len(at) == len(ticks) and is_whole) for found, at in rows.items()})

    def _arrived(self, atom: nodes.Atom, window: nodes.TupleWindow, now: int) -> Look:
        ticks, rows = range(self.start, now + 1), dict[Row, tuple[Sequence[int], bool]]()
        for told in self.groups(atom, window, now, {}):
            is_full = nodes.Number(len(told)) == window.size
            span = range(told[0].tick if is_full else self.start, now + 1)
            inside = [one for one in told if one.signature == atom.signature]
            for found in {one.row for one in inside}:
                at = [tick for tick in ticks if any(one.row == found and one.covers(tick) for one in inside)]
                rows[found] = at, set(span) <= set(at) and (is_full or not self._is_complete)
        return Look(ticks, rows)

    # --- bodies ---------------------------------------------------------------------------------------

    def plan(self, literals: Sequence[Any], known: Bindings) -> tuple[Any, ...]:
        """The literals in the order in which they are looked at; see the module."""
        key = tuple(map(id, literals)), frozenset(known)
        if key not in self._plans:
            outer, bound, waiting, found = outer_names(literals), set(known), list(literals), []
            while waiting:
                ready = ((one, self._ready(one, bound, outer)) for one in waiting)
                one, names = next(((o, n) for o, n in ready if n is not None), (waiting[0], bound))
                bound = names
                waiting = [other for other in waiting if other is not one]
                found.append(one)
            self._plans[key] = tuple(found)
        return self._plans[key]

    def _ready(self, literal: Any, bound: set[str], outer: set[str]) -> set[str] | None:
        """The variables that are bound once a literal was looked at; None while it has to wait."""
        if isinstance(literal, nodes.ConditionalLiteral):
            return bound if variable_names(literal) & outer <= bound else None
        atom, is_positive, gives = literal.atom, literal.sign is Sign.POSITIVE, set[str]()
        match atom:
            case nodes.Aggregate() | nodes.SetAggregate():
                needs = variable_names(*atom.elements) & outer
                for guard in (one for one in (atom.left, atom.right) if one):
                    is_equation = guard.comparison == "=" and is_positive
                    more = (
                        binding([guard.term], self._base) if is_equation else (set(), variable_names(guard))
                    )
                    gives, needs = gives | more[0], needs | more[1]
            case nodes.Comparison():
                pairs = pairs_of(atom, literal.sign)
                if is_positive or pairs[0][1] == "=" != atom.guards[0].comparison:
                    return names_bound(pairs, bound, self._base)
                needs = variable_names(atom)
            case _ if is_positive and not isinstance(atom, nodes.AtMost | nodes.Boolean):
                extra: Any = getattr(atom, "tick", None) or getattr(atom, "number", None)
                is_bound = isinstance(extra, nodes.Variable) and not isinstance(atom, nodes.AtLeast)
                gives, needs = binding(
                    [*parts_of(atom)[0].arguments, *([extra] if is_bound else [])], self._base
                )
                needs = needs | (variable_names(extra) - gives if extra else set())
            case _:
                needs = variable_names(literal)
        return bound | gives if needs <= bound else None

    def solutions(self, literals: Sequence[Any], known: Bindings) -> Iterator[Bindings]:
        """The ways to bind variables that make all literals true."""
        return self.solve(self.plan(literals, known), known)

    def solve(self, planned: Sequence[Any], known: Bindings) -> Iterator[Bindings]:
        """As `solutions`, in the order that is given."""
        if not planned:
            yield known
        else:
            for found in self.extend(planned[0], known):
                yield from self.solve(planned[1:], found)

    def extend(self, literal: Any, known: Bindings) -> Iterator[Bindings]:
        """The ways to bind the variables of a literal that make it true."""
        if isinstance(literal, nodes.ConditionalLiteral):
            if all(self.holds(literal.literal, one) for one in self.solutions(literal.condition, known)):
                yield known
            return
        is_whole = isinstance(literal.atom, nodes.Aggregate | nodes.SetAggregate)
        atoms = [literal.atom] if is_whole else written_out(literal.atom, known, self.functions)
        for atom in atoms:
            if isinstance(atom, nodes.Comparison):
                pairs = pairs_of(atom, literal.sign)
                is_flipped = pairs[0][1] != atom.guards[0].comparison
                found = compared(pairs, known)
                true: Iterator[Bindings] = iter(() if found is None else (found,))
            else:
                is_flipped, true = False, self._true(atom, known)
            if literal.sign is Sign.POSITIVE or is_flipped:
                yield from true
                continue
            is_defined = all(value(term, known) is not None for term in _terms(atom) if not _has_any(term))
            if is_defined and (next(true, None) is None) is (literal.sign is Sign.NOT):
                yield known

    def holds(self, literal: Any, known: Bindings) -> bool:
        """Whether a literal is true for some values of the variables that have none."""
        return next(self.extend(literal, known), None) is not None

    def _true(self, atom: Any, known: Bindings) -> Iterator[Bindings]:
        if isinstance(atom, nodes.Boolean):
            yield from [known] if atom.value else []
            return
        if isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            yield from self._guarded(atom, known)
            return
        number = value(atom.number, known) if isinstance(atom, nodes.AtLeast | nodes.AtMost) else None
        rows = self.look(atom, known["@now"]).rows  # type: ignore[arg-type]
        most = 0
        for one, (ticks, is_always) in rows.items():
            found = match_all(parts_of(atom)[0].arguments, one, known)
            if found is None:
                continue
            most = max(most, len(ticks))
            if isinstance(atom, nodes.AtTick | nodes.Count):
                extra = atom.tick if isinstance(atom, nodes.AtTick) else atom.number
                for other in ticks if isinstance(atom, nodes.AtTick) else [len(ticks)]:
                    matched = match(extra, other, found)
                    yield from [] if matched is None else [matched]
            elif isinstance(atom, nodes.AtLeast):
                yield from [found] if isinstance(number, int) and 1 <= number <= len(ticks) else []
            elif not isinstance(atom, nodes.AtMost) and (is_always or not isinstance(atom, nodes.Box)):
                yield found
        if isinstance(atom, nodes.AtMost) and isinstance(number, int) and max(most, 0) <= number:
            yield known

    def counted(self, aggregate: nodes.Aggregate | nodes.SetAggregate, known: Bindings) -> dict[Any, str]:
        """What counts in an aggregate, each once, and its text."""
        found: dict[Any, str] = {}
        for element in aggregate.elements:
            if isinstance(element, nodes.ConditionalLiteral):
                for one in self.solutions((element.literal, *element.condition), known):
                    text = instance_text(element.literal, one)
                    found[text] = text
                continue
            for one in self.solutions(element.condition, known):
                for terms in written_out(nodes.Tuple(element.terms), one, self.functions):
                    values = row(terms.arguments, one)
                    if values is not None:
                        found[values] = ",".join(map(value_text, values))
        return found

    def total(self, aggregate: nodes.Aggregate | nodes.SetAggregate, known: Bindings) -> Value:
        """The value of an aggregate."""
        found = self.counted(aggregate, known)
        return total(aggregate.function, found) if isinstance(aggregate, nodes.Aggregate) else len(found)

    def _guarded(self, aggregate: Any, known: Bindings) -> Iterator[Bindings]:
        number, found = self.total(aggregate, known), known
        for guard, is_left in ((aggregate.left, True), (aggregate.right, False)):
            if guard is not None:
                term, total_ = guard.term, nodes.Variable("@total")
                pair = (term, guard.comparison, total_) if is_left else (total_, guard.comparison, term)
                new = compared([pair], {**found, "@total": number})
                if new is None:
                    return
                found = {name: one for name, one in new.items() if name != "@total"}
        yield found

    def heads(self, rule: nodes.Rule, known: Bindings) -> Iterator[tuple[Signature, Row, int]]:
        """The atoms that an instance may derive, and their ticks."""
        for head in head_atoms(rule):
            for local in self.solutions(head.condition, known):
                at = nodes.AtTick(head.atom, head.tick or nodes.NOW)
                for one in written_out(at, local, self.functions):
                    found, tick = row(one.atom.arguments, local), value(one.tick, local)
                    if found is not None and isinstance(tick, int):
                        yield one.atom.signature, found, tick


def _as_rule(one: nodes.Statement, derived: Sequence[Signature]) -> nodes.Statement:
    """An `#external` that is true or free as a rule, for one tick alone if no rule derives its predicate."""
    if not isinstance(one, nodes.External) or one.value == nodes.Function("false"):
        return one
    free = nodes.SetAggregate((nodes.ConditionalLiteral(nodes.Literal(one.atom)),))
    is_true = one.value == nodes.Function("true")
    return nodes.Rule(one.atom if is_true else free, one.body, one.atom.signature not in derived)


def _is_in(tick: int, runs: Iterable[Sequence[int]]) -> bool:
    return any(first <= tick <= last for first, last in runs)


def _only(term: nodes.Term, names: set[str]) -> nodes.Term:
    """A term as a pattern for some of its variables, which matches whatever stands elsewhere in it."""
    match term:
        case nodes.Variable(name) if name in names:
            return term
        case nodes.Function(name, arguments, False):
            inner = tuple(_only(one, names) for one in arguments)
            return nodes.Function(name, inner) if variable_names(*inner) else nodes.Variable("_")
        case nodes.Tuple(arguments):
            inner = tuple(_only(one, names) for one in arguments)
            return nodes.Tuple(inner) if variable_names(*inner) else nodes.Variable("_")
    return nodes.Variable("_")


def _terms(node: nodes.Node) -> Iterator[nodes.Term]:
    """The terms in an atom of any kind that are within no other term, nor in elements."""
    for child in children(node):
        if not isinstance(child, nodes.AggregateElement | nodes.ConditionalLiteral):
            yield from [child] if isinstance(child, nodes.Term) else _terms(child)


def _has_any(term: nodes.Term) -> bool:
    return any(one.is_anonymous for one in every(nodes.Variable, term))
