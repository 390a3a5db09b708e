"""The view of a run on a terminal; the clock is advanced by hand."""

import io
import re
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from lars2asp.runtime.answer import PreviousAnswer
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sinks.counters import Counters
from lars2asp.runtime.sinks.terminal_view import TerminalView
from lars2asp.runtime.sources.facts.atoms import Fact
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.support.processes import PATIENCE_SECONDS

SECOND = 1_000_000
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def showing(*predicates: str) -> str:
    """A program that shows what its input tells of some predicates."""
    return " ".join(f"#show {predicate}." for predicate in predicates) + " other :- others(_). "


@dataclass
class Watched:
    """A run and its view; a tick of the program is a second by the clock."""

    program: str
    width: int = 80
    height: int = 24
    timeline: Timeline = field(default_factory=Timeline)
    models: int = 1
    every: int | None = None
    counters: Counters | None = None
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        self.seconds = 0.0
        self.asked = 0
        self.file = io.TextIOWrapper(io.BytesIO(), self.encoding, write_through=True)
        self.console = Console(
            file=self.file,
            width=self.width,
            height=self.height,
            force_terminal=True,
            color_system="standard",
            legacy_windows=False,
            _environ={},
        )
        self.reasoner = Reasoner.from_text(self.program, models=self.models)
        self.given = PreviousAnswer(self.every, as_models=self.reasoner.session.gives_models)
        self.view = TerminalView(
            self.console,
            "line.lars",
            "host:",
            self._counters,
            self.timeline,
            counts_streams=self.reasoner.session.gives_models,
            clock=lambda: self.seconds,
            refreshes=None,
        )

    def _counters(self) -> Counters:
        self.asked += 1
        return self.counters or Counters(self.reasoner.now)

    def tell(self, tick: int, *facts: Fact, begin: Iterable[Fact] = (), end: Iterable[Fact] = ()) -> None:
        answer = self.given.given(self.reasoner.step(tick, facts, begin=begin, end=end))
        self.seconds = float(tick)
        if answer is not None:
            self.view.write(answer)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.view.picture().plain.split("\n")]

    @property
    def table(self) -> list[str]:
        """The lines of the table, with two blanks between the columns."""
        is_heading = re.compile("situation|answer stream").search
        number = next(number for number, line in enumerate(self.lines) if is_heading(line))
        return [re.sub("  +", "  ", line) for line in self.lines[number + 1 :]]

    @property
    def atoms(self) -> list[str]:
        """Marks and atoms alone."""
        return [line[:2] + line[2:].split("  ")[0] for line in self.table]

    def style_of(self, part: str) -> str:
        picture = self.view.picture()
        begin = picture.plain.index(part)
        return " ".join(str(span.style) for span in picture.spans if span.start <= begin < span.end)

    @property
    def written(self) -> str:
        buffer = self.file.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode(self.encoding)


def test_the_whole_view() -> None:
    run = Watched("hot(R) :- temp(R,C), C > 30. silent :- not temp(_,_) in [2].", timeline=Timeline(SECOND))
    run.tell(0, "temp(1,35)", "temp(2,20)")
    run.counters = Counters(0, facts=2, ticks=1, lag_seconds=0.3)
    assert run.lines == [
        "line.lars on host:                               1970-01-01 00:00:00 UTC  tick 0",
        "     - facts/s       - ticks/s  lag  0.3 s      0 waiting  0 rejected  0 late",
        "",
        "1 situation                                 since         for",
        "+ hot(1)                                 00:00:00         0 s",
    ]
    run.tell(1, "temp(1,36)", "temp(2,31)")
    for tick in range(2, 6):
        run.tell(tick)
    run.counters = Counters(5, facts=4, ticks=6, rejected=3, late=1, waiting=12, merged=2)
    assert run.lines[1].endswith("     12 waiting  3 rejected  1 late  2 merged")
    run.counters = Counters(5, facts=4, ticks=6, rejected=3, late=1, waiting=12, share=0.25)
    assert run.lines == [
        "line.lars on host:                               1970-01-01 00:00:05 UTC  tick 5",
        "   0.4 facts/s     1.0 ticks/s   25% read     12 waiting  3 rejected  1 late",
        "",
        "1 situation                                 since         for",
        "+ silent                                 00:00:04         1 s",
    ]


def test_what_begins_is_new_for_a_while_and_what_ends_is_shown_for_a_while() -> None:
    run = Watched("a(X) :- p(X).")
    run.tell(0, begin=["p(1)", "p(2)"])
    run.tell(1, begin=["p(3)"], end=["p(1)"])
    assert run.table == [
        "- a(1)  ended 1  1 tick",
        "+ a(2)  0  1 tick",
        "+ a(3)  1  0 ticks",
    ]
    assert run.style_of("- a(1)") == "dim"
    assert run.style_of("+ a(3)") == "bold cyan"
    run.seconds = 3.5
    assert run.atoms == ["- a(1)", "  a(2)", "+ a(3)"]
    assert run.style_of("  a(2)") == ""
    run.seconds = 4
    assert run.atoms == ["  a(2)", "  a(3)"]


def test_what_ends_and_begins_again_begins_anew() -> None:
    run = Watched("a :- p.")
    for tick, facts in enumerate([["p"], [], ["p"], ["p"]]):
        run.tell(tick, *facts)
    assert run.table == ["+ a  2  1 tick"]


def test_for_how_long_grows_without_answers() -> None:
    run = Watched("a :- p.", timeline=Timeline(SECOND))
    run.tell(0, begin=["p"])
    run.counters = Counters(3 * 3600 + 125)
    assert run.table == ["+ a  00:00:00  3 h 02 min"]


def test_what_held_before_the_first_answer_is_older_than_it() -> None:
    """Not all ticks have answers, and after an interruption the view begins anew."""
    run = Watched("a(X) :- p(X).", every=10, timeline=Timeline(SECOND))
    run.tell(8, begin=["p(1)"])
    run.tell(10, "p(2)")
    assert run.table == [
        "  a(1)  <00:00:10  >0 s",
        "+ a(2)  00:00:10  0 s",
    ]
    run.tell(20, end=["p(1)"])
    assert run.table == [
        "- a(1)  ended 00:00:20  >10 s",
        "- a(2)  ended 00:00:20  10 s",
    ]


def test_the_order_is_that_of_symbols() -> None:
    run = Watched(showing("b/0", "a/1", "c/2", "-a/1"))
    run.tell(0, "c(1,1)", "a(x)", "a(10)", "a(9)", "-a(1)", "b")
    assert run.atoms == ["+ b", "+ a(9)", "+ a(10)", "+ a(x)", "+ c(1,1)", "+ -a(1)"]


def test_terms_that_are_no_atoms() -> None:
    run = Watched(showing("p/1") + '#show (X,1) : p(X). #show X : p(X). #show "s" : p(X).', height=9)
    run.tell(0, "p(3)")
    assert run.atoms == ["+ 3", '+ "s"', "+ p(3)", "+ (3,1)"]
    run.tell(1, *(f"p({i})" for i in range(3, 9)))
    assert [line for line in run.atoms if "more" in line] == [
        "  ... and 5 more of p/1",
        "  ... and 12 more of terms that are no atoms",
    ]


@pytest.mark.parametrize(
    ("length", "tick", "now", "line"),
    [
        (SECOND, 50, 60, "12:00:50  10 s"),
        (SECOND, 50, 50 + 86400, "2026-03-01 12:00:50  1 d 00 h"),
        (SECOND // 10, 3, 5, "12:00:00.300  200 ms"),
        (SECOND // 10, 3, 15, "12:00:00.300  1.2 s"),
        (60 * SECOND, 2, 4, "12:02:00  2 min 00 s"),
        (86400 * SECOND, 1, 3, "2026-03-02 12:00:00  2 d 00 h"),
        (86400 * SECOND, 2**31 - 2, 2**31 - 1, "2147483646  1 d 00 h"),
        (None, 7, 8, "7  1 tick"),
    ],
)
def test_moments_and_lengths(length: int | None, tick: int, now: int, line: str) -> None:
    run = Watched("a :- p.", timeline=Timeline(length, origin=NOON))
    run.tell(tick, begin=["p"])
    run.counters = Counters(now)
    assert run.table[0].endswith("  " + line)


def test_moments_are_those_of_the_time_zone() -> None:
    zone = timezone(timedelta(hours=1), "CET")
    run = Watched("a :- p.", timeline=Timeline(SECOND, origin=NOON, zone=zone))
    run.tell(0, "p")
    assert run.lines[0].endswith("2026-03-01 13:00:00 CET  tick 0")
    assert "13:00:00" in run.table[0]


def test_moments_are_utc_without_a_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever that of the machine is."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "America/New_York")
        time.tzset()
        run = Watched("a :- p.", timeline=Timeline(SECOND, origin=NOON))
        run.tell(0, "p")
        assert run.lines[0].endswith("2026-03-01 12:00:00 UTC  tick 0")
    time.tzset()


def test_moments_are_as_exact_as_the_begin_of_ticks() -> None:
    run = Watched("a :- p.", timeline=Timeline(SECOND, origin=NOON.replace(microsecond=500_000)))
    run.tell(0, "p")
    assert "12:00:00.500" in run.table[0]


# --- room ---------------------------------------------------------------------------------------------


def test_where_there_are_more_situations_than_rows_each_predicate_has_its_share() -> None:
    """The situations that began last are shown, and how many more there are."""
    run = Watched(showing("a/1", "b/1", "c/1"), height=13)
    run.tell(0, begin=[f"b({i})" for i in range(99)])
    run.tell(1, begin=["c(0)", "c(1)", "c(2)", "a(1)"])
    run.tell(2, begin=["b(200)", "b(-1)"])
    assert run.lines[3].startswith("105 situations")
    assert run.atoms == [
        "+ a(1)",
        "+ b(-1)",
        "+ b(200)",
        "  ... and 99 more of b/1",
        "+ c(0)",
        "+ c(1)",
        "+ c(2)",
    ]


def test_where_there_are_more_predicates_than_rows_the_last_to_change_are_shown() -> None:
    run = Watched(showing(*(f"p{i}/1" for i in range(9))), height=9)
    for tick in range(9):
        run.tell(tick, begin=[f"p{tick}({i})" for i in range(tick + 1)])
    assert run.atoms == ["  p6/1: 7", "  p7/1: 8", "  p8/1: 9", "  ... and 21 more of 6 other predicates"]


def test_what_has_ended_gives_way() -> None:
    run = Watched(showing("p/1"), height=9)
    run.tell(0, begin=["p(1)", "p(2)", "p(3)"])
    run.tell(1, end=["p(1)"])
    run.tell(2, end=["p(2)"])
    assert run.atoms == ["- p(1)", "- p(2)", "+ p(3)"]
    run.tell(3, "p(4)", "p(5)")
    assert run.atoms == ["- p(2)", "  p(3)", "+ p(4)", "+ p(5)"]


def test_much_that_ends() -> None:
    run = Watched(showing("p/1"), height=9)
    for tick in range(300):
        run.tell(tick, *(f"p({tick * 10 + i})" for i in range(3)))
    assert len(run.atoms) == 4
    assert run.atoms[1:] == ["+ p(2990)", "+ p(2991)", "+ p(2992)"]


@pytest.mark.parametrize("width", [1, 2, 5, 20, 33, 60, 80, 200])
@pytest.mark.parametrize("height", [1, 2, 3, 5, 8, 24])
def test_the_view_fits_and_leaves_lines_free(width: int, height: int) -> None:
    run = Watched(showing("p/2", "q/1") + ":- none.", width, height, timeline=Timeline(SECOND, origin=NOON))
    many: list[Fact] = [("p", (i, "long " * i)) for i in range(40)]
    steps: list[list[Fact]] = [[], ["q(1)"], many, ["none"], [("q", "世界" * 30)]]
    for tick, facts in enumerate(steps):
        run.tell(tick, *facts)
        run.counters = Counters(tick, 10**7, 10**5, 10**4, 10**3, 1e6, 10**4)
        assert len(run.lines) <= max(height - (2 if height > 10 else 1), 1)
        assert all(cell_len(line) <= width for line in run.lines)
        with run.view:
            run.view.refresh()


def test_a_very_small_terminal() -> None:
    run = Watched(showing("long_name/1", "q/0"), 20, 5, timeline=Timeline(SECOND, origin=NOON))
    run.tell(0, "long_name(extraordinary)", "q")
    assert run.lines == ["line.la...  12:00:00", "2 situations", "+ q", "+ long_name(extra..."]


def test_a_narrow_terminal_leaves_out_since_when() -> None:
    run = Watched(showing("a/1"), 36, timeline=Timeline(SECOND, origin=NOON))
    run.tell(0, "a(1)")
    assert run.lines[-2:] == ["1 situation                      for", "+ a(1)                           0 s"]


def test_columns_do_not_shrink() -> None:
    """Nothing moves about when a long one comes and goes."""
    run = Watched(showing("p/1"), timeline=Timeline(SECOND))
    run.tell(0, "p(1)", f"p({'x' * 40})")
    before = [column.start() for column in re.finditer("since|for", run.lines[3])]
    run.tell(1, "p(2)")
    run.seconds = 10
    assert run.atoms == ["  p(2)"]
    assert [column.start() for column in re.finditer("since|for", run.lines[3])] == before


# --- answer streams -----------------------------------------------------------------------------------


def test_a_tick_without_answer_stream() -> None:
    run = Watched("a(X) :- p(X). :- q.", timeline=Timeline(SECOND))
    run.tell(0, begin=["p(1)"])
    run.tell(1, "q")
    run.tell(2, "q", "p(2)")
    assert run.lines[3].startswith("no answer stream since 00:00:01")
    assert run.style_of("no answer") == "bold red"
    assert run.style_of("for") == "dim"
    assert run.atoms == ["- a(1)"]
    run.tell(3)
    assert run.lines[3].startswith("1 situation ")
    assert run.atoms == ["+ a(1)"]


def test_without_moments_the_tick_is_named() -> None:
    run = Watched(":- q.")
    run.tell(4, "q")
    assert run.lines[3] == "no answer stream since tick 4"


def test_the_number_of_answer_streams() -> None:
    run = Watched("1 { a(X) : p(X) } 1.", models=0)
    run.tell(0, "p(1)", "p(2)", "p(3)")
    assert run.lines[3].startswith("1 situation in one of 3 answer streams")
    run.tell(1, "p(1)")
    assert run.lines[3].startswith("1 situation ")
    run.tell(2)
    assert run.lines[3].startswith("no answer stream")


# --- how far the run is -------------------------------------------------------------------------------


def test_rates_are_those_of_the_last_seconds() -> None:
    run = Watched("a :- p.")
    run.counters = Counters()
    assert run.lines[:2] == [
        f"line.lars on host:{'before the first tick':>62}",
        "     - facts/s       - ticks/s      0 waiting  0 rejected  0 late",
    ]
    for second in range(1, 21):
        run.seconds = float(second)
        run.counters = Counters(second, facts=second * 12_345, ticks=second * 200)
        rates = run.lines[1]
        assert rates.startswith(" 12.3k facts/s     200 ticks/s")
    found = []
    for second in range(21, 27):
        run.seconds = float(second)
        found.append(run.lines[1].split()[2])
    assert found == ["160", "120", "80.0", "40.0", "0.0", "0.0"]


@pytest.mark.parametrize(
    ("lag", "length", "text", "style"),
    [
        (0.04, SECOND, "lag  0.0 s", ""),
        (1.0, SECOND, "lag  1.0 s", ""),
        (1.5, SECOND, "lag  1.5 s", "yellow"),
        (1.5, 2 * SECOND, "lag  1.5 s", ""),
        (75.2, SECOND, "lag 1 min 15 s", "yellow"),
    ],
)
def test_a_lag_of_more_than_a_second_and_a_tick_stands_out(
    lag: float, length: int, text: str, style: str
) -> None:
    run = Watched("a.", timeline=Timeline(length))
    run.counters = Counters(3, lag_seconds=lag)
    assert text in run.lines[1]
    assert run.style_of(text) == style


def test_rejected_and_late_records_stand_out() -> None:
    run = Watched("a.")
    run.counters = Counters(3, rejected=2)
    assert run.style_of("2 rejected") == "yellow"
    assert run.style_of("0 late") == ""


# --- what is strange ----------------------------------------------------------------------------------


def test_atoms_are_shown_literally() -> None:
    run = Watched(showing("p/1"))
    run.tell(0, ("p", "[bold]x[/bold]"), ("p", ":smile:"), ("p", "[/]"))
    assert run.atoms == ['+ p(":smile:")', '+ p("[/]")', '+ p("[bold]x[/bold]")']


def test_nothing_steers_the_terminal() -> None:
    run = Watched(showing("p/1"))
    run.tell(0, ("p", "\x1b[2Jx\r\x07\u202e"))
    with run.view:
        pass
    assert run.table[0].startswith(r'+ p("\x1b[2Jx\r\x07\u202e")')
    assert "\x1b[2J" not in run.written
    assert not {"\x07", "\u202e"} & set(run.written)


def test_what_the_terminal_cannot_write_is_escaped() -> None:
    run = Watched(showing("p/1"), encoding="ascii")
    run.tell(0, ("p", "é"))
    with run.view:
        pass
    assert run.atoms == [r'+ p("\xe9")']


def test_long_atoms_are_cut() -> None:
    run = Watched(showing("p/1"), 40)
    run.tell(0, ("p", "x" * 10_000))
    (line,) = run.table
    assert line.startswith('+ p("xxxxxxxxxx') and "x...  " in line
    assert len(line) <= 40


# --- on the terminal ----------------------------------------------------------------------------------


def test_the_last_view_remains() -> None:
    run = Watched(showing("p/1"))
    with run.view:
        run.tell(0, "p(1)")
        run.view.refresh()
        run.tell(1, "p(2)")
    *_, last = run.written.split("line.lars on host:")
    assert "p(2)" in last
    assert "\x1b[?25h" in last  # the cursor is visible again


def test_where_there_is_no_terminal_the_view_is_written_once() -> None:
    file = io.StringIO()
    console = Console(file=file, width=60, height=20, _environ={})
    view = TerminalView(console, "a.lars", "-", Counters, Timeline(), clock=lambda: 0.0)
    reasoner = Reasoner.from_text(showing("p/1"))
    with view:
        for tick in range(5):
            view.write(reasoner.step(tick, [f"p({tick})"]))
            view.refresh()
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    assert lines[0].startswith("a.lars on -")
    assert lines[4].startswith("1 situation ")
    assert "+ p(4)" in [line[:6] for line in lines]
    assert len(lines) == 10


def test_to_take_an_answer_is_not_to_show_it() -> None:
    run = Watched(showing("p/1"))
    with run.view:
        asked, written = run.asked, run.written
        for tick in range(100):
            run.tell(tick, f"p({tick})")
        assert (run.asked, run.written) == (asked, written)
        run.view.refresh()
        assert (run.asked, run.written != written) == (asked + 1, True)


def test_what_a_smaller_terminal_has_broken_is_wiped_off() -> None:
    run = Watched(showing("p/1"))
    with run.view:
        run.console.width = 100
        run.view.refresh()
        assert "\x1b[2J" not in run.written
        run.console.width = 60
        run.view.refresh()
        assert run.written.count("\x1b[2J") == 1


def test_the_view_is_brought_up_to_date_without_answers() -> None:
    """Another thread does it, while answers come or not."""
    asked = threading.Semaphore(0)

    def counters() -> Counters:
        if threading.current_thread() is not threading.main_thread():
            asked.release()
        return Counters()

    console = Console(file=io.StringIO(), width=60, height=20, force_terminal=True, _environ={})
    reasoner = Reasoner.from_text(showing("p/1"))
    with TerminalView(console, "a.lars", "-", counters, Timeline(), refreshes=1000) as view:
        for tick in range(5):
            assert asked.acquire(timeout=PATIENCE_SECONDS)
            view.write(reasoner.step(tick, [f"p({i})" for i in range(tick * 50)]))
    assert "200 situations" in view.picture().plain


def test_a_run_of_an_example() -> None:
    program = (Path(__file__).parents[3] / "examples" / "host.lars").read_text()
    run = Watched(program, timeline=Timeline(SECOND, origin=NOON))
    for tick in range(12):
        run.tell(tick, "cpu(0,99)", "cpu(1,20)", "memory(95)", 'disk("/",91)')
    assert run.table == [
        "  short_memory  12:00:05  6 s",
        "+ busy(0)  12:00:09  2 s",
        '  full("/")  12:00:00  11 s',
    ]
