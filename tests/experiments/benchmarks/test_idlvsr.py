"""What I-DLV-sr is evaluated with: streams as in its repository, and answers."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from experiments.benchmarks import idlvsr_join, idlvsr_photovoltaic
from experiments.benchmarks.idlvsr_caching import CACHING_EVENTS, CACHING_WINDOWS, LENGTH, ONE
from experiments.benchmarks.idlvsr_join import HEAVY_JOIN
from experiments.benchmarks.idlvsr_photovoltaic import PHOTOVOLTAIC, links, program
from tests.experiments.benchmarks.agreement import answers_of_all, first


def test_levels_of_all_contents_fall_and_begin_anew() -> None:
    stream = first(CACHING_EVENTS.settings(True)[0], LENGTH)
    assert [len(facts) for facts in stream] == [50] * LENGTH
    assert stream[0][49] == ("alpha", 49, 25)
    assert stream[24][0] == ("alpha", 0, 1)
    assert stream[-1][0] == ("alpha", 0, 16)  # as the log of their 60 ticks ends


def test_engines_agree_on_many_contents() -> None:
    found = answers_of_all(CACHING_EVENTS.settings(True)[0], CACHING_EVENTS.engines, 12)
    assert {"high(0)", "lfu(0)", "done(49)"} <= found[11]


def test_engines_agree_on_one_content() -> None:
    setting = replace(CACHING_WINDOWS.settings(True)[0], program=ONE.format(n=2))
    found = answers_of_all(setting, CACHING_WINDOWS.engines, 30)
    assert found[10] == {"high", "lfu", "done"}
    assert found[29] == {"low", "random"}


def test_events_of_the_join_take_turns() -> None:
    stream = first(idlvsr_join.setting(6, 2, 10), 3)
    assert stream[0] == [("b", 0, 0), ("c", 0, 0), ("b", 1, 0), ("c", 1, 0), ("b", 2, 0), ("c", 2, 0)]
    assert stream[1][0] == ("b", 3, 0)
    assert stream[2] == stream[0]


@pytest.mark.parametrize(("is_each", "answers"), [(False, 10), (True, 100)])
def test_engines_agree_on_the_join(is_each: bool, answers: int) -> None:
    setting = idlvsr_join.setting(10, 2, 10, is_each)
    assert len(answers_of_all(setting, HEAVY_JOIN.engines, 6)[-1]) == answers


def test_grids_have_as_many_links_as_published() -> None:
    assert [links(side) for side in (22, 24, 26, 28, 30)] == [17532, 24840, 34222, 46040, 60682]
    found = re.findall(r"link\((\d+),(\d+)\)\.", program(22))
    assert len(found) == len(set(found)) == 17532
    assert {("0", "1"), ("0", "22"), ("485", "0")} <= set(found)


def test_all_panels_work_as_published() -> None:
    stream = first(PHOTOVOLTAIC.settings(True)[0], 3)
    assert [len(facts) for facts in stream] == [14 * 14] * 3
    assert all(10 <= watts <= 99 for facts in stream for _, _, watts in facts)


@pytest.mark.parametrize("is_failing", [False, True])
def test_engines_agree_on_panels(is_failing: bool) -> None:
    setting = idlvsr_photovoltaic.setting(10, 10, is_failing)
    found = answers_of_all(setting, PHOTOVOLTAIC.engines, 15)
    assert {"workingPanel(0)", "reachable(101,0)", "regularFunctioning"} <= found[3]
    changed = [one for one, other in pairwise(found) if one != other]
    assert bool(changed) is is_failing
