"""`lars2asp run --serve`: what others are told of a run, and how it goes on and ends."""

import os
import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pyarrow.parquet as pq
import pytest

from tests.runtime.live_page.serving import PROGRAM, ServedRun, readings, served
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, completed, wait_for

TOKEN = "a-token-of-more-than-sixteen-characters"


def given_rooms(run: ServedRun) -> None:
    run.give(*(readings(tick, 30, 20) for tick in range(4)), readings(4, 20, 30), readings(5, 20, 30))


def test_state_has_what_holds_since_when_and_what_was_rejected(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.give("{broken <b>", {"time": 6})
        state = run.until(6)
        assert state["holds"] == [{"atom": "hot(r1)", "since": 4, "at": "1970-01-01T00:00:04+00:00"}]
        assert state["satisfiable"] and not state["over"]
        while not state["rejected"]:
            state = run.get("/state").json()
        assert state["rejected"][0]["where"] == "<stdin>:7" and "<b>" in state["rejected"][0]["text"]


def test_events_are_the_changes_and_go_on_from_the_last_one(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        run.give(readings(0, 30, 20), readings(1, 30, 20))
        run.until(1)
        with run.events() as events:
            identity, name, state = next(events)
            assert name == "state" and {one["atom"] for one in state["holds"]} == {"hot(r0)", "alarm(r0)"}
            run.give(readings(2, 20, 20), readings(3, 30, 20))
            _, *found = next(events)
        ended = ["change", {"time": 2, "began": [], "ended": ["alarm(r0)", "hot(r0)"]}]
        assert found == ended
        run.give(readings(4, 20, 20))
        run.until(4)
        with run.events(**{"last-event-id": identity}) as events:
            assert next(events)[1:] == tuple(ended)
            assert next(events)[1:] == ("change", {"time": 3, "began": ["hot(r0)"], "ended": []})


def test_why_of_a_long_chain(tmp_path: Path) -> None:
    with served(tmp_path, program="#tick 1 sec. n :- n in {1}. n :- reading(_,_).") as run:
        run.give(readings(0, 30), {"time": 90}, {"time": 91})
        run.until(91)
        why = run.get("/why", params={"atom": "n", "tick": "90"}).json()
        assert why["holds"] and why["trees"][0]["children"]
        at = {"atom": "n", "tick": "1970-01-01T00:01:30+00:00"}
        assert run.get("/why", params=at).json() == why
        refused = run.get("/why", params={"atom": "n", "tick": "noon"})
        assert refused.status_code == 400 and "noon" in refused.json()["error"]


def test_events_end_with_the_run_and_the_page_stays(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.end_input()
        assert run.stderr.readline().startswith(b"the run is over")
        with run.events() as events:
            assert [name for _, name, _ in events][-1] == "over"
        assert run.get("/state").json()["over"]
        why = run.get("/why", params={"atom": "alarm(r0)", "tick": "3"}).json()
        assert why["holds"] and why["trees"][0]["children"]
        assert '"atoms": ["alarm(r0)", "hot(r0)"]' in (tmp_path / "answers").read_text()
        run.process.send_signal(signal.SIGINT)
        assert run.process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.parametrize(("ends", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 0)])
def test_tables_are_whole_while_the_page_stays(tmp_path: Path, ends: signal.Signals, status: int) -> None:
    with served(tmp_path, "--output", "hot.parquet", program="hot(R) :- reading(R, T), T > 25.") as run:
        given_rooms(run)
        run.end_input()
        assert run.stderr.readline().startswith(b"the run is over")
        assert pq.read_table(tmp_path / "hot.parquet").num_rows > 0
        run.process.send_signal(ends)
        assert run.process.wait(PATIENCE_SECONDS) == status


def test_what_cannot_be_explained_does_not_end_the_run(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.until(5)
        wide = run.get("/why", params={"atom": f"hot(({','.join('1' * 4000)}))"})
        assert wide.status_code in (200, 422)
        for odd in (
            {"atom": "hot(r0)", "tick": "9" * 5000},
            {"lane": "\u0663", "tick": "x"},
            {"lane": "9" * 5000},
        ):
            assert run.get("/why", params=odd).status_code == 400
        run.give(readings(6, 30, 30), readings(7, 30, 30))
        assert run.until(7)["holds"]


def test_each_change_has_the_identity_from_which_it_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        run.give(*(readings(tick, 30 if tick % 2 else 20, 20) for tick in range(30)))
        run.until(29)
        with run.events(**{"last-event-id": "0"}) as events:
            first = [next(events) for _ in range(10)]
        assert len({one[0] for one in first}) == 10
        with run.events(**{"last-event-id": first[4][0]}) as events:
            assert next(events)[2] == first[5][2]


def test_a_run_ends_that_has_lost_its_page(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.until(5)
        [page] = [
            int(one)
            for one in Path(f"/proc/{run.process.pid}/task/{run.process.pid}/children").read_text().split()
        ]
        os.kill(page, signal.SIGKILL)
        assert b"goes on without it" in run.stderr.readline()
        run.end_input()
        assert run.process.wait(PATIENCE_SECONDS) == 0


def test_it_is_told_whether_the_run_is_ready(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.until(5)
        wait_for(lambda: run.get("/readyz").status_code == 200, run.process)
        assert run.get("/readyz?lag=3600").text == "ready\n"
        run.end_input()
        wait_for(lambda: run.get("/readyz").text == "over\n", run.process)


def test_a_run_that_is_interrupted_ends_with_its_page(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.until(5)
        run.process.send_signal(signal.SIGINT)
        assert run.process.wait(PATIENCE_SECONDS) == 130
        with pytest.raises(httpx.ConnectError):
            run.get("/healthz")


def test_questions_are_answered_while_the_run_waits_for_input(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.until(5)
        why = run.get("/why", params={"atom": "alarm(X)", "tick": "2"}).json()
        assert why["holds"] and why["atom"] == "alarm(r0)"
        rule = why["trees"][0]["children"][0]
        assert rule["where"] == "rooms.lars:4"
        inputs = [one for one in why["marks"] if one["kind"] == "input"]
        assert {tuple(run_) for one in inputs for run_ in one["runs"]} >= {(0, 0), (1, 1), (2, 2)}
        why_not = run.get("/why", params={"atom": "alarm(r1)", "tick": "2"}).json()
        assert not why_not["holds"]
        assert "reading(r1,20)" in str(why_not["trees"])
        assert run.get("/why", params={"atom": "alarm(r0", "tick": "2"}).status_code == 422
        assert "not over" in run.get("/why", params={"atom": "hot(r0)", "tick": "99"}).json()["error"]
        assert run.get("/why").status_code == 400


def test_the_reasoner_answers_as_it_does_without_a_page(tmp_path: Path) -> None:
    lines = [readings(tick, 20 + tick % 9, 20 + tick % 7, 95 if tick == 17 else 20) for tick in range(200)]
    with served(tmp_path) as run:
        run.give(*lines)
        run.end_input()
        assert run.stderr.readline().startswith(b"the run is over")
        with_page = (tmp_path / "answers").read_bytes()
        run.process.send_signal(signal.SIGTERM)
        run.process.wait(PATIENCE_SECONDS)
        state = run.process.returncode
    assert state == 0
    (tmp_path / "input").write_text("".join(f"{line}\n".replace("'", '"') for line in lines))
    completed([*LARS2ASP, "run", "rooms.lars", "--input", "input", "--output", "plain"], cwd=tmp_path)
    assert with_page == (tmp_path / "plain").read_bytes()


def test_metrics_are_those_of_the_run(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        given_rooms(run)
        run.end_input()
        assert run.stderr.readline().startswith(b"the run is over")
        run.until(5)
        found = run.get("/metrics").text
        assert "lars2asp_merged_total 0.0" in found
        assert "lars2asp_facts_total 12.0" in found and "lars2asp_atoms 1.0" in found
        assert 'lars2asp_component_seconds_total{evaluator="delta",predicates="hot/1"}' in found
        labels = 'place="rooms.lars:3",predicates="hot/1",rule="hot(R) :- reading(R, T), T > 25."'
        for name in ("evaluations_total", "changes_total", "rows", "held", "seconds_total"):
            assert f"lars2asp_rule_{name}{{{labels}}} " in found


def test_a_run_that_goes_on_from_a_checkpoint_has_a_page_of_what_holds(tmp_path: Path) -> None:
    kept = "--checkpoint", "kept"
    with served(tmp_path, *kept) as run:
        given_rooms(run)
        run.until(5)
        run.process.send_signal(signal.SIGTERM)
        assert run.process.wait(PATIENCE_SECONDS) == 143
    with served(tmp_path, *kept) as run:
        deadline, held = time.monotonic() + PATIENCE_SECONDS, None
        while held != ["hot(r1)"]:  # first the lines after the last checkpoint are read again
            assert time.monotonic() < deadline, held
            held = [one["atom"] for one in run.get("/state").json()["holds"]]


def test_a_page_of_a_run_that_was_begun_without_one_explains_nothing(tmp_path: Path) -> None:
    (tmp_path / "rooms.lars").write_text(PROGRAM)
    lines = "".join(f'{{"time": {tick}, "facts": ["reading(r0,30)"]}}\n' for tick in range(5))
    without = [*LARS2ASP, "run", "rooms.lars", "--output", "answers", "--checkpoint", "kept"]
    completed([*without, "--checkpoint-every", "1"], given=lines, cwd=tmp_path)
    with served(tmp_path, "--checkpoint", "kept", "--checkpoint-every", "1") as run:
        assert "begun without a page" in "".join(run.said)
        assert run.get("/why", params={"atom": "hot(r0)"}).status_code == 404


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--serve", "nowhere"], "write PORT or HOST:PORT"),
        (["--serve", "0.0.0.0:0"], "give a token (--serve-token-file FILE"),
        (["--explain-last", "5"], "add --serve PORT"),
        (["--serve", "0", "--serve-token-file", "short"], "a token has 16 characters or more"),
        (["--serve", "0", "--serve-token-file", "none"], "the token cannot be read: No such file"),
    ],
)
def test_what_is_no_page_is_refused_before_a_file_is_changed(
    tmp_path: Path, options: list[str], words: str
) -> None:
    (tmp_path / "rooms.lars").write_text(PROGRAM)
    (tmp_path / "short").write_text("abc")
    (tmp_path / "answers").write_text("as it was")
    ran = completed([*LARS2ASP, "run", "rooms.lars", "--output", "answers", *options], status=2, cwd=tmp_path)
    assert words in ran.stderr
    assert (tmp_path / "answers").read_text() == "as it was"


# --- who may ask ------------------------------------------------------------------------------------------


def test_other_names_and_other_pages_are_refused(tmp_path: Path) -> None:
    with served(tmp_path) as run:
        port = run.url.rsplit(":", 1)[1].strip("/")
        paths = ("/", "/state", "/frames", "/events", "/why?atom=a", "/metrics", "/healthz", "/live.js")
        for path in paths:
            assert run.get(path, headers={"host": f"example.org:{port}"}).status_code == 403
            assert run.get(path, headers={"origin": "http://example.org"}).status_code == 403
            assert run.get(path, headers={"origin": "null"}).status_code == 403
            other = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
            assert run.get(path, headers=other).status_code == 403
        assert run.get("/state", headers={"host": f"localhost:{port}"}).status_code == 200
        assert run.get("/state", headers={"origin": run.url.rstrip("/")}).status_code == 200


def test_a_handshake_of_another_page_is_refused(tmp_path: Path) -> None:
    handshake = {
        **{"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13"},
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    with served(tmp_path) as run:
        for path in ("/", "/state", "/events", "/nowhere"):
            foreign = run.get(path, headers={**handshake, "origin": "http://example.org"})
            assert foreign.status_code == 403
        assert run.get("/state", headers=handshake).status_code == 200
        assert run.get("/nowhere", headers=handshake).status_code == 404


def test_without_the_token_there_is_a_form_alone(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    with served(tmp_path, "--serve-token-file", "token") as run:
        for path in ("/state", "/frames", "/events", "/why?atom=a", "/metrics", "/live.js"):
            assert run.get(path).status_code == 401
            assert run.get(path, headers={"authorization": f"Bearer {TOKEN[:-1]}"}).status_code == 401
            assert run.get(path, headers={"cookie": "lars2asp=" + TOKEN}).status_code == 401
        form = run.get("/")
        assert form.status_code == 401 and 'name="token"' in form.text and "holds" not in form.text
        assert run.get("/state", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
        with httpx.Client(trust_env=False, follow_redirects=True, timeout=PATIENCE_SECONDS) as browser:
            wrong = browser.post(run.url + "enter", data={"token": "x" * 20})
            assert wrong.status_code == 401 and "This is not the token" in wrong.text
            page = browser.post(run.url + "enter", data={"token": TOKEN})
            assert page.status_code == 200 and 'id="canvas"' in page.text
            assert browser.get(run.url + "state").status_code == 200
            [cookie] = [one for one in browser.cookies.jar if one.name.startswith("lars2asp")]
            assert cookie.value != TOKEN
            assert cookie.has_nonstandard_attr("HttpOnly")


def test_requests_that_do_not_come_are_given_up(tmp_path: Path) -> None:
    """Neither the first of a connection, nor a second one, nor a body; who looks at the page stays."""
    with served(tmp_path) as run, run.events() as events:
        run.give({"time": 0})
        next(events)
        address = urlsplit(run.url)
        head = f" HTTP/1.1\r\nHost: {address.netloc}\r\n"
        begun = [
            "",
            "GET /healthz",
            f"GET /healthz{head}\r\nGET /healthz{head}",
            f"POST /enter{head}Content-Length: 20\r\n\r\ntoken=",
            f"GET /frames{head}Content-Length: 20\r\n\r\n",
        ]
        connections = [socket.create_connection((address.hostname, address.port)) for _ in begun]
        for connection, text in zip(connections, begun, strict=True):
            connection.settimeout(PATIENCE_SECONDS)
            connection.sendall(text.encode())
        for connection in connections:
            with connection:
                while connection.recv(2**16):
                    pass
        run.give({"time": 1, "facts": ["reading(r,26)"]}, {"time": 5})
        while next(events)[1] != "change":
            pass


def test_there_is_a_place_for_who_asks_whether_the_run_is_well(tmp_path: Path) -> None:
    """However many connections have no request, or half of one."""
    with served(tmp_path) as run, ExitStack() as stack:
        address = urlsplit(run.url)
        for number in range(400):
            connection = socket.create_connection((address.hostname, address.port))
            stack.enter_context(connection)
            if number % 2:
                connection.sendall(b"GET /frames")
        assert run.get("/healthz").text == "ok\n"
        assert run.get("/state").status_code == 503


VALUES = """
#tick 1 min.
#origin "2026-01-01T00:00:00Z".
#input order(id, number(bytes), time(paid)) at at.
#held order(I,_,_) by I for 3 min.
square(I,B*B) :- order(I,B,_), B > 4294967296.
late(I,P,D) :- order(I,_,P), D = @now-P, D > 5 min.
"""


def test_values_have_the_texts_of_the_program(tmp_path: Path) -> None:
    """Wide numbers, times, durations and facts that are held: in state, events and explanations."""
    first = {"at": "2026-01-01T00:10:00Z", "id": "x", "bytes": 2**63, "paid": "2025-12-31T21:15:00Z"}
    late = 'late("x","2025-12-31T21:15:00+00:00","2 h {} min")'
    with served(tmp_path, program=VALUES) as run:
        run.give(first, {"at": "2026-01-01T00:11:00Z", "id": "y", "bytes": "none", "paid": "noon"})
        run.give({"time": "2026-01-01T00:12:00Z"})
        state = run.until(12)
        square = f'square("x",{2**126})'
        assert [(one["atom"], one["since"]) for one in state["holds"]] == [
            (square, 10),
            (late.format(56), 11),
        ]
        while not state["rejected"]:
            state = run.get("/state").json()
        assert "'none' is not a number" in str(state["rejected"])
        why = run.get("/why", params={"atom": square, "tick": "11"}).json()
        held = f'order("x",{2**63},"2025-12-31T21:15:00+00:00")'
        assert why["holds"] and held in str(why["trees"])
        with run.events() as events:
            next(events)
            run.give({"time": "2026-01-01T00:20:00Z"})
            changes = [event for _, _, event in (next(events), next(events))]
        assert changes == [
            {"time": 12, "began": [late.format(57)], "ended": [late.format(56)]},
            {"time": 13, "began": [late.format(58)], "ended": [late.format(57)]},
        ]
        run.until(20)
        with run.events() as events:
            assert next(events)[2]["holds"] == []
