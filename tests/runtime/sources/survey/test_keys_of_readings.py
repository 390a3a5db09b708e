"""`#held` has keys that say what has a reading, and neither states nor measured numbers."""

import random
from collections.abc import Callable

import pytest

from lars2asp.runtime.sources.survey.table_survey import survey_of


def held(name: str, cell: Callable[[int], str], *, at_once: int = 1) -> list[str]:
    rows = [[str(5 * (n // at_once)), cell(n), f"{n % 7}.5"] for n in range(60)]
    survey = survey_of(["time", name, "x"], rows)
    return [line.partition(" for ")[0] for line in survey.declarations() if line.startswith("#held")]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("room", lambda n: "ab"[n % 2]),
        ("station", lambda n: str(n % 3)),
        ("device_id", lambda n: str(n % 3)),
        ("candidate", lambda n: str(874512300 + n % 3)),
    ],
)
def test_texts_and_identifiers_that_take_turns_are_keys(name: str, cell: Callable[[int], str]) -> None:
    [line] = held(name, cell)
    assert " by " in line


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("sentiment", lambda n: str(n % 5)),
        ("mode", lambda n: "ab"[n % 2]),
        ("operator", lambda n: random.Random(n).choice("ab")),
    ],
)
def test_measured_numbers_states_and_words_by_chance_are_none(name: str, cell: Callable[[int], str]) -> None:
    assert not [line for line in held(name, cell) if " by " in line]


def test_what_tells_rows_of_one_time_apart_is_a_key() -> None:
    assert held("level", lambda n: str(n % 3), at_once=3) == ["#held reading(Level, _) by Level"]
    assert held("mode", lambda n: "abc"[n % 3], at_once=3) == ["#held reading(Mode, _) by Mode"]
