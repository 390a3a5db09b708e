"""The table of the papers' figures: each claim looks at what there is to be measured."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

from experiments.benchmark import Benchmark, EngineName, Measurement
from experiments.benchmarks import BENCHMARKS
from experiments.kept_results import FOLDER
from experiments.papers.claims import Claim, PaperFigure
from experiments.reporting import results
from experiments.reporting.paper_table import FIGURES, paper_table

CLAIMS = [
    pytest.param(figure, claim, id=f"{figure.paper}, {figure.number}: {claim.text}")
    for figure in FIGURES
    for claim in figure.claims
]


class Measurable(Mapping[tuple[str, EngineName], Measurement]):
    """A measurement for all that a benchmark measures, and KeyError for what it does not."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._pairs = [
            (setting.name, engine)
            for setting in benchmark.settings(False)
            for engine in benchmark.engines
            if engine not in setting.without
        ]

    def __getitem__(self, pair: tuple[str, EngineName]) -> Measurement:
        if pair not in self._pairs:
            raise KeyError(pair)
        return Measurement(1, 1, 1, 1, 1, 1, 1, 1, defaultdict(lambda: 1.0))

    def __iter__(self) -> Iterator[tuple[str, EngineName]]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)


@pytest.mark.parametrize(("figure", "claim"), CLAIMS)
def test_a_claim_looks_at_settings_and_engines_of_its_benchmark(figure: PaperFigure, claim: Claim) -> None:
    if claim.benchmark:
        assert (claim.holds is None) != (claim.says is None)
        look = claim.holds or claim.says
        assert look is not None
        look(Measurable(BENCHMARKS[claim.benchmark]))
    else:
        assert claim.holds is None and claim.says is None
        assert claim.reason, "it is said why it cannot be run"


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda benchmark: benchmark.name)
def test_a_benchmark_expects_something_of_its_own_settings(benchmark: Benchmark) -> None:
    for expectation in benchmark.expected:
        expectation.holds(Measurable(benchmark))


def test_each_benchmark_after_a_figure_is_looked_at() -> None:
    looked_at = {claim.benchmark for figure in FIGURES for claim in figure.claims} - {""}
    assert looked_at == {
        name
        for name, one in BENCHMARKS.items()
        if (not one.source.startswith("this project") and "figure" in one.source) or "Pham" in one.source
    }


def test_the_report_has_the_table() -> None:
    kept = {name: found for name in BENCHMARKS if (found := results.read(FOLDER, name)) is not None}
    text = (FOLDER.parent / "RESULTS.md").read_text(encoding="utf-8")
    assert paper_table(kept) in text
