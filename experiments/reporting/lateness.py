"""The section of the page on how late answers are at growing rates, from the file of `throughput`."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from experiments.kept_results import read_machines
from experiments.reporting.figures import digest
from experiments.reporting.report import machine_text
from experiments.throughput import curves, latency
from experiments.throughput.events import RULE, WINDOW
from experiments.throughput.latency import Latency, by_system, read, sustained

NAME = latency.NAME
TITLE = "How much can come in a second, and how late are answers?"
COMMAND = "`python -m experiments throughput`"


def section(folder: Path) -> Sequence[str]:
    """The paragraphs; none where nothing was measured."""
    found = read(folder)
    if not found:
        return []
    tick = " or ".join(f"{one:g} milliseconds" for one in sorted({one.tick for one in found}))
    machines = "; ".join(map(machine_text, read_machines(folder, NAME)))
    return [
        f"## {TITLE}",
        "**Asked.** Orders and payments come by the clock on standard input, and answers are read from "
        f"standard output: which ones of an item lie within {WINDOW} ticks of each other, in lars2asp "
        f"`{RULE}` A tick takes {tick}. How long after the time of a tick its last answer is there is noted "
        f"for {_numbers(found)} ticks. Then the rate grows, until the 99th percentile exceeds a tick: the "
        "system does not keep up. Before that all find the pairs of a plain loop.",
        f"![{TITLE}](figures/{NAME}.svg)",
        f"**Seen** ({COMMAND}; `experiments/results/{NAME}.csv`). Milliseconds to the last answer of a tick: "
        "the median / the 99th percentile, in italics where that exceeds a tick.",
        _table(found),
        f"**What follows** ({COMMAND}). {_follows(found)}",
        "**Not shown.** A system with a machine for itself: what sends the events and reads the answers runs "
        "beside it. Other rules: what a fact costs differs from rule to rule, as the sections above show. "
        "Rates between two points: a system may keep up with one of them as well. Ticker's encoding is "
        "written here after its paper.",
        f"Measured by {COMMAND} on: {machines}.",
    ]


def _numbers(found: Sequence[Latency]) -> str:
    return " or ".join(f"{one:,}" for one in sorted({one.ticks for one in found}))


def _table(found: Sequence[Latency]) -> str:
    systems = by_system(found)
    rates = sorted({one.rate for one in found})
    lines = [
        f"| events a second | {' | '.join(systems)} |",
        "| ---: |" + " ---: |" * len(systems),
    ]
    for rate in rates:
        cells = [next(map(_cell, (one for one in own if one.rate == rate)), "-") for own in systems.values()]
        lines.append(f"| {rate:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(one: Latency) -> str:
    text = f"{_late(one.median)} / {_late(one.high)}"
    return text if one.is_sustained else f"*{text}*"


def _late(milliseconds: float) -> str:
    if not isfinite(milliseconds):
        return "never"
    return f"{milliseconds:,.0f}" if milliseconds >= 100 else f"{milliseconds:.2g}"


def _follows(found: Sequence[Latency]) -> str:
    """What each sustains, the most first; whether that is all that was tried."""
    systems = by_system(found)
    rates = sustained(found)
    said = []
    for system, rate in sorted(rates.items(), key=lambda one: -one[1]):
        if systems[system][-1].is_sustained:
            said.append(f"{system} keeps up with {rate:,} events a second, the most that was tried")
        elif rate:
            said.append(f"{system} keeps up with {rate:,} events a second")
        else:
            said.append(f"{system} does not keep up with {systems[system][0].rate:,} events a second")
    return " ".join([f"{'; '.join(said)}.", *_where_all_keep_up(found)])


def _where_all_keep_up(found: Sequence[Latency]) -> Sequence[str]:
    """How late answers are at the highest rate that every system sustains; nothing if there is none."""
    systems = by_system(found)
    common = set.intersection(*({one.rate for one in own if one.is_sustained} for own in systems.values()))
    if not common or len(systems) == 1:
        return []
    rate = max(common)
    medians = sorted((one.median, one.system) for one in found if one.rate == rate)
    late = ", ".join(f"{_late(middle)} ms in {system}" for middle, system in medians)
    return [f"At {rate:,} events a second, with which all keep up, the median is {late}."]


def figure_digest(folder: Path) -> str:
    """That of what is drawn, which the figure bears."""
    return digest([[one.system, one.tick, one.rate, one.median, one.high] for one in read(folder)])


def draw(folder: Path, figures: Path) -> Path:
    """Draws the curves; gives the path of the SVG."""
    return curves.draw(figures, read(folder), TITLE, figure_digest(folder))
