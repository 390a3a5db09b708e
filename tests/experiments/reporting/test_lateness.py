"""How late answers are at growing rates: what follows is worked out from the file."""

from pathlib import Path

from experiments.measuring.machine import Machine
from experiments.reporting import lateness
from experiments.throughput.latency import Latency, write
from tests.support.measured import figures_without_command


def rates(system: str, *found: tuple[int, float, float]) -> list[Latency]:
    """Medians and 99th percentiles of a system, ticks of 100 milliseconds."""
    return [Latency(system, 100.0, rate, 50, middle, high, 0) for rate, middle, high in found]


FOUND = [
    *rates("lars2asp", (500, 3, 9), (1000, 4, 20), (2000, 60, 150)),
    *rates("bytewax", (500, 2, 8), (1000, 2.5, 9), (2000, 3, 10)),
    *rates("pathway", (500, 40, 80), (1000, float("inf"), float("inf"))),
]


def text_of(found: list[Latency], folder: Path) -> str:
    write(folder, found, Machine.here())
    return "\n\n".join(lateness.section(folder))


def test_what_follows_names_what_each_sustains(tmp_path: Path) -> None:
    text = text_of(FOUND, tmp_path)
    assert "bytewax keeps up with 2,000 events a second, the highest rate tried; " in text
    assert "lars2asp keeps up with 1,000 events a second; pathway keeps up with 500 events a second." in text
    assert (
        "All keep up with 500 events a second; the median delay over ticks is then 2 ms in bytewax, 3 ms"
        in text
    )
    assert "| 1,000 | 4 / 20 | 2.5 / 9 | *never / never* |" in text
    assert "| 2,000 | *60 / 150* | 3 / 10 | - |" in text
    assert not figures_without_command(text)


def test_what_keeps_up_with_nothing_is_said(tmp_path: Path) -> None:
    text = text_of([*rates("lars2asp", (500, 3, 9)), *rates("pathway", (500, 200, 300))], tmp_path)
    assert "pathway does not keep up with 500 events a second" in text
    assert "All keep up" not in text


def test_without_a_file_there_is_no_section(tmp_path: Path) -> None:
    assert not lateness.section(tmp_path)


def test_the_figure_is_that_of_the_file(tmp_path: Path) -> None:
    write(tmp_path, FOUND, Machine.here())
    drawn = lateness.draw(tmp_path, tmp_path).read_text()
    before = lateness.figure_digest(tmp_path)
    assert before in drawn
    assert lateness.draw(tmp_path, tmp_path).read_text() == drawn
    write(tmp_path, FOUND[1:], Machine.here())
    assert lateness.figure_digest(tmp_path) != before
