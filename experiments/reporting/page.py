"""The page docs/experiments.md with its figures, written from the results of benchmarks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from experiments.reporting.figures import COLOURS, digest
from experiments.reporting.paper_table import FoundClaim, Seen, found_claims
from experiments.reporting.questions import NAMES, QUESTIONS, Question
from experiments.reporting.report import machine_text
from experiments.reporting.results import Results

PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"
FIGURES = "figures"
"""The folder of figures beside the page."""

NARROW = 50
"""Where the greatest value is less than so many times the least, the axis has more numbers."""

_MARKERS = "osD^vPX*hp<>"

Curves = Mapping[str, Sequence[tuple[float, float]]]
"""Points by what readers are told that they are of."""

_HEAD = """# What was measured

This page and its figures are written by `python -m experiments report` from the CSV files in
`experiments/results`. Each section names the command that has measured it. The first ones ask what the
papers ask, and are measured by `python -m experiments run` (`make bench` does all of them, and says how long
it takes); those behind them set other systems beside, which people would take instead, and ask how much can
come and how far one process goes. Below each figure are the numbers that are drawn; the files have all of
them: of benchmarks every run's least and greatest, CPU time, memory, and for how many ticks the answers were
compared. All systems evaluate the same program on the same stream, or do the same job by a program of their
own, and before anything is measured their answers are compared, but where a program has several answers. Axes
are logarithmic; lower is better.

The systems of the first sections are **lars2asp**, as it runs where nobody says how (`auto`); **clingo, anew
at each tick** and **with its grounding kept**, two of its other evaluators; **Ticker's encoding** and
**Laser**, written here after their papers; and **a Python loop by hand**, which is what could be reached
without a language."""

_PAPERS = """## The figures of the papers

Five papers stand behind this project, and each of their figures that has measurements is looked for here,
by what it is drawn for; figures that draw systems, examples or programs (such as figure 4 of Laser) are left
out. The whole table is in experiments/RESULTS.md, with the benchmark behind each line. Programs are written
in the language of lars2asp; as their own systems write them they are read by
[`--dialect`](compare/from-stream-reasoners.md), and a test holds them to the same answers."""


def curves(question: Question, results: Results) -> Curves:
    """What is drawn for a question: a curve for each engine, or for each series where there is one engine."""
    found: dict[str, list[tuple[float, float]]] = {}
    for engine in question.engines:
        for row in results.rows:
            if row.engine is engine and row.measurement is not None and _is_drawn(question, row.series):
                name = NAMES[engine] if len(question.engines) > 1 else row.series
                found.setdefault(name, []).append((row.x, question.value(row.measurement)))
    return {name: sorted(points) for name, points in found.items()}


def _is_drawn(question: Question, series: str) -> bool:
    return not question.series or series in question.series


def draw(question: Question, results: Results, folder: Path) -> Path:
    """Draws the figure of a question; gives the path of the SVG."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{question.benchmark}.svg"
    drawn = curves(question, results)
    with rc_context({"svg.hashsalt": question.benchmark, "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(7.6, 3.8), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for number, (name, points) in enumerate(drawn.items()):
            colour = next((COLOURS[one] for one, said in NAMES.items() if said == name), f"C{number}")
            xs, ys = [x for x, _ in points], [y for _, y in points]
            axes.plot(xs, ys, marker=_MARKERS[number], markersize=5, color=colour, label=name)
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
        axes.set_title(question.title, loc="left")
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        figure.savefig(path, metadata={"Date": None, "Title": question.title, "Description": digest(drawn)})
    return path


def _scale(values: Sequence[float], axes: Axes) -> None:
    """Makes the y-axis logarithmic, with zero where there is one, and with numbers as people write them."""
    above = [value for value in values if value] or [1.0]
    if len(above) < len(values):
        axes.set_yscale("symlog", linthresh=min(above))
        axes.set_ylim(bottom=0)
    else:
        axes.set_yscale("log")
        is_narrow = max(above) / min(above) < NARROW
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if is_narrow else (1,)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")


def page(results: Mapping[str, Results], more: Sequence[str] = ()) -> str:
    """The text of the page.

    Args:
        results: of benchmarks.
        more: the paragraphs of other sections.
    """
    parts = [_HEAD]
    asked = answered(results)
    for question in asked:
        parts += _section(question, results[question.benchmark])
    parts += more
    left = [question for question in QUESTIONS if question not in asked]
    if left:
        parts.append("## Not measured yet")
        parts.append(
            "\n".join(f"- {one.title} (`python -m experiments run {one.benchmark}`)" for one in left)
        )
    parts += [_PAPERS, *_of_papers(results)]
    return "\n\n".join(parts) + "\n"


def _is_answered(question: Question, results: Mapping[str, Results]) -> bool:
    """Whether there are results, of all that conclusions look at."""
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


def _section(question: Question, results: Results) -> Sequence[str]:
    drawn = curves(question, results)
    follows = [one.text if one.holds(results.measured) else one.otherwise for one in question.conclusions]
    machines = "; ".join(dict.fromkeys(map(machine_text, results.machines)))
    command = f"`python -m experiments run {question.benchmark}`"
    return [
        f"## {question.title}",
        f"**Asked.** {_one_line(question.asked)}",
        f"![{question.title}]({FIGURES}/{question.benchmark}.svg)",
        f"**Seen** ({command}; `experiments/results/{question.benchmark}.csv`). From the first "
        f"point to the last one goes {_seen(drawn)}.",
        _numbers(question, drawn),
        f"**What follows.** {' '.join(follows)}",
        f"**Not shown.** {_one_line(question.not_shown)}",
        f"Measured by {command} on: {machines}.",
    ]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _seen(drawn: Curves) -> str:
    """How each curve goes from its first point to its last one."""
    said = []
    for name, points in drawn.items():
        (_, first), (_, last) = points[0], points[-1]
        times = f" ({last / first:.2g} times)" if first else ""
        said.append(f"*{name}* from {_number(first)} to {_number(last)}{times}")
    return "; ".join(said)


def _numbers(question: Question, drawn: Curves) -> str:
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


def _of_papers(results: Mapping[str, Results]) -> Sequence[str]:
    """How many claims are seen, and which are not."""
    found = found_claims(results)
    numbers = {seen: sum(one.seen is seen for one in found) for seen in Seen}
    lines = ["| what became of them | claims |", "| --- | ---: |"]
    lines += [f"| {seen} | {number} |" for seen, number in numbers.items() if number]
    parts = ["\n".join(lines)]
    for seen in (Seen.REFUTED, Seen.CANNOT, Seen.NOT):
        here = [_of_claim(one) for one in found if one.seen is seen]
        if here:
            parts.append(f"**{str(seen).capitalize()}** (`python -m experiments report`):")
            parts.append("\n".join(dict.fromkeys(here)))
    return parts


def _of_claim(found: FoundClaim) -> str:
    said = f": {found.said}" if found.said else ""
    return f"- {found.figure.paper}, {found.figure.number}: *{found.claim.text}*{said}"
