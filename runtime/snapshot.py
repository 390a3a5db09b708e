"""Snapshots: all that the answers to come depend on, as bytes.

Atoms stand in a table of texts, and everything else refers to them by their places in it. A snapshot bears
the version of its format and a checksum.
"""

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any

from clingo import parse_term

from externals.symbols import key_of, symbol_of
from runtime.errors import SnapshotError

FORMAT = "lars2asp-snapshot-3"


class Symbols:
    """Numbers symbols, given by their keys."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def number(self, key: int) -> int:
        """The number of a symbol."""
        return self._numbers.setdefault(key, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """The symbols in the order of their numbers, as text."""
        return [str(symbol_of(key)) for key in self._numbers]


class Texts:
    """The symbols that texts stand for."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self.key = cache(self._key)

    def _key(self, number: int) -> int:
        key: int = key_of(parse_term(self._texts[number]))
        return key


def packed(state: Mapping[str, Any]) -> bytes:
    """A line with format, checksum and length, and the state, which JSON can hold."""
    body = json.dumps(state, separators=(",", ":")).encode()
    return f"{FORMAT} {sha256(body).hexdigest()} {len(body)}\n".encode() + body


def unpacked(data: bytes) -> dict[str, Any]:
    """The state in a snapshot. Raises SnapshotError."""
    head, _, body = data.partition(b"\n")
    words = head.decode(errors="replace").split(" ")
    if words[0] != FORMAT:
        raise SnapshotError(f"this is no snapshot of the format {FORMAT}")
    if words[1:] != [sha256(body).hexdigest(), str(len(body))]:
        raise SnapshotError("the snapshot is damaged: its checksum is another")
    state: dict[str, Any] = json.loads(body)
    return state
