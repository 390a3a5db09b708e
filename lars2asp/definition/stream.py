"""What holds when by the definition, for the checker of explanations: naive, and apart from all evaluators.

Where there may be several answer streams, it is told which one was followed, and holds that to the rules:
each must be satisfied by what was followed, and each atom of it must stand in the head of an instance whose
body is true. Predicates that it can decide are worked out from those that it cannot.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.calendar_atoms import calendar_of
from lars2asp.analysis.declared_time import needs_whole_windows
from lars2asp.analysis.dependencies import DependencyKind, dependencies
from lars2asp.analysis.graphs import reachable, strongly_connected
from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.predicates import head_atoms, is_fact, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.definition.bodies import NaiveBodies
from lars2asp.definition.given import Given, Told, background
from lars2asp.definition.held import as_held
from lars2asp.definition.matching import match_exactly
from lars2asp.definition.terms import Bindings, Row, read_atom, read_row, row, text_of, value, written_out
from lars2asp.definition.windows import Look, NaiveWindows, parts_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Signature
from lars2asp.syntax.traversal import every

Evaluation = dict[tuple[Signature, int], dict[Row, bool]]
"""What the evaluation at a tick derives: by predicate and tick the atoms, and whether they last."""

Layer = frozenset[Signature]
"""Predicates that need each other at one tick."""


class Arrival(NamedTuple):
    """An atom of the input; arrivals stand in the order in which they came.

    Attributes:
        tick: the first tick at which it holds.
        last: the last one; None for an open interval, which has not ended so far, and for a fact that is held
            (`#held`) of which the record does not say until when.
        atom: as text, `reading("hall",21)`, `-open(door)`.
        record: where it comes from, `readings.csv:3`.
    """

    tick: int
    last: int | None
    atom: str
    record: str


def is_choice(rule: nodes.Rule) -> bool:
    """Whether the head leaves it open which of its atoms hold."""
    return not isinstance(rule.head, nodes.Atom | nodes.AtTick | None)


class NaiveStream:
    """What holds when.

    Args:
        program: as it is before `at most` is written otherwise (`CheckedProgram.written`).
        stream: the input, in which facts that are held still hold on.
        header: `start`, `semantics`, `complete_windows`, `kept_from`; `followed` as explanations have it.
        functions: the `@`-functions: they take texts and give a list of texts.

    Attributes:
        arrivals: the input, in which facts that are held hold as long as they do.
        functions: the `@`-functions.
        kept_from: the first tick of which all is known that held.
        derived: the predicates that rules derive.
        rules: by their numbers in the program; `#external` among them.
        windows: what windows see.
        bodies: which bindings make bodies true.
        faults: what is wrong with the answer streams that were followed, as far as they were looked at.
    """

    def __init__(
        self,
        program: nodes.Program,
        stream: Iterable[Arrival],
        header: Mapping[str, Any],
        functions: Mapping[str, Callable[..., Iterable[str]]] | None = None,
    ) -> None:
        self.derived = ProgramAnalysis(program).derived
        analysis = ProgramAnalysis(program.rewritten(lambda one: [_as_rule(one, self.derived)]))
        constants = {name: value(term, {}) for name, term in analysis.constant_terms.items()}
        self._base = {name: one for name, one in constants.items() if one is not None}
        self._constants = analysis.constants
        self.functions = functions or {}
        self._weak_constraints = [*program.every(nodes.WeakConstraint)]
        self.start, self.is_recorded = int(header["start"]), header["semantics"] == "recorded"
        followed = header.get("followed") or {"atoms": {}, "without_answer": [], "placed": []}
        self._without_answer = followed["without_answer"]
        self.kept_from = int(header["kept_from"])
        self._verified_from = self.kept_from if "followed" in header else self.start
        """Before it what holds is only told, as what it rests on is not."""
        self._followed, self._fleeting = (_by_row(followed.get(key, {})) for key in ("atoms", "fleeting"))
        placed = followed["placed"]
        self._placements = {(read_atom(a).signature, read_row(a), tick, at) for a, tick, at in placed}
        self.faults: dict[str, None] = {}
        once: dict[tuple[int, str], float] = {}
        self.arrivals = with_held(analysis.program, [*stream])
        for one in self.arrivals:
            last = float("inf") if one.last is None else one.last
            once[one.tick, one.atom] = max(last, once.get((one.tick, one.atom), last))
        told = (Told(tick, last, read_atom(a).signature, read_row(a)) for (tick, a), last in once.items())
        facts: list[nodes.Rule] = []
        self.rules: dict[int, nodes.Rule] = {}
        for number, rule in enumerate(analysis.program.statements):
            is_external = isinstance(program.statements[number], nodes.External)
            if isinstance(rule, nodes.Rule) and is_fact(rule) and not is_external:
                facts.append(rule)
            elif isinstance(rule, nodes.Rule):
                self.rules[number] = rule
        self._given = Given(told, background(facts, self._base, self.functions), calendar_of(program))
        is_complete = bool(header["complete_windows"]) or needs_whole_windows(program)
        self.windows = NaiveWindows(self.start, self._given.told, self.holding, complete_windows=is_complete)
        self.bodies = NaiveBodies(self._base, self.functions, self.look)
        self._stratify(analysis, has_followed="followed" in header)
        self._memo: dict[Any, Any] = {}
        self._made: dict[tuple[Layer, int], Evaluation] = {}
        self._working: set[tuple[Layer, int]] = set()
        self._earlier: dict[tuple[Signature, int], list[tuple[int, Row]]] = {}
        self._possible: set[tuple[Signature, Row, int]] = set()

    def _stratify(self, analysis: ProgramAnalysis, *, has_followed: bool) -> None:
        """Cuts the predicates into layers, and says which of these are followed."""
        self._ahead = analysis.placed
        heads = {number: {h.atom.signature for h in head_atoms(rule)} for number, rule in self.rules.items()}
        lasting = (number for number, rule in self.rules.items() if not rule.is_temporary)
        self._lasting = {signature for number in lasting for signature in heads[number]}
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
        for number, rule in self.rules.items():
            counted = _counted_in(rule) & now.keys()
            loops.update((head, one) for head in heads[number] for one in counted)
        parts = strongly_connected(now)
        self._layers = {signature: part for part in parts for signature in part}
        self._places = {part: place for place, part in enumerate(parts)}
        self._needs = {
            part: {self._layers[one] for member in part for one in now[member]} - {part} for part in parts
        }
        self._belows: dict[Layer, list[Layer]] = {}
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

    def layer_of(self, signature: Signature) -> Layer | None:
        """The predicates that need one and each other; None of one that no rule derives."""
        return self._layers.get(signature)

    def look(self, atom: Any, now: int) -> Look:
        """What an atom or a streaming atom sees."""
        plain, window = parts_of(atom)
        if isinstance(atom, nodes.AtTick) and window is None:
            window = self._window_at(atom.tick, now)
        layer = self._layers.get(plain.signature)
        is_of_atom = isinstance(window, nodes.TupleWindow | nodes.SinceWindow)
        key = (plain if is_of_atom else plain.signature, window, now)
        if key in self._memo:
            return self._memo[key]  # type: ignore[no-any-return]
        found = self.windows.look(plain, window, now)
        if (layer, now) not in self._working:
            self._memo[key] = found
        return found

    def _window_at(self, tick: nodes.Term, now: int) -> nodes.Window | None:
        """Of `a at 3` and `a at @now-1` the tick, which alone is looked at; None if it may be any."""
        at, offset = integer_value(tick, self._constants), offset_from_now(tick, self._constants)
        if at is None and offset is not None and offset >= 0:
            at = now - offset
        return None if at is None else nodes.OffsetWindow((nodes.Number(now - at),) if at <= now else ())

    def bindings(self, now: int) -> Bindings:
        """What is known at a tick before any variable is bound."""
        return {**self._base, "@now": now}

    def is_of_calendar(self, signature: Signature) -> bool:
        """Whether a predicate is of the calendar."""
        return signature in self._given.calendar

    def told_of(self, atom: nodes.Atom) -> Iterator[Told]:
        """What the input told of the instances of an atom."""
        for one in self._given.told.get(atom.signature, ()):
            if match_exactly(atom.arguments, one.row, {}, self.functions) is not None:
                yield one

    def has_answer(self, tick: int) -> bool:
        """Whether a tick had an answer stream."""
        return not _is_in(tick, self._without_answer)

    def cost(self, tick: int) -> dict[int, int]:
        """What the answer stream of a tick costs by weak constraints: by priority, where that is not 0."""
        tuples = set[Row | None]()
        for one in self._weak_constraints:
            for known in self.bodies.solutions(one.body, self.bindings(tick)):
                terms = nodes.Tuple((one.weight, one.priority, *one.terms))
                instances = written_out(terms, known, self.functions)
                tuples.update(row(each.arguments, known) for each in instances)
        costs: dict[int, int] = {}
        for found in tuples:
            if found is not None and isinstance(found[0], int) and isinstance(found[1], int):
                costs[found[1]] = costs.get(found[1], 0) + found[0]
        return {level: cost for level, cost in costs.items() if cost}

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
            self._memo[key] = self._given.rows(signature, tick)
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
            if tick >= self._verified_from > self.start:  # what placed it may not be kept
                found |= self._said(signature, tick, lasting=tick < now)
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
        if (layer, now) in self._made:
            return self._made[layer, now]
        self._look_back(layer, now)
        for one in self._below(layer):  # the lowest first, as there may be many
            if (one, now) not in self._made:
                self._evaluation(one, now)
        if (layer, now) not in self._made:
            self._made[layer, now] = {}
            if self.has_answer(now):
                self._working.add((layer, now))
                self._derive(layer, now, self._made[layer, now])
                self._working.remove((layer, now))
        return self._made[layer, now]

    def _below(self, layer: Layer) -> list[Layer]:
        """The layers on which one rests at the same tick, the lowest first."""
        if layer not in self._belows:
            found = reachable(self._needs, [layer])[1:]
            self._belows[layer] = sorted(found, key=self._places.__getitem__)
        return self._belows[layer]

    def _said(self, signature: Signature, tick: int, *, lasting: bool = False) -> set[Row]:
        """The atoms of a predicate that are told to have held at a tick, or to be seen from later ones."""
        if lasting and signature not in self._lasting:
            return set()
        fleeting = self._fleeting.get(signature, {}) if lasting else {}
        said = self._followed.get(signature, {})
        return {
            one
            for one, runs in said.items()
            if _is_in(tick, runs) and not _is_in(tick, fleeting.get(one, ()))
        }

    def _derive(self, layer: Layer, now: int, made: Evaluation) -> None:
        is_open, supported = layer in self._open, set[tuple[Signature, Row]]()
        said = {signature: self._said(signature, now) for signature in layer if signature in self._followed}
        if now < self._verified_from:
            for signature, all_said in said.items():
                lasting = self._said(signature, now, lasting=True)
                made[signature, now] = {one: one in lasting for one in all_said}
            for signature, found, tick, at in self._placements:
                if at == now and signature in layer:
                    made.setdefault((signature, tick), {})[found] = True
            return
        if is_open:
            made.update({(signature, now): dict.fromkeys(rows, False) for signature, rows in said.items()})
        grown: dict[Signature, list[Row]] | None = None
        is_grown = True
        while is_grown:
            before, grown, is_grown = grown, {}, False
            for rule in (self.rules[number] for number in self._numbers[layer]):
                for known in list(self._solutions(rule, layer, now, before)):
                    for signature, found, tick in self.bodies.heads(rule, known):
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
                            if tick == now:
                                grown.setdefault(signature, []).append(found)
        for signature, found, tick, at in self._placements:
            if at == now and signature in layer and found not in self.holding(signature, tick, now):
                (text,) = self.texts(signature, [found])
                self.faults[f"followed: at tick {now} nothing places {text} at tick {tick}"] = None
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

    def _solutions(
        self, rule: nodes.Rule, layer: Layer, now: int, grown: Mapping[Signature, Sequence[Row]] | None
    ) -> Iterator[Bindings]:
        """The ways to make a body true; once some were found, those that rest on what is new since.

        Args:
            rule: the rule.
            layer: the predicates that are being derived.
            now: the tick.
            grown: what was derived in the last round; None in the first one.
        """
        known = self.bindings(now)
        if grown is None:
            yield from self.bodies.solutions(rule.body, known)
            return
        inner = [one for one in rule.body if any(atom.signature in layer for atom in every(nodes.Atom, one))]
        plain = [one for one in inner if isinstance(getattr(one, "atom", None), nodes.Atom)]
        is_plain = len(plain) == len(inner) and all(one.sign is Sign.POSITIVE for one in plain)  # type: ignore[union-attr]
        if not is_plain or any(head.tick for head in head_atoms(rule)) or layer in self._open:
            yield from self.bodies.solutions(rule.body, known)
            return
        for one in plain:
            atom: Any = one.atom  # type: ignore[union-attr]
            rest = tuple(other for other in rule.body if other is not one)
            for found in grown.get(atom.signature, ()):
                bound = match_exactly(atom.arguments, found, known, self.functions)
                if bound is not None:
                    yield from self.bodies.solutions(rest, bound)

    def verify(self) -> None:
        """Finds rules that are not satisfied by what was followed, at the ticks that were looked at."""
        made = [key for key in self._made if key[0] in self._open and self.has_answer(key[1])]
        for layer, now in (key for key in made if key[1] >= self._verified_from):
            for number in self._numbers[layer]:
                for known in self.bodies.solutions(self.rules[number].body, self.bindings(now)):
                    if not self._is_satisfied(self.rules[number], known, now):
                        self.faults[f"followed: at tick {now} statement {number} is not satisfied"] = None

    def _is_satisfied(self, rule: nodes.Rule, known: Bindings, now: int) -> bool:
        """Whether the head of an instance is true; what it says of other ticks is not looked at."""
        head: Any = rule.head
        if not is_choice(rule):
            return all(
                tick != now or one in self.holding(s, now, now)
                for s, one, tick in self.bodies.heads(rule, known)
            )
        if any(every(nodes.AtTick, head)):
            return True
        if isinstance(head, nodes.Disjunction):
            head = nodes.SetAggregate(head.elements, nodes.Guard("<=", nodes.Number(1)))
        elif isinstance(head, nodes.HeadAggregate):
            inner = (nodes.AggregateElement(e.terms, (e.literal, *e.condition)) for e in head.elements)
            head = nodes.Aggregate(head.function, tuple(inner), head.left, head.right)
        return next(self.bodies.guarded(head, known), None) is not None


def _counted_in(rule: nodes.Rule) -> set[Signature]:
    """The predicates of which more atoms may make a body untrue: those in aggregates and in conditions."""
    parts: list[nodes.Node] = [*every(nodes.Aggregate, *rule.body), *every(nodes.SetAggregate, *rule.body)]
    parts += [one for part in every(nodes.ConditionalLiteral, *rule.body) for one in part.condition]
    return {atom.signature for atom in every(nodes.Atom, *parts)}


def _as_rule(one: nodes.Statement, derived: Sequence[Signature]) -> nodes.Statement:
    """An `#external` that is true or free as a rule, for one tick alone if no rule derives its predicate."""
    if not isinstance(one, nodes.External) or one.value == nodes.Function("false"):
        return one
    free = nodes.SetAggregate((nodes.ConditionalLiteral(nodes.Literal(one.atom)),))
    is_true = one.value == nodes.Function("true")
    return nodes.Rule(one.atom if is_true else free, one.body, one.atom.signature not in derived)


def _by_row(told: Mapping[str, Any]) -> dict[Signature, dict[Row, Any]]:
    """The runs of ticks of atoms, by predicates and arguments."""
    found: dict[Signature, dict[Row, Any]] = {}
    for text, runs in told.items():
        found.setdefault(read_atom(text).signature, {})[read_row(text)] = runs
    return found


def _is_in(tick: int, runs: Iterable[Sequence[int]]) -> bool:
    return any(first <= tick <= last for first, last in runs)


def with_held(program: nodes.Program, stream: Sequence[Arrival]) -> Sequence[Arrival]:
    """The arrivals of a stream, in which facts that are held hold until the next ones."""
    held = held_facts(program)
    if not held:
        return stream
    ends = (float("inf") if one.last is None else one.last for one in stream)
    atoms = ((one.tick, last, read_atom(one.atom)) for one, last in zip(stream, ends, strict=True))
    told = [Told(tick, last, atom.signature, row(atom.arguments, {}) or ()) for tick, last, atom in atoms]
    lasts = as_held(told, held)
    return [stream[place]._replace(last=None if last == float("inf") else int(last)) for place, last in lasts]
