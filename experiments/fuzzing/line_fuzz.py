"""Mutated lines of input between good ones, read as a user's file is."""

import io
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property
from random import Random
from zoneinfo import ZoneInfo

from experiments.fuzzing.mutation import change_characters, change_tokens
from experiments.fuzzing.outcomes import Finding, FuzzOutcome
from experiments.fuzzing.supervision import Enter
from experiments.fuzzing.valid_lines import HEADER, WORDS, valid_line
from lars2asp.externals.terms.terms import GroundAtom, constant
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import TIME_ALONE, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.parser import parse_input_declaration

BAD_LINES = 50
"""Mutated lines in a case; before each stands a good one, and one at the end."""

SLOW = 2.0
"""A line that takes more seconds than this is a finding."""

LONGEST_REASON = 1010
DECLARATIONS = (
    "reading(room, temp*10, text(id), constant(kind)) at time",
    "seen(int(n), room) at time",
)
TIMELINES = (
    Timeline(1_000_000, zone=UTC),
    Timeline(1_000_000, TimeUnit.SEC),
    Timeline(1_000, TimeUnit.MSEC),
    Timeline(1, TimeUnit.SEC),
    Timeline(86_400_000_000, zone=ZoneInfo("Europe/Vienna")),
    Timeline(),
)
PROGRAM = """
    #tick 1 sec.
    got(N) :- good(N).
    got(R) :- reading(R,_,_,_).
    recent(X) :- p(X) in [3].
    still(X) :- on(X) always in [2].
    often(X) :- q(X,_) at least 2 in [5].
    many(N) :- N = #count { X,Y : q(X,Y) }.
"""


@dataclass(frozen=True)
class LineFuzz:
    """Cases of mutated lines, a file each."""

    seed: int

    @property
    def limits(self) -> Mapping[str, float]:
        """Seconds for one line, and for what follows the last."""
        return {"line": 10.0}

    @property
    def lenient(self) -> frozenset[str]:
        """No line may take long."""
        return frozenset()

    def has_no_end(self, case: int) -> bool:
        """No line takes for ever."""
        return False

    def text(self, case: int, stage: str) -> str:
        """The line that a stage such as `line:7` is of."""
        lines = _File(self.seed, case).lines
        return lines[min(int(stage.split(":")[1]), len(lines)) - 1]

    def run(self, case: int, enter: Enter) -> FuzzOutcome:
        """Reads one file."""
        return _Run(_File(self.seed, case), case, enter).outcome()


class _File:
    """The lines of a case, and what is good among them."""

    def __init__(self, seed: int, case: int) -> None:
        random = Random(f"{seed} lines {case}")
        self.format = list(Format)[case % 3]
        self.is_run = case // 3 % 4 == 0
        self.timeline = TIMELINES[0] if self.is_run else random.choice(TIMELINES)
        self.has_bad_header = self.format is Format.CSV and case % 10 == 0
        self.good: dict[str, tuple[int, GroundAtom]] = {}
        written = [_mutated(random, HEADER, [HEADER], self.format) if self.has_bad_header else HEADER]
        if self.format is not Format.CSV:
            written = []
        for number in range(BAD_LINES + 1):
            text, atom = _good(self.format, number)
            self.good[text] = number, atom
            written.append(text)
            if number < BAD_LINES:
                others = [valid_line(random, self.format, number) for _ in range(3)]
                written.append(_mutated(random, others[0], others, self.format))
        end = random.choice(("\n", "\n", "\n", "\r\n"))
        data = end.join(written).encode("utf-8", "surrogatepass")
        # as lars2asp.runtime.sources.text.text_files opens a file
        self.lines = list(
            io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape", newline="")
        )

    def good_at(self, number: int) -> tuple[int, GroundAtom] | None:
        """Time and atom of the line with a number if it is a good one."""
        return self.good.get(self.lines[number - 1].rstrip("\r\n"))

    @cached_property
    def reading(self) -> Reading:
        """The options with which the file is read."""
        return Reading(self.format, self.timeline, tuple(map(parse_input_declaration, DECLARATIONS)))


def _good(format_: Format, number: int) -> tuple[str, GroundAtom]:
    atom = GroundAtom(Signature("good", 1), (number,))
    match format_:
        case Format.JSONL:
            return json.dumps({"time": number, "facts": [f"good({number})"]}), atom
        case Format.FACTS:
            return f"{number}: good({number})", atom
        case _:  # a table: its quotes end a quote that was left open before
            room = f"good {number}"
            row = (room, 215, "x", constant("ok"))
            return f'{number},"{room}",21.5,x,ok,{number}', GroundAtom(Signature("reading", 4), row)


def _mutated(random: Random, text: str, others: list[str], format_: Format) -> str:
    for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
        if random.random() < 0.5:
            text = change_characters(random, text, others)
        else:
            text = change_tokens(random, text, others, WORDS[format_])
    return text


class _Run:
    """One reading of a file."""

    def __init__(self, file: _File, case: int, enter: Enter) -> None:
        self._file = file
        self._case = case
        self._enter = enter
        self._line = 0
        self._began = time.perf_counter()
        self._outcome = FuzzOutcome()
        self._taken: Counter[int] = Counter()
        self._rejected: Counter[int] = Counter()
        self._arrived: set[GroundAtom] = set()

    def outcome(self) -> FuzzOutcome:
        """The outcome of reading it."""
        file = self._file
        try:
            records = self._records()
            if file.is_run:
                self._reason(records)
            else:
                for record in records:
                    for signature, rows in record.events.facts:
                        self._arrived.update(GroundAtom(signature, row) for row in rows)
        except InputError as error:
            self._check_reason(str(error).replace("\n  #input ", " #input "))  # proposes a declaration below
            if not file.has_bad_header:
                self._find("a bad line stops the run", str(error))
            self._outcome.counts["tables without a header that can be read"] += 1
            return self._outcome
        self._note_time()
        for number in range(1, len(file.lines) + 1):
            self._judge(number)
        return self._outcome

    def _find(self, kind: str, detail: str, text: str | None = None) -> None:
        shown = self._file.lines[self._line - 1] if text is None and self._line else text or ""
        self._outcome.findings.append(Finding(f"{self._file.format}: {kind}", self._case, detail, shown))

    def _lines(self) -> Iterator[str]:
        for number, line in enumerate(self._file.lines, start=1):
            self._note_time()
            self._line = number
            self._enter(f"line:{number}", line)
            self._began = time.perf_counter()
            yield line

    def _note_time(self) -> None:
        if self._line:
            seconds = time.perf_counter() - self._began
            text = self._file.lines[self._line - 1]
            self._outcome.took(f"line of {self._file.format}", seconds, text)
            if seconds > SLOW:
                self._find("slow line", f"{seconds:.1f} s")

    def _records(self) -> Iterator[Record]:
        """The records; a Reasoner gets none that lies ahead of the good lines around it."""
        now = 0
        for record in self._file.reading.records(self._lines(), "file", self._reject):
            line = record.origin.line if record.origin else 0
            if record.events is not TIME_ALONE:  # else the line was rejected
                self._taken[line] += 1
            good = self._file.good_at(line)
            now = record.tick if good else now
            yield record._replace(tick=now) if self._file.is_run and record.tick > now else record

    def _reject(self, rejected: Rejected) -> None:
        line = rejected.origin.line
        self._rejected[line] += 1
        self._check_reason(rejected.reason)

    def _check_reason(self, reason: str) -> None:
        if not reason.strip():
            self._find("no reason", "")
        elif "\n" in reason:
            self._find("a reason of several lines", reason)
        elif not reason.isprintable():
            self._find("a reason that is not printable", ascii(reason))
        elif len(reason) > LONGEST_REASON:
            self._find("a long reason", reason[:60])

    def _reason(self, records: Iterator[Record]) -> None:
        """Runs a program, which says of the good lines that it got them."""
        for answer in Reasoner.from_text(PROGRAM).run(records, on_reject=self._reject, emit="every"):
            _, atom = _good(self._file.format, answer.tick)
            is_got = atom_text(Signature("got", 1), atom.row[:1]) in answer.holds.texts
            if is_got or not answer.satisfiable:  # p and -p at one tick have no answer
                self._arrived.add(atom)
            self._outcome.counts["ticks"] += 1
            self._outcome.counts["ticks without an answer"] += not answer.satisfiable

    def _judge(self, number: int) -> None:
        """Whether a line was taken or rejected once, as it should."""
        line, taken, rejected = self._file.lines[number - 1], self._taken[number], self._rejected[number]
        format_, counts = self._file.format, self._outcome.counts
        good = self._file.good_at(number)
        is_csv = format_ is Format.CSV
        if is_csv and (number == 1 or self._file.has_bad_header):
            return
        if good is not None:
            counts["good lines"] += 1
            if good[1] not in self._arrived or rejected:
                self._find(
                    "a good line is lost", f"line {number}", "".join(self._file.lines[number - 2 : number])
                )
            return
        counts[f"{format_} lines"] += 1
        is_passed_over = not line.strip() or (format_ is Format.FACTS and line.lstrip().startswith("%"))
        if self._file.is_run and rejected and taken:
            taken = 0  # it was read, but does not fit the stream
        if taken + rejected != 1 and not ((is_csv or is_passed_over) and taken + rejected == 0):
            self._find("a line is not counted once", f"taken {taken}, rejected {rejected}", line)
        counts["taken"] += taken
        counts["rejected"] += rejected
        counts["blank, comments, within rows"] += taken + rejected == 0
