"""Counts that depend on themselves."""

from lars2asp.compiler import check
from lars2asp.syntax.source import Source


def test_long_cycles_are_cut_off() -> None:
    text = "".join(f"a{i} :- a{(i + 1) % 40} in [3].\n" for i in range(39)) + "a39 :- a0 count N in [3]."
    [found] = check(Source("x.lars", text))
    assert found.message.endswith("a18/0 needs a19/0 (line 19), and 20 more")
