"""Programs of the papers as their systems write them, read as dialects, have the benchmarks' answers."""

from dataclasses import replace

import pytest

from experiments.benchmark import EngineName, Setting
from experiments.benchmarks import eiter, idlvsr_join
from experiments.benchmarks.cooling import setting as cooling
from experiments.benchmarks.idlvsr_caching import MANY, contents
from experiments.benchmarks.idlvsr_photovoltaic import RULES, powers
from experiments.benchmarks.laser import DIAMOND, JOIN
from experiments.benchmarks.laser2 import BEST
from lars2asp import Reasoner
from tests.experiments.benchmarks.agreement import answers, first

GRID = " ".join(f"link({one},{one + 1})." for one in range(8)) + " link(10,0)."
PANELS = Setting(
    "panels", 1, RULES.format(centre=10) + GRID, lambda: powers(3, False), 0, 20, 5, semantics="recorded"
)
CONTENTS = Setting("contents", 1, MANY.format(n=5), lambda: contents(3), 0, 40, 5, semantics="recorded")
CACHING = replace(eiter.EITER_WINDOWS.settings(True)[0], program=eiter.PROGRAM.format(n=3))
BEST_CASE = replace(BEST.settings(True)[0], program="m(X,Y) :- p(X,Y) in [5], q(X,Y) always in [5].")
HEAVY_JOIN = idlvsr_join.setting(6, 2, 10)

LASER_DIAMOND = "q(A,B) :- time_win(20,0,1,diamond(p(A,B)))"
LASER_JOIN = "q(A,C) :- time_win(20,0,1,diamond(p(A,B))) and time_win(20,0,1,diamond(p(B,C)))"
LASER_BEST = "m(X,Y) :- time_win(5,0,1,diamond(p(X,Y))) and time_win(5,0,1,box(q(X,Y)))"
LASER_COOLING = """
@(T,steam(V)) :- time_win(3,0,1,@(T,temp(V))) and COMP(>=,V,100)
@(T,liquid(V)) :- time_win(3,0,1,@(T,temp(V))) and COMP(>=,V,1) and COMP(<,V,100)
@(T,isSteam) :- time_win(3,0,1,@(T,steam(V)))
@(T,isLiquid) :- time_win(3,0,1,@(T,liquid(V)))
alarm :- time_win(3,0,1,box(isSteam))
normal :- time_win(3,0,1,box(isLiquid))
veryHot(T) :- time_win(3,0,1,@(T,steam(V))) and COMP(>=,V,150)
veryCold(T) :- time_win(3,0,1,@(T,liquid(V))) and COMP(=,V,1)
freeze :- not(alarm) and not(normal)
"""
TICKER_CACHING = """
high at T :- value(V), alpha(V) at T [3 sec], 18 <= V.
mid at T :- value(V), alpha(V) at T [3 sec], 12 <= V, V < 18.
low at T :- value(V), alpha(V) at T [3 sec], V <= 12.
lfu :- high always [3 sec].
lru :- mid always [3 sec].
fifo :- low always [3 sec], rtm50 [3 sec].
done :- lfu.
done :- lru.
done :- fifo.
random :- not done.
finish :- off [1 sec], done.
finish :- off [1 sec], random.
value(5). value(15). value(25).
"""

PROGRAMS = (
    pytest.param(DIAMOND.settings(True)[0], "laser", LASER_DIAMOND, id="Laser 2a"),
    pytest.param(JOIN.settings(True)[0], "laser", LASER_JOIN, id="Laser 3a"),
    pytest.param(cooling(3, 40, 1, "", 10), "laser", LASER_COOLING, id="Laser 5"),
    pytest.param(BEST_CASE, "laser", LASER_BEST, id="Laser2 2"),
    pytest.param(CACHING, "ticker", TICKER_CACHING, id="Distributed LARS 5, for Ticker"),
    pytest.param(CONTENTS, "idlvsr", CONTENTS.program, id="I-DLV-sr 3 a"),
    pytest.param(HEAVY_JOIN, "idlvsr", HEAVY_JOIN.program, id="I-DLV-sr 3 b"),
    pytest.param(PANELS, "idlvsr", PANELS.program, id="I-DLV-sr 4"),
)


@pytest.mark.parametrize(("setting", "dialect", "text"), PROGRAMS)
def test_a_program_of_a_paper_means_the_same_in_its_own_spelling(
    setting: Setting, dialect: str, text: str
) -> None:
    ticks = 15
    reasoner = Reasoner.from_text(text, dialect=dialect)
    found = [set(reasoner.step(tick, facts).holds.texts) for tick, facts in enumerate(first(setting, ticks))]
    assert any(found)
    assert found == answers(setting, EngineName.AUTO, ticks)
