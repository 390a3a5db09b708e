"""The base of all nodes of the abstract syntax."""

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from lars2asp.syntax.source import NOWHERE, Location

__all__ = ["Node", "node"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(kind: type[T]) -> type[T]:
    """A dataclass whose objects are not changed, as type checkers see to.

    There are many kinds, and each program starts by making them: the functions that all have alike are those
    of Node, which takes a quarter of the time.
    """
    return dataclass(slots=True, eq=False, repr=False)(kind)


@node
class Node:
    """Any part of a program."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    location: Location = field(default=NOWHERE, compare=False, repr=False, kw_only=True)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and said_by(self) == said_by(other)

    def __hash__(self) -> int:
        return hash(said_by(self))

    def __repr__(self) -> str:
        said = FIELDS[type(self)]
        names = (name for name in said.saying if name not in said.later or getattr(self, name))
        values = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({', '.join(values)})"


class Fields(NamedTuple):
    """The names of the fields of a kind of node.

    Attributes:
        saying: all but the location.
        inner: those of them that may hold nodes.
        backwards: these from the last to the first.
        later: those that are shown only where they hold something: texts that were kept before these fields
            were there stay equal.
        said: gives what they hold.
    """

    saying: tuple[str, ...]
    inner: tuple[str, ...]
    backwards: tuple[str, ...]
    later: frozenset[str]
    said: Callable[[Node], Any]


class _FieldsOfKinds(dict[type[Node], Fields]):
    def __missing__(self, kind: type[Node]) -> Fields:
        saying = [one for one in fields(kind) if one.compare]
        inner = tuple(
            one.name for one in saying if not isinstance(one.type, type) or issubclass(one.type, Node)
        )
        names = tuple(one.name for one in saying)
        later = frozenset(one.name for one in saying if not one.repr)
        said = attrgetter(*names) if names else lambda _: ()
        self[kind] = found = Fields(names, inner, inner[::-1], later, said)
        return found


FIELDS = _FieldsOfKinds()
"""The fields of each kind of node."""


def said_by(one: Node) -> Any:
    """What a node says: the value of its only field, or those of all."""
    return FIELDS[type(one)].said(one)
