"""Answers as JSON lines."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

from clingo import Symbol

from runtime.answer import Answer


@dataclass(frozen=True)
class Emission:
    """How answers are written.

    Attributes:
        delta: what was added and removed since the line before, in place of all atoms.
        models: all answer streams that were found, in place of the one followed.
    """

    delta: bool = False
    models: bool = False


class JsonLines:
    """Writes answers, one JSON object a line, atoms in clingo's order of symbols.

    Attributes:
        is_first: whether no answer was written yet.
    """

    def __init__(self, output: TextIO, emission: Emission, *, is_first: bool = True) -> None:
        self._output = output
        self._emission = emission
        self.is_first = is_first

    def write(self, answer: Answer) -> None:
        """Writes a line for an answer, the changes of which are those since the one written before."""
        self._output.write(json.dumps(self._line(answer), ensure_ascii=False) + "\n")
        self._output.flush()  # whoever reads along sees it at once
        self.is_first = False

    def _line(self, answer: Answer) -> dict[str, Any]:
        line: dict[str, Any] = {"time": answer.tick}
        if not answer.satisfiable:
            line["satisfiable"] = False
            if answer.timed_out:
                line["timeout"] = True
        if self._emission.models:
            line["models"] = [_texts(model) for model in answer.models]
        elif self._emission.delta:
            line["added"] = _texts(answer.symbols if self.is_first else answer.added)
            line["removed"] = _texts(() if self.is_first else answer.removed)
        else:
            line["atoms"] = _texts(answer.symbols)
        return line


def _texts(symbols: Iterable[Symbol]) -> list[str]:
    return [str(symbol) for symbol in symbols]
