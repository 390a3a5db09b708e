"""Lines that programs post, and when they are told that these are taken."""

import json
import re
import signal
import ssl
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.http import HttpFeed, Judged
from lars2asp.runtime.connectors.listening import Certificate
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import Line
from tests.support.feeds import running, texts
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, wait_for

CERTIFICATES = Path(__file__).with_name("certificates")


@pytest.fixture
def feed() -> Iterator[HttpFeed]:
    """A feed on a free port, which is known before it runs."""
    feed = HttpFeed()
    feed.open()
    yield feed
    feed.close()


def post(port: int, body: str | bytes, **headers: str) -> httpx.Response:
    """Posts a body."""
    address = f"http://127.0.0.1:{port}/"
    return httpx.post(address, content=body, headers=headers, timeout=PATIENCE_SECONDS)


def test_lines_of_posts(feed: HttpFeed) -> None:
    """One or many, with line end or without; empty ones do not count. Numbers go on."""
    with running(feed) as run:
        assert post(feed.port, "a").json() == {"accepted": 1}
        assert post(feed.port, "b\r\n\nc\n").json() == {"accepted": 2}
        answer = post(feed.port, b"".join(b"%d\n" % i for i in range(50_000)))
        assert (answer.status_code, answer.json()) == (202, {"accepted": 50_000})
        assert post(feed.port, "").json() == {"accepted": 0}
    assert texts(run.lines) == ["a", "b", "c", *map(str, range(50_000))]
    assert [line.number for line in run.lines] == [*range(1, 50_004)]
    assert {line.source for line in run.lines} == {feed.name}


def test_rejected_lines_are_told(feed: HttpFeed) -> None:
    """They are emitted like others, so that the run tells of them, too."""
    feed.judge = lambda line: Judged(is_taken=False, reasons=("odd",)) if int(line.text) % 2 else Judged()
    with running(feed) as run:
        assert post(feed.port, "2\n3\n4\n").json() == {
            **{"accepted": 2, "rejected": 1},
            "reasons": ["line 2: odd"],
        }
    assert texts(run.lines) == ["2", "3", "4"]


def test_posts_wait_while_the_reader_is_busy(feed: HttpFeed) -> None:
    """What is posted at once comes one body after the other."""
    goes_on = Event()

    def take(_: Line) -> None:
        goes_on.wait(PATIENCE_SECONDS)

    with running(feed, take) as run, ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(post, feed.port, f"{i}a\n{i}b\n") for i in range(5)]
        assert not any(one.done() for one in waiting)
        goes_on.set()
        assert [one.result().status_code for one in waiting] == [202] * 5
    found = texts(run.lines)
    assert all(first[0] == second[0] for first, second in zip(found[::2], found[1::2], strict=True))


def test_an_answer_waits_until_lines_are_kept(feed: HttpFeed) -> None:
    feed.waits_until_kept = True
    with running(feed) as run, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(post, feed.port, "a\nb\n")
        run.wait_for_lines(2)
        feed.kept(feed.name, 1)
        feed.kept("another source", 2)
        assert not answer.done()
        feed.kept(feed.name, 2)
        assert answer.result().status_code == 202


def test_who_may_post(feed: HttpFeed) -> None:
    with running(feed) as run:
        assert post(feed.port, "a", Origin="http://elsewhere").status_code == 403
        assert httpx.get(f"http://127.0.0.1:{feed.port}/").status_code == 405
        assert post(feed.port, "a", **{"Content-Encoding": "gzip"}).status_code == 415
        feed.token = "secret"
        assert post(feed.port, "a").status_code == 401
        assert post(feed.port, "a", Authorization="Bearer other").status_code == 401
        assert post(feed.port, "a", Authorization="Bearer secret").status_code == 202
    assert texts(run.lines) == ["a"]


def test_tls() -> None:
    file = str(CERTIFICATES / "localhost.pem")
    feed = HttpFeed(tls=Certificate(file, file))
    feed.open()
    trusted = ssl.create_default_context(cafile=str(CERTIFICATES / "authority.pem"))
    with running(feed) as run:
        answer = httpx.post(f"https://localhost:{feed.port}/", content="a", verify=trusted)
        assert answer.status_code == 202
    assert texts(run.lines) == ["a"]
    with running(HttpFeed(tls=Certificate(file, str(CERTIFICATES / "authority.pem")))) as run:
        run.thread.join(PATIENCE_SECONDS)
    assert "are these the certificate and its key?" in str(run.error)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://example.org/alarms", "lars2asp receives POSTs at a port of this machine: write"),
        ("http://0.0.0.0:8088", "other machines can post to this address: add a token"),
        ("https:8088", "TLS needs a certificate and its key"),
        ("http:8088?cert=a&key=b", r"certificates need TLS: write"),
        ("http:8088?token-file=/missing", r"cannot read the token"),
    ],
)
def test_wrong_addresses(address: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        feed_of(address)


def test_what_was_accepted_is_not_lost(tmp_path: Path) -> None:
    """A run that is killed goes on with all lines that were answered with 202."""
    (tmp_path / "p.lars").write_text("#tick 1 sec. #input p(n) at t. a(N) :- p(N).")
    with free_port() as port:
        command = [*LARS2ASP, "run", "p.lars", "--input", f"http:{port}", "--checkpoint", "state"]
        command += ["--output", "out.jsonl", "--changes", "--rejects", "rejects.jsonl"]
        posted = 0
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
            with started(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
                assert process.stderr is not None
                while b"listens for" not in process.stderr.readline():
                    assert process.poll() is None
                for _ in range(5):
                    rows = [{"t": 1000 + i, "n": i} for i in range(posted, posted + 20)]
                    *alone, last = rows
                    body = "".join(f"{json.dumps(row)}\n" for row in alone)
                    body += json.dumps([last, {"t": "x", "n": 1}]) + "\n"
                    answer = post(port, body).json()
                    assert (answer["accepted"], answer["rejected"]) == (20, 1)
                    posted += 20
                process.send_signal(how)
                process.wait()
        with started(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            while b"listens for" not in process.stderr.readline():
                assert process.poll() is None
            post(port, '{"t": 9999, "n": -1}\n')
            out = tmp_path / "out.jsonl"
            wait_for(lambda: f"a({posted - 1})" in out.read_text(), process)
    began = [atom for line in out.read_text().splitlines() for atom in json.loads(line)["began"]]
    assert began == [f"a({i})" for i in range(posted)]
    assert len((tmp_path / "rejects.jsonl").read_text().splitlines()) == 20


def test_json_is_read_in_a_program_with_a_pattern(tmp_path: Path) -> None:
    """What is accepted gives facts, whatever it is: a pattern does not make all posts lines of text."""
    declared = '#input failed(u) from "failed {u:word} from". #input door(d) at ts.'
    (tmp_path / "p.lars").write_text(f"#tick 1 sec. {declared} f(U) :- failed(U). g(D) :- door(D).")
    with free_port() as port:
        command = [*LARS2ASP, "run", "p.lars", "--input", f"http:{port}", "--changes", "--output", "out"]
        command += ["--stats-json", "costs"]
        with started(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            while b"listens for" not in process.stderr.readline():
                assert process.poll() is None
            accepted = {"accepted": 1, "rejected": 0}
            assert post(port, '{"ts": 1000, "d": "hall"}\n').json() == accepted
            assert post(port, "1970-01-01T00:16:41Z failed ann from 192.0.2.7\n").json() == accepted
            assert post(port, '[{"ts": 1002, "d": "attic"}]').json() == accepted
            assert post(port, "ts,d\n1003,cellar\n").json() == {**accepted, "accepted": 2}
            process.send_signal(signal.SIGTERM)
            process.wait()
    began = [json.loads(line)["began"] for line in (tmp_path / "out").read_text().splitlines()]
    assert began == [['g("hall")'], ['f("ann")'], ['g("attic")'], ['g("cellar")']]
    [counts] = json.loads((tmp_path / "costs").read_text())["inputs"].values()
    assert {name for name, number in counts.items() if number} == {"gave_facts"}
    assert counts["gave_facts"] == 4


@pytest.mark.parametrize("clock", ["data", "wall"])
def test_lines_that_are_accepted_are_not_lost_without_a_word(tmp_path: Path, clock: str) -> None:
    """SIGTERM comes when the last one was accepted: they are evaluated, or the run says how many are not."""
    declared = "#input door(d) at ts. " if clock == "data" else "#input door(d). "
    (tmp_path / "p.lars").write_text(f"#tick 1 sec. {declared} g(D) :- door(D).")
    with free_port() as port:
        command = [*LARS2ASP, "run", "p.lars", "--input", f"http:{port}", "--changes", "--output", "out"]
        with started([*command, "--clock", clock], cwd=tmp_path, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            while b"listens for" not in process.stderr.readline():
                assert process.poll() is None
            post(port, "".join(f'{{"ts": {1000 + number}, "d": {number}}}\n' for number in range(20_000)))
            process.send_signal(signal.SIGTERM)
            said = process.stderr.read().decode()
            process.wait()
    lines = (json.loads(line) for line in (tmp_path / "out").read_text().splitlines())
    answered = len({atom for line in lines for atom in line["began"]})
    told = re.search(r"(\d+) records? that waits? (?:is|are) not evaluated", said)
    assert answered + int(told[1] if told else 0) == 20_000, said


def test_lines_know_their_place() -> None:
    """The last line of a body ends it, so that no row of a table goes on in the next one."""
    feed = HttpFeed()
    feed.open()
    ends: list[str | None] = []

    def take(line: Line) -> None:
        ends.append(line.end)

    with running(feed, take):
        post(feed.port, "a\nb\n")
        post(feed.port, "c")
    assert ends == ["\n", "", ""]
