"""A split as text."""

from pathlib import Path

import pytest

from lars2asp.__main__ import main


def test_the_split_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.lars"
    program.write_text("d(X,Y) :- e(X,Y), p(X).\nb(Y) :- d(_,Y), p(Y), not r(_).\n")
    assert main(["compile", str(program), "--split=pipelined"]) == 0
    assert (
        capsys.readouterr().out.replace(f"{tmp_path}/", "")
        == """\
2 parts in 2 levels

part 0
  derives d/2 by its 1st argument
  rules: p.lars:1
  reads e/2 by its 1st argument, p/1 by its 1st argument
  gives d/2
  hands on d/2
  in buckets of keys

part 1
  level 1
  derives b/1 by its 1st argument
  rules: p.lars:2
  reads p/1 by its 1st argument, r/1 in every bucket
  listens to d/2 by its 2nd argument
  gives b/1
  in buckets of keys

read by several parts: p/1 by parts 0 and 1

p.lars:1: e/2 meets p/1
p.lars:2: e/2 meets r/1
p.lars:2: p/1 meets r/1
connected by that: e/2, p/1, r/1
p.lars:2: part 1: the 1st argument of r/1 is no variable of the head b/1
"""
    )
    assert main(["compile", str(program), "--split"]) == 0
    assert "1 part in 1 level" in capsys.readouterr().out
