"""Answers as e-mail.

smtp://HOST?to=A,B&from=C           smtps://user@HOST?...: the same over TLS
    &starttls&password-file=FILE&ca=FILE&insecure
"""

import smtplib
import ssl
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr

from lars2asp.runtime.connectors.address import LOCAL, Address, Form, authority_of
from lars2asp.runtime.connectors.connector import OutputConnector
from lars2asp.runtime.connectors.delivering import MOST_LINES
from lars2asp.runtime.connectors.message_destination import MessageDestination
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError

SMTP = Form(
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


class Mail(OutputConnector):
    """Sends a mail for each body, or one for all lines that are sent at once; the server takes them.

    If the first line of a body is `Subject: ...` it is the subject, and the text is behind it. Each batch has
    a connection of its own: servers close those that are idle.

    Args:
        text: the address.
        has_bodies: whether each message is a body.

    Raises InputError for options that it cannot have.
    """

    errors = smtplib.SMTPException, OSError

    def __init__(self, text: str, *, has_bodies: bool) -> None:
        self._address = address = Address.of(SMTP, text, is_read=False)
        options, self.name = address.options, address.name.rstrip("/")
        if address.topic or len(address.hosts) > 1:
            raise InputError(f"{self.name}: name one server, without a path: such as {SMTP.example}")
        senders, recipients = _addresses(options.get("from", "")), _addresses(options.get("to", ""))
        if len(senders) != 1 or not recipients:
            raise InputError(
                f"{self.name}: mail needs one sender and recipients: add from= and to=, such as "
                f"{SMTP.example}"
            )
        self._sender, self._recipients = senders[0], recipients
        self._has_bodies = has_bodies
        self.all_or_none = not has_bodies
        self._starts_tls = "starttls" in options
        is_by_tls = address.is_secure or self._starts_tls
        if address.is_secure and self._starts_tls:
            raise InputError(f"{self.name}: smtps always uses TLS: remove starttls, or write smtp:")
        if not is_by_tls and {"ca", "insecure"} & {*options}:
            raise InputError(f"{self.name}: certificates need TLS: add starttls, or write smtps:")
        if address.user is not None and not is_by_tls and address.hosts[0][0] not in LOCAL:
            raise InputError(
                f"{self.name}: lars2asp sends passwords over TLS only: add starttls, or write smtps:"
            )
        authority_of(options)

    def refusal(self, error: Exception) -> InputError | None:
        """See Connector."""
        name = self.name
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

    def _connected(self) -> smtplib.SMTP:
        """A connection, in which the user is known. Raises one of `errors`."""
        address, [(host, port)] = self._address, self._address.hosts
        tls = authority_of(address.options)
        if address.is_secure:
            made: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=ANSWER_SECONDS, context=tls)
        else:
            made = smtplib.SMTP(host, port, timeout=ANSWER_SECONDS)
        try:
            if self._starts_tls:
                made.starttls(context=tls)
            if address.user is not None:
                made.login(address.user, address.password or "")
        except BaseException:
            made.close()
            raise
        return made

    def open(self) -> None:
        """No connection is left open."""

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """See OutputConnector."""
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
        with self._connected() as connection:
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

    def _mail(self, subject: str, text: bytes) -> EmailMessage:
        mail = EmailMessage()
        mail["From"], mail["To"] = self._sender, ", ".join(self._recipients)
        mail["Subject"] = " ".join("".join(one if one.isprintable() else " " for one in subject).split())
        mail["Date"] = formatdate(localtime=True)
        mail["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2].strip(">"))
        mail["Auto-Submitted"] = "auto-generated"  # so that nobody's absence is told in return
        mail.set_content(text.decode())
        return mail


def output_at(text: str, posting: Posting | None) -> MessageDestination:
    """The destination of an address. Raises InputError."""
    has_bodies = posting is not None and posting.body is not None
    return MessageDestination(Mail(text, has_bodies=has_bodies), posting, 1 if has_bodies else MOST_LINES)


def _addresses(text: str) -> list[str]:
    """The addresses in a list; none where one of them is not of its form."""
    found = [one.strip() for one in text.split(",")]
    return found if all("@" in parseaddr(one)[1] and one.isprintable() for one in found) else []


def _said(code: int, text: bytes | str) -> str:
    """An answer of a server, on one line."""
    words = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(words.split())}"
