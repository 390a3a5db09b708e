"""What is sometimes empty does not take the other columns along."""

from collections.abc import Sequence

import pytest

from lars2asp.runtime.sources.survey.table_survey import survey_of


def declared(header: str, rows: Sequence[str], *, of_json: bool = False) -> list[str]:
    """The declarations for rows, the ticks of which are added."""
    cells = [[str(n), *row.split(",")] for n, row in enumerate(rows)]
    survey = survey_of(["t", *header.split(",")], cells, partial={} if of_json else None)
    return [line for line in survey.declarations() if not line.startswith("#held")]


KEPT_APART = "% record() keeps 1 fact apart from equal ones of a tick: leave it out if these are one"
EVENTS = [f"u{n % 3},{'' if n % 4 else n % 7},{'' if n % 5 else 'x'},{n % 11}.5" for n in range(0, 60)]


def test_numbers_and_texts_that_are_sometimes_empty() -> None:
    assert declared("user,rank,note,x", EVENTS) == [
        '#input reading(user, note or "", x) at t.',
        "#decimals reading(_, _, 1).",
        "#input reading_rank(user, rank) at t.",
    ]


@pytest.mark.parametrize("word", ["NA", "unavailable", "-"])
def test_words_that_say_that_nothing_is_there_count_as_empty(word: str) -> None:
    rows = [f"u{n % 3},{word if n % 4 == 1 else n % 7}" for n in range(0, 60)]
    assert declared("user,rank", rows) == [
        "#input reading(user) at t.",
        "#input reading_rank(user, number(rank) or missing) at t.",
    ]


def test_names_do_not_collide() -> None:
    rows = ["a,,", "b,1,", "a,,2", "b,3,4"] * 5
    assert [line.partition("(")[0] for line in declared("k,a b,a.b", rows)] == [
        *("#input reading", "#input reading_a_b", "#input reading_a_b_2")
    ]
    survey = survey_of(["t", "k", "x"], [["1", "a", ""], ["2", "a", "5"]])
    taken = survey.declarations(predicate="sale", taken=["sale", "sale_x"])
    assert [line.partition("(")[0] for line in taken] == ["#input sale", "#input sale_x_2"]


def test_fields_that_occur_together_are_a_kind_of_records() -> None:
    rows = [f"login,u{n % 3},{n},," if n % 2 else f"sale,,,{n},shop" for n in range(40)]
    assert declared("type,user,code,price,place", rows, of_json=True) == [
        "#input reading(type) at t.",
        "#input reading_user(type, user, code) at t.",
        "#input reading_price(type, price, place) at t.",
    ]


def test_columns_that_are_all_sometimes_empty_have_no_keys() -> None:
    assert declared("x", ["1", "", "3"]) == ["#input reading(x) at t."]
    assert declared("x,y", ["1,", ",2", "3,"]) == [
        "#input reading_x(x) at t.",
        "#input reading_y(y) at t.",
    ]


def test_equal_facts_of_a_tick_are_kept_apart() -> None:
    rows = [["5", "a", "1"], ["5", "a", "1"], ["6", "b", "2"], ["6", "a", ""]]
    assert survey_of(["t", "user", "x"], rows).declarations() == [
        KEPT_APART,
        "#input reading(record(), user) at t.",
        KEPT_APART,
        "#input reading_x(record(), user, x) at t.",
    ]
    assert survey_of(["t", "user", "x"], rows[1:3]).declarations() == ["#input reading(user, x) at t."]
