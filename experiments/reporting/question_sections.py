"""The sections of experiments/RESULTS.md that answer questions, and their figures."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from experiments.reporting.figures import COLOURS, LETTERS, SIZE, digest, legend_below, link_of
from experiments.reporting.provenance import measured_text, sessions, stale, stale_text
from experiments.reporting.questions import NAMES, QUESTIONS, Question
from experiments.reporting.results import ResultRow, Results

NARROW = 50
"""The axis has more numbers if the greatest value is less than so many times the least."""

_MARKERS = "osD^vPX*hp<>"

Curves = Mapping[str, Sequence[tuple[float, float]]]
"""Points by the names that readers see."""


def drawn_rows(question: Question, results: Results) -> Sequence[ResultRow]:
    """The rows that the figure of a question shows, engine by engine."""
    return [
        row
        for engine in question.engines
        for row in results.rows
        if row.engine is engine and row.measurement is not None and _is_drawn(question, row.series)
    ]


def _is_drawn(question: Question, series: str) -> bool:
    return not question.series or series in question.series


def curves(question: Question, results: Results) -> Curves:
    """A curve for each engine, or for each series if there is one engine. No curve mixes two sessions."""
    rows = drawn_rows(question, results)
    of = sessions(rows)
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        assert row.measurement is not None
        name = NAMES[row.engine] if len(question.engines) > 1 else row.series
        session = f", session {of.index(row.machine) + 1}" if len(of) > 1 else ""
        found.setdefault(f"{name}{session}", []).append((row.x, question.value(row.measurement)))
    return {name: sorted(points) for name, points in found.items()}


def draw(question: Question, results: Results, folder: Path) -> Path:
    """Draws the figure of a question; gives the path of the SVG."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{question.benchmark}.svg"
    drawn = curves(question, results)
    with rc_context({"svg.hashsalt": question.benchmark, **LETTERS}):
        figure = Figure(figsize=SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for number, (name, points) in enumerate(drawn.items()):
            colour = next(
                (COLOURS[one] for one, text in NAMES.items() if name.split(", session")[0] == text),
                f"C{number}",
            )
            xs, ys = [x for x, _ in points], [y for _, y in points]
            style = "--" if name.endswith("session 2") else "-"
            axes.plot(xs, ys, style, marker=_MARKERS[number], markersize=5, color=colour, label=name)
        if question.has_diagonal:
            xs = sorted({x for points in drawn.values() for x, _ in points})
            axes.plot(xs, xs, ":", color="grey", label="as long as a tick")
        axes.set_xscale("log")
        _scale([y for points in drawn.values() for _, y in points], axes)
        ticks = sorted({x for points in drawn.values() for x, _ in points})
        axes.set_xticks(ticks, [f"{x:,g}" for x in ticks])
        axes.minorticks_off()
        axes.set_xlabel(question.x_label)
        axes.set_ylabel(question.y_label)
        axes.grid(visible=True, which="major", alpha=0.3)
        legend_below(axes, 1 if max(map(len, drawn)) > 24 else 2)
        figure.savefig(path, metadata={"Date": None, "Title": question.title, "Description": digest(drawn)})
    return path


def _scale(values: Sequence[float], axes: Axes) -> None:
    """Makes the y-axis logarithmic, with zero if a value is zero, and with ordinary numbers."""
    above = [value for value in values if value] or [1.0]
    if len(above) < len(values):
        axes.set_yscale("symlog", linthresh=min(above))
        axes.set_ylim(bottom=0)
    else:
        axes.set_yscale("log")
        is_narrow = max(above) / min(above) < NARROW
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if is_narrow else (1,)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")


def _is_answered(question: Question, results: Mapping[str, Results]) -> bool:
    """Whether there are all results that the conclusions look at."""
    found = results.get(question.benchmark)
    if found is None:
        return False
    try:
        for conclusion in question.conclusions:
            conclusion.holds(found.measured)
    except KeyError:
        return False
    return True


def answered(results: Mapping[str, Results]) -> Sequence[Question]:
    """The questions that there are results for."""
    return [question for question in QUESTIONS if _is_answered(question, results)]


def question_sections(results: Mapping[str, Results]) -> Sequence[str]:
    """The paragraphs of all questions, and the questions without results."""
    asked = answered(results)
    parts = [part for question in asked for part in section(question, results[question.benchmark])]
    left = [question for question in QUESTIONS if question not in asked]
    if left:
        parts.append("## Not measured yet")
        parts.append(
            "\n".join(f"- {one.title} (`python -m experiments run {one.benchmark}`)" for one in left)
        )
    return parts


def section(question: Question, results: Results) -> Sequence[str]:
    """The paragraphs of a question."""
    drawn, rows = curves(question, results), drawn_rows(question, results)
    follows = conclusions(question, results)
    other = stale(question.benchmark, rows)
    note = "" if other is None else f" Note: {stale_text(other)}. They are measured again later."
    command = f"`python -m experiments run {question.benchmark}`"
    return [
        f"## {question.title}",
        f"**Question.** {one_line(question.asked)}",
        f"![{question.title}]({link_of(question.benchmark)})",
        f"**Result** ({command}; `experiments/results/{question.benchmark}.csv`). From the first point to "
        f"the last: {_from_first_to_last(drawn)}.{note}",
        numbers(question, drawn),
        f"**Conclusion.** {' '.join(follows)}",
        f"**Limits.** {one_line(question.not_shown)}",
        f"**Measured** ({command}). {measured_text(rows)}",
    ]


def conclusions(question: Question, results: Results) -> Sequence[str]:
    """The conclusions, as measurements have them."""
    return [one.text if one.holds(results.measured) else one.otherwise for one in question.conclusions]


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())


def _from_first_to_last(drawn: Curves) -> str:
    """The first and the last value of each curve."""
    texts = []
    for name, points in drawn.items():
        (_, first), (_, last) = points[0], points[-1]
        times = f" ({last / first:.2g} times)" if first else ""
        texts.append(f"*{name}* {_number(first)} to {_number(last)}{times}")
    return "; ".join(texts)


def numbers(question: Question, drawn: Curves) -> str:
    """The points as a table."""
    xs = sorted({x for points in drawn.values() for x, _ in points})
    lines = [
        f"| {question.y_label}; {question.x_label}: | " + " | ".join(f"{x:,g}" for x in xs) + " |",
        "| --- |" + " ---: |" * len(xs),
    ]
    for name, points in drawn.items():
        at = dict(points)
        lines.append(f"| {name} | " + " | ".join(_number(at[x]) if x in at else "-" for x in xs) + " |")
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
