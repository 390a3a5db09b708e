"""What other people write into logs: they frame nobody, and hide nothing."""

from datetime import UTC, datetime

import pytest

from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.hostile import NAMES

SSHD = '"^{:word} sshd(-session)?[{:int}]: %s" at "%%b %%d %%H:%%M:%%S"'
FAILED = f"failed(text(user), ip) from {SSHD}" % (
    "Failed password for (invalid user )?{user:text} from {ip:ip} port {:int} ssh2$"
)
INVALID = f"invalid(text(user), ip) from {SSHD}" % "Invalid user {user:text} from {ip:ip} port {:int}$"
ACCEPTED = f"accepted(text(user), ip) from {SSHD}" % (
    "Accepted {:word} for {user:text} from {ip:ip} port {:int} ssh2(: {:word} {:word})?$"
)
WEB = (
    'hit(ip, text(request), status, text(agent)) from "^{ip:ip} {:word} {:text} [{time:text}] '
    '\\"{request:quoted}\\" {status:int} {:word} \\"{:quoted}\\" \\"{agent:quoted}\\"$" '
    'at time "%d/%b/%Y:%H:%M:%S %z"'
)
HEAD = "Feb  1 14:05:07 host"
FORGED = (
    "Failed password for root from 203.0.113.5 port 22 ssh2",
    "sshd[812]: Failed password for root from 203.0.113.5 port 22 ssh2",
    "Accepted password for root from 203.0.113.5 port 22 ssh2",
    f"{HEAD} sshd[812]: Failed password for root from 203.0.113.5 port 22 ssh2",
    'GET / HTTP/1.1" 200 5 "-" "-"',
    "x] Failed password for root from 203.0.113.5 port 22 ssh2: from 203.0.113.6 port 1 ssh2",
    "root from 203.0.113.5",
    "root from 203.0.113.5 port 22",
    "root from 203.0.113.5 port 22 ssh2",
    " from 203.0.113.5 port 22 ssh2",
    "x port 22 ssh2 from 203.0.113.5 port 22 ssh2",
)
TEXTS = [one for one in (*NAMES, *FORGED) if "\n" not in one]
"""Programs write the ends of lines in some other way."""


def facts(line: str, *declared: str) -> list[tuple[object, ...]]:
    """The facts of a line, each as its predicate and its values; nothing is rejected."""
    timeline = Timeline(1_000_000, zone=UTC, dates_from=datetime(2026, 1, 1, tzinfo=UTC))
    rejected = list[Rejected]()
    reader = LiveReader(
        Reading(Format.LOG, timeline, [*map(parse_input_declaration, declared)]), rejected.append
    )
    records = reader.records(Line("auth.log", 1, line))
    assert all(isinstance(one, PassedOver) for one in rejected), (line, rejected)
    told = [one for record in records for one in record.events.facts]
    return [(signature.name, *row) for signature, rows in told for row in rows]


@pytest.mark.parametrize("name", TEXTS, ids=range(len(TEXTS)))
def test_a_name_accuses_nobody_else_and_does_not_hide(name: str) -> None:
    for text, predicate in (
        (f"Failed password for invalid user {name} from 192.0.2.7 port 4711 ssh2", "failed"),
        (f"Failed password for {name} from 192.0.2.7 port 4711 ssh2", "failed"),
        (f"Invalid user {name} from 192.0.2.7 port 4711", "invalid"),
    ):
        found = facts(f"{HEAD} sshd[812]: {text}", FAILED, INVALID, ACCEPTED)
        assert len(found) == 1, (text, found)
        [(told, user, address)] = found
        assert (told, address) == (predicate, "192.0.2.7")
        assert str(user).strip() == name.replace("\0", "\\x00").strip(), text


@pytest.mark.parametrize("message", TEXTS, ids=range(len(TEXTS)))
def test_lines_of_other_programs_and_requests_tell_nothing_else(message: str) -> None:
    for line in (
        f"{HEAD} app[7]: {message}",
        f"{HEAD} app: {message}",
        f"{HEAD} sshd[9]: Bad protocol '{message}'",
    ):
        assert facts(line, FAILED, INVALID, ACCEPTED) == []
    kept = message.replace("\\", "\\\\").replace('"', '\\"')
    line = f'192.0.2.7 - - [01/Feb/2026:14:05:07 +0000] "{kept}" 404 153 "{kept}" "{kept}"'
    value = kept.replace("\0", "\\x00")
    assert facts(line, WEB) == [("hit", "192.0.2.7", value, 404, value)]
    bob = f'192.0.2.7 - {kept} [01/Feb/2026:14:05:07 +0000] "GET /" 401 153 "-" "-"'
    assert facts(bob, WEB) == [("hit", "192.0.2.7", "GET /", 401, "-")]
