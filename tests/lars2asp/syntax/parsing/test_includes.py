"""Files that include others; test_untrusted.py has those that may not be included."""

from pathlib import Path

from lars2asp.compiler import check
from lars2asp.syntax.parser import read_sources


def test_files_that_include_one_another_in_a_long_chain(tmp_path: Path) -> None:
    """A chain of a hundred files is read; a longer one is an error, before Python runs out of stack."""
    for i in range(1500):
        (tmp_path / f"{i}.lars").write_text(f'a({i}). #include "{i + 1}.lars".\n')
    (tmp_path / "100.lars").write_text("a.\n")
    assert not check(*read_sources([tmp_path / "0.lars"]))
    (tmp_path / "100.lars").write_text('a(100). #include "101.lars".\n')
    (error,) = check(*read_sources([tmp_path / "0.lars"]))
    assert f"{tmp_path / '100.lars'}:1:9-29: error: L010: includes are nested more than 100 deep" in str(
        error
    )
