"""The code of rules over rows.

Each lookup has functions that take the rows of its answer which begin to hold, and those which end. They take
one change after the other, and count the instances that begin or cease to fire by it, by the row of their
head (semi-naive evaluation with counting: Gupta, Mumick, Subrahmanian 1993, section 4). Rows that depend on
each other are counted apart (lars2asp.runtime.evaluators.delta.code.recursion).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.delta_rules import THIS_TICK
from lars2asp.planning.rows.row_rules import AggregatePart, LookupPart, RowRule, recursive_predicates
from lars2asp.runtime.evaluators.delta.code.aggregate_code import AggregateCode
from lars2asp.runtime.evaluators.delta.code.by_value import TakeRows, by_value, common_values
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines, run
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope
from lars2asp.runtime.evaluators.delta.code.heads import DerivedRows, is_net, is_single
from lars2asp.runtime.evaluators.delta.code.partial_code import PartialCode
from lars2asp.runtime.evaluators.delta.code.rank_code import RankCode
from lars2asp.runtime.evaluators.delta.code.recursion import Recursive, settle
from lars2asp.runtime.evaluators.delta.code.relations import Piece, Relation
from lars2asp.runtime.evaluators.delta.code.search import search
from lars2asp.runtime.evaluators.delta.code.steps import as_row, targets
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded, RowAggregate, Valued
from lars2asp.runtime.evaluators.delta.rules.bodies import Conjunct, GroupValue, Member, RowBody, Shape
from lars2asp.runtime.evaluators.delta.rules.normal_form import normal_form
from lars2asp.runtime.evaluators.delta.rules.partial_joins import PartialJoin, split
from lars2asp.runtime.evaluators.delta.rules.term_forms import substituted
from lars2asp.syntax.nodes import Sign, Signature, Term, Variable
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass

Target = DerivedRows | AggregateCode | RankCode
"""What takes rows."""


class RowHead(NamedTuple):
    """What is derived where a body is true.

    Attributes:
        target: takes what is derived.
        terms: the terms.
        location: their place in the user's text.
        share: what is derived by this rule alone, where that is told apart.
    """

    target: DerivedRows | AggregateCode
    terms: tuple[Term, ...]
    location: Location
    share: DerivedRows | None = None

    @property
    def code(self) -> DerivedRows | AggregateCode:
        """Writes the code for what is derived."""
        return self.share or self.target


@dataclass
class Joined:
    """A body, and all that is derived where it is true.

    Attributes:
        body: the body.
        number: its number.
        heads: what is derived.
    """

    body: RowBody
    number: int
    heads: list[RowHead] = field(default_factory=list)

    @property
    def owner(self) -> str:
        """Its name, for who measures time."""
        return f"join {self.number}"


class RowCode:
    """The functions of rules.

    Args:
        rules: the rules.
        functions: the user's functions, by name: each gives the values for values.
        on_message: takes messages about undefined operations, each once.
        check: is called now and then while recursion is followed; may raise where that takes too long.
        separates_input: whether what recursive predicates derive is told apart from their input.
        largest_interval: the number of values that one interval may have.

    Attributes:
        text: the code.
        derived: what is derived, by predicate.
        begin: for each lookup the functions that take rows that begin to hold, each once.
        end: for each lookup the functions that take rows that end.
        chosen: by lookups of which only rows with certain values at a place matter: the place and the values.
        facts: the rows of facts, by predicate.
        guards: for each rule that is not recursive the lookups that must have answers for it to fire.
    """

    _relation = Relation
    """The kind of relations."""

    def __init__(
        self,
        rules: Sequence[RowRule],
        functions: Mapping[str, Callable[..., Any]],
        on_message: Callable[[Location, str], None],
        check: Callable[[], None] = lambda: None,
        *,
        separates_input: bool = False,
        largest_interval: int = LARGEST_INTERVAL,
    ) -> None:
        self._scope = Scope(on_message, functions, has_changes=True, largest_interval=largest_interval)
        self._separates_input = separates_input
        self._relations: dict[Hashable, Relation] = {}
        self._joined: dict[RowBody, Joined] = {}
        self._aggregates: dict[RowAggregate, AggregateCode] = {}
        self._stages: list[AggregateCode | PartialCode | RankCode] = []
        """What hands on its changes when those of lookups are taken; each after those that it is made of."""
        self._fed: dict[Target, list[Hashable]] = {}
        """The relations that are made of what aggregates and parts of joins derive."""
        self._numbers = count()
        self._stamps = count(1)
        self._recursive: dict[Lookup | PartialJoin, Recursive] = {}
        self.facts: dict[Signature, list[Row]] = {}
        self.derived: dict[Signature, DerivedRows] = {}
        self._derive(rules)
        everything = (*self.derived.values(), *self._recursive.values())
        self._signatures: dict[DerivedRows, list[Signature]] = {one: [] for one in everything}
        for signature, one in self.derived.items():
            self._signatures[one].append(signature)
        self.guards = [
            found for found in map(positive_lookups, rules) if self._recursive.keys().isdisjoint(found)
        ]
        self._mark()
        comments = "".join(f"# {rule}\n" for rule in rules if not rule.is_fact)
        self.text = f"{comments}\n{self._write()}"
        self._names = names = run(self.text, self._scope.names)
        self._start: Callable[[], None] = names["start"]
        begins: dict[Lookup, list[tuple[Hashable, TakeRows]]] = {}
        ends: dict[Lookup, list[tuple[Hashable, TakeRows]]] = {}
        for key, relation in self._relations.items():
            if self._is_of_moment(relation):
                continue
            begin, end = names[f"begin{relation.number}"], names[f"end{relation.number}"]
            source = key.lookup if isinstance(key, Shape) else key
            if isinstance(source, Lookup | PartialJoin) and source in self._recursive:
                self._recursive[source].begin.append(begin)
                self._recursive[source].end.append(end)
            elif isinstance(source, Lookup):
                begins.setdefault(source, []).append((key, begin))
                ends.setdefault(source, []).append((key, end))
        self.chosen = chosen_of({lookup: [key for key, _ in some] for lookup, some in begins.items()})
        self.begin = {lookup: by_value(functions) for lookup, functions in begins.items()}
        self.end = {lookup: by_value(functions) for lookup, functions in ends.items()}
        self._settle: Callable[[], None] = partial(settle, list(self._recursive.values()), check)
        """Follows recursion to the end."""
        self._negated = self._negated_alone()
        """The lookups that only `not` asks for; they go first where instances on the way may be too many."""

    def _mark(self) -> None:
        """What is told of relations before the code is written."""

    def start(self) -> None:
        """Counts the instances that fire while nothing holds; to be called once, before all else."""
        for signature, rows in self.facts.items():
            for target in self._targets(signature, self.derived[signature]):
                target.add(rows)
        self._start()

    def _affected(self) -> dict[Lookup, tuple[list[int], list[int]]]:
        """By lookups what their changes may change, by numbers: stages and what is derived."""
        everything = [*range(len(self._stages))], [*range(len(self._signatures))]
        if self._recursive:
            return dict.fromkeys(self.begin, everything)
        derives = self._derives_apart
        for joined in self._joined.values():
            for part in joined.body.parts:
                if isinstance(part, Member | GroupValue) and not self._is_passing(joined):
                    derives.setdefault(part.relation, []).extend(head.target for head in joined.heads)
        shapes: dict[Lookup, list[Hashable]] = {lookup: [] for lookup in self.begin}
        for key in self._relations:
            if isinstance(key, Shape) and not self._is_of_moment(self._relations[key]):
                shapes[key.lookup].append(key)
        stages = {
            stage.derived if isinstance(stage, PartialCode) else stage: number
            for number, stage in enumerate(self._stages)
        }
        outcomes = {derived: number for number, derived in enumerate(self._signatures)}
        found = {}
        for lookup, waiting in shapes.items():
            targets: set[Target] = set()
            while waiting:
                for target in derives.get(waiting.pop(), ()):
                    if target not in targets:
                        targets.add(target)
                        waiting.extend(self._fed.get(target, ()))
            found[lookup] = (
                sorted(stages[target] for target in targets if target in stages),
                sorted(outcomes[target] for target in targets if target in outcomes),
            )
        return found

    @property
    def _derives_apart(self) -> dict[Hashable, list[Target]]:
        """By relations what takes their rows and is no head."""
        return {}

    def _is_of_moment(self, relation: Relation) -> bool:
        """Whether a relation has facts of a tick alone."""
        return False

    def _is_passing(self, joined: Joined) -> bool:
        """Whether what a join derives is worked out of facts of a tick alone."""
        return False

    def _negated_alone(self) -> frozenset[Lookup]:
        members = [
            part for one in self._joined.values() for part in one.body.parts if isinstance(part, Member)
        ]
        found: list[set[Lookup]] = [set(), set()]
        for member in members:
            if isinstance(member.relation, Shape):
                found[member.is_negative].add(member.relation.lookup)
        return frozenset(found[True] - found[False])

    # --- rules ----------------------------------------------------------------------------------------

    def _derive(self, rules: Sequence[RowRule]) -> None:
        for signature in sorted(recursive_predicates(rules)):
            self._recursive[Lookup(LookupKind.OWN, signature)] = self._new_recursive()
        sources: dict[Signature, dict[tuple[RowBody, tuple[Term, ...]], Location]] = {}
        facts: dict[Signature, dict[Row, None]] = {}
        for rule in rules:
            if has_empty_tuples(rule):
                self._scope.on_message(rule.location, "empty tuple ignored")
            row = ground_row(rule)
            if row is not None:
                facts.setdefault(rule.derives, {})[row] = None
                continue
            normal = split(normal_form(rule.terms, rule.body, rule.location))
            canonical, joined, terms = self._join(normal.body, normal.terms)
            several = sources.setdefault(rule.derives, {})
            self._note(rule, joined, is_new=(canonical, terms) not in several)
            several.setdefault((canonical, terms), rule.location)
        self.facts = {signature: list(rows) for signature, rows in facts.items()}
        single: dict[tuple[RowBody, tuple[Term, ...]], DerivedRows] = {}
        for signature in dict.fromkeys([*facts, *sources]):
            several = sources.get(signature, {})
            recursive = self._recursive_of(signature)
            if len(several) == 1 and signature not in facts and recursive is None:
                [(source, location)] = several.items()
                body, terms = source
                joined = self._joined[body]
                derived = single.get(source)
                if derived is None:
                    derived = single[source] = self._new_derived(joined, terms)
                    joined.heads.append(RowHead(derived, terms, location))
            else:
                number, is_counted = next(self._numbers), bool(several)
                derived = self._new_shared(number, is_counted=is_counted)
                if recursive is not None and not self._separates_input:
                    derived = recursive
                for (body, terms), location in several.items():
                    for target in self._targets(signature, derived):
                        if target is recursive or not body.is_input:
                            share = self._share(target, location)
                            self._joined[body].heads.append(RowHead(target, terms, location, share))
            self.derived[signature] = derived

    def _join(self, body: RowBody, terms: tuple[Term, ...]) -> tuple[RowBody, Joined, tuple[Term, ...]]:
        """The join of a body or an equal one: its key, the join, and the terms over its variables."""
        canonical, names = body.canonical()
        joined = self._joined.get(canonical)
        if joined is None:
            self._prepare(body)
            joined = self._joined[canonical] = Joined(body, len(self._joined))
        _, own = joined.body.canonical()
        to_own: dict[str, Term] = {name: Variable(own[found]) for found, name in names.items()}
        return canonical, joined, tuple(substituted(term, to_own) for term in terms)

    def _recursive_of(self, signature: Signature) -> Recursive | None:
        return self._recursive.get(Lookup(LookupKind.OWN, signature))

    def _targets(self, signature: Signature, derived: DerivedRows) -> Iterable[DerivedRows]:
        """What takes the rows of a predicate: two where its input is separated."""
        return dict.fromkeys((self._recursive_of(signature) or derived, derived))

    def _note(self, rule: RowRule, joined: Joined, *, is_new: bool) -> None:
        """A rule has a join, and says no more than one before if it is not new; for who measures rules."""

    def _share(self, target: DerivedRows, location: Location) -> DerivedRows | None:
        """What a rule derives of rows that others derive as well, where that is told apart."""
        return None

    def _new_recursive(self) -> Recursive:
        return Recursive(next(self._numbers), self._scope, self._stamps)

    def _new_shared(self, number: int, *, is_counted: bool) -> DerivedRows:
        """What several rules derive, or rules and facts."""
        return DerivedRows(number, self._scope, is_counted=is_counted, is_net=False)

    def _new_derived(self, joined: Joined, terms: tuple[Term, ...]) -> DerivedRows:
        """What one body alone derives."""
        is_counted = not is_single(joined.body, terms)
        return DerivedRows(
            next(self._numbers), self._scope, is_counted=is_counted, is_net=is_net(joined.body)
        )

    # --- code -----------------------------------------------------------------------------------------

    def _prepare(self, body: RowBody) -> None:
        """Makes the relations of a body, and the aggregates that some of them are of."""
        for part in body.parts:
            if not isinstance(part, Member | GroupValue) or part.relation in self._relations:
                continue
            make = partial(self._relation, scope=self._scope)
            match part.relation:
                case Shape(lookup, _, columns) as shape:
                    relation = make(columns, lookup.title, shape=shape, integers=integer_columns(shape))
                    if lookup in self._recursive:
                        relation.entries = self._recursive[lookup].entries
                case Bounded(aggregate) as bounded:
                    ranked = self._ranked(bounded)
                    if ranked is not None:
                        self._relations[bounded] = ranked
                        continue
                    code = self._aggregate(aggregate)
                    relation = make(columns_of(aggregate.size), f"the bounds of aggregate {code.number}")
                    code.add_relation(bounded, relation)
                    self._fed.setdefault(code, []).append(bounded)
                case Valued(aggregate) as valued:
                    code = self._aggregate(aggregate)
                    columns = columns_of(aggregate.size + 1)
                    integers = columns[-1:] if aggregate.is_number else ()
                    relation = make(columns, f"the values of aggregate {code.number}", integers=integers)
                    code.add_relation(valued, relation)
                    self._fed.setdefault(code, []).append(valued)
                case PartialJoin(inner, variables):
                    terms: tuple[Term, ...] = tuple(map(Variable, variables))
                    _, joined, terms = self._join(inner, terms)
                    relation = make(columns_of(len(variables)), "a part of a join")
                    members = (one for one in joined.body.parts if isinstance(one, Member))
                    if any(self._relations[one.relation].entries for one in members):
                        recursive = self._recursive[part.relation] = self._new_recursive()
                        relation.entries = recursive.entries
                        joined.heads.append(RowHead(recursive, terms, inner.location))
                    else:
                        derived = self._new_derived(joined, terms)
                        joined.heads.append(RowHead(derived, terms, inner.location))
                        self._stages.append(PartialCode(derived, relation, self._scope))
                        self._fed.setdefault(derived, []).append(part.relation)
                case key:
                    raise TypeError(key)
            self._relations[part.relation] = relation

    def _ranked(self, bounded: Bounded) -> Relation | None:
        """The relation of the groups that meet bounds, if these say something of ranks."""
        return None

    def _aggregate(self, aggregate: RowAggregate) -> AggregateCode:
        found = self._aggregates.get(aggregate)
        if found is not None:
            return found
        elements = map(split, aggregate.elements)
        sources = [self._join(element.body, element.terms)[1:] for element in elements]
        is_one = len(sources) == 1 and is_single(sources[0][0].body, sources[0][1])
        location = aggregate.elements[0].body.location if aggregate.elements else NOWHERE
        found = AggregateCode(
            len(self._aggregates), aggregate, self._scope, is_single=is_one, location=location
        )
        self._aggregates[aggregate] = found
        self._stages.append(found)
        for joined, terms in sources:
            joined.heads.append(RowHead(found, terms, location))
        return found

    def _write(self) -> str:
        lines = CodeLines()
        start = CodeLines()
        for joined in self._joined.values():
            if self._is_passing(joined):
                self._write_passing(joined)
                continue
            parts = joined.body.parts
            if all(part.is_negative for part in parts if isinstance(part, Member)):
                bindings = search(joined.body, None, self._relations, self._scope)
                self._write_instances(start, bindings, joined, is_more=True)
            for place, part in enumerate(parts):
                if isinstance(part, Member | GroupValue):
                    self._write_changes(joined, place, part)
        more = CodeLines()
        self._write_more(more)  # first, as it asks relations for indexes
        with lines.block("def start():"):
            lines.line('"""Nothing holds."""')
            lines.add(start)
        lines.line()
        for relation in self._relations.values():
            self._write_relation(lines, relation)
        for stage in self._stages:
            stage.write_visit(lines)
        lines.add(more)
        return lines.text

    def _write_passing(self, joined: Joined) -> None:
        """Writes what is derived of facts of a tick alone."""

    def _write_more(self, lines: CodeLines) -> None:
        """Writes other functions."""

    def _write_relation(self, lines: CodeLines, relation: Relation) -> None:
        relation.write(lines)

    def _write_changes(self, joined: Joined, place: int, part: Conjunct, *, is_moment: bool = False) -> None:
        """Writes the counting of the instances in which a part has the row that changed."""
        assert isinstance(part, Member | GroupValue)
        relation, scope = self._relations[part.relation], self._scope
        reports = scope.reports
        bindings = search(joined.body, place, self._relations, scope, is_change=not is_moment)
        reports = scope.reports - reports
        others = [
            one for one in joined.body.parts if isinstance(one, Member | GroupValue) and one is not part
        ]
        is_apart = all(one.relation != part.relation for one in others)
        is_bulk = is_apart and not is_moment and self._is_bulk(relation, bindings, joined)
        for is_begin in (True,) if is_moment else (True, False):
            is_more = is_begin is not (isinstance(part, Member) and part.is_negative)
            scope.is_more = is_more
            found = bindings
            if reports and not is_more:
                found = search(joined.body, place, self._relations, scope)
            piece = Piece(joined.owner, CodeLines(), is_apart)
            if is_bulk:
                relation.at_once[is_begin].append(piece)
                guard = "" if reports else "".join(f"if {index}: " for index in found.needed[:1])
                self._write_bulk(piece.lines, relation.columns, found, joined, guard, is_more=is_more)
            else:
                relation.each[is_begin].append(piece)
                self._write_instances(piece.lines, found, joined, relation.columns, is_more=is_more)
            scope.is_more = True

    def _is_bulk(self, relation: Relation, bindings: Bindings, joined: Joined) -> bool:
        """Whether all rows that change are taken at once."""
        return not bindings.steps.has_loops and all(head.target.is_bulk for head in joined.heads)

    @staticmethod
    def _write_bulk(
        lines: CodeLines,
        columns: Sequence[str],
        bindings: Bindings,
        joined: Joined,
        guard: str,
        *,
        is_more: bool,
    ) -> None:
        """Writes comprehensions over all rows that change, behind a guard."""
        for head in joined.heads:
            own = bindings.copy(head.location)
            codes = [own.value(term) for term in head.terms]
            assert isinstance(head.code, DerivedRows)
            result, statement = head.code.bulk(codes, is_more=is_more)
            is_same = result == as_row(columns)
            if is_same and not own.steps.steps:
                rows = "rows"
            elif is_same:
                rows = own.steps.comprehension("row", f"row in rows for {targets(columns)}", "[row]")
            else:
                rows = own.steps.comprehension(result, targets(columns), "rows")
            lines.line(guard + statement.format(rows))

    @staticmethod
    def _write_instances(
        lines: CodeLines,
        bindings: Bindings,
        joined: Joined,
        columns: Sequence[str] | None = None,
        *,
        is_more: bool,
    ) -> None:
        """Writes the counting of instances; `columns` are those of the row that changes, if one does."""

        def heads() -> None:
            for head in joined.heads:
                own, code = bindings.copy(head.location), head.code
                codes = [own.value(term) for term in head.terms]
                row = "row" if columns is not None and codes == list(columns) else None
                write = partial(code.write, lines, codes, is_more=is_more, row=row)
                if isinstance(code, Recursive):
                    write = partial(write, stamps=bindings.stamps)
                own.steps.since(bindings.steps).write(lines, write)

        bindings.steps.write(lines, heads)


def chosen_of(
    shapes: Mapping[Lookup, Sequence[Hashable]],
) -> dict[Lookup, tuple[int, frozenset[Value]]]:
    """By lookups of which only rows with certain values at a place matter: the place and the values."""
    found = {
        lookup: common_values(some, 0 if lookup.signature is None else lookup.signature.arity)
        for lookup, some in shapes.items()
    }
    return {lookup: one for lookup, one in found.items() if one is not None}


def asks_for_now(key: Hashable) -> bool:
    """Whether a relation has the current tick."""
    return isinstance(key, Shape) and key.lookup is THIS_TICK


def columns_of(number: int) -> tuple[str, ...]:
    """Names for columns."""
    return tuple(f"v{place}" for place in range(number))


def is_answer(member: Member) -> bool:
    """Whether the rows of a member's relation are answers to a lookup, one for each."""
    return isinstance(member.relation, Shape) and not member.relation.is_projection


def positive_lookups(rule: RowRule) -> list[Lookup]:
    """The lookups that must have answers for a rule to fire."""
    return [part.lookup for part in rule.body if isinstance(part, LookupPart) and part.sign is not Sign.NOT]


def has_empty_tuples(rule: RowRule) -> bool:
    """Whether an aggregate of a rule has an element that does not count as there is nothing in its tuple."""
    return any(
        not element.terms and part.function != "#count"
        for part in rule.body
        if isinstance(part, AggregatePart)
        for element in part.elements
    )


def ground_row(rule: RowRule) -> Row | None:
    """The row that a fact without anything to compute derives; None for other rules."""
    if rule.body:
        return None
    values = [ground_value(term) for term in rule.terms]
    row = tuple(value for value in values if value is not None)
    return row if len(row) == len(values) else None


_NUMBERED = (LookupKind.AT, LookupKind.SCHEDULED, LookupKind.COUNT, LookupKind.COUNT_BEFORE)
"""The lookups whose rows end with an integer."""


def integer_columns(shape: Shape) -> list[str]:
    """The columns of a shape whose values are integers, whatever the data is."""
    if shape.lookup.signature is None:
        terms: Sequence[Term] = shape.terms
    else:
        terms = shape.terms[-1:] if shape.lookup.kind in _NUMBERED else ()
    return [term.name for term in terms if isinstance(term, Variable) and term.name in shape.kept]
