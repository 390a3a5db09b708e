"""Dataclasses that are made quickly behave as those of the standard library."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, field
from functools import cached_property
from typing import Any, NamedTuple

import pytest

from lars2asp.syntax import values


class Kinds(NamedTuple):
    """The same kinds, made by one of the two.

    Attributes:
        plain: not hashable.
        frozen: hashable.
        slotted: frozen as well, with slots.
        other: the same as `frozen`, as another kind.
        empty: has no fields.
        itself: compares by identity.
        own: has its own functions.
    """

    plain: type[Any]
    frozen: type[Any]
    slotted: type[Any]
    other: type[Any]
    empty: type[Any]
    itself: type[Any]
    own: type[Any]


def kinds(dataclass: Callable[..., Any]) -> Kinds:
    """All kinds that the project has."""

    @dataclass
    class Plain:
        one: int
        more: list[int] = field(default_factory=list)
        seen: int = field(default=0, compare=False, repr=False)

    @dataclass(frozen=True)
    class Frozen:
        one: float
        _: KW_ONLY
        two: str = "x"
        doubled: InitVar[bool] = False
        seen: int = field(default=0, compare=False, repr=False)

        def __post_init__(self, doubled: bool) -> None:
            object.__setattr__(self, "one", self.one * (1 + doubled))

        @cached_property
        def both(self) -> tuple[float, str]:
            return self.one, self.two

    @dataclass(frozen=True, slots=True)
    class Slotted:
        one: int
        two: tuple[int, ...] = ()

    @dataclass(frozen=True)
    class Other(Frozen):
        pass

    @dataclass(frozen=True)
    class Empty:
        pass

    @dataclass(eq=False, repr=False)
    class Itself:
        one: int

    @dataclass(frozen=True)
    class Own:
        one: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    return Kinds(Plain, Frozen, Slotted, Other, Empty, Itself, Own)


@values.dataclass(frozen=True, slots=True)
class Sent:
    """One that can be pickled: its module has it."""

    one: int
    two: str = ""


def seen(dataclass: Callable[..., Any]) -> list[object]:
    """What can be seen of objects of all kinds."""
    plain, frozen, slotted, other, empty, itself, own = kinds(dataclass)
    objects = [
        *(plain(1), plain(1, [2]), plain(1, seen=3)),
        *(frozen(1), frozen(1.0, seen=2), frozen(1, two="y"), frozen(1, doubled=True), frozen(2)),
        *(slotted(1), slotted(1, (2,)), slotted(one=1, two=())),
        *(other(1), other(2), empty(), empty(), own(1), own(2)),
    ]
    found: list[object] = [[one == another for another in objects] for one in objects]
    found += [repr(one).rpartition(".")[2] for one in objects]
    found += [dataclasses.asdict(one) for one in objects]
    found += [one == dataclasses.replace(one) for one in objects if not isinstance(one, frozen)]
    found += [repr(copy.deepcopy(one)).rpartition(".")[2] for one in objects]
    found += [hasattr(one, "__dict__") for one in objects]
    found += [kind.__match_args__ for kind in kinds(dataclass)]
    found += [
        len({one for one in objects if kind is type(one)}) for kind in (frozen, slotted, other, empty, own)
    ]
    found += [plain.__hash__ is None, frozen(1).both, itself(1) == itself(1), len({itself(1), itself(1)})]
    found += [plain.__doc__ is not None, plain(1) != 1]
    return found


def test_values_are_as_dataclasses() -> None:
    assert seen(values.dataclass) == seen(dataclasses.dataclass)
    with pytest.raises(TypeError, match="unhashable"):
        hash(kinds(values.dataclass).plain(1))


def test_values_are_copied_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, "x"))) == Sent(1, "x")
