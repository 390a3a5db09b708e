"""What is sometimes empty does not take the other columns along."""

from collections.abc import Sequence

import pytest

from lars2asp.runtime.sources.survey.table_survey import survey_of
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source


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


def test_fields_that_occur_together_are_a_sort_records() -> None:
    rows = [f"login,u{n % 3},{n},," if n % 2 else f"sale,,,{n},shop" for n in range(40)]
    assert declared("sort,user,code,price,place", rows, of_json=True) == [
        "#input reading(sort) at t.",
        "#input reading_user(sort, user, code) at t.",
        "#input reading_price(sort, price, place) at t.",
    ]


@pytest.mark.parametrize("of_json", [False, True])
def test_a_column_with_types_gives_each_type_a_declaration(of_json: bool) -> None:
    rows = [
        *(f"login,s1,u{n % 3},{n},x{n % 2}" for n in range(10)),
        *(f"logout,s{n % 2},u{n % 3},," for n in range(10)),
        *(f"sale,s{n % 2},{'u1' if n % 2 else ''},{n},a" for n in range(10)),
        *(f"beat,s{n % 2},,," for n in range(10)),
    ]
    rows = [row for n in range(10) for row in rows[n::10]]
    assert declared("type,site,user,code,ip", rows, of_json=of_json) == [
        "#input reading(type, site) at t.",
        '#input reading_login(site, user, code, ip) at t where type = "login".',
        '#input reading_logout(site, user) at t where type = "logout".',
        '#input reading_sale(site, user or "", code, ip) at t where type = "sale".',
    ]
    codes = [row.replace("login", "4624").replace("logout", "4634") for row in rows]
    assert '#input reading_4624(site, user, code, ip) at t where event = "4624".' in declared(
        "event,site,user,code,ip", codes, of_json=of_json
    )


def test_columns_that_are_filled_by_chance_are_none_of_types() -> None:
    rows = [f"{'a' if n % 2 else 'b'},{n if n in (1, 3) else ''},{n if n % 3 else ''}" for n in range(60)]
    assert declared("type,x,y", rows) == [
        "#input reading(type) at t.",
        "#input reading_x(type, x) at t.",
        "#input reading_y(type, y) at t.",
    ]


@pytest.mark.parametrize(
    ("name", "cells", "condition", "number"),
    [
        ("quality", ["Good", "Bad", "Uncertain"], 'quality = "Good"', 20),
        ("Q", ["192", "0", "216", "64"], "Q >= 192", 30),
        ("Status", ["OK", "ERR"], 'Status = "OK"', 30),
        ("is_valid", ["true", "false"], 'is_valid = "true"', 30),
        ("valid", ["1", "0"], "valid = 1", 30),
        ("how", ["Good", "Bad"], 'how = "Good"', 30),
    ],
)
def test_a_column_of_quality_stays_and_a_comment_takes_good_values(
    name: str, cells: Sequence[str], condition: str, number: int
) -> None:
    rows = [f"s{n % 7},{n},{cells[n % len(cells)]}" for n in range(60)]
    found = declared(f"tag,value,{name}", rows)
    assert found == [
        f"% {number} of 60 are good by {name}; to take these alone, write",
        f"% #input reading(tag, value, {name}) at t where {condition}.",
        f"#input reading(tag, value, {name}) at t.",
    ]
    [taken] = parse(Source("p", found[1].removeprefix("% "))).every(Input)
    assert len(taken.conditions) == 1


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("result", ["ok", "fail"]),
        ("status", ["200", "404"]),
        ("status", ["open", "closed"]),
        ("quality", ["Good", "better"]),
        ("quality", ["Good", "Good"]),
        ("q", ["0", "1"]),
    ],
)
def test_other_columns_are_none_of_quality(name: str, cells: Sequence[str]) -> None:
    rows = [f"s{n % 7},{n},{cells[n % 2]}" for n in range(60)]
    assert not [line for line in declared(f"tag,value,{name}", rows) if line.startswith("%")]


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
