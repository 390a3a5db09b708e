"""Answers as JSON lines."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

from clingo import Symbol

from runtime.answer import Answer


@dataclass(frozen=True)
class Emission:
    """Which answers are written, and how.

    Attributes:
        every: 1 for each tick, N for the ticks that N divides, None for ticks whose answer differs from
            the one before (before the first, the empty answer).
        delta: what was added and removed since the line before, in place of all atoms.
        models: all answer streams that were found, in place of the one followed.
    """

    every: int | None = None
    delta: bool = False
    models: bool = False


class JsonLines:
    """Writes answers, one JSON object a line, atoms in clingo's order of symbols."""

    def __init__(self, output: TextIO, emission: Emission) -> None:
        self._output = output
        self._emission = emission
        self._last: Answer | None = None

    def write(self, answer: Answer) -> None:
        """Writes a line for the answer, which must follow the one before, if it is to be written."""
        every = self._emission.every
        if self._differs(answer) if every is None else answer.tick % every == 0:
            self._output.write(json.dumps(self._line(answer), ensure_ascii=False) + "\n")
            self._output.flush()  # whoever reads along sees it at once
            self._last = answer

    def _differs(self, answer: Answer) -> bool:
        """Whether an answer differs from the one before, which was written if it differed."""
        last = self._last
        if self._emission.models:
            return set(answer.models) != ({()} if last is None else set(last.models))
        return answer.is_changed or answer.satisfiable != (last is None or last.satisfiable)

    def _line(self, answer: Answer) -> dict[str, Any]:
        line: dict[str, Any] = {"time": answer.tick}
        if not answer.satisfiable:
            line["satisfiable"] = False
        if self._emission.models:
            line["models"] = [_texts(model) for model in answer.models]
        elif self._emission.delta:
            is_first = self._last is None
            changes = answer if self._last is None else answer.after(self._last)
            line["added"] = _texts(answer.symbols if is_first else changes.added)
            line["removed"] = _texts(() if is_first else changes.removed)
        else:
            line["atoms"] = _texts(answer.symbols)
        return line


def _texts(symbols: Iterable[Symbol]) -> list[str]:
    return [str(symbol) for symbol in symbols]
