"""The section of RESULTS.md on late answers at growing rates, from the file of `throughput`."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from experiments.kept_results import read_machines
from experiments.reporting.figures import digest, link_of
from experiments.reporting.provenance import machine_text
from experiments.throughput import curves, latency
from experiments.throughput.events import RULE, WINDOW
from experiments.throughput.latency import Latency, by_system, read, sustained

NAME = latency.NAME
TITLE = "How many events a second, and how late are answers?"
COMMAND = "`python -m experiments throughput`"


def section(folder: Path) -> Sequence[str]:
    """The paragraphs; none without a file."""
    found = read(folder)
    if not found:
        return []
    tick = " or ".join(f"{one:g} milliseconds" for one in sorted({one.tick for one in found}))
    machines = "; ".join(map(machine_text, read_machines(folder, NAME)))
    return [
        f"## {TITLE}",
        "**Question.** Orders and payments arrive by the clock on standard input, and answers leave on "
        f"standard output. The systems find the pairs of an item within {WINDOW} ticks of each other. In "
        f"lars2asp the rule is `{RULE}` A tick takes {tick}. The delay of an answer is the time from its "
        f"tick to its last pair. It is noted for {_numbers(found)} ticks. Then the rate grows, until the "
        "99th percentile exceeds a tick: the system does not keep up. Before the timing all systems find the "
        "pairs of a plain loop.",
        f"![{TITLE}]({link_of(NAME)})",
        f"**Result** ({COMMAND}; `experiments/results/{NAME}.csv`). The table shows milliseconds to the last "
        "answer of a tick: the median / the 99th percentile over ticks. Italics: it exceeds a tick.",
        table(found),
        f"**Conclusion** ({COMMAND}). {follows(found)}",
        "**Limits.** The sender of the events and the reader of the answers run on the same machine. Other "
        "rules cost more or less, as the sections above show. A system may keep up with a rate between two "
        "of these. We wrote Ticker's encoding after its paper.",
        f"**Measured.** Single runs, each rate once. {COMMAND} on: {machines}.",
    ]


def _numbers(found: Sequence[Latency]) -> str:
    return " or ".join(f"{one:,}" for one in sorted({one.ticks for one in found}))


def table(found: Sequence[Latency]) -> str:
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


def follows(found: Sequence[Latency]) -> str:
    """The rates that systems sustain, the highest first, and whether a higher rate was tried."""
    systems = by_system(found)
    rates = sustained(found)
    said = []
    for system, rate in sorted(rates.items(), key=lambda one: -one[1]):
        if systems[system][-1].is_sustained:
            said.append(f"{system} keeps up with {rate:,} events a second, the highest rate tried")
        elif rate:
            said.append(f"{system} keeps up with {rate:,} events a second")
        else:
            said.append(f"{system} does not keep up with {systems[system][0].rate:,} events a second")
    return " ".join([f"{'; '.join(said)}.", *_where_all_keep_up(found)])


def _where_all_keep_up(found: Sequence[Latency]) -> Sequence[str]:
    """The delays at the highest rate that every system sustains; nothing if there is none."""
    systems = by_system(found)
    common = set.intersection(*({one.rate for one in own if one.is_sustained} for own in systems.values()))
    if not common or len(systems) == 1:
        return []
    rate = max(common)
    medians = sorted((one.median, one.system) for one in found if one.rate == rate)
    late = ", ".join(f"{_late(middle)} ms in {system}" for middle, system in medians)
    return [f"All keep up with {rate:,} events a second; the median delay over ticks is then {late}."]


def figure_digest(folder: Path) -> str:
    """The digest of the points, which the figure bears."""
    return digest([[one.system, one.tick, one.rate, one.median, one.high] for one in read(folder)])


def draw(folder: Path, figures: Path) -> Path:
    """Draws the curves; gives the path of the SVG."""
    return curves.draw(figures, read(folder), TITLE, figure_digest(folder))
