"""`follow(serve=...)`: a page of a run that a Python program makes."""

import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from lars2asp import InputError, Reasoner
from tests.runtime.live_page.serving import PROGRAM
from tests.support.processes import PATIENCE_SECONDS


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def asked(url: str, until: Any) -> Any:
    """What an address gives, once it is as it should be."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            found = httpx.get(url, timeout=PATIENCE_SECONDS, trust_env=False).json()
            if until(found):
                return found
        except httpx.TransportError:
            found = None
        assert time.monotonic() < deadline, found
        time.sleep(0.02)


def test_a_page_shows_and_explains_what_follow_answers(tmp_path: Path) -> None:
    readings, port, stop = tmp_path / "readings.jsonl", free_port(), threading.Event()
    readings.write_text(
        "".join(f'{{"time": {t}, "facts": ["reading(hall,30)"]}}\n' for t in range(5)) + "{\n"
    )
    reasoner = Reasoner.from_text(PROGRAM, explain_last=100)
    answers: list[tuple[str, ...]] = []
    run = threading.Thread(
        target=reasoner.run_live,
        args=(readings, lambda answer: answers.append(answer.holds.texts)),
        kwargs={"serve": port, "stop": stop, "on_reject": lambda _: None},
    )
    run.start()
    page = f"http://127.0.0.1:{port}"
    state = asked(f"{page}/state", lambda found: found["holds"] and found["rejected"])
    assert {one["atom"] for one in state["holds"]} == {"alarm(hall)", "hot(hall)"}
    why = asked(f"{page}/why?atom=alarm(hall)&tick=3", lambda found: "trees" in found)
    assert why["holds"]
    stop.set()
    run.join(PATIENCE_SECONDS)
    assert answers == [("alarm(hall)", "hot(hall)")]
    with pytest.raises(httpx.ConnectError):
        httpx.get(page, trust_env=False)


def test_a_reasoner_that_keeps_nothing_has_a_page_without_explanations(tmp_path: Path) -> None:
    readings, port, stop = tmp_path / "readings.jsonl", free_port(), threading.Event()
    readings.write_text('{"time": 1, "facts": ["reading(hall,30)"]}\n{"time": 2}\n')
    reasoner = Reasoner.from_text(PROGRAM)
    run = threading.Thread(
        target=reasoner.run_live,
        args=(readings, lambda _: None),
        kwargs={"serve": port, "stop": stop},
    )
    run.start()
    asked(f"http://127.0.0.1:{port}/state", lambda found: found["holds"])
    found = asked(f"http://127.0.0.1:{port}/why?atom=hot(hall)", lambda found: found)
    assert found == {"error": "this run keeps nothing for explanations"}
    stop.set()
    run.join(PATIENCE_SECONDS)


def test_others_need_a_token(tmp_path: Path) -> None:
    (tmp_path / "readings.jsonl").write_text("")
    with pytest.raises(InputError, match="in Python serve_token"):
        Reasoner.from_text("a.").run_live(
            tmp_path / "readings.jsonl", print, serve="0.0.0.0:8080", on_reject="stop"
        )


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    (tmp_path / "readings.jsonl").write_text("")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(InputError, match=f"127.0.0.1:{port}: .*the port is in use"):
            Reasoner.from_text("a.").run_live(
                tmp_path / "readings.jsonl", print, serve=port, on_reject="stop"
            )


def test_a_token_of_a_program_has_its_length_too(tmp_path: Path) -> None:
    (tmp_path / "readings.jsonl").write_text("")
    with pytest.raises(InputError, match="serve_token: a token has 16 characters or more"):
        Reasoner.from_text("a.").run_live(
            tmp_path / "readings.jsonl", print, serve="0.0.0.0:0", serve_token="", on_reject="stop"
        )
