"""The search for the instances of a body: nested loops over indexes, each test as soon as it can be made."""

from collections.abc import Hashable, Mapping, Sequence

from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.runtime.evaluators.delta.code.expressions import Bindings, Scope
from lars2asp.runtime.evaluators.delta.code.limits import limits_of
from lars2asp.runtime.evaluators.delta.code.relations import Relation
from lars2asp.runtime.evaluators.delta.code.steps import as_row, packed
from lars2asp.runtime.evaluators.delta.rules.bodies import (
    Choice,
    Conjunct,
    Equation,
    GroupValue,
    Member,
    RowBody,
    Test,
    variables_of,
)
from lars2asp.runtime.evaluators.delta.rules.term_forms import (
    is_interval,
    is_solvable,
    substituted,
    variables_in,
)
from lars2asp.syntax.nodes import BinaryOperation, Function, Term, Variable

FEW = 64
"""The number of values of an interval up to which each is tried before all rows of a relation are."""


class UnboundError(ValueError):
    """No part of a body gives a variable its value."""


def search(
    body: RowBody,
    changed: int | None,
    relations: Mapping[Hashable, Relation],
    scope: Scope,
    *,
    is_change: bool = True,
) -> Bindings:
    """The steps to the instances of a body.

    Args:
        body: the body.
        changed: the place of the member that has a given row; None to find all instances.
        relations: the relations.
        scope: the names that the code uses.
        is_change: whether the row begins or ends, and is in the indexes now. Where several members of the
            relation may have it, each instance is found for the first of them.
    """
    return _Search(body, changed, relations, scope, is_change=is_change).found()


class _Search:
    def __init__(
        self,
        body: RowBody,
        changed: int | None,
        relations: Mapping[Hashable, Relation],
        scope: Scope,
        *,
        is_change: bool,
    ) -> None:
        self._is_change = is_change
        self._body = body
        self._relations = relations
        self._changed = changed
        self._bindings = Bindings(scope, body.location)
        self._steps = self._bindings.steps
        self._waiting: list[tuple[int, Conjunct]] = list(enumerate(body.parts))
        self._variables = [tuple(variables_of(part)) for part in body.parts]

    def found(self) -> Bindings:
        names = self._bindings.names
        if self._changed is not None:
            changed = self._body.parts[self._changed]
            assert isinstance(changed, Member | GroupValue)
            relation = self._relations[changed.relation]
            names.update(zip(variables_of(changed), relation.columns, strict=True))
            self._bindings.integers.update(relation.integers)
            self._note_stamp(changed)
            self._waiting = [one for one in self._waiting if one[0] != self._changed]
        while True:
            while self._take_ready():
                pass
            if not self._waiting:
                break
            self._branch()
        return self._bindings

    def _is_bound(self, names: Sequence[str]) -> bool:
        return all(name in self._bindings.names for name in names)

    # --- what needs no loop ---------------------------------------------------------------------------

    def _take_ready(self) -> bool:
        """Takes a part that needs no loop, tests before all others; says whether there was one."""
        ready = [one for one in self._waiting if self._is_ready(*one)]
        if not ready:
            return False
        one = min(
            ready, key=lambda one: (not self._is_bound(self._variables[one[0]]), isinstance(one[1], Member))
        )
        self._waiting.remove(one)
        self._take(*one)
        return True

    def _is_ready(self, place: int, part: Conjunct) -> bool:
        if self._is_bound(self._variables[place]):
            return True
        match part:
            case Equation(variable, term):
                return self._bindings.has(term) or (self._is_bound([variable]) and is_solvable(term))
            case GroupValue(_, group):
                return self._is_bound(group)
            case _:
                return False

    def _take(self, place: int, part: Conjunct) -> None:
        bindings = self._bindings
        match part:
            case Member():
                self._test_member(place, part)
            case Test() | Equation() | Choice():
                bindings.take(part)
            case GroupValue(key, group, variable):
                relation = self._relations[key]
                code = relation.fetched.format(packed([bindings.names[name] for name in group]))
                if relation.integers:
                    bindings.integers.add(code)
                bindings.bind(variable, code)

    def _test_member(self, place: int, member: Member) -> None:
        names = [self._bindings.names[name] for name in member.variables]
        index = self._index(member, ())
        if not member.is_negative:
            self._bindings.needed.append(index)
        condition = f"{packed(names)} {'not in' if member.is_negative else 'in'} {index}"
        other = self._is_other_row(place, member, names)
        if other and member.is_negative:
            condition = f"({condition} or not ({other}))"
        elif other:
            condition = f"{condition} and ({other})"
        self._steps.only_if(condition)
        self._note_stamp(member)

    def _note_stamp(self, part: Member | GroupValue) -> None:
        """Finds the stamp of a row that depends on others."""
        relation = self._relations[part.relation]
        if relation.entries:
            terms = zip(relation.columns, map(Variable, variables_of(part)), strict=True)
            columns: dict[str, Term] = dict(terms)
            row = as_row([self._bindings.value(substituted(term, columns)) for term in relation.terms])
            name = self._steps.name()
            self._steps.let(name, f"{relation.entries}[{row}][0]")
            self._bindings.stamps.append(name)

    def _index(self, member: Member, places: Sequence[int]) -> str:
        """The name of the index by the columns at some places, for a member."""
        changed = None if self._changed is None else self._body.parts[self._changed]
        is_own = isinstance(changed, Member) and changed.relation == member.relation
        return self._relations[member.relation].index(places, is_own=is_own)

    def _is_other_row(self, place: int, member: Member, names: Sequence[str]) -> str:
        """A condition by which a row is not the one that changed, where a later member has that."""
        if self._changed is None or not self._is_change or place > self._changed:
            return ""
        own = self._body.parts[self._changed]
        if not isinstance(own, Member) or own.relation != member.relation:
            return ""
        columns = self._relations[member.relation].columns
        differences = [
            f"{name} != {column}" for name, column in zip(names, columns, strict=True) if name != column
        ]
        return " or ".join(differences) or "False"

    # --- loops ----------------------------------------------------------------------------------------

    def _branch(self) -> None:
        """Takes a part with a loop: rows that are found by a key, else few values, else all rows."""
        members = [
            (place, part)
            for place, part in self._waiting
            if isinstance(part, Member) and not part.is_negative
        ]
        choices = [
            (place, part)
            for place, part in self._waiting
            if isinstance(part, Choice) and self._bindings.has(part.term)
        ]
        best = max(members, key=lambda one: self._number_bound(one[1]), default=None)
        few = next((one for one in choices if _is_small(one[1])), None)
        if best is not None and (self._number_bound(best[1]) or few is None):
            self._waiting.remove(best)
            self._loop_over(*best)
        elif choices:
            chosen = few or choices[0]
            self._waiting.remove(chosen)
            self._choose(chosen[1])
        else:
            names = {name for _, part in self._waiting for name in variables_of(part)}
            raise UnboundError(f"no value for {', '.join(sorted(names - self._bindings.names.keys()))}")

    def _number_bound(self, member: Member) -> int:
        return sum(name in self._bindings.names for name in member.variables)

    def _choose(self, choice: Choice) -> None:
        bindings = self._bindings
        if is_interval(choice.term):
            assert isinstance(choice.term, BinaryOperation)
            waiting = (part for _, part in self._waiting)
            values = bindings.numbers(choice.term, limits_of(choice.variable, bindings.names, waiting))
        else:
            assert isinstance(choice.term, Function)
            values = bindings.called(choice.term)
        name = bindings.new_name(choice.variable)
        self._steps.loop(name, values)
        if is_interval(choice.term):
            bindings.integers.add(name)

    def _loop_over(self, place: int, member: Member) -> None:
        bindings, steps = self._bindings, self._steps
        relation = self._relations[member.relation]
        places = [at for at, name in enumerate(member.variables) if name in bindings.names]
        rest = [name for name in member.variables if name not in bindings.names]
        index = self._index(member, places)
        bindings.needed.append(index)
        names = ", ".join(map(bindings.new_name, rest)) or "[]"
        if places:
            key = packed([bindings.names[member.variables[at]] for at in places])
            found = steps.name()
            steps.let(found, f"{index}.get({key})")
            steps.only_if(f"{found} is not None")
            steps.loop_found(names, found)
        else:
            steps.loop(names, index)
        for name, column in zip(member.variables, relation.columns, strict=True):
            if name in rest and column in relation.integers:
                bindings.integers.add(bindings.names[name])
        other = self._is_other_row(place, member, [bindings.names[name] for name in member.variables])
        if other:
            steps.only_if(f"({other})")
        self._note_stamp(member)


def _is_small(choice: Choice) -> bool:
    term = choice.term
    if not isinstance(term, BinaryOperation) or any(variables_in(term)):
        return False
    low, high = ground_value(term.left), ground_value(term.right)
    return type(low) is int and type(high) is int and high - low < FEW
