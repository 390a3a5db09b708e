"""A run of the files for servers in examples/deployment alarms, ends and goes on."""

import json
import os
import re
import signal
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from shutil import which

import pytest

from tests.support.pages import ROOT
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, wait_for

httpx = pytest.importorskip("httpx")
yaml = pytest.importorskip("yaml")

FOLDER = ROOT / "examples" / "deployment"
TOKEN = "0123456789abcdef0123"
OPTIONS = tomllib.loads((FOLDER / "run.toml").read_text())
INPUT_PORT = int(re.findall(r":(\d+)\?", OPTIONS["input"])[0])
PAGE_PORT = int(OPTIONS["serve"].rpartition(":")[2])


def run_through(folder: Path, ports: tuple[int, int], number: int, environment: Mapping[str, str]) -> str:
    """A run that three hot readings are posted to, and that is asked to end; its metrics."""
    command = [*LARS2ASP, "run", "--config", "run.toml"]
    here = {"headers": {"Authorization": f"Bearer {TOKEN}"}, "timeout": PATIENCE_SECONDS}
    given = {**os.environ, **environment}
    with started(command, cwd=folder, stderr=subprocess.DEVNULL, env=given) as process:

        def is_ready() -> bool:
            try:
                return bool(httpx.get(f"http://127.0.0.1:{ports[1]}/healthz").text == "ok\n")
            except httpx.TransportError:
                return False

        wait_for(is_ready, process)
        lines = [{"room": f"r{number}", "temperature": 31, "time": 1000 * number + i} for i in range(4)]
        body = "".join(f"{json.dumps(one)}\n" for one in lines)
        assert httpx.post(f"http://127.0.0.1:{ports[0]}/", content=body, **here).json()["accepted"] == 4
        out = folder / "alarms.jsonl"
        wait_for(lambda: out.exists() and f"r{number}" in out.read_text(), process)
        assert httpx.get(f"http://127.0.0.1:{ports[1]}/metrics").status_code == 401
        metrics = str(httpx.get(f"http://127.0.0.1:{ports[1]}/metrics", **here).text)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 143
    return metrics


def test_a_run_of_the_files(tmp_path: Path) -> None:
    """As systemd runs it, with the input and the token from the environment."""
    unit = (FOLDER / "lars2asp.service").read_text()
    variables = re.findall(r'"?(LARS2ASP_RUN_\w+)=([^"\s]+)', unit)
    assert {name for name, _ in variables} == {"LARS2ASP_RUN_INPUT", "LARS2ASP_RUN_SERVE_TOKEN_FILE"}
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "rules.lars").write_text((FOLDER / "rules.lars").read_text())
    with free_port() as first, free_port() as second:

        def moved(text: str) -> str:
            text = re.sub(r"/(etc|var/lib)/lars2asp|%d", str(tmp_path), text)
            return text.replace(str(INPUT_PORT), str(first)).replace(str(PAGE_PORT), str(second))

        (tmp_path / "run.toml").write_text(moved((FOLDER / "run.toml").read_text()))
        environment = {name: moved(value) for name, value in variables}
        metrics = run_through(tmp_path, (first, second), 1, environment)
        run_through(tmp_path, (first, second), 2, environment)
    began = [
        one
        for line in (tmp_path / "alarms.jsonl").read_text().splitlines()
        for one in json.loads(line)["began"]
    ]
    assert began == ['alarm("r1")', 'alarm("r2")']
    board = json.loads((FOLDER / "grafana.json").read_text())
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"lars2asp_\w+", target["expr"])
    }
    assert asked and {name for name in asked if name not in metrics} == set()


def test_a_unit_is_not_started_again_after_mistakes_and_reads_tables_again() -> None:
    unit = (FOLDER / "lars2asp.service").read_text()
    assert "RestartPreventExitStatus=2 3" in unit and "ExecReload=/bin/kill -HUP $MAINPID" in unit


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd is not here")
def test_a_unit_is_not_exposed() -> None:
    asked = ["systemd-analyze", "security", "--offline=yes", str(FOLDER / "lars2asp.service")]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    level = re.search(r"Overall exposure level for lars2asp.service: ([0-9.]+)", said)
    assert level is not None and float(level[1]) < 2.5


def test_images_have_the_tag_of_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for name in ("Dockerfile", "kubernetes.yaml"):
        text = (FOLDER / name).read_text()
        images = re.findall(r"(?:image: |-t |/var/lib/lars2asp )(lars2asp\S*)", text)
        assert images and {*images} == {f"lars2asp:{version}"}
        assert all(":" in image for image in re.findall(r"^FROM (\S+)", text, re.MULTILINE))


def test_the_files_are_of_one_run() -> None:
    stateful, service = yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text())
    pod = stateful["spec"]["template"]["spec"]
    assert pod["enableServiceLinks"] is False
    container = pod["containers"][0]
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    assert ports == {"input": INPUT_PORT, "page": PAGE_PORT}
    assert {one["targetPort"]: one["port"] for one in service["spec"]["ports"]} == ports
    assert container["livenessProbe"]["httpGet"]["port"] in ports
    image = (FOLDER / "Dockerfile").read_text()
    command = json.loads(re.findall(r"^CMD (.*)", image, re.MULTILINE)[-1])
    assert command == container["args"]
    assert re.findall(r"^EXPOSE (.*)", image, re.MULTILINE) == [f"{INPUT_PORT} {PAGE_PORT}"]
    written = {OPTIONS[name].rpartition("/")[0] for name in ("output", "rejects", "checkpoint")}
    mounted = {one["mountPath"] for one in container["volumeMounts"]}
    assert written == {"/var/lib/lars2asp"} and written <= mounted
    copied = re.findall(r"^COPY (examples.*) \S+$", image, re.MULTILINE)[0].split()
    assert all((ROOT / name).is_file() for name in copied)
    unit = (FOLDER / "lars2asp.service").read_text()
    assert " ".join(command) in unit
