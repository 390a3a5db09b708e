"""POSTs whose bodies, headers and secrets users give, and what becomes of those that are refused."""

import json
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from tests.support.webhooks import webhook

PROGRAM = """\
#tick 1 min.
#types reading(name, decimal(1)).
hot(R,V) :- reading(R,V), V > 30.0.
alarm(R,V,"say \\"hi\\"") :- hot(R,V).
#show alarm/3.
"""

STREAM = """\
{"time": 1, "facts": ["reading(hall,30.5)"]}
{"time": 2, "facts": ["reading(hall,30.5)", "reading(attic,400)"]}
{"time": 3}
"""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text(PROGRAM)
    Path("in.jsonl").write_text(STREAM)
    Path("secret").write_text("s3cret\n")
    return ["run", "p.lars", "--input", "in.jsonl"]


def test_a_post_for_each_atom_that_begins(command: list[str]) -> None:
    """Arguments by name, numbers as they are written, quotes escaped, and why."""
    body = '{"text": "{atom}", "n": {V}, "said": "{a3}", "at": "{at}", "tick": {time}, "of": "{predicate}", '
    Path("body.json").write_text(body + '"why": "{why}"}\n')
    more = ("--output-body", "body.json", "--output-secret-file", "secret")
    with webhook() as hook:
        assert main([*command, "--output", hook.address, *more]) == 0
    found = [json.loads(body) for body in hook.bodies]
    assert [each.pop("why").splitlines()[0] for each in found] == [
        'alarm(hall,30.5,"say \\"hi\\"") at 1970-01-01 00:01 UTC',
        'alarm(attic,400.0,"say \\"hi\\"") at 1970-01-01 00:02 UTC',
    ]
    assert found == [
        {
            **{"text": f'alarm({room},{number},"say \\"hi\\"")', "n": number, "said": 'say "hi"'},
            **{"at": f"1970-01-01T00:0{tick}:00+00:00", "tick": tick, "of": "alarm"},
        }
        for tick, room, number in ((1, "hall", 30.5), (2, "attic", 400.0))
    ]
    assert {one["Authorization"] for one in hook.headers} == {"Bearer s3cret"}
    assert {one["Content-Type"] for one in hook.headers} == {"application/json"}


def test_what_is_refused_goes_to_the_dead_letters(command: list[str]) -> None:
    """Of what begins and ends, in order; the secret stands where the header says."""
    Path("body.txt").write_text("{R} {change}")
    more = ("--output-body", "body.txt", "--output-secret-file", "secret", "--dead-letters", "dead.jsonl")
    headers = ("--output-header", "X-Key: k-{secret}", "--output-header", "Content-Type: text/x")
    with webhook(lambda body: 400 if b"attic" in body else 200) as hook:
        assert main([*command, "--output", hook.address, *more, *headers]) == 0
    assert hook.bodies == [b"hall began", b"hall ended"]
    assert [(one["X-Key"], one["Content-Type"]) for one in hook.headers] == [("k-s3cret", "text/x")] * 2
    letters = [*map(json.loads, Path("dead.jsonl").read_text().splitlines())]
    assert [one["sent"] for one in letters] == ["attic began", "attic ended"]
    assert {one["to"] for one in letters} == {hook.address}
    assert all("status 400" in one["reason"] for one in letters)


def test_what_is_not_taken_in_time_goes_there_too(command: list[str]) -> None:
    with webhook(lambda _: 503) as hook:
        more = ("--dead-letters", "dead.jsonl", "--retry-for", "20 msec")
        assert main([*command, "--output", hook.address, *more]) == 0
    letters = [*map(json.loads, Path("dead.jsonl").read_text().splitlines())]
    assert [one["sent"]["time"] for one in letters] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("b.json", '{"text": "{room}"}', "alarm/3 has no {room}: use {atom}, {predicate}, "),
        ("b.json", '{"text": {R}}', "put names of texts between quotes, as in"),
        ("missing.json", None, "cannot read the body: No such file"),
    ],
)
def test_wrong_bodies(
    command: list[str], capsys: pytest.CaptureFixture[str], name: str, body: str | None, message: str
) -> None:
    if body is not None:
        Path(name).write_text(body)
    assert main([*command, "--output", "http://127.0.0.1:1/", "--output-body", name]) == 2
    assert all(part in capsys.readouterr().err for part in message.split(".*")[:1])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--output-body", "b.json"), "--output-body is for POSTs"),
        (("--retry-for", "1 min"), "--retry-for needs a receiver: add one, as in --output http://..."),
        (("--output", "http://h/", "--output-header", "nothing"), "is not a header"),
        (("--output", "http://h/", "--output-secret-file", "none"), "cannot read the secret"),
    ],
)
def test_options_that_do_not_fit(
    command: list[str], capsys: pytest.CaptureFixture[str], more: tuple[str, ...], message: str
) -> None:
    Path("b.json").write_text("{}")
    assert main([*command, *more]) == 2
    assert message in capsys.readouterr().err
