"""What is said of parts of `#input` that are in a wrong place, or have another name."""

import pytest

from lars2asp import Source, check
from lars2asp.syntax.parser import parse


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            '#input p(x) where x > 3 at t from "{x} {t}".',
            "`at` is after `where`",
            'write #input p(x) from "{x} {t}" at t where x > 3.',
        ),
        (
            '#input p(x) at t from "{x} where {t}".',
            "`from` is after `at`",
            'write #input p(x) from "{x} where {t}" at t.',
        ),
        ("#input p(x) at t where x > 3 where x < 9.", "`where` is there twice", "a comma"),
        ("#input p(x default 0) at t.", "`default` is called `or`", "p(temp or 0)"),
        ("#input p(x) at t default 0.", "`default` is called `or`", "p(temp or 0)"),
        ("#input p(x where x > 3) at t.", "`where` is inside the columns", "where temp > 3"),
        ("#input p(x) at t where x > 3 or x < 1.", "`where` needs all its conditions", "each alternative"),
        ("#input p(x) if x > 3 at t.", "unexpected if", "write conditions after `where`"),
    ],
)
def test_the_hint_says_what_to_write(text: str, message: str, hint: str) -> None:
    (found,) = check(Source("p.lars", text))
    assert (found.message, hint in found.hint) == (message, True)
    if hint.startswith("write #input"):
        assert parse(Source("p.lars", found.hint.removeprefix("write "))).statements


@pytest.mark.parametrize("text", ["#input p(x or 0) at default.", "#input p(where, at) at where."])
def test_columns_may_have_these_names(text: str) -> None:
    assert not [*check(Source("p.lars", text))]
