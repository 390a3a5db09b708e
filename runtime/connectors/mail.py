"""Answers as e-mail."""

import smtplib
import ssl
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr

from lars2asp.runtime.connectors.address_parts import authority_of
from lars2asp.runtime.connectors.message_destination import BrokerMessages
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.server import Kind, Server
from lars2asp.runtime.errors import InputError

SMTP = Kind(
    "smtp",
    "smtps",
    25,
    465,
    "smtps://user@mail.example.com?to=ops@example.com&from=rules@example.com&password-file=FILE",
    (),
    ("to", "from", "starttls", "ca", "insecure"),
    "",
)
ANSWER_SECONDS = 30.0
"""For how long an answer of the server is waited for."""

_SUBJECT = "subject:"
"""What begins a body whose first line is the subject."""

_LOCAL = ("127.0.0.1", "::1", "localhost")


class MailServer:
    """How to come to a server of mail.

    Args:
        server: where it is.
        name: what messages call it.

    Raises InputError for options that it cannot have.
    """

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self._name = name
        self._starts_tls = "starttls" in server.options
        [(host, _)] = server.hosts
        is_by_tls = server.is_secure or self._starts_tls
        if server.is_secure and self._starts_tls:
            raise InputError(f"{name}: smtps always uses TLS: remove starttls, or write smtp:")
        if not is_by_tls and {"ca", "insecure"} & {*server.options}:
            raise InputError(f"{name}: certificates need TLS: add starttls, or write smtps:")
        if server.user is not None and not is_by_tls and host not in _LOCAL:
            raise InputError(f"{name}: lars2asp sends passwords over TLS only: add starttls, or write smtps:")
        server.check_authority()

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What connections raise."""
        return smtplib.SMTPException, OSError

    def refusal(self, error: Exception) -> InputError | None:
        """What a server says that will not change; None for what may."""
        name = self._name
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            return InputError(
                f"{name}: the server refuses the recipients: {_said(*next(iter(error.recipients.values())))}"
            )
        if isinstance(error, smtplib.SMTPAuthenticationError) and error.smtp_code >= 500:
            return InputError(f"{name}: {_said(*error.args[:2])}: check user and password")
        if isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500:
            return InputError(f"{name}: the receiver refuses answers: {_said(*error.args[:2])}")
        if isinstance(error, smtplib.SMTPNotSupportedError | ssl.SSLCertVerificationError):
            return InputError(f"{name}: {error}")
        return None

    def connected(self) -> smtplib.SMTP:
        """A connection, in which the user is known. Raises one of `errors`."""
        server, [(host, port)] = self._server, self._server.hosts
        if server.is_secure:
            made: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=ANSWER_SECONDS, context=self._tls())
        else:
            made = smtplib.SMTP(host, port, timeout=ANSWER_SECONDS)
        try:
            if self._starts_tls:
                made.starttls(context=self._tls())
            if server.user is not None:
                made.login(server.user, server.password or "")
        except BaseException:
            made.close()
            raise
        return made

    def _tls(self) -> ssl.SSLContext:
        return authority_of(self._server.options)


class Mail(BrokerMessages):
    """Sends a mail for each body, or one for all lines that are sent at once; the server takes them.

    Where the first line of a body is `Subject: ...` it is the subject, and the text is behind it.

    Args:
        server: where mail is taken, from whom and to whom.
        posting: makes the bodies.

    Raises InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        options, name = server.options, server.name.rstrip("/")
        if server.topic or len(server.hosts) > 1:
            raise InputError(f"{name}: name one server, without a path: such as {SMTP.example}")
        senders, recipients = _addresses(options.get("from", "")), _addresses(options.get("to", ""))
        if len(senders) != 1 or not recipients:
            raise InputError(
                f"{name}: mail needs one sender and recipients: add from= and to=, such as {SMTP.example}"
            )
        self._server = MailServer(server, name)
        self._sender_and_recipients = senders[0], recipients
        super().__init__(name, self._server, posting)
        if self._posting.body is not None:
            self.most_lines = 1

    def _opened(self) -> "_Sending":
        return _Sending(self._server, *self._sender_and_recipients, has_bodies=self._posting.body is not None)


class _Sending:
    """Sends mail, by a connection for each batch: servers close those that are idle. See `Sender`."""

    def __init__(self, server: MailServer, sender: str, recipients: list[str], *, has_bodies: bool) -> None:
        self._server = server
        self._sender = sender
        self._recipients = recipients
        self._has_bodies = has_bodies

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """Sends mail."""
        try:
            yield from self._sent(payloads)
        except smtplib.SMTPResponseException as error:
            if error.smtp_code >= 500:
                raise
            raise ConnectionError(_said(*error.args[:2])) from error
        except smtplib.SMTPRecipientsRefused as error:
            temporary = [answer for answer in error.recipients.values() if answer[0] < 500]
            if not temporary:
                raise
            raise ConnectionError(_said(*temporary[0])) from error

    def _sent(self, payloads: Sequence[bytes]) -> Iterator[int]:
        with self._server.connected() as connection:
            if not self._has_bodies:
                subject = "1 answer" if len(payloads) == 1 else f"{len(payloads)} answers"
                connection.send_message(self._mail(subject, b"".join(one + b"\n" for one in payloads)))
                yield len(payloads)
                return
            for payload in payloads:
                first, _, rest = payload.partition(b"\n")
                if first[: len(_SUBJECT)].lower() == _SUBJECT.encode():
                    mail = self._mail(first[len(_SUBJECT) :].decode(), rest.removeprefix(b"\n"))
                else:
                    mail = self._mail(first.decode(), payload)
                connection.send_message(mail)
                yield 1

    def close(self) -> None:
        """No connection is left open."""

    def _mail(self, subject: str, text: bytes) -> EmailMessage:
        mail = EmailMessage()
        mail["From"], mail["To"] = self._sender, ", ".join(self._recipients)
        mail["Subject"] = " ".join("".join(one if one.isprintable() else " " for one in subject).split())
        mail["Date"] = formatdate(localtime=True)
        mail["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2].strip(">"))
        mail["Auto-Submitted"] = "auto-generated"  # so that nobody's absence is told in return
        mail.set_content(text.decode())
        return mail


def destination_at(scheme: str, rest: str, posting: Posting | None) -> Mail:
    """That of an address. Raises InputError."""
    return Mail(Server.of(SMTP, scheme, rest, is_read=False), posting)


def _addresses(text: str) -> list[str]:
    """The addresses in a list; none where one of them is not of its form."""
    found = [one.strip() for one in text.split(",")]
    return found if all("@" in parseaddr(one)[1] and one.isprintable() for one in found) else []


def _said(code: int, text: bytes | str) -> str:
    """An answer of a server, on one line."""
    words = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(words.split())}"
