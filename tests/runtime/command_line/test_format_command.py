"""The command `lars2asp format`: files, standard input, and what it refuses."""

import stat
from pathlib import Path

import pytest

from tests.support.command_line import run

UNTIDY = "% hot\nhot( R ):-temp(R,T) , T>25.\n"
TIDY = "% hot\nhot(R) :- temp(R,T), T > 25.\n"


def test_files_are_written_in_one_style(tmp_path: Path) -> None:
    untidy, tidy = tmp_path / "a.lars", tmp_path / "b.lars"
    untidy.write_text(UNTIDY)
    untidy.chmod(0o640)
    tidy.write_text(TIDY)
    before = tidy.stat().st_mtime_ns
    done = run(tmp_path, "format", "a.lars", "b.lars")
    assert (done.stdout, done.stderr) == ("", "a.lars: written anew\n")
    assert untidy.read_text() == TIDY
    assert stat.S_IMODE(untidy.stat().st_mode) == 0o640
    assert tidy.stat().st_mtime_ns == before
    assert run(tmp_path, "format", "a.lars", "b.lars").stderr == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.lars", "b.lars"]


def test_check_and_diff_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.lars"
    path.write_text(UNTIDY)
    done = run(tmp_path, "format", "--check", "a.lars", status=1)
    assert (done.stdout, done.stderr) == ("", "a.lars: would change\n")
    done = run(tmp_path, "format", "--diff", "a.lars", status=1)
    assert done.stdout.splitlines() == [
        *("--- a.lars", "+++ a.lars", "@@ -1,2 +1,2 @@", " % hot"),
        *("-hot( R ):-temp(R,T) , T>25.", "+hot(R) :- temp(R,T), T > 25."),
    ]
    assert path.read_text() == UNTIDY
    path.write_text(TIDY)
    for option in ("--check", "--diff"):
        done = run(tmp_path, "format", option, "a.lars")
        assert (done.stdout, done.stderr) == ("", "")


def test_lines_of_a_difference_end_at_line_feeds_alone(tmp_path: Path) -> None:
    """Strings and comments may have other characters at which Python ends lines."""
    (tmp_path / "a.lars").write_text('p( "a\u2028b" ). % c\x0cd\nq .', encoding="utf-8")
    done = run(tmp_path, "format", "--diff", "a.lars", status=1)
    assert done.stdout.split("\n") == [
        *("--- a.lars", "+++ a.lars", "@@ -1,2 +1,2 @@"),
        *('-p( "a\\u2028b" ). % c\\x0cd', "-q .", "\\ No newline at end of file"),
        *('+p("a\\u{2028}b").  % c\\x0cd', "+q.", ""),
    ]


def test_standard_input_goes_to_standard_output(tmp_path: Path) -> None:
    assert run(tmp_path, "format", "-", stdin=UNTIDY).stdout == TIDY
    assert run(tmp_path, "format", "--check", "-", stdin=UNTIDY, status=1).stdout == ""
    assert run(tmp_path, "format", "-", stdin="").stdout == ""


def test_what_cannot_be_read_is_named_and_stays_while_others_are_written(tmp_path: Path) -> None:
    broken, latin, good = tmp_path / "a.lars", tmp_path / "b.lars", tmp_path / "c.lars"
    broken.write_text("a  :-  b\nc.\n")
    latin.write_bytes(b'a("\xe4").')
    good.write_text(UNTIDY)
    done = run(tmp_path, "format", "a.lars", "b.lars", "missing.lars", "c.lars", status=2)
    assert "a.lars:2:1-2: error: L002: unexpected c" in done.stderr
    assert "error: b.lars: this file is not UTF-8 text" in done.stderr
    assert "error: missing.lars: cannot read this file" in done.stderr
    assert broken.read_text() == "a  :-  b\nc.\n"
    assert good.read_text() == TIDY
    done = run(tmp_path, "format", "-", stdin="a :- b", status=2)
    assert done.stdout == ""
    assert "-:1:6-7: error: L002: the text ends in the middle of a statement" in done.stderr


def test_what_cannot_be_written_is_named_while_others_are_written(tmp_path: Path) -> None:
    kept, good = tmp_path / "a.lars", tmp_path / "b.lars"
    kept.write_text(UNTIDY)
    (tmp_path / ".a.lars.part").mkdir()  # in the place of what is written first
    good.write_text(UNTIDY)
    done = run(tmp_path, "format", "a.lars", "b.lars", status=2)
    assert "error: a.lars: cannot write this file: " in done.stderr
    assert kept.read_text() == UNTIDY
    assert good.read_text() == TIDY


def test_programs_of_other_systems_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.laser"
    path.write_text("h(X) :- time_win(3,0,1,diamond(p(X)))\n")
    done = run(tmp_path, "format", "a.laser", status=2)
    assert "lars2asp compile --dialect laser --target lars2asp" in done.stderr
    printed = run(tmp_path, "compile", "a.laser", "--dialect", "laser", "--target", "lars2asp").stdout
    assert "h(X) :- p(X) in [3]." in printed
    assert path.read_text().endswith("diamond(p(X)))\n")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_end_as_they_did(tmp_path: Path, end: str) -> None:
    path = tmp_path / "a.lars"
    path.write_bytes(UNTIDY.replace("\n", end).encode())
    run(tmp_path, "format", "a.lars")
    assert path.read_bytes() == TIDY.replace("\n", end).encode()
    run(tmp_path, "format", "--check", "a.lars")


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path, link = tmp_path / "folder" / "a.lars", tmp_path / "link.lars"
    path.write_text(UNTIDY)
    link.symlink_to(path)
    run(tmp_path, "format", "link.lars")
    assert link.is_symlink()
    assert path.read_text() == TIDY
