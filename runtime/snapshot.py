"""Snapshots: all that the answers to come depend on, as bytes.

Atoms stand in a table of symbols, and everything else refers to them by their places in it. A snapshot bears
the version of its format and a checksum.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from lars2asp.source import shown
from runtime.errors import SnapshotError

_FORMATS = "lars2asp-snapshot-"

FORMAT = f"{_FORMATS}3"


def packed(state: Mapping[str, Any]) -> bytes:
    """A line with format, checksum and length, and the state, which JSON can hold."""
    body = json.dumps(state, separators=(",", ":")).encode()
    return f"{FORMAT} {sha256(body).hexdigest()} {len(body)}\n".encode() + body


def unpacked(data: bytes) -> dict[str, Any]:
    """The state in a snapshot. Raises SnapshotError."""
    head, _, body = data.partition(b"\n")
    words = head.decode(errors="replace").split(" ")
    if words[0] != FORMAT:
        other = words[0] if words[0].startswith(_FORMATS) else "something else"
        raise SnapshotError(f"this is no snapshot of the format {FORMAT}, but {shown(other)}")
    if words[1:] != [sha256(body).hexdigest(), str(len(body))]:
        raise SnapshotError("the snapshot is damaged: its checksum is another")
    state: dict[str, Any] = json.loads(body)
    return state
