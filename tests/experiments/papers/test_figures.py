"""The table of the papers' figures: each claim looks at what there is to be measured."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

from experiments.benchmark import Benchmark, EngineName, Measurement
from experiments.benchmarks import BENCHMARKS
from experiments.kept_results import FOLDER
from experiments.papers.claims import Claim, PaperFigure, Seen
from experiments.reporting import results
from experiments.reporting.paper_table import FIGURES, found_claims, paper_table

CLAIMS = [
    pytest.param(figure, claim, id=f"{figure.paper}, {figure.number}: {claim.text}")
    for figure in FIGURES
    for claim in figure.claims
]

KEPT = {name: found for name in BENCHMARKS if (found := results.read(FOLDER, name)) is not None}


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
    assert figure.place
    if claim.benchmark:
        assert claim.shape is not None
        assert claim.shape.says(Measurable(BENCHMARKS[claim.benchmark]))
        if claim.shape.holds is None:
            assert claim.reason, "the table says why the claim is not measured"
        else:
            claim.shape.holds(Measurable(BENCHMARKS[claim.benchmark]))
    else:
        assert claim.shape is None
        assert claim.reason, "the table says why the claim is not measured"
    if claim.otherwise is Seen.CARRIES_NOT:
        assert claim.reason, "the table says what differs here"


@pytest.mark.parametrize(("figure", "claim"), CLAIMS)
def test_a_check_apart_is_left_out_once_files_have_the_claim(figure: PaperFigure, claim: Claim) -> None:
    if claim.checked is not None:
        [found] = [one for one in found_claims(KEPT) if one.claim is claim]
        assert not found.rows, "the files have it: take the check out"
        assert found.seen is claim.checked[0]


def test_verdicts() -> None:
    """The verdicts that are not plain: each with its figure."""
    found = {
        (one.figure.paper.split()[-1], one.figure.number, one.claim.text): one for one in found_claims(KEPT)
    }
    [distributed] = [one for (_, _, text), one in found.items() if text.endswith("than Ticker over clingo")]
    assert distributed.seen is Seen.REFUTED
    assert "with clingo in each stage" in distributed.said
    [worst] = [
        one for (_, number, text), one in found.items() if number == "3a" and "window of one tick" in text
    ]
    assert worst.seen is Seen.REPRODUCED
    diamonds = [one for (paper, number, _), one in found.items() if (paper, number) == ("(Laser)", "2a")]
    assert {one.seen for one in diamonds} == {Seen.NOT}
    joins = [one for (_, number, _), one in found.items() if number in ("3 (b.1)", "3 (b.2)")]
    assert {one.seen for one in joins} == {Seen.NOT}
    assert all("Distributed-SR" in one.claim.text for one in joins)


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
    text = (FOLDER.parent / "RESULTS.md").read_text(encoding="utf-8")
    assert paper_table(KEPT) in text
