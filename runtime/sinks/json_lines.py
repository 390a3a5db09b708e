"""Answers as JSON lines."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TextIO

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.terms.text import Decimals, atom_text, atom_texts
from lars2asp.externals.views import RowChanges, TickChanges
from lars2asp.runtime.answer import Answer, texts_of_changes
from lars2asp.runtime.held_texts import HeldTexts
from lars2asp.runtime.revisions import Revision
from lars2asp.runtime.sinks.change_lines import change_lines
from lars2asp.runtime.sinks.emission import Emission
from lars2asp.runtime.sources.text.text_files import not_written
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import STEERING


def json_line(value: Any, separators: tuple[str, str] | None = None) -> str:
    """A value as one line of JSON; characters that steer a terminal, or the order of text, are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=separators)
    if "\x7f" in text or not text.isascii():
        text = STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f"{text}\n"


class JsonLines:
    """Writes answers, one JSON object a line, atoms in clingo's order of symbols.

    Attributes:
        is_first: whether no answer was written yet.
    """

    def __init__(self, output: TextIO, emission: Emission, *, is_first: bool = True) -> None:
        self._output = output
        self._emission = emission
        self.is_first = is_first
        self._held: HeldTexts | None = None
        """The atoms of the answer written last, as JSON has them; None where this sink has written none."""

    def write(self, answer: Answer) -> None:
        """Writes a line for an answer; see `Sink`."""
        self.write_all((answer,))

    def write_all(self, answers: Iterable[Answer]) -> None:
        """Writes a line for each of several answers; see `Sink`."""
        self._put(map(self._next_line, answers))

    @property
    def takes_changes(self) -> bool:
        """Whether lines behind the first one have nothing else of answers in blocks than what changed."""
        return self._emission.changes and not self._emission.models

    def write_changes(self, changes: Sequence[TickChanges], decimals: Decimals) -> None:
        """Writes a line for each tick, as `write_all` does behind the first one. Raises the same."""
        lines = change_lines(changes, decimals, self._at)
        if lines is None:
            lines = (self._changed_line(tick, changed, decimals) for tick, changed in changes)
        self._put(["".join(lines)])

    def revise(self, revisions: Sequence[Revision], decimals: Decimals) -> None:
        """Writes a line for each interval at which something else holds than was written.

        Raises what `write` raises.
        """
        self._held, self.is_first = None, False
        self._put(self._revised(revision, decimals) for revision in revisions)

    def finish(self, tick: int) -> None:
        """Writes that all up to a tick is final. Raises what `write` raises."""
        self._put([f'{{"final": {tick}{self._at(tick)}}}\n'])

    def close(self) -> None:
        """Each line is whole: nothing is left to write."""

    def state(self) -> None:
        """There is nothing else to know."""

    def restore(self, state: None) -> None:
        """There is nothing else to know."""

    def _put(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._output.write(line)
            self._output.flush()  # whoever reads along sees it at once
        except OSError as error:
            raise not_written(self._output, error) from error

    def _revised(self, revision: Revision, decimals: Decimals) -> str:
        atom, first, last, holds = revision
        parts: dict[str, Any] = {"revised": None if atom is None else atom_text(*atom, decimals)}
        parts |= {"from": first, "to": last}
        times = self._emission.times
        if times is not None:
            parts |= {"from_at": times(first), "to_at": None if last is None else times(last)}
        return json_line(parts | {"satisfiable" if atom is None else "holds": holds})

    def _next_line(self, answer: Answer) -> str:
        line = self._line(answer)
        self.is_first = False
        return line

    def _at(self, tick: int) -> str:
        """The time of a tick, to be written behind it."""
        times = self._emission.times
        return "" if times is None else f', "at": {json.dumps(times(tick))}'

    def _changed_line(self, tick: int, changed: RowChanges, decimals: Decimals) -> str:
        began, ended = map(_array, texts_of_changes(changed, decimals))
        return f'{{"time": {tick}{self._at(tick)}, "began": {began}, "ended": {ended}}}\n'

    def _line(self, answer: Answer) -> str:
        parts = [f'"time": {answer.tick}{self._at(answer.tick)}']
        if not answer.satisfiable:
            parts.append('"satisfiable": false')
            if answer.timed_out:
                parts.append('"timeout": true')
        if self._emission.models:
            parts.append(f'"models": [{", ".join(_array(model.texts) for model in answer.models)}]')
        elif not self._emission.changes:
            parts.append(f'"atoms": {self._all_atoms(answer)}')
        elif self.is_first:
            parts.append(f'"began": {_array(answer.holds.texts)}, "ended": []')
        else:
            began, ended = map(_array, answer.changed_texts())
            parts.append(f'"began": {began}, "ended": {ended}')
        if answer.cost is not None:
            pairs = [f"[{priority}, {cost}]" for priority, cost in answer.cost]
            parts.append(f'"cost": [{", ".join(pairs)}]')
        return f"{{{', '.join(parts)}}}\n"

    def _all_atoms(self, answer: Answer) -> str:
        """All atoms that hold, put together from texts that are kept and those of atoms that began."""
        held = self._held
        if held is None:
            held = self._held = HeldTexts(answer.holds.rows, partial(_escaped, answer.holds.decimals), '", "')
        else:
            held.change(answer.row_changes)
        joined = held.joined()
        return f'["{joined}"]' if joined else "[]"


def _escaped(decimals: Decimals, signature: Signature, rows: Sequence[Row]) -> list[str]:
    """Atoms of one predicate as JSON has them between quotes; what is usual needs no escapes."""
    texts = atom_texts(signature, rows, decimals)
    together = "".join(texts)
    if together.isprintable() and "\\" not in together and '"' not in together:
        return texts
    return json_line(texts, ("\n", ":"))[2:-3].split('"\n"')


def _array(texts: Sequence[str]) -> str:
    """Texts as an array of JSON; what is usual needs no escapes, and takes one look for all."""
    if not texts:
        return "[]"
    joined = '", "'.join(texts)
    if joined.isprintable() and "\\" not in joined and joined.count('"') == 2 * len(texts) - 2:
        return f'["{joined}"]'
    return json_line(texts).removesuffix("\n")
