"""Diagnostics as text."""

from lars2asp.compiler import check
from lars2asp.syntax.source import Source


def test_messages_about_names_without_end_are_cut_off() -> None:
    name = "X" * 100_000
    [found] = check(Source("x.lars", f"a({name})."))
    assert len(found.message) < 3000
    assert len(found.hint) < 3000


def test_lines_that_are_shown_do_not_steer_a_terminal() -> None:
    """Control characters, and those that turn the direction of the text, are escaped."""
    (error,) = check(Source("t", 'a("\x1b[2J\u202e\t\x07"), b :- c(X)), d.'))
    shown = r'a("\x1b[2J\u202e' "\t" r'\x07"), b :- c(X)), d.'
    assert str(error).splitlines()[1] == f"  | {shown}"


def test_names_of_files_that_are_shown_do_not_steer_a_terminal() -> None:
    (error,) = check(Source("x\x1b[2J\n.lars", "a :- b(."))
    assert str(error).startswith("x\\x1b[2J\\n.lars:1:8-9: error: ")
