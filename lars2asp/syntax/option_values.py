"""Values that options take by their names."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Never


class OptionValue(StrEnum):
    """One of the values of an option; for a text that is none, ValueError says which there are."""

    @classmethod
    def _earlier(cls) -> Mapping[str, str]:
        """The names of today, by earlier ones."""
        return {}

    @classmethod
    def _missing_(cls, value: object) -> Never:
        if isinstance(value, str) and value in cls._earlier():
            raise ValueError(f"{value!r} is now called {cls._earlier()[value]!r}")
        known = ", ".join(repr(one.value) for one in cls)
        raise ValueError(f"{value!r} is not a value of {cls.__name__}: there are {known}")


def earlier_names(kind: type[OptionValue]) -> Mapping[str, str]:
    """The names of today of some values, by earlier ones."""
    return kind._earlier()
