"""A run ends in good order where it has more memory than it may, and goes on from there."""

import json
import subprocess
from pathlib import Path

from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, started


def test_a_run_goes_on_from_where_it_ended(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("seen(X) :- p(X) in [100].")
    command = [*LARS2ASP, "run", "p.lars", "--checkpoint", "state", "--output", "out.jsonl", "--changes"]
    command += ["--input", "in.jsonl", "--follow", "--until", "5"]
    lines = [f'{{"time": {tick}, "facts": ["p({tick})"]}}\n' for tick in range(7)]
    (tmp_path / "in.jsonl").write_text("".join(lines[:3]))
    with started([*command, "--memory-limit", "1 MB"], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        told = process.communicate(timeout=PATIENCE_SECONDS)[1].decode()
        assert process.returncode == 143, told
    assert "MB are more than the --memory-limit of 1 MB: the run ends; the same command resumes" in told
    (tmp_path / "in.jsonl").write_text("".join(lines))
    with started(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        told = process.communicate(timeout=PATIENCE_SECONDS)[1].decode()
        assert process.returncode == 0, told
    written = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [atom for line in written for atom in json.loads(line)["began"]] == [
        f"seen({i})" for i in range(6)
    ]
