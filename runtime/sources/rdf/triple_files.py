"""Files of triples become records."""

from collections.abc import Iterable, Iterator, Sequence

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.rdf.timed_triples import Timed
from lars2asp.runtime.sources.rdf.triple_facts import Made, TripleFacts
from lars2asp.runtime.sources.rdf.triple_texts import DocumentTriples, LineTriples, Part, StatementTriples
from lars2asp.runtime.sources.records import OnReject, Record, Rejected
from lars2asp.runtime.sources.text.numbered_lines import FileLines, LinePosition, numbered

Texts = LineTriples | StatementTriples | DocumentTriples


class RereadLines(FileLines):
    """The lines of a file that is always read from its beginning: later ones rest on those before.

    Attributes:
        first: the first line of which records are given.
    """

    first = 1

    def begin(self, place: LinePosition) -> None:
        """Gives no records of lines before a place."""
        self.first = place.line
        self.end_head()

    def place(self, line: int) -> LinePosition:
        """A line, whatever its place. Raises InputError for what cannot be read again."""
        if not self._stream.seekable():
            raise InputError(
                "triples from a pipe can be read only once, so there are no checkpoints for them: name a "
                "file, or remove --checkpoint"
            )
        return LinePosition(line)


def texts_of(form: str, name: str, most: int) -> Texts:
    """What reads a format, called as pyoxigraph calls it. Raises InputError where that is missing."""
    if form == "JSON_LD":
        return DocumentTriples(name)
    return LineTriples(name, form) if form.startswith("N_") else StatementTriples(name, form, most)


def read_triples(
    lines: Iterable[str], texts: Texts, facts: TripleFacts, on_reject: OnReject
) -> Iterator[Sequence[Record]]:
    """The records of the triples in lines, some at a time; see `Reading.blocks`."""
    numbers = numbered(lines)
    triples = facts.timed()
    first = numbers.first if isinstance(numbers, RereadLines) else 1

    def records(parts: Iterable[Part], *, is_end: bool = False) -> Iterator[Sequence[Record]]:
        timed = Timed()
        for part in parts:
            if isinstance(part, Rejected):
                timed.reject(part)
            else:
                facts.take(part, triples, timed)
        if is_end:
            triples.end(timed)
        in_columns = isinstance(numbers, FileLines) and numbers.in_columns
        made = facts.records(timed.behind(first) if first > 1 else timed, in_columns=in_columns)
        yield from in_turn(made, on_reject)

    while True:
        if isinstance(numbers, FileLines):
            given = numbers.several()
        else:
            given = [line.encode(errors="surrogateescape") for line in [next(numbers, "")] if line]
        if not given:
            break
        yield from records(texts.parts(given, numbers.number + 1 - len(given)))
    yield from records(texts.end(), is_end=True)


def in_turn(made: Made, on_reject: OnReject) -> Iterator[Sequence[Record]]:
    """Records; what is rejected is handed on when the records before it were taken."""
    records, rejected = made
    begin = 0
    for place, one in rejected:
        if place > begin:
            yield records[begin:place]
            begin = place
        on_reject(one)
    if len(records) > begin:
        yield records[begin:] if begin else records
