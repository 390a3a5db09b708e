"""Snapshots: all that the answers to come depend on, as bytes.

Values stand in a table of terms, and rows refer to them by their places in it. A snapshot bears
the version of its format and a checksum.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from lars2asp.runtime.errors import EvaluationError, EvaluatorError, OtherFormatError, SnapshotError
from lars2asp.syntax.source import shown

_FORMATS = "lars2asp-snapshot-"

FORMAT = f"{_FORMATS}6"

_BEFORE = f"{_FORMATS}5"
"""The format of earlier versions, whose states are read as well."""


def packed(state: Mapping[str, Any]) -> bytes:
    """A line with format, checksum and length, and the state, which JSON can hold."""
    body = json.dumps(state, separators=(",", ":")).encode()
    return f"{FORMAT} {_checksum(body)} {len(body)}\n".encode() + body


def unpacked(data: bytes) -> dict[str, Any]:
    """The state in a snapshot. Raises SnapshotError; OtherFormatError for one of another version."""
    head, _, body = data.partition(b"\n")
    words = head.decode(errors="replace").split(" ")
    is_known = words[0] in (FORMAT, _BEFORE)
    if not is_known and words[0].startswith(_FORMATS):
        raise OtherFormatError(
            f"the snapshot is in the format {shown(words[0])}, but this version of lars2asp reads "
            f"{FORMAT}: use the version that made it"
        )
    if not is_known:
        raise SnapshotError(f"this is not a snapshot of the format {FORMAT}")
    if words[1:] != [_checksum(body), str(len(body))]:
        raise SnapshotError("the snapshot is damaged: its checksum does not match")
    with restoring():
        state = json.loads(body)
        if not isinstance(state, dict):
            raise TypeError("it is not an object")
    return state


@contextmanager
def restoring() -> Iterator[None]:
    """An error within the context means that a state is not as it must be: SnapshotError.

    Errors of evaluators, which speak of the program, stay as they are.
    """
    try:
        yield
    except (SnapshotError, EvaluationError, EvaluatorError):
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise SnapshotError(f"the content of the snapshot is inconsistent ({what})") from error


def _checksum(body: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415 - runs that keep nothing start sooner without

    return sha256(body).hexdigest()
