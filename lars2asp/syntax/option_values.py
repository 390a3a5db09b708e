"""Values that options take by their names."""

from enum import StrEnum
from typing import Never


class OptionValue(StrEnum):
    """One of the values of an option; for a text that is none, ValueError says which there are."""

    @classmethod
    def _missing_(cls, value: object) -> Never:
        known = ", ".join(repr(one.value) for one in cls)
        raise ValueError(f"{value!r} is not a value of {cls.__name__}: there are {known}")
