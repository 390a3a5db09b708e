"""Python code for rules that are joins, generated when their evaluator is made.

Each lookup has two functions: one for answers that begin to hold, and one for answers that end. They take one
change after the other, and count the instances that begin or cease to fire by it, by the row of their head
(semi-naive evaluation with counting: Gupta, Mumick, Subrahmanian 1993, section 4).

All terms are keys of symbols. A row is a tuple of the terms of an answer, or of a head. An index maps some
terms of the rows that hold to the other terms: to these themselves if there is one such row, as there mostly
is, else to the set of them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from lars2asp.externals.symbols import Row, is_less, key_of_text
from lars2asp.planning.join_rules import JoinBody, JoinTerm

from lars2asp.planning.lookups import Lookup

_COMPARED = {
    "=": "{} == {}",
    "!=": "{} != {}",
    "<": "less({}, {})",
    ">": "less({1}, {0})",
    "<=": "not less({1}, {0})",
    ">=": "not less({}, {})",
}
"""How terms are compared in clingo's order."""

_INSERTION = """\
key, rest = {key}, {rest}
found = {name}.setdefault(key, rest)
if found is not rest:
    if type(found) is set:
        found.add(rest)
    else:
        {name}[key] = {{found, rest}}
"""
"""Code that puts a row into an index."""

_REMOVAL = """\
key = {key}
found = {name}[key]
if type(found) is set:
    found.remove({rest})
    if len(found) == 1:
        [{name}[key]] = found
else:
    del {name}[key]
"""
"""Code that takes a row out of an index."""


@dataclass
class Counted:
    """The numbers of instances of a body that fire for a head.

    Attributes:
        terms: the terms of the head.
        counts: the number for each row of it, 1 or more. A row of one term is that term. Empty where all
            variables of the body are in the head, as the number is 1 then.
        changed: the rows for which instances began (True) or ceased (False) to fire since it was emptied.
    """

    terms: tuple[JoinTerm, ...]
    counts: dict[Any, int] = field(default_factory=dict)
    changed: dict[Any, bool] = field(default_factory=dict)


class JoinCode:
    """The functions of joins.

    Args:
        joins: the bodies, and the counts of each.

    Attributes:
        start: counts the instances that fire while nothing holds; to be called once, before the others.
        begin: for each lookup, takes the rows of answers that begin to hold, each once.
        end: for each lookup, takes the rows of answers that end.
    """

    def __init__(self, joins: Mapping[JoinBody, Sequence[Counted]]) -> None:
        relations: dict[Lookup, _Relation] = {}
        for body in joins:
            for member in (*body.positive, *body.negative):
                if member.lookup not in relations:
                    relations[member.lookup] = _Relation(len(relations), len(member.terms))
        scope: dict[str, Any] = {"less": is_less}
        writers, numbers = [], count()
        for body, several in joins.items():
            heads = []
            for counted in several:
                number = next(numbers)
                scope |= {f"counts{number}": counted.counts, f"changed{number}": counted.changed}
                heads.append((number, counted.terms))
            writers.append(_JoinCodeWriter(body, heads, relations))
        text = _CodeLines()
        with text.block("def start():"):
            for writer in writers:
                if not writer.body.positive:
                    writer.write(text, None, is_more=True)
        for relation in relations.values():
            for writer in writers:
                writer.write_changes(relation)
        for relation in relations.values():  # now all their indexes are known
            relation.write(text)
            scope |= relation.indexes
        exec(compile("\n".join(text.lines), "<joins>", "exec"), scope)
        self.start: Callable[[], None] = scope["start"]
        self.begin: dict[Lookup, Callable[[Iterable[Row]], None]] = {
            lookup: scope[f"begin{relation.number}"] for lookup, relation in relations.items()
        }
        self.end: dict[Lookup, Callable[[Iterable[Row]], None]] = {
            lookup: scope[f"end{relation.number}"] for lookup, relation in relations.items()
        }


class _CodeLines:
    """Lines of Python code, in blocks."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def line(self, text: str) -> None:
        """Adds a line."""
        self.lines.append("    " * self._depth + text)

    def add(self, other: "_CodeLines") -> None:
        """Adds the lines of another one."""
        for line in other.lines:
            self.line(line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines added within are the block of a compound statement."""
        self.line(head)
        self._depth += 1
        self.line("pass")  # blocks may be empty
        yield
        self._depth -= 1


class _Relation:
    """The answers to a lookup: rows with the columns v0, v1, ...

    Attributes:
        number: its number.
        columns: the names of the columns.
        indexes: its indexes, by their names.
        begins: code for a row that begins to hold, when it is in the indexes.
        ends: code for a row that ends, while it is in the indexes.
    """

    def __init__(self, number: int, size: int) -> None:
        self.number = number
        self.columns = [f"v{place}" for place in range(size)]
        self.indexes: dict[str, Any] = {}
        self.begins = _CodeLines()
        self.ends = _CodeLines()
        self._names: dict[tuple[int, ...], str] = {}

    def index(self, places: Sequence[int]) -> str:
        """The name of the index by the terms at some places; for none, or all, of the set of rows."""
        kept = tuple(places) if len(places) < len(self.columns) else ()
        if kept not in self._names:
            name = self._names[kept] = "_".join(map(str, ("index", self.number, *kept)))
            self.indexes[name] = {} if kept else set()
        return self._names[kept]

    def write(self, text: _CodeLines) -> None:
        """Writes the functions that take the rows that begin and those that end."""
        row = f"[{', '.join(self.columns)}]"
        with text.block(f"def begin{self.number}(rows):"), text.block(f"for {row} in rows:"):
            self._write_index_changes(text, _INSERTION, "{name}.add({rest})")
            text.add(self.begins)
        with text.block(f"def end{self.number}(rows):"), text.block(f"for {row} in rows:"):
            text.add(self.ends)
            self._write_index_changes(text, _REMOVAL, "{name}.remove({rest})")

    def _write_index_changes(self, text: _CodeLines, of_index: str, of_set: str) -> None:
        """Writes code for each index, and for the set of rows."""
        for places, name in self._names.items():
            key, rest = self._split(places)
            for line in (of_index if places else of_set).format(name=name, key=key, rest=rest).splitlines():
                text.line(line)

    def _split(self, places: Collection[int]) -> tuple[str, str]:
        """The terms at some places, and the others."""
        columns = list(enumerate(self.columns))
        return (
            _packed([column for place, column in columns if place in places]),
            _packed([column for place, column in columns if place not in places]),
        )


class _JoinCodeWriter:
    """Writes the joins of a body.

    Args:
        body: the body.
        heads: the terms of the heads that are counted, with their numbers.
        relations: the answers to lookups.
    """

    def __init__(
        self,
        body: JoinBody,
        heads: Sequence[tuple[int, tuple[JoinTerm, ...]]],
        relations: Mapping[Lookup, _Relation],
    ) -> None:
        self.body = body
        self._heads = heads
        self._members = [(relations[one.lookup], one.terms) for one in (*body.positive, *body.negative)]

    def write_changes(self, relation: _Relation) -> None:
        """Writes the counting when a row of a relation begins or ends to hold."""
        for place, (own, _) in enumerate(self._members):
            if own is relation:
                is_positive = place < len(self.body.positive)
                self.write(relation.begins, place, is_more=is_positive)
                self.write(relation.ends, place, is_more=not is_positive)

    def write(self, text: _CodeLines, changed: int | None, *, is_more: bool) -> None:
        """Writes the counting of the instances in which a member has the row that changed.

        Where several members may have it, each instance is counted for the first of them.

        Args:
            text: takes the code.
            changed: the place of the member; None for bodies without positive members.
            is_more: whether these instances begin to fire, or cease.
        """
        number = len(self.body.positive)
        bound: dict[int, str] = {}
        waiting: list[_Condition] = [
            _Condition(_COMPARED[sign], ((left,), (right,))) for left, sign, right in self.body.comparisons
        ]
        for place, (relation, terms) in enumerate(self._members[number:], number):
            if place != changed:
                waiting.append(_Condition(f"{{}} not in {relation.index(())}", (terms,)))
        with ExitStack() as blocks:

            def only_if(*conditions: str) -> None:
                found = [*conditions, *(one.written(bound) for one in waiting if one.is_ready(bound))]
                waiting[:] = [one for one in waiting if not one.is_ready(bound)]
                if found:
                    blocks.enter_context(text.block(f"if {' and '.join(found)}:"))

            if changed is not None:
                relation, terms = self._members[changed]
                only_if(*_bind(terms, relation.columns, bound))
            else:
                only_if()
            left = [place for place in range(number) if place != changed]
            while left:
                place = max(left, key=lambda one: _boundness(self._members[one][1], bound))
                left.remove(place)
                relation, terms = self._members[place]
                places = [at for at, term in enumerate(terms) if not isinstance(term, int) or term in bound]
                rest = [at for at in range(len(terms)) if at not in places]
                index = relation.index(places)
                key = _row([terms[at] for at in places], bound)
                if rest:
                    names = [f"x{place}_{at}" for at in rest]
                    rows = index
                    if places:
                        found = f"found{place}"
                        text.line(f"{found} = {index}.get({key})")
                        only_if(f"{found} is not None")
                        rows = f"{found} if type({found}) is set else ({found},)"
                    blocks.enter_context(text.block(f"for {', '.join(names)} in {rows}:"))
                    only_if(*_bind([terms[at] for at in rest], names, bound))
                else:
                    only_if(f"{key} in {index}")
                if changed is not None and place < changed and relation is self._members[changed][0]:
                    only_if(f"{_row(terms, bound)} != {_packed(relation.columns)}")
            for head, terms in self._heads:
                text.line(f"row = {_row(terms, bound)}")
                if bound.keys() <= set(terms):  # each instance has a head of its own
                    _write_change(text, head, is_more=is_more)
                else:
                    _write_count(text, head, is_more=is_more)


@dataclass(frozen=True)
class _Condition:
    """A condition on an instance.

    Attributes:
        text: the condition, with a gap for each of the rows.
        rows: terms.
    """

    text: str
    rows: tuple[Sequence[JoinTerm], ...]

    def is_ready(self, bound: Collection[int]) -> bool:
        """Whether all variables are bound."""
        return all(term in bound for row in self.rows for term in row if isinstance(term, int))

    def written(self, bound: Mapping[int, str]) -> str:
        """The condition as code."""
        return self.text.format(*(_row(row, bound) for row in self.rows))


def _write_count(text: _CodeLines, head: int, *, is_more: bool) -> None:
    """Writes that one instance more, or one less, fires for the row of a head."""
    counts = f"counts{head}"
    text.line(f"count = {counts}.get(row, 0)")
    if is_more:
        text.line(f"{counts}[row] = count + 1")
        condition = "if not count:"
    else:
        with text.block("if count > 1:"):
            text.line(f"{counts}[row] = count - 1")
        condition = "else:"
    with text.block(condition):
        if not is_more:
            text.line(f"del {counts}[row]")
        _write_change(text, head, is_more=is_more)


def _write_change(text: _CodeLines, head: int, *, is_more: bool) -> None:
    """Writes that the row of a head is derived now, or no more; both together are no change."""
    changed = f"changed{head}"
    with text.block(f"if {changed}.pop(row, None) is None:"):
        text.line(f"{changed}[row] = {is_more}")


def _bind(terms: Sequence[JoinTerm], names: Sequence[str], bound: dict[int, str]) -> list[str]:
    """Binds the variables among terms to the names of their values; gives the conditions that are left."""
    conditions = []
    for term, name in zip(terms, names, strict=True):
        if isinstance(term, int) and term not in bound:
            bound[term] = name
        else:
            conditions.append(f"{name} == {_written(term, bound)}")
    return conditions


def _boundness(terms: Sequence[JoinTerm], bound: Collection[int]) -> tuple[bool, int]:
    """How well a member is bound: whether it is wholly, and how many of its terms are."""
    number = sum(not isinstance(term, int) or term in bound for term in terms)
    return number == len(terms), number


def _written(term: JoinTerm, bound: Mapping[int, str]) -> str:
    return bound[term] if isinstance(term, int) else str(key_of_text(term))


def _row(terms: Iterable[JoinTerm], bound: Mapping[int, str]) -> str:
    return _packed([_written(term, bound) for term in terms])


def _packed(values: Sequence[str]) -> str:
    """A row of values: one stands for itself."""
    return values[0] if len(values) == 1 else f"({', '.join(values)})"
