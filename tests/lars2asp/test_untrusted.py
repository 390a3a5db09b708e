"""Programs that are not trusted: no scripts, and files of the program's folders only."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from lars2asp.compiler import Overrides, check, checked_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source

SCRIPT = "a.\n#script (python)\nimport os\nos.mkdir('made')\n#end.\n"
HINT = "includes only what lies in the folders of its files"


def said(paths: Sequence[Path]) -> list[str]:
    """What is said about a program of files that is not trusted."""
    return [str(found) for found in check(*read_sources(paths), trusted=False)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for the program, with one below it; beside it lies what the program must not read."""
    (tmp_path / "secret.lars").write_text("secret(7).\n")
    (tmp_path / "programs" / "below").mkdir(parents=True)
    (tmp_path / "programs2").mkdir()
    (tmp_path / "programs2" / "near.lars").write_text("near.\n")
    return tmp_path / "programs"


def test_scripts_are_refused(folder: Path) -> None:
    program = folder / "p.lars"
    program.write_text(SCRIPT)
    (error,) = said([program])
    assert error.startswith(
        f"{program}:2:1-8: error: L514: scripts are not allowed\n  | #script (python)\n  | ^^^^^^^\n"
    )
    assert "a script may do all that you may" in error
    assert check(*read_sources([program])) == ()


@pytest.mark.parametrize(
    "text",
    [
        "#program other.\n#script (python)\n#end.",
        "#script (lua)\n#end.",
        "  %* c *% #script(python) #end.",
        "#script (python)",
        "#script (python)\n" + "(" * 3000 + "\n#end.",
    ],
)
def test_scripts_are_refused_wherever_they_stand(text: str) -> None:
    assert "scripts are not allowed" in "".join(map(str, check(Source("t", text), trusted=False)))


def test_scripts_of_included_files_are_refused(folder: Path) -> None:
    (folder / "p.lars").write_text('#include "below/s.lars".')
    (folder / "below" / "s.lars").write_text(SCRIPT)
    (error,) = said([folder / "p.lars"])
    assert f"{folder / 'below' / 's.lars'}:2:1-8: error: L514: scripts are not allowed" in error


def test_functions_that_nobody_offers() -> None:
    (error,) = check(Source("t", "a(@f(1))."), trusted=False)
    assert (error.message, "context object" in error.hint) == ("there is no function @f", True)
    assert (
        check(Source("t", "a(@f(1))."), overrides=Overrides(functions=frozenset({"f"})), trusted=False) == ()
    )


def test_files_of_the_folder_and_below_are_included(folder: Path) -> None:
    (folder / "p.lars").write_text('#include "below/q.lars".')
    (folder / "below" / "q.lars").write_text('#include "../r.lars".')
    (folder / "r.lars").write_text(f'r. #include "{folder / "below" / "s.lars"}".')
    (folder / "below" / "s.lars").write_text("s.")
    program = checked_program(*read_sources([folder / "p.lars"]), trusted=False).program
    assert len(program.statements) == 2


@pytest.mark.parametrize(
    "path", ["../secret.lars", "below/../../secret.lars", "../programs2/near.lars", "/etc/hosts"]
)
def test_files_outside_are_not_included(folder: Path, path: str) -> None:
    program = folder / "p.lars"
    program.write_text(f'a.\n #include "{path}".')
    (error,) = said([program])
    assert f"{program}:2:2-" in error
    assert f"the file {path} is outside the folders of the program files" in error
    assert HINT in error


def test_whether_a_file_outside_is_there_is_not_told(folder: Path) -> None:
    program = folder / "p.lars"
    found = []
    for name in ("/etc/hosts", "/etc/h0sts", "/etc"):
        program.write_text(f'#include "{name}".')
        found.append(said([program])[0].replace(name, "NAME").replace("^", "").partition("error: ")[2])
    assert len(set(found)) == 1


def test_the_working_directory_is_no_folder_of_the_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    (folder / "p.lars").write_text('#include "secret.lars".')
    assert "cannot find" in said([Path("programs/p.lars")])[0]
    assert check(*read_sources(["programs/p.lars"])) == ()
    (folder / "p.lars").write_text('#include "programs/below/q.lars".')
    (folder / "below" / "q.lars").write_text("q.")
    assert said([Path("programs/p.lars")]) == []


def test_the_folders_of_all_program_files_count(folder: Path) -> None:
    (folder / "p.lars").write_text('#include "../programs2/near.lars".')
    (folder.parent / "programs2" / "q.lars").write_text("q.")
    assert said([folder / "p.lars", folder.parent / "programs2" / "q.lars"]) == []


def test_links_that_lead_out_are_outside(folder: Path) -> None:
    (folder / "link.lars").symlink_to(folder.parent / "secret.lars")
    (folder / "way").symlink_to(folder.parent)
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "inside.lars").symlink_to(folder / "below" / "q.lars")
    (folder / "below" / "q.lars").write_text("q.")
    for path in ("link.lars", "way/secret.lars", "way/way/secret.lars", "way/../secret.lars"):
        (folder / "p.lars").write_text(f'#include "{path}".')
        assert "is outside the folders" in said([folder / "p.lars"])[0], path
    (folder / "p.lars").write_text('#include "circle".')
    assert len(said([folder / "p.lars"])) == 1
    (folder / "p.lars").write_text('#include "inside.lars".')
    assert said([folder / "p.lars"]) == []


def test_includes_of_includes_are_confined_as_well(folder: Path) -> None:
    (folder / "p.lars").write_text('#include "below/q.lars".')
    (folder / "below" / "q.lars").write_text('#include "../../secret.lars".')
    (error,) = said([folder / "p.lars"])
    assert f"{folder / 'below' / 'q.lars'}:1:1-" in error
    assert "is outside the folders" in error


def test_a_program_in_a_folder_that_is_a_link(folder: Path) -> None:
    (folder.parent / "alias").symlink_to(folder)
    (folder / "p.lars").write_text(f'#include "q.lars". #include "{folder.parent / "alias" / "r.lars"}".')
    (folder / "q.lars").write_text("q.")
    (folder / "r.lars").write_text("r.")
    assert said([folder.parent / "alias" / "p.lars"]) == []


def test_pipes_and_folders_are_not_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    for name in ("pipe", "below", "."):
        (folder / "p.lars").write_text(f'#include "{name}".')
        for trusted in (True, False):
            (error,) = check(*read_sources([folder / "p.lars"]), trusted=trusted)
            assert "cannot find" in error.message


@pytest.mark.parametrize("path", ["a.lars", "/etc/hosts", "../a.lars"])
def test_a_text_includes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.lars").write_text("a.")
    (tmp_path / "<text>").write_text("a.")
    (error,) = check(Source("<text>", f'#include "{path}".'), trusted=False)
    assert error.message == "this program cannot include files"


def test_a_program_from_a_device_has_no_folder() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'#include "null".')
    os.close(writing)
    (error,) = said([Path(f"/dev/fd/{reading}")])
    os.close(reading)
    assert "given as text" in error


def test_values_from_outside_include_nothing(tmp_path: Path) -> None:
    (tmp_path / "one.lars").write_text("one.")
    overrides = Overrides({"n": f'1. #include "{tmp_path / "one.lars"}"'})
    for trusted in (True, False):
        with pytest.raises(ProgramError, match="this program cannot include files"):
            checked_program(Source("t", "a(n)."), overrides=overrides, trusted=trusted)
