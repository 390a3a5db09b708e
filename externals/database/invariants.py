"""The debug mode, in which calls on a database end with a check of what must hold.

It is on where the variable LARS2ASP_CHECK is set when the program starts. A check looks at all that is kept:
it is for tests.
"""

import os
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

IS_ON = "LARS2ASP_CHECK" in os.environ

MOST_CHECKED = 1000
"""Databases with more intervals are not checked, so that tests with large streams end soon."""


class Checked(Protocol):
    """Something that can be checked."""

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        ...

    def __len__(self) -> int:
        """Its size."""
        ...


_Self = TypeVar("_Self", bound=Checked)
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def checked(
    method: Callable[Concatenate[_Self, _Given], _Result],
) -> Callable[Concatenate[_Self, _Given], _Result]:
    """A method that is followed by a check in the debug mode."""
    if not IS_ON:
        return method

    @wraps(method)
    def with_check(self: _Self, /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
        result = method(self, *args, **kwargs)
        if len(self) <= MOST_CHECKED:
            self.check_invariants()
        return result

    return with_check
