"""The code of rules over many ticks: joins of intervals.

A rule

    match(O,P) :- in sliding(30) order/2(O,I), in sliding(30) payment/2(P,I).

becomes nested loops over when the answers to its lookups hold: of each row of the first one the intervals,
then what the rows of the next one with the same arguments have in common with that, and so on; `not` leaves
what is left. What is derived is collected by rows, and its intervals are merged at the end.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.planning.rows.row_rules import RowRule
from lars2asp.runtime.evaluators.blocks.held_rows import (
    NOTHING,
    HeldRows,
    Index,
    RowsOnce,
    common,
    gaps,
    pairs,
    sections,
    settle,
)
from lars2asp.runtime.evaluators.blocks.points import Points, RowTicks
from lars2asp.runtime.evaluators.blocks.ranks import Ranking, ranking, reached
from lars2asp.runtime.evaluators.blocks.swept_groups import (
    NO_SEGMENTS,
    Groups,
    among,
    swept,
    values,
    within,
)
from lars2asp.runtime.evaluators.blocks.windowed_rows import projects_first
from lars2asp.runtime.evaluators.delta.code.aggregate_code import ignored
from lars2asp.runtime.evaluators.delta.code.code_lines import CodeLines, run
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope, comparison_of
from lars2asp.runtime.evaluators.delta.code.limits import limits_of
from lars2asp.runtime.evaluators.delta.code.row_code import ground_row, has_empty_tuples, integer_columns
from lars2asp.runtime.evaluators.delta.code.steps import as_row, targets
from lars2asp.runtime.evaluators.delta.rules.aggregates import Bounded, RowAggregate, Valued
from lars2asp.runtime.evaluators.delta.rules.bodies import (
    Choice,
    Conjunct,
    Equation,
    GroupValue,
    Member,
    NormalRule,
    Shape,
    Test,
    renamed,
    variables_of,
)
from lars2asp.runtime.evaluators.delta.rules.normal_form import normal_form
from lars2asp.runtime.evaluators.delta.rules.term_forms import is_interval, is_solvable, variables_in
from lars2asp.syntax.nodes import MIRRORED, Function, Number, Signature, Term, Variable
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Projection:
    """Takes the rows of a predicate apart.

    Attributes:
        key: those with the same key do the same.
        of_held: gives when what rows become holds, by when they hold.
        of_points: gives the ticks of what facts become.
    """

    key: Hashable
    of_held: Callable[[HeldRows], HeldRows]
    of_points: Callable[[Points], RowTicks]


class Answers(Protocol):
    """The answers to lookups in a block; a projection comes before windows are looked at."""

    def rows(self, lookup: Lookup, project: Projection | None = None) -> HeldRows:
        """When rows are in the answer."""
        ...

    def once(self, lookup: Lookup) -> RowsOnce | None:
        """The same where it is known that each row is there over one interval; None where it is not."""
        ...

    def sums(
        self, lookup: Lookup, project: Projection | None, size: int, *, has_weights: bool, least: int
    ) -> Groups | None:
        """For the kind AT: how many rows and ticks are in the answer, by the first values of the rows.

        Or the sums of the values behind these; None where some are no numbers. Numbers below the least that
        is asked for may be left out.
        """
        ...


@dataclass(frozen=True)
class AtLeast:
    """The values of a `#count` that reach a number, which is greater than 0; others may be among them."""

    aggregate: RowAggregate
    least: int


@dataclass(frozen=True)
class Chosen:
    """The rows of a shape that meet tests of their values, which have the names that it keeps.

    What is tested as rows are taken apart is in no window, index or join.
    """

    shape: Shape
    tests: tuple[Test, ...]


OnMessage = Callable[[Location, str], None]


class BlockCode:
    """The functions of the rules of a component, over many ticks.

    Args:
        rules: the rules.
        on_message: takes messages about undefined operations, each once.
        largest_interval: the number of values that one interval may have.

    Attributes:
        text: the code.
    """

    def __init__(
        self, rules: DeltaRules, on_message: OnMessage, largest_interval: int = LARGEST_INTERVAL
    ) -> None:
        self._scope = Scope(on_message, {}, largest_interval=largest_interval)
        self._on_message = on_message
        self._lines = CodeLines()
        self._relations: dict[Hashable, int] = {}
        self._shapes: dict[Hashable, int] = {}
        """Relations whose functions take rows apart, by what they do."""
        self.what_they_do: dict[int, Hashable] = {}
        """The same the other way round."""
        self.alike: dict[int, int] = {}
        """For relations that take rows apart the first one that does so in the same way."""
        self._aggregates: dict[RowAggregate, list[str]] = {}
        """The functions that give their tuples."""
        self.least: dict[RowAggregate, int] = {}
        """The least values that are asked for, of counts; 1 where all are."""
        self.as_it_is: dict[str, int] = {}
        """The relations that are the tuples of an element, by its function."""
        self.rankings: dict[int, Ranking] = {}
        """The relations of bounds that say something of ranks."""
        self._facts: list[tuple[Signature, Row]] = []
        self._rules: list[tuple[Signature, str]] = []
        for number, rule in enumerate(rules.rules):
            self._add(rule, number)
        comments = "".join(f"# {rule}\n" for rule in rules.rules if not rule.is_fact)
        self.text = f"{comments}\n{self._lines.text}"
        names = {
            "NOTHING": NOTHING,
            "NO_SEGMENTS": NO_SEGMENTS,
            "sections": sections,
            "pairs": pairs,
            "common": common,
            "gaps": gaps,
            "values": values,
            "among": among,
        }
        self._names = run(self.text, {**self._scope.names, **names})
        self._reports = {
            one: ignored(on_message, one.elements[0].body.location if one.elements else NOWHERE)
            for one in self._aggregates
        }

    def _add(self, rule: RowRule, number: int) -> None:
        if has_empty_tuples(rule):
            self._scope.on_message(rule.location, "empty tuple ignored")
        row = ground_row(rule)
        if row is not None:
            self._facts.append((rule.derives, row))
            return
        name = f"rule{number}"
        self._write(name, normal_form(rule.terms, rule.body, rule.location), rule.location, str(rule))
        self._rules.append((rule.derives, name))

    def derived(self, answers: Answers, low: int, end: int) -> dict[Signature, HeldRows]:
        """What the rules derive from a tick on and before another.

        Args:
            answers: gives the answers to lookups.
            low: the first tick.
            end: the tick after the last one.
        """
        block = _Block(self, answers, low, end)
        found: dict[Signature, HeldRows] = {}
        for signature, row in self._facts:
            found.setdefault(signature, {})[row] = [low, end]
        for signature, name in self._rules:
            block.call(name, found.setdefault(signature, {}))
        for held in found.values():
            settle(held)
        return found

    # --- relations ------------------------------------------------------------------------------------

    def relation(self, key: Hashable) -> int:
        """The number of a relation, the code of which is written when it is met first."""
        number = self._relations.get(key)
        if number is not None:
            return number
        number = self._relations[key] = len(self._relations)
        match key:
            case Shape() if not key.is_plain:
                self._write_shape(number, key, ())
            case Chosen(shape, tests):
                self._write_shape(number, shape, tests)
            case Bounded(aggregate, guards):
                by_rank = ranking(key)
                if by_rank is not None:
                    self.rankings[number] = by_rank
                    for shape in (by_rank.counted, by_rank.asked):
                        self.relation(shape)
                is_count = aggregate.function == "#count" and not key.is_met_by_empty
                self._aggregate(aggregate, least_of(guards) if is_count else 1)
                conditions = [
                    comparison_of(
                        "value", comparison, self._scope.constant(bound), _type_test(aggregate, bound)
                    )
                    for comparison, bound in guards
                ]
                condition = " and ".join(conditions) or "True"
                with self._lines.block(f"def bounds{number}(value):"):
                    met = f"not ({condition})" if key.is_met_by_empty else condition
                    self._lines.line(f"return {met}")
                self._lines.line()
            case Valued(aggregate):
                self._aggregate(aggregate, 1)
            case AtLeast(aggregate, least):
                self._aggregate(aggregate, least)
        return number

    def _aggregate(self, aggregate: RowAggregate, least: int) -> None:
        self.least[aggregate] = min(least, self.least.get(aggregate, least))
        if aggregate in self._aggregates:
            return
        names = self._aggregates[aggregate] = []
        number = len(self._aggregates) - 1
        for place, element in enumerate(aggregate.elements):
            name = f"tuples{number}_{place}"
            names.append(name)
            match element.body.parts:
                case (Member(Shape() as shape, variables, False),) if _is_as_it_is(
                    aggregate, element.terms, variables
                ):
                    self.as_it_is[name] = self.relation(shape)
            what = f"the tuples of {aggregate.function}"
            self._write(names[-1], element, element.body.location, what)

    def _write_shape(self, number: int, shape: Shape, tests: tuple[Test, ...]) -> None:
        """Writes the functions that take the answer to a lookup, or facts, apart, and merge projections."""
        bindings = Bindings(self._scope, NOWHERE)
        terms, kept = shape.terms, shape.kept
        if has_tick_apart(shape):
            terms, kept = terms[:-1], kept[:-1]
        key = terms, kept, shape.is_projection, tests
        self.alike[number] = self._shapes.setdefault(key, number)
        if self.alike[number] != number:
            return
        self.what_they_do[number] = key
        places = [bindings.steps.name() for _ in terms]
        for term, place in zip(terms, places, strict=True):
            bindings.match(term, place)
        for test in tests:
            for left, comparison, right in test.comparisons:
                one, other = bindings.value(left), bindings.value(right)
                is_met = comparison_of(one, comparison, other, "")
                if comparison not in ("=", "!="):
                    names = dict.fromkeys(code for code in (one, other) if not bindings.is_integer(code))
                    others = [f"type({name}) is not int" for name in names]
                    is_met = f"({' or '.join([*others, is_met])})" if others else is_met
                bindings.steps.only_if(is_met)
        row = as_row([bindings.names[name] for name in kept]) if kept else "()"
        lines = self._lines

        def write(head: str, loop: str, first: str, later: str, more: str) -> None:
            with lines.block(head):
                lines.line(f'"""{shape.lookup.title}"""')
                with lines.block(loop):

                    def put() -> None:
                        lines.line(f"row = {row}")
                        lines.line("others = found.get(row)")
                        with lines.block("if others is None:"):
                            lines.line(f"found[row] = {first}")
                        with lines.block(later):
                            lines.line(more)

                    bindings.steps.write(lines, put)
            lines.line()

        first = "[*runs]" if shape.is_projection else "runs"
        each = targets(places)
        write(
            f"def shape{number}(answer, found):",
            f"for {each}, runs in answer.items():",
            first,
            "else:",
            "others += runs",
        )
        write(
            f"def points{number}(rows, ticks, found):",
            f"for {each}, tick in zip(rows, ticks, strict=True):",
            "[tick]",
            "elif others[-1] != tick:",
            "others.append(tick)",
        )

    # --- joins ----------------------------------------------------------------------------------------

    def _write(self, name: str, rule: NormalRule, location: Location, what: str) -> None:
        """Writes the function of a rule, or of an element of an aggregate."""
        search = _Search(rule, self, self._scope)
        reports = self._scope.reports
        bindings = search.found()
        own = bindings.copy(location)
        codes = [own.value(term) for term in rule.terms]
        needed = search.needed if reports == self._scope.reports else {}
        lines = self._lines
        with lines.block(f"def {name}(low, end, found, relation, rows, index):"):
            lines.line(f'"""{what}"""' if '"' not in what and "\\" not in what else '"""A rule."""')
            for number in sorted(search.tables, key=lambda one: (one not in needed, not needed.get(one))):
                by = "relation" if number in search.asked else "rows"
                lines.line(f"table{number} = {by}({number})")
                if number in needed and len(search.tables) > 1:
                    with lines.block(f"if not table{number}:"):
                        lines.line("return")
            for line in search.indexes:
                lines.line(line)

            def put() -> None:
                lines.line(f"row = {as_row(codes) if codes else '()'}")
                lines.line("runs = found.get(row)")
                with lines.block("if runs is None:"):
                    lines.line(f"found[row] = [{search.begin}, {search.end}]")
                with lines.block("else:"):
                    lines.line(f"runs += ({search.begin}, {search.end})")

            own.steps.write(lines, put)
        lines.line()


class _Block:
    """The relations of a component in a block, each worked out when it is first asked for."""

    def __init__(self, code: BlockCode, answers: Answers, low: int, end: int) -> None:
        self._code = code
        self._answers = answers
        self._low, self._end = low, end
        self._keys = {number: key for key, number in code._relations.items()}
        self._held: dict[int, Mapping[Row, Any]] = {}
        self._once: dict[int, RowsOnce] = {}
        self._indexes: dict[tuple[int, tuple[int, ...]], Index] = {}
        self._swept: dict[RowAggregate, Groups] = {}
        self._projected: dict[int, tuple[HeldRows, HeldRows]] = {}
        """What was taken apart last, and what became of it, by the relations that are the first to do so."""

    def call(self, name: str, found: HeldRows) -> None:
        """Calls the function of a rule."""
        self._code._names[name](self._low, self._end, found, self._relation, self._rows_of, self._index)

    def _relation(self, number: int) -> Mapping[Row, Any]:
        held = self._held.get(number)
        if held is None:
            held = self._held[number] = self._made(number)
        return held

    def _rows_of(self, number: int) -> Mapping[Row, Any] | RowsOnce:
        """The rows of a relation for who goes through them."""
        if number in self._once:
            return self._once[number]
        key = self._keys[number]
        if number not in self._held and isinstance(key, Shape) and key.is_plain:
            once = self._answers.once(key.lookup)
            if once is not None:
                self._once[number] = once
                return once
        return self._relation(number)

    def _made(self, number: int) -> Mapping[Row, Any]:
        match self._keys[number]:
            case Shape() as shape:
                return self._rows(shape, None if shape.is_plain else self._projection(number, shape))
            case Chosen(shape):
                return self._rows(shape, self._projection(number, shape))
            case Bounded(aggregate):
                by_rank = self._by_rank(number)
                if by_rank is not None:
                    return by_rank
                return within(self._groups(aggregate), self._code._names[f"bounds{number}"])
            case Valued(aggregate) | AtLeast(aggregate):
                return self._groups(aggregate)
            case key:
                raise TypeError(key)

    def _by_rank(self, number: int) -> HeldRows | None:
        """When groups meet bounds that say something of ranks; None where all pairs must be looked at."""
        one = self._code.rankings.get(number)
        if one is None:
            return None
        counted, asked = (self._relation(self._code.relation(shape)) for shape in (one.counted, one.asked))
        return reached(one, counted, asked, self._low, self._end)

    def _rows(self, shape: Shape, project: Projection | None) -> HeldRows:
        """When the rows of a shape hold."""
        lookup = shape.lookup
        is_first = projects_first(lookup, is_projection=shape.is_projection)
        if project is None or is_first or has_tick_apart(shape):
            return self._answers.rows(lookup, project)
        return project.of_held(self._answers.rows(lookup))

    def _projection(self, number: int, shape: Shape) -> Projection:
        alike = self._code.alike[number]
        names = self._code._names
        function, at_points = names[f"shape{alike}"], names[f"points{alike}"]

        def of_held(held: HeldRows) -> HeldRows:
            of, found = self._projected.get(alike, (None, {}))
            if of is held:
                return found
            found = {}
            function(held, found)
            if shape.is_projection:
                settle(found)
            self._projected[alike] = held, found
            return found

        def of_points(points: Points) -> RowTicks:
            found: RowTicks = {}
            at_points(points.rows, points.ticks, found)
            return found

        return Projection(self._code.what_they_do[alike], of_held, of_points)

    def _groups(self, aggregate: RowAggregate) -> Groups:
        """The values of an aggregate, by groups; those that are not asked for may be left out."""
        groups = self._swept.get(aggregate)
        if groups is None:
            names = self._code._aggregates[aggregate]
            counted = self._counted(aggregate)
            if counted is not None:
                self._swept[aggregate] = counted
                return counted
            as_it_is = self._code.as_it_is.get(names[0]) if len(names) == 1 else None
            if as_it_is is not None:
                tuples = {**self._relation(as_it_is)}
            else:
                tuples = {}
                for name in names:
                    self.call(name, tuples)
                settle(tuples)
            code = self._code
            report, least = code._reports[aggregate], code.least[aggregate]
            groups = swept(aggregate.function, tuples, aggregate.size, report, least)
            self._swept[aggregate] = groups
        return groups

    def _counted(self, aggregate: RowAggregate) -> Groups | None:
        """The values of an aggregate over ticks of a window, which need not be looked at one by one.

        #count { T : reading(S,_) at T in [1 min] }
        #sum { V,T : reading(S,V) at T in [1 min] }
        """
        names = self._code._aggregates[aggregate]
        number = self._code.as_it_is.get(names[0]) if len(names) == 1 else None
        shape = None if number is None else self._keys[number]
        if number is None or aggregate.function not in ("#count", "#sum") or not isinstance(shape, Shape):
            return None
        if not has_tick_apart(shape):
            return None
        project = None if shape.is_plain else self._projection(number, shape)
        has_weights, least = aggregate.function == "#sum", self._code.least[aggregate]
        return self._answers.sums(shape.lookup, project, aggregate.size, has_weights=has_weights, least=least)

    def _index(self, number: int, places: tuple[int, ...]) -> Index:
        index = self._indexes.get((number, places))
        if index is None:
            index = self._indexes[number, places] = Index(self._rows_of(number), places)
        return index


class _Search:
    """The steps to the instances of a body, and to when they hold.

    Attributes:
        tables: the numbers of the relations.
        asked: those of them that are asked for single rows.
        needed: those of them without rows of which there is no instance, and whether a constant chooses rows.
        indexes: the lines that give names to indexes.
        begin: the name of the tick at which an instance begins.
        end: the name of the tick at which it ends.
    """

    def __init__(self, rule: NormalRule, code: BlockCode, scope: Scope) -> None:
        self._code = code
        self._scope = scope
        self._bindings = Bindings(scope, rule.body.location)
        self._steps = self._bindings.steps
        self._parts = rule.body.parts
        self._waiting = with_chosen(rule.body.parts)
        self._number = 0
        self._is_first = True
        self._runs: str | None = None
        """The name of the intervals that are not gone through yet: what has no look at ticks comes before."""
        self._is_within = False
        """Whether all of these are in the block."""
        self._met: str | None = None
        """The interval that the last row meets; what both have in common is taken after tests."""
        self.tables: dict[int, None] = {}
        self.needed: dict[int, bool] = {}
        self.asked: set[int] = set()
        self.indexes: dict[str, None] = {}
        self.begin, self.end = _BLOCK.split(", ")

    def found(self) -> Bindings:
        while self._waiting:
            ready = [part for part in self._waiting if self._is_ready(part)]
            if ready:
                self._take_ready(ready)
            elif all(isinstance(part, Member) and part.is_negative for part in self._waiting):
                part = self._waiting.pop(0)
                assert isinstance(part, Member)
                self._test_member(part)
            else:
                self._branch()
        self._bounds()
        return self._bindings

    def _take_ready(self, ready: Sequence[Conjunct]) -> None:
        """Takes parts that need no loop over rows, until others may be ready."""
        names, taken = len(self._bindings.names), set[int]()
        for part in sorted(ready, key=lambda one: isinstance(one, Member) + isinstance(one, GroupValue) * 2):
            taken.add(id(part))
            self._take(part)
            if len(self._bindings.names) > names:
                break
        self._waiting = [part for part in self._waiting if id(part) not in taken]

    def _is_bound(self, names: Sequence[str]) -> bool:
        return all(name in self._bindings.names for name in names)

    def _is_ready(self, part: Conjunct) -> bool:
        match part:
            case Member():
                return not part.is_negative and self._is_bound(part.variables)
            case Equation(variable, term):
                solvable = self._is_bound([variable]) and is_solvable(term)
                return self._bindings.has(term) or solvable
            case GroupValue(_, group):
                return self._is_bound(group)
            case _:
                return self._is_bound(tuple(variables_of(part)))

    def _take(self, part: Conjunct) -> None:
        bindings, steps = self._bindings, self._steps
        match part:
            case Member():
                self._test_member(part)
            case Test() | Equation() | Choice():
                bindings.take(part)
            case GroupValue(key, group, variable):
                assert isinstance(key, Valued)
                least = self._least(variable) if key.aggregate.function == "#count" else 1
                number = self._table(AtLeast(key.aggregate, least) if least > 1 else key)
                self.asked.add(number)
                empty = self._scope.constant(key.aggregate.empty)
                name, before = steps.name(), self._bounds()
                begin, end = self._interval()
                segments = f"table{number}.get({self._key(group)}, NO_SEGMENTS)"
                found = f"values({segments}, {before}, {empty})"
                if least > 1:  # what is between them does not reach it
                    found = f"among({segments}, {before})"
                steps.loop(f"{begin}, {end}, {name}", found)
                if key.aggregate.is_number:
                    bindings.integers.add(name)
                bindings.bind(variable, name)

    def _least(self, variable: str) -> int:
        """The number that the tests of the body ask a count to reach, at least."""
        names = {variable}
        for part in self._parts:  # N of N = #count { ... } is another variable, which is equal
            match part:
                case Equation(name, Variable(other)) if {name, other} & names:
                    names |= {name, other}
        bounds: list[tuple[str, object]] = []
        for part in self._parts:
            if not isinstance(part, Test) or part.is_negative:
                continue
            for left, comparison, right in part.comparisons:
                match left, right:
                    case Variable(name), Number(value) if name in names:
                        bounds.append((comparison, value))
                    case Number(value), Variable(name) if name in names:
                        bounds.append((MIRRORED[comparison], value))
        return least_of(bounds)

    def _key(self, names: Sequence[str]) -> str:
        return as_row([self._bindings.names[name] for name in names]) if names else "()"

    def _table(self, key: Hashable) -> int:
        number = self._code.relation(key)
        self.tables[number] = None
        return number

    def _need(self, member: Member) -> int:
        """The number of a relation that has rows where there is an instance."""
        number = self._table(member.relation)
        relation = member.relation.shape if isinstance(member.relation, Chosen) else member.relation
        terms = relation.terms if isinstance(relation, Shape) else ()
        self.needed[number] = any(ground_value(term) is not None for term in terms)
        return number

    def _interval(self) -> tuple[str, str]:
        self._number += 1
        self.begin, self.end = f"begin{self._number}", f"end{self._number}"
        return self.begin, self.end

    def _bounds(self) -> str:
        """The interval at which what came so far holds; those of a row are gone through from here on."""
        before = f"{self.begin}, {self.end}"
        if self._met is not None:
            (first, last), self._met = self._met.split(", "), None
            self._steps.let(self.begin, f"{first} if {self.begin} < {first} else {self.begin}")
            self._steps.let(self.end, f"{last} if {last} < {self.end} else {self.end}")
        if self._runs is None:
            return before
        begin, end = self._interval()
        runs, found = self._runs, f"sections({self._runs}, {before})"
        if before == _BLOCK and self._is_within:
            found = f"(({runs},) if len({runs}) == 2 else pairs({runs}))"
        elif before == _BLOCK:
            found = f"(({runs},) if len({runs}) == 2 and low <= {runs}[0] and {runs}[1] <= end else {found})"
        self._steps.loop(f"{begin}, {end}", found)
        self._runs = None
        return f"{begin}, {end}"

    def _test_member(self, member: Member) -> None:
        number = self._table(member.relation) if member.is_negative else self._need(member)
        self.asked.add(number)
        runs = f"table{number}.get({self._key(member.variables)}, NOTHING)"
        if self._runs is not None and not member.is_negative:
            self._number += 1
            both = f"runs{self._number}"
            self._steps.loop(both, f"common({self._runs}, {runs})")
            self._runs = both
            return
        before = self._bounds()
        begin, end = self._interval()
        self._steps.loop(
            f"{begin}, {end}", f"{'gaps' if member.is_negative else 'sections'}({runs}, {before})"
        )

    def _branch(self) -> None:
        """Takes a part with a loop: rows that are found by a key, or else the values of an interval."""
        members = [one for one in self._waiting if isinstance(one, Member) and not one.is_negative]
        choices = [one for one in self._waiting if isinstance(one, Choice) and self._bindings.has(one.term)]
        best = max(members, key=self._number_bound, default=None)
        if best is not None and (self._number_bound(best) or not choices):
            self._waiting.remove(best)
            self._loop_over(best)
        elif choices:
            self._waiting.remove(choices[0])
            self._choose(choices[0])
        else:
            raise ValueError("no value for a variable")

    def _number_bound(self, member: Member) -> int:
        return sum(name in self._bindings.names for name in member.variables)

    def _choose(self, choice: Choice) -> None:
        bindings = self._bindings
        if is_interval(choice.term):
            limits = limits_of(choice.variable, bindings.names, self._waiting)
            numbers = bindings.numbers(choice.term, limits)
            name = bindings.new_name(choice.variable)
            self._steps.loop(name, numbers)
            bindings.integers.add(name)
        else:
            assert isinstance(choice.term, Function)
            called = bindings.called(choice.term)
            self._steps.loop(bindings.new_name(choice.variable), called)

    def _loop_over(self, member: Member) -> None:
        bindings, steps = self._bindings, self._steps
        number = self._need(member)
        shape = member.relation.shape if isinstance(member.relation, Chosen) else member.relation
        places = tuple(at for at, name in enumerate(member.variables) if name in bindings.names)
        known = [bindings.names[member.variables[at]] for at in places]
        own = ["_" if at in places else bindings.new_name(name) for at, name in enumerate(member.variables)]
        if self._is_first and not places:
            self._number += 1
            self._runs = f"runs{self._number}"
            steps.loop(f"{targets(own)}, {self._runs}", f"table{number}.items()")
            self._is_within = isinstance(shape, Shape) and shape.lookup.window is None
            if not self._is_within:
                steps.only_if(f"{self._runs}[0] < end and low < {self._runs}[-1]")
        else:
            before = self._bounds()
            begin, end = self._interval()
            index = f"index{number}_{'_'.join(map(str, places))}"
            self.indexes[f"{index} = index({number}, {places})"] = None
            key = known[0] if len(known) == 1 else as_row(known) if known else "()"
            steps.loop(f"{begin}, {end}, {targets(own)}", f"{index}[{key}]({before})")
            self._met = before
        self._is_first = False
        if isinstance(shape, Shape):
            integers = integer_columns(shape)
            for name, column in zip(member.variables, shape.kept, strict=True):
                if column in integers:
                    bindings.integers.add(bindings.names[name])


_BLOCK = "low, end"


def with_chosen(parts: Sequence[Conjunct]) -> list[Conjunct]:
    """The parts of a body, with atoms that are tested as they are taken apart in place of those that can be.

    Tests of order stay as well: they say what is said of values that are no numbers.
    """
    found = [*parts]
    for part in parts:
        if not isinstance(part, Member) or part.is_negative or not isinstance(part.relation, Shape):
            continue
        names = dict(zip(part.variables, part.relation.kept, strict=True))
        if part.relation.lookup.kind in (LookupKind.AT, LookupKind.COUNT):  # the last value is of the window
            continue
        tests = [one for one in found if isinstance(one, Test) and _is_of_values(one, names)]
        if tests:
            chosen = Chosen(part.relation, tuple(_named(one, names) for one in tests))
            is_done = [one for one in tests if all(by in ("=", "!=") for _, by, _ in one.comparisons)]
            found = [one for one in found if one not in is_done]
            found[found.index(part)] = replace(part, relation=chosen)
    return found


def _named(test: Test, names: dict[str, str]) -> Test:
    """A test with other names for its variables."""
    found = renamed(test, names)
    assert isinstance(found, Test)
    return found


def _is_of_values(test: Test, names: Mapping[str, str]) -> bool:
    """Whether a test compares variables, of which these are some, and numbers or what else is ground."""

    def is_known(term: Term, comparison: str) -> bool:
        if isinstance(term, Variable):
            return term.name in names
        value = ground_value(term)
        return type(value) is int or (value is not None and comparison in ("=", "!="))

    return not test.is_negative and all(
        is_known(left, comparison) and is_known(right, comparison)
        for left, comparison, right in test.comparisons
    )


def least_of(bounds: Iterable[tuple[str, object]]) -> int:
    """The least whole number above 0 that meets lower bounds, and equations; others are not looked at."""
    least = 1
    for comparison, bound in bounds:
        if type(bound) is int and comparison in (">", ">=", "="):
            least = max(least, bound + (comparison == ">"))
    return least


def has_tick_apart(shape: Shape) -> bool:
    """Whether its last value is the tick of `at T` in a window of time, with any other values before."""
    lookup, last = shape.lookup, shape.terms[-1:]
    is_of_time = lookup.kind is LookupKind.AT and not isinstance(lookup.window, LastArrivals)
    if not is_of_time or not isinstance(last[0], Variable):
        return False
    name = last[0].name
    return shape.kept[-1:] == (name,) and all(name not in variables_in(term) for term in shape.terms[:-1])


def _is_as_it_is(aggregate: RowAggregate, terms: Sequence[Term], variables: Sequence[str]) -> bool:
    """Whether tuples are rows as they are, but for the order of what only keeps them apart."""
    fixed = aggregate.size + (aggregate.function != "#count")
    names = [term.name for term in terms if isinstance(term, Variable)]
    return (
        names[:fixed] == [*variables[:fixed]]
        and sorted(names) == sorted(variables)
        and len(names) == len(terms)
    )


def _type_test(aggregate: RowAggregate, bound: object) -> str:
    """A condition by which values and a bound are integers."""
    if type(bound) is not int:
        return "False"
    return "" if aggregate.is_number else "type(value) is int"
