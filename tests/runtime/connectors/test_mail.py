"""Answers as e-mail, to a server of this machine."""

import json
import signal
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from lars2asp.runtime.connectors.addresses import destination_of

# ruff: noqa: N802 - the server calls methods by these names
from lars2asp.runtime.errors import InputError
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for

pytest.importorskip("aiosmtpd")

OK = "250 taken"

CERTIFICATES = Path(__file__).with_name("certificates")


class Server:
    """A server of mail.

    Attributes:
        mails: those that it took.
        recipients: those of each.
        answer: gives the answer to a mail; with 250 it is taken.
        to: gives the answer to a recipient.
        host: where it is.
    """

    def __init__(self, port: int) -> None:
        self.host = f"127.0.0.1:{port}"
        self.mails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.answer: Callable[[], str] = lambda: OK
        self.to: Callable[[str], str] = lambda _: OK

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, one: str, _options: Any) -> str:
        said = self.to(one)
        if said == OK:
            envelope.rcpt_tos.append(one)
        return said

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        said = self.answer()
        if said == OK:
            mail = message_from_bytes(envelope.content.replace(b"\r\n", b"\n"), policy=policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
            self.recipients.append(envelope.rcpt_tos)
        return said


@contextmanager
def mail_server(hostname: str = "127.0.0.1", **options: Any) -> Iterator[Server]:
    """A server, as long as the context lasts."""
    from aiosmtpd.controller import Controller  # noqa: PLC0415 - not every environment has it

    with free_port() as port:
        server = Server(port)
        controller = Controller(server, hostname=hostname, port=port, ready_timeout=60, **options)
        controller.start()
        try:
            yield server
        finally:
            controller.stop()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command of a run."""
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text("#tick 1 sec. alarm(X) :- p(X).")
    Path("in.jsonl").write_text("".join(f'{{"time": {i}, "facts": ["p(room{i})"]}}\n' for i in range(4)))
    Path("mail.txt").write_text("Subject: {X} is höt\n\nSince {time}.\n")
    return [*LARS2ASP, "run", "p.lars", "--input", "in.jsonl"]


def test_each_body_is_a_mail(run: list[str]) -> None:
    """Its first line is the subject. What is refused is a dead letter."""
    answers = iter(["451 later", OK, OK, "554 no", OK])
    with mail_server() as server:
        server.answer = lambda: next(answers)
        recipients = "ops@example.com,Night <night@example.com>"
        to = f"smtp://{server.host}?to={recipients}&from=Rules <rules@example.com>"
        done = completed([*run, "--output", to, "--output-body", "mail.txt", "--dead-letters", "dead.jsonl"])
    assert "451 later; lars2asp retries for 300 seconds" in done.stderr
    assert "takes answers again, after" in done.stderr
    assert [mail["Subject"] for mail in server.mails] == [f"room{i} is höt" for i in (0, 1, 3)]
    assert [mail.get_content() for mail in server.mails] == [f"Since {i}.\n" for i in (0, 1, 3)]
    assert server.mails[0]["From"] == "Rules <rules@example.com>"
    assert server.recipients == [["ops@example.com", "night@example.com"]] * 3
    assert len({mail["Message-ID"] for mail in server.mails}) == 3
    [letter] = [json.loads(line) for line in Path("dead.jsonl").read_text().splitlines()]
    assert letter["sent"] == "Subject: room2 is höt\n\nSince 2.\n"
    assert "554 no" in letter["reason"]


def test_without_bodies_lines_are_sent_together(run: list[str]) -> None:
    with mail_server() as server:
        server.to = lambda one: "550 gone" if one.startswith("gone") else OK
        completed([*run, "--output", f"smtp://{server.host}?to=gone@example.com,ops@example.com&from=a@b.c"])
        done = completed([*run, "--output", f"smtp://{server.host}?to=gone@example.com&from=a@b.c"], status=2)
    assert "the server refuses the recipients: 550 gone" in done.stderr
    text = "".join(mail.get_content() for mail in server.mails)
    assert text == completed(run).stdout
    assert sum(int(mail["Subject"].split()[0]) for mail in server.mails) == 4


def test_what_was_taken_is_not_sent_again(run: list[str]) -> None:
    """After TERM nothing, after KILL at most the mail that was under way."""
    Path("in.jsonl").write_text("".join(f'{{"time": {i}, "facts": ["p(room{i})"]}}\n' for i in range(60)))

    def slowly() -> str:
        time.sleep(0.01)
        return OK

    with mail_server() as server:
        server.answer = slowly
        sent = [*run, "--output", f"smtp://{server.host}?to=ops@example.com&from=a@b.c"]
        sent += ["--output-body", "mail.txt", "--checkpoint", "state", "--checkpoint-every", "10"]
        for how in (signal.SIGTERM, signal.SIGKILL):
            before = len(server.mails)
            with started(sent, stderr=subprocess.DEVNULL) as process:
                wait_for(lambda: len(server.mails) > before + 2, process)  # noqa: B023
                process.send_signal(how)
                process.wait()
        completed(sent)
    subjects = [mail["Subject"] for mail in server.mails]
    assert [*dict.fromkeys(subjects)] == [f"room{i} is höt" for i in range(60)]
    assert len(subjects) - 60 <= 1


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_users_need_their_passwords(run: list[str]) -> None:
    """They stand in no message."""
    from aiosmtpd.smtp import AuthResult  # noqa: PLC0415

    def checked(_server: Any, _session: Any, _envelope: Any, _kind: Any, data: Any) -> Any:
        is_right = (data.login, data.password) == (b"me@here", b"s3cret")
        return AuthResult(success=is_right, handled=is_right)

    options: dict[str, Any] = {"auth_require_tls": False, "auth_required": True, "authenticator": checked}
    Path("pw").write_text("s3cret\n")
    Path("wrong").write_text("s3crex\n")
    with mail_server(**options) as server:
        to = f"smtp://me%40here@{server.host}?to=ops@example.com&from=a@b.c&password-file="
        completed([*run, "--output", f"{to}pw"])
        done = completed([*run, "--output", f"{to}wrong"], status=2)
    assert "check user and password" in done.stderr
    assert "s3cre" not in done.stderr
    assert server.mails


@pytest.mark.parametrize("scheme", ["smtps", "smtp"])
def test_by_tls(run: list[str], scheme: str) -> None:
    """From the beginning, or from STARTTLS on; the authority of the certificate is given."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATES / "localhost.pem")
    options: dict[str, Any] = {"ssl_context": tls}
    if scheme == "smtp":
        options = {"tls_context": tls, "require_starttls": True}
    with mail_server(hostname="localhost", **options) as server:
        port = server.host.rpartition(":")[2]
        to = f"{scheme}://localhost:{port}?to=ops@example.com&from=a@b.c"
        to += "&starttls" if scheme == "smtp" else ""
        unknown = completed([*run, "--output", to], status=2)
        assert "certificate verify failed" in unknown.stderr
        assert not server.mails
        completed([*run, "--output", f"{to}&ca={CERTIFICATES / 'authority.pem'}"])
        completed([*run, "--output", f"{to}&insecure"])
        if scheme == "smtp":
            plain = completed([*run, "--output", to.removesuffix("&starttls")], status=2)
            assert "STARTTLS" in plain.stderr
    text = "".join(mail.get_content() for mail in server.mails)
    assert text == completed(run).stdout * 2


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("smtp://localhost", "mail needs one sender and recipients: add from= and to=, such as"),
        (
            "smtp://localhost?to=a@b&from=nobody",
            "mail needs one sender and recipients: add from= and to=, such as",
        ),
        ("smtp://localhost:10025?to=a@b", "mail needs one sender and recipients: add from= and to=, such as"),
        ("smtp://localhost?to=a@b&from=c@d&subject=x", "' is unknown here, or its value is wrong"),
        ("smtp://localhost/there?to=a@b&from=c@d", "without a path"),
        ("smtp://localhost?to=a@b&from=c@d&insecure", "add starttls, or write smtps"),
        (
            "smtp://me@mail.example.com?to=a@b&from=c@d",
            "lars2asp sends passwords over TLS only: add starttls, or write smtps",
        ),
        (
            "smtps://localhost?to=a@b&from=c@d&starttls",
            "smtps always uses TLS: remove starttls, or write smtp",
        ),
    ],
)
def test_wrong_addresses(address: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        destination_of(address)
    assert said in str(raised.value)


def test_a_server_that_is_not_there_is_tried_again(run: list[str]) -> None:
    with free_port() as port:
        to = f"smtp://127.0.0.1:{port}?to=a@b.c&from=d@e.f"
        done = completed([*run, "--output", to, "--retry-for", "1 sec"], status=2)
    assert "Connection refused" in done.stderr
