"""Pictures of streams and windows as SVG, drawn from the text of a page.

`stream_picture` draws a block of input and answers: dots for input, bars for the atoms of the answers.
`window_picture` draws the ticks that windows cover; it asks lars2asp, so the picture cannot be wrong.
One unit of a picture is one pixel on a page that is 420 px wide, and no text is below 12 units.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from lars2asp import Reasoner

WIDTH = 388
LANE = 24
CHARACTER = 7.5
"""The width of a letter of the names of lanes."""

NOW, LAST, BOX, ROW = 13, 15, 23.5, 58

_LINE = re.compile(r"(\d+) ?(->|:)\s*(.*)")
_STEPS = [factor * 10**power for power in range(12) for factor in (1, 2, 5)]

STYLE = """
.ink{fill:#1f2937}.weak{fill:#4b5563}.dot{fill:#6b7280}.bar,.hit{fill:#f59e0b}.span{fill:#fef3c7}
.empty{fill:#f3f4f6}.now{fill:#b91c1c}.grid{stroke:#d1d5db}
@media(prefers-color-scheme:dark){.ink{fill:#e5e7eb}.weak{fill:#b6bdc9}.dot{fill:#9ca3af}.bar,.hit{fill:#fbbf24}
.span{fill:#4a3f1d}.empty{fill:#2b3038}.now{fill:#fca5a5}.grid{stroke:#4b5563}}
"""
"""The colours of a picture in a file of its own; pages have theirs in extra.css."""


class NotDrawnError(ValueError):
    """A block that has no picture; the text says why."""


@dataclass
class Lanes:
    """A stream as lanes: the ticks of each input atom, and the spans of each atom of the answers."""

    dots: dict[str, list[int]] = field(default_factory=dict)
    bars: dict[str, list[list[int]]] = field(default_factory=dict)
    end: int = 1

    def __len__(self) -> int:
        return len(self.dots) + len(self.bars)


def atoms(text: str) -> list[str]:
    """The atoms of a list such as `p(a,b), q`: commas within brackets or quotes separate nothing."""
    parts, depth, quoted = [""], 0, False
    for sign in re.findall(r"\\.|.", text):
        quoted ^= sign == '"'
        depth += 0 if quoted else (sign in "([") - (sign in ")]")
        if sign == "," and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def lanes_of(text: str) -> Lanes:
    """Reads a block of input lines `10: p(1), q` and answer lines `12 -> r`.

    Raises:
        NotDrawnError: the block has other lines, no answers, or several answers at a tick.
    """
    lanes, answers, ticks = Lanes(), list[tuple[int, list[str]]](), [0]
    for line in filter(None, map(str.strip, text.splitlines())):
        found = _LINE.fullmatch(line)
        if found is None:
            raise NotDrawnError(f"not a line of a stream: {line[:40]}")
        tick, listed = int(found[1]), found[3].strip()
        ticks.append(tick)
        if found[2] == ":":
            for atom in atoms(listed):
                lanes.dots.setdefault(atom, []).append(tick)
        elif listed.startswith("{") or listed == "none":
            raise NotDrawnError("several answers, or none")
        else:
            answers.append((tick, atoms(listed)))
    if not answers:
        raise NotDrawnError("no answers")
    lanes.end = max(ticks) + 1
    for (begin, held), (end, _) in pairwise([*answers, (lanes.end, [])]):
        for atom in held:
            spans = lanes.bars.setdefault(atom, [])
            if spans and spans[-1][1] == begin:
                spans[-1][1] = end
            else:
                spans.append([begin, end])
    return lanes


def stream_picture(text: str, unit: str = "ticks", *, most: int = 16) -> str:
    """A stream and its answers as one SVG element.

    Args:
        text: the lines of the block.
        unit: the length of a tick, for the axis.
        most: a block with more lanes has no picture.

    Raises:
        NotDrawnError: the block has no picture.
    """
    lanes = lanes_of(text)
    if not 0 < len(lanes) <= most:
        raise NotDrawnError(f"{len(lanes)} lanes")
    longest = max(map(len, [*lanes.dots, *lanes.bars]))
    if longest * CHARACTER > WIDTH - 8:
        raise NotDrawnError("a name is longer than the picture")
    above = 16 + CHARACTER * longest > WIDTH * 0.45
    left, lane = (8.0, 2 * LANE - 6) if above else (16 + CHARACTER * longest, LANE)
    scale, height = (WIDTH - left - 12) / lanes.end, 44 + lane * len(lanes)
    widest = max(30.0, 8.0 * len(str(lanes.end)) + 8)
    step = next(step for step in _STEPS if step * scale >= widest)
    drawn = [f'<text x="{WIDTH - 4}" y="13" text-anchor="end" class="weak">{escape(unit)}</text>']
    for tick in range(0, lanes.end + 1, step):
        x = left + tick * scale
        middle = min(x, WIDTH - 4 * len(str(tick)) - 2)
        drawn += [
            f'<line x1="{x:.1f}" y1="38" x2="{x:.1f}" y2="{height - 4}" class="grid"/>',
            f'<text x="{middle:.1f}" y="33" text-anchor="middle" class="weak">{tick}</text>',
        ]
    for place, atom in enumerate([*lanes.dots, *lanes.bars]):
        y = 40 + lane * (place + 1) - LANE
        drawn.append(f'<text x="4" y="{y - 2 if above else y + 16}" class="ink mono">{escape(atom)}</text>')
        if place < len(lanes.dots):
            drawn += (
                f'<circle cx="{left + tick * scale:.1f}" cy="{y + 12}" r="5" class="dot"/>'
                for tick in lanes.dots[atom]
            )
        else:
            drawn += (
                f'<rect x="{left + begin * scale:.1f}" y="{y + 4}" height="16" rx="3" class="bar"'
                f' width="{max(5.0, (end - begin) * scale):.1f}"/>'
                for begin, end in lanes.bars[atom]
            )
    return _svg(WIDTH, height, drawn, _spoken(lanes, unit))


def window_picture(rows: Sequence[tuple[str, str]], at: Iterable[int] = (), begin: int | None = None) -> str:
    """The ticks that windows cover, seen from tick 13, as one SVG element.

    Args:
        rows: windows with their captions.
        at: the ticks of events; if there are none, an atom holds at every tick.
        begin: the tick at which `b` begins, for `[since b]`.
    """
    events = {*at}
    facts = {
        tick: ["p"] * (not events or tick in events) + ["b"] * (tick == begin) for tick in range(NOW + 1)
    }
    width, height = BOX * (LAST + 1) + 12, 40 + ROW * len(rows)
    drawn = [
        f'<text x="{6 + BOX * (NOW + 0.5):g}" y="18" text-anchor="middle" class="now strong">now</text>',
        *(
            f'<text x="{6 + BOX * (tick + 0.5):g}" y="34" text-anchor="middle"'
            f' class="{"now strong" if tick == NOW else "weak"}">{tick}</text>'
            for tick in range(LAST + 1)
        ),
    ]
    spoken = []
    for place, (window, caption) in enumerate(rows):
        covered = covered_ticks(window, facts)
        spoken.append(f"{window} covers {', '.join(map(str, sorted(covered))) or 'no tick'}")
        drawn += _row(40 + ROW * place, window, caption, covered, events)
    return _svg(width, height, drawn, f"Seen from tick {NOW}: {'; '.join(spoken)}")


def covered_ticks(window: str, facts: Mapping[int, Sequence[str]]) -> set[int]:
    """The ticks of `p` that a window covers at tick 13."""
    reasoner = Reasoner.from_text(f"w(T) :- p at T in {window}. #show w/1.", start=0)
    held: tuple[str, ...] = ()
    for tick in range(NOW + 1):
        held = reasoner.step(tick, facts.get(tick, [])).holds.texts
    return {int(atom[2:-1]) for atom in held}


def sliding_picture() -> str:
    """A loop of 12 seconds: a window slides over a stream, and the bar of an alarm begins and ends."""
    hot, size = {3, 4, 5, 6, 7, 8, 9, 12, 13}, 3
    reasoner = Reasoner.from_text(f"alarm :- hot always in [{size}]. #show alarm/0.", start=0)
    alarms = [tick for tick in range(LAST + 1) if reasoner.step(tick, ["hot"] * (tick in hot)).holds.texts]
    drawn = [
        '<text x="6" y="15" class="ink mono">alarm :- hot always in [3].</text>',
        *(
            f'<text x="{6 + BOX * (tick + 0.5):g}" y="36" text-anchor="middle" class="weak">{tick}</text>'
            for tick in range(LAST + 1)
        ),
        *(
            f'<rect x="{7 + BOX * tick:g}" y="42" width="{BOX - 2:g}" height="24" rx="4" class="empty"/>'
            for tick in range(LAST + 1)
        ),
    ]
    places = ";".join(f"{5 + BOX * max(0, tick - size):g}" for tick in range(LAST + 1))
    widths = ";".join(f"{BOX * (min(tick, size) + 1) + 2:g}" for tick in range(LAST + 1))
    drawn.append(
        f'<rect x="{5 + BOX * 5:g}" y="39" width="{BOX * 4 + 2:g}" height="30" rx="6" class="span">'
        f"{_animated('x', places)}{_animated('width', widths)}</rect>"
    )
    drawn += (
        f'<circle cx="{6 + BOX * (tick + 0.5):g}" cy="54" r="7" class="dot">{_appears(tick)}</circle>'
        for tick in sorted(hot)
    )
    drawn.append('<text x="6" y="98" class="weak">alarm</text>')
    drawn += (
        f'<rect x="{6 + BOX * tick:g}" y="104" width="{BOX:g}" height="18" class="bar">'
        f"{_appears(tick)}</rect>"
        for tick in alarms
    )
    spoken = "A window of three ticks slides over a stream. The alarm holds at ticks "
    return _svg(BOX * (LAST + 1) + 12, 130, drawn, f"{spoken}{', '.join(map(str, alarms))}.")


def in_a_file(svg: str) -> str:
    """A picture as a file of its own, with colours for light and dark."""
    head, rest = svg.split(">", 1)
    return f"{head}><style>{' '.join(STYLE.split())}{' '.join(SHAPES.split())}</style>{rest}\n"


SHAPES = ".mono{font-family:ui-monospace,Menlo,Consolas,monospace}.strong{font-weight:700}"


def _row(y: int, window: str, caption: str, covered: set[int], events: set[int]) -> Iterator[str]:
    after = 14 + CHARACTER * 1.06 * len(window)
    yield f'<text x="6" y="{y + 15}" class="ink mono strong">{escape(window)}</text>'
    yield f'<text x="{after:g}" y="{y + 15}" class="weak">{escape(caption)}</text>'
    for tick in range(LAST + 1):
        inside = tick in covered
        spanned = bool(events) and min(covered, default=LAST) <= tick <= NOW
        kind = "hit" if inside and not events else "span" if spanned else "empty"
        x, middle = 7 + BOX * tick, 6 + BOX * (tick + 0.5)
        yield f'<rect x="{x:g}" y="{y + 22}" width="{BOX - 2:g}" height="24" rx="4" class="{kind} grid"/>'
        if tick in events:
            shown = "hit" if inside else "dot"
            yield f'<circle cx="{middle:g}" cy="{y + 34}" r="7" class="{shown}"/>'


def _animated(name: str, values: str) -> str:
    return (
        f'<animate attributeName="{name}" values="{values}" dur="12s" calcMode="discrete"'
        f' repeatCount="indefinite"/>'
    )


def _appears(tick: int) -> str:
    """Hides a shape until a tick, in each turn of the loop."""
    return _animated("opacity", ";".join("1" if now >= tick else "0" for now in range(LAST + 1)))


def _spoken(lanes: Lanes, unit: str) -> str:
    inputs = (f"{atom} at {', '.join(map(str, ticks))}" for atom, ticks in lanes.dots.items())
    held = (
        f"{atom} holds from {', '.join(f'{begin} to {end - 1}' for begin, end in spans)}"
        for atom, spans in lanes.bars.items()
    )
    return f"Timeline in {unit}: {'; '.join([*inputs, *held])}"


def _svg(width: float, height: float, drawn: Iterable[str], spoken: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" class="picture"'
        f' width="{width * 1.35:.0f}" font-family="system-ui,sans-serif" font-size="12.5" role="img"'
        f' aria-label="{escape(spoken)}">{"".join(drawn)}</svg>'
    )
