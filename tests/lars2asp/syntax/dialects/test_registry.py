"""Which dialect a source is in, and what is said of it."""

from pathlib import Path

import pytest

from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Lars2aspError, Severity
from lars2asp.syntax.dialects.registry import DIALECTS, recognised
from lars2asp.syntax.parser import parse, read_sources, text_source
from lars2asp.syntax.printer import to_text


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_a_file_is_known_by_its_ending(tmp_path: Path) -> None:
    """And that it is so is said, at its first line."""
    path = written(tmp_path, "p.IDLVSR", "a :- b in [2 hrs].\n")
    [source] = read_sources([path])
    assert (source.dialect, source.is_dialect_found) == ("idlvsr", True)
    [found, *_] = check(source)
    assert (found.severity, found.location.line) == (Severity.INFO, 1)
    assert found.message == "lars2asp reads this file as a program of I-DLV-sr"
    assert "a :- b in [2 hour]." in to_text(parse(source))


def test_or_by_its_first_lines_where_the_ending_says_nothing(tmp_path: Path) -> None:
    text = "% a comment with &f(X;Y)\na(Y) :- b(X), &f(X;Y).\n"
    assert read_sources([written(tmp_path, "p.txt", text)])[0].dialect == "idlvsr"
    assert read_sources([written(tmp_path, "p.lars", text)])[0].dialect == ""
    assert read_sources([written(tmp_path, "p.lp", text)])[0].dialect == ""
    assert read_sources([written(tmp_path, "q.txt", "% &f(X;Y)\na :- b in [3].")])[0].dialect == ""


def test_what_is_said_goes_before(tmp_path: Path) -> None:
    path = written(tmp_path, "p.idlvsr", "a :- b in [2 hour].\n")
    [source] = read_sources([path], "lars2asp")
    assert (source.dialect, check(source)[0].severity) == ("", Severity.ERROR)  # no #tick
    [source] = read_sources([path], "idlvsr:t-unit=min")
    assert (source.dialect, source.is_dialect_found) == ("idlvsr:t-unit=min", False)
    assert not any(one.severity is Severity.INFO for one in check(source))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prolog", "--dialect prolog: dialects are idlvsr, dsr, laser, ticker, and lars2asp for none"),
        ("idlvsr:unit=sec", "--dialect idlvsr:unit=sec: unit is no setting of I-DLV-sr: there are t-unit, "),
        ("idlvsr:t-unit=day", "--dialect idlvsr:t-unit=day: t-unit is one of sec, msec, min, hrs"),
        ("idlvsr:t-unit", "--dialect idlvsr:t-unit: t-unit is one of sec, msec, min, hrs"),
    ],
)
def test_what_is_no_dialect_is_refused(text: str, message: str) -> None:
    with pytest.raises(Lars2aspError) as refused:
        text_source("a.", text)
    assert str(refused.value).startswith(message)


def test_declarations_come_once_for_all_files(tmp_path: Path) -> None:
    paths = [written(tmp_path, f"{name}.idlvsr", f"{name} :- q in [1 min].") for name in "ab"]
    text = to_text(parse(*read_sources(paths)))
    assert text.count("#tick") == text.count("#timezone") == 1


def test_included_files_are_in_the_same_dialect(tmp_path: Path) -> None:
    written(tmp_path, "more.txt", "c :- d in [1 hrs].")
    written(tmp_path, "own.lars", "e :- f in [1 hour].")
    path = written(tmp_path, "p.idlvsr", '#include "more.txt". #include "own.lars".')
    text = to_text(parse(*read_sources([path])))
    assert "c :- d in [1 hour]." in text


def test_scripts_are_refused_of_programs_that_are_not_trusted() -> None:
    source = text_source("#script (python) print(1) #end. a :- b.", "idlvsr")
    [found] = check(source, trusted=False)[:1]
    assert found.message == "scripts are not allowed"


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda one: one.name)
def test_ordinary_programs_are_recognised_as_none(dialect: object) -> None:
    text = "#tick 1 sec.\na(X) :- b(X) in [3 min], not c(X,@now) at T, X = @f(1).\n:- X = 1 & f(1;2).\n"
    assert recognised(text) is None


def test_a_file_of_ours_with_mistakes_is_proposed_for_another_dialect(tmp_path: Path) -> None:
    """Where its first lines are recognised; one without mistakes is not looked at."""
    wrong = written(tmp_path, "p.lars", "a(Y) :- b(X), &f(X;Y).\n")
    found = check(*read_sources([wrong]))
    assert [(one.severity, one.message) for one in found] == [
        (Severity.INFO, "this looks like a program of I-DLV-sr"),
        (Severity.ERROR, "an external atom is an @-function here"),
    ]
    assert found[0].hint == "read it with --dialect idlvsr"
    other = written(tmp_path, "q.lars", "a(Y) :- b(X), f(X;Y.\n")
    assert [one.severity for one in check(*read_sources([other]))] == [Severity.ERROR]
