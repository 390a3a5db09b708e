"""Dataclasses that take a quarter of the time to make: each start of the product makes hundreds of kinds."""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import dataclass

__all__ = ["dataclass"]

T = TypeVar("T")

if not TYPE_CHECKING:
    from dataclasses import dataclass as made_slowly

    def dataclass(
        kind: type[T] | None = None,
        /,
        *,
        slots: bool = False,
        eq: bool = True,
        repr: bool = True,
        **frozen: bool,
    ) -> type[T] | Callable[[type[T]], type[T]]:
        """A dataclass: of its functions only `__init__` is compiled for it.

        Type checkers take it for that of the standard library; that nothing changes an object of a frozen one
        is left to them. Types that users make are therefore of the standard library's.
        """

        def made(kind: type[T]) -> type[T]:
            found = made_slowly(slots=slots, eq=False, repr=False)(kind)
            own = vars(kind)
            if repr and "__repr__" not in own:
                found.__repr__ = _representation(found)
            if eq:
                _compare(found, own, is_hashable=frozen)
            return found

        return made if kind is None else made(kind)


def _compare(kind: Any, own: Any, *, is_hashable: bool) -> None:
    """Objects of a kind are equal if what they hold is."""
    compared = [one.name for one in fields(kind) if one.compare]
    held: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda _: ()

    def equal(self: Any, other: object) -> bool:
        return held(self) == held(other) if other.__class__ is self.__class__ else NotImplemented

    if "__eq__" not in own:
        kind.__eq__ = equal
    if "__hash__" not in own or own["__hash__"] is None:
        kind.__hash__ = (lambda self: hash(held(self))) if is_hashable else None


def _representation(kind: Any) -> Callable[[Any], str]:
    names = [one.name for one in fields(kind) if one.repr]

    def representation(self: Any) -> str:
        return f"{kind.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return representation
