"""A view of a run on a terminal, brought up to date in place.

host.lars on host:                              2026-03-01 12:00:41 UTC  tick 41
  12.0 facts/s     1.0 ticks/s  lag  0.3 s      0 waiting  0 rejected  0 late

2 situations                                since         for
+ busy(0)                                12:00:41         0 s
  busy(3)                                12:00:35         6 s
- full("/var")                     ended 12:00:39  1 min 19 s
"""

import sys
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.control import Control
from rich.live import Live
from rich.text import Text

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.externals.terms.text import NO_DECIMALS, Decimals
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sinks.counters import Counters
from lars2asp.runtime.sinks.rates import RateMeter, rate_text
from lars2asp.runtime.sinks.situations import Situation, Situations, ViewRow
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.source import shown

REFRESHES = 4.0
"""A second."""

SECOND = MICROSECONDS["sec"]

USUAL = ("no answer stream since 00:00:00", "ended 00:00:00", "1 min 00 s")
"""Texts for which the columns always have room."""

NEW, ENDED, PLAIN, QUIET = "bold cyan", "dim", "", "dim"
WARNING, ALARM, TITLE = "yellow", "bold red", "bold"


class Terminal(Console):
    """Standard output, the reader of which may go."""

    def on_broken_pipe(self) -> None:
        """Raises the error, in place of the end of the process."""
        raise BrokenPipeError


class TerminalView:
    """Shows the atoms that hold and since when, those that have just ended, and how far the run is.

    As a context manager it keeps the view on the terminal up to date, whether answers come or not; the last
    view remains. Messages on standard error appear above the view.

    Args:
        console: the terminal.
        program: the name of the program.
        source: the name of the source.
        counters: returns how far the run is; called at each refresh, by another thread.
        timeline: the moments of ticks.
        counts_streams: whether the number of answer streams is shown.
        decimals: how the numbers of predicates are written.
        clock: gives seconds that never go back.
        refreshes: the number in a second; None for `refresh` alone.
    """

    def __init__(
        self,
        console: Console,
        program: str,
        source: str,
        counters: Callable[[], Counters],
        timeline: Timeline,
        *,
        counts_streams: bool = False,
        decimals: Decimals = NO_DECIMALS,
        clock: Callable[[], float] = time.monotonic,
        refreshes: float | None = REFRESHES,
    ) -> None:
        self._console = console
        self._name = f"{program} on {source}"
        self._counters = counters
        self._times = _TickTimes(timeline)
        self._clock = clock
        self._situations = Situations(counts_streams=counts_streams, decimals=decimals)
        self._rates = RateMeter(2)
        self._widths = [*map(len, USUAL)]
        self._size = console.size
        self._is_open = False
        self._lock = Lock()
        """For the situations: answers come in one thread, and are shown in another."""
        self._live = Live(
            console=console,
            auto_refresh=refreshes is not None,
            refresh_per_second=refreshes or REFRESHES,
            get_renderable=self._in_place,
            redirect_stdout=sys.stdout.isatty(),
            redirect_stderr=sys.stderr.isatty(),
        )

    def __enter__(self) -> "TerminalView":
        self._is_open = True
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def write(self, answer: Answer) -> None:
        """Takes an answer, whose changes are those since the one written before; it is shown soon."""
        at = self._clock()
        with self._lock:
            self._situations.take(answer, at)

    def state(self) -> dict[str, Any]:
        """The situations, as JSON has them."""
        with self._lock:
            return self._situations.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state, before anything is taken."""
        with self._lock:
            self._situations.restore(state, self._clock())

    def refresh(self) -> None:
        """Brings the view up to date at once."""
        self._live.refresh()

    def picture(self) -> Text:
        """The current view. It fits the terminal and leaves room for a message and a prompt."""
        width, height = self._console.size
        at, counters = self._clock(), self._counters()
        self._rates.take(at, (counters.facts, counters.ticks))
        most = max(height - (2 if height > 10 else 1), 1)
        with self._lock:
            situations = self._situations
            last = situations.tick
            now = max((tick for tick in (counters.tick, last) if tick is not None), default=None)
            head = self._head(counters, now, width, most)
            rows = situations.rows(most - len(head) - 1, at)
            heading, style = self._heading(now or 0)
        lines = [*head, *self._table(heading, style, rows, now or 0, width)]
        for line in lines:
            line.truncate(width)
        return Text("\n", no_wrap=True, overflow="crop", end="").join(lines)

    def _in_place(self) -> Text:
        """The picture; where the terminal has become smaller it is cleared before."""
        if not self._is_open:
            return Text()
        before, self._size = self._size, self._console.size
        if self._console.is_terminal and any(map(int.__lt__, self._size, before)):
            self._console.control(Control.clear(), Control.home())
        return self.picture()

    # --- above the table ------------------------------------------------------------------------------

    def _head(self, counters: Counters, now: int | None, width: int, most: int) -> list[Text]:
        """The lines above the table, which keeps half of the room."""
        lines = [self._title(now, width), *_flow(self._figures(counters), width), Text()]
        room = most // 2 - 1
        return lines if len(lines) <= room else lines[: max(room, 0)]

    def _title(self, tick: int | None, width: int) -> Text:
        """Program and source, moment and tick; in a narrow terminal the end of that."""
        name = self._plain(self._name, width)
        forms = self._times.long(tick)
        when = next((form for form in forms if cell_len(name) + 2 + len(form) <= width), forms[-1])
        left = max(width - len(when) - 2, 0)
        name = _cut(name, left) if left >= 4 else ""
        gap = max(width - cell_len(name) - len(when), 0)
        return Text.assemble((name, TITLE), " " * gap, when)

    def _figures(self, counters: Counters) -> list[tuple[str, str]]:
        """Rates and counts with their styles, of constant width if they are not too large."""
        facts, ticks = map(rate_text, self._rates.rates)
        found = [(f"{facts:>6} facts/s", PLAIN), (f"{ticks:>6} ticks/s", PLAIN)]
        if counters.share is not None:
            found.append((f"{counters.share:>4.0%} read", PLAIN))
        lag = counters.lag_seconds
        if lag is not None:
            is_behind = lag > max(self._times.tick_seconds, 1)
            text = f"{lag:.1f} s" if lag < 10 else _duration(int(lag) * SECOND)
            found.append((f"lag {text:>6}", WARNING if is_behind else PLAIN))
        found.append((f"{counters.waiting:>5} waiting", PLAIN))
        for count, name in ((counters.rejected, "rejected"), (counters.late, "late")):
            found.append((f"{count} {name}", WARNING if count else PLAIN))
        if counters.merged:
            found.append((f"{counters.merged} merged", PLAIN))
        if counters.unfit:
            found.append((f"{counters.unfit} unfit", PLAIN))
        return found

    # --- the table ------------------------------------------------------------------------------------

    def _heading(self, now: int) -> tuple[str, str]:
        """The heading of the table, and its style."""
        situations = self._situations
        if situations.tick is None:
            return "no situations yet", QUIET
        if situations.unsatisfiable_since is not None:
            return f"no answer stream since {self._times.named(situations.unsatisfiable_since, now)}", ALARM
        text = _counted(len(situations), "situation")
        if situations.streams > 1:
            text += f" in one of {situations.streams} answer streams"
        return text, PLAIN

    def _table(self, heading: str, style: str, rows: list[ViewRow], now: int, width: int) -> list[Text]:
        cells = [self._cells(row, now, width) for row in rows]
        head = _RowCells(heading, self._times.since, "for", style)
        wide = [head, *(each for each in cells if each.since)]
        for column, least in enumerate(self._widths):  # they never shrink, so that nothing moves about
            self._widths[column] = max(least, *(cell_len(each[column]) for each in wide))
        columns = self._fitted(width)
        if columns[2] and rows and cell_len(heading) <= columns[0] + 2:
            lines = [self._line("", head, columns, is_heading=True)]
        else:
            lines = [Text(_cut(heading, width), style)]
        for row, each in zip(rows, cells, strict=True):
            if isinstance(row, Situation):
                mark = "+ " if row.is_new else "  " if row.end is None else "- "
                lines.append(self._line(mark, each, columns))
            else:
                lines.append(Text(_cut("  " + each.atom, width), each.style))
        return lines

    def _fitted(self, width: int) -> tuple[int, int, int]:
        """The widths of the columns in a terminal of a width; 0 for those that are left out."""
        atom, widest, lasting = self._widths
        for since in (widest, 0):
            room = width - 4 - lasting - (since + 2 if since else 0)
            if room >= 16:
                return min(atom, room), since, lasting
        return max(width - 2, 1), 0, 0

    def _line(
        self, mark: str, cells: "_RowCells", widths: tuple[int, int, int], *, is_heading: bool = False
    ) -> Text:
        atom_width = widths[0] + (2 if is_heading else 0)
        line = Text().append(mark + set_cell_size(_cut(cells.atom, atom_width), atom_width), cells.style)
        for text, width in zip((cells.since, cells.lasting), widths[1:], strict=True):
            if width:
                line.append(f"  {text:>{width}}", QUIET if is_heading else cells.style)
        return line

    def _cells(self, row: ViewRow, now: int, width: int) -> "_RowCells":
        times = self._times
        if isinstance(row, Situation):
            since = times.short(row.begin, now)
            lasting = times.duration((now if row.end is None else row.end) - row.begin)
            if row.end is not None:
                since = f"ended {times.short(row.end, now)}"
            elif row.is_older:
                since = f"<{since}"
            if row.is_older:
                lasting = f">{lasting}"
            style = ENDED if row.end is not None else NEW if row.is_new else PLAIN
            return _RowCells(self._plain(row.atom, width), since, lasting, style)
        if row.name is None:
            text = f"... and {row.number} more of {_counted(row.predicates, 'other predicate')}"
        else:
            text = f"{row.name}: {row.number}" if row.is_all else f"... and {row.number} more of {row.name}"
        return _RowCells(text, "", "", QUIET)

    def _plain(self, text: str, width: int) -> str:
        """The visible part of a text: nothing that steers the terminal, and only what it can write."""
        encoding = self._console.encoding
        return shown(text, width).encode(encoding, "backslashreplace").decode(encoding)


class _RowCells(NamedTuple):
    atom: str
    since: str
    lasting: str
    style: str


class _TickTimes:
    """Ticks as people read them: moments in the timeline's zone, if ticks have a length."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        length = timeline.tick_length
        self._length = length
        self.tick_seconds = (length or 0) / SECOND
        self.since = "since tick" if length is None else "since"

    def long(self, tick: int | None) -> list[str]:
        """Moment and tick, and shorter forms of that."""
        if tick is None:
            return ["before the first tick", "-"]
        number = f"tick {tick}"
        moment = self._timeline.local(tick)
        if moment is None:
            return [number]
        time_of_day = moment.time().isoformat(self._timeline.precision)
        date, zone = moment.date().isoformat(), moment.tzname()
        return [f"{date} {time_of_day} {zone}  {number}", f"{time_of_day}  {number}", time_of_day]

    def short(self, tick: int, now: int) -> str:
        """The moment of a tick, seen from a later one."""
        moment, present = self._timeline.local(tick), self._timeline.local(now)
        if moment is None:
            return str(tick)
        time_of_day = moment.time().isoformat(self._timeline.precision)
        is_today = present is not None and moment.date() == present.date()
        return time_of_day if is_today else f"{moment.date().isoformat()} {time_of_day}"

    def named(self, tick: int, now: int) -> str:
        """The same, in a sentence."""
        return self.short(tick, now) if self._timeline.local(tick) is not None else f"tick {tick}"

    def duration(self, ticks: int) -> str:
        """The length of some ticks."""
        return _counted(ticks, "tick") if self._length is None else _duration(ticks * self._length)


def _duration(microseconds: int) -> str:
    """In the two largest units that matter."""
    seconds, part = divmod(microseconds, SECOND)
    if part and not seconds:
        return f"{microseconds / MICROSECONDS['msec']:.3g} ms"
    if part and seconds < 10:
        return f"{microseconds / SECOND:.3g} s"
    units = (86400, "d"), (3600, "h"), (60, "min"), (1, "s")
    for (size, name), (next_size, next_name) in pairwise(units):
        if seconds >= size:
            return f"{seconds // size} {name} {seconds % size // next_size:02} {next_name}"
    return f"{seconds} s"


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _cut(text: str, width: int) -> str:
    """A text in a width."""
    if cell_len(text) <= width:
        return text
    if width <= 3:
        return set_cell_size(text, max(width, 0))
    return f"{set_cell_size(text, width - 3).rstrip()}..."


def _flow(parts: list[tuple[str, str]], width: int) -> list[Text]:
    """Lines of parts with two blanks between them."""
    lines: list[Text] = []
    for text, style in parts:
        if lines and lines[-1].cell_len + 2 + len(text) <= width:
            lines[-1].append("  ").append(text, style)
        else:
            lines.append(Text(text, style))
    return lines
