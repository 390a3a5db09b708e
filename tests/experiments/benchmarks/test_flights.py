"""The demonstration as a benchmark."""

from experiments.benchmarks.flights import DAY, FLIGHTS, WINDOW
from tests.experiments.benchmarks.agreement import answers_of_all, first


def test_a_day_has_departures_landings_and_winds() -> None:
    stream = first(FLIGHTS.settings(True)[0], DAY)
    assert len(stream) == DAY
    names = [name for facts in stream for name, *_ in facts]
    assert set(names) == {"left", "landed", "wind"}
    assert names.count("left") > 900
    assert names.count("wind") == 3 * DAY  # of three airports, at every tick


def test_engines_agree() -> None:
    day = FLIGHTS.settings(True)[0]
    found = answers_of_all(day, FLIGHTS.engines, 2 * WINDOW)
    assert any(atom.startswith("inherited(") for answer in found for atom in answer)
