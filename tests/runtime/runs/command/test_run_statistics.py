"""What a run has done, for people and for programs."""

import json
from dataclasses import replace

from lars2asp import Reasoner
from lars2asp.runtime.evaluators.costs.meter import Cost, Searches
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics
from lars2asp.runtime.evaluators.costs.statistics import ComponentStatistics, Statistics
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.runs.command.run_statistics import RunCosts, RunStatistics

RUN = RunStatistics(
    Statistics(
        ticks=2004,
        passed_over=998_001,
        facts=12533,
        intervals=421,
        atoms=388,
        memory=89_128_960,
        components=(
            ComponentStatistics(
                "disrupted/1, windy/1",
                EvaluatorName.DELTA,
                Cost(2004, 1.5, 317, 0.75, 0, 0.0),
                rules=(
                    RuleStatistics("windy(A) :- wind(A,V), V > 9.", "air.lars:3", 4008, 12, 3, 0.25, 7),
                    RuleStatistics("disrupted(A) :- windy(A) in [30].", "air.lars:4", 31, 1204, 0, 0.75),
                ),
            ),
            ComponentStatistics(
                "chosen/2",
                EvaluatorName.ONESHOT,
                Cost(2004, 2.25, 64, 1.0, 64, 0.0625),
                Searches(68, 120, 7, 0, threads=2, rules=31, atoms=27, variables=20, constraints=11),
                (RuleStatistics("{ chosen(A,B) }.", "air.lars:5", 2004, seconds=0.125, held=60, others=1),),
            ),
        ),
    ),
    seconds=6.7,
    rejected=3,
    late=1,
    lag=0.0125,
)


def test_a_table() -> None:
    assert (
        RUN.text
        == """\
Time      : 6.700 s (components 3.750 s, grounding 1.750 s, solving 0.062 s)
Lag       : 0.013 s at most
Ticks     : 2004 evaluated, 998001 passed over
Facts     : 12533 received
Records   : 3 rejected, 1 of them late
Intervals : 421 held, of 388 atoms
Memory    : 85.0 MiB

Component  Evaluator  Steps     Time  Groundings     Time  Solvings     Time  Derives
        1  delta       2004  1.500 s         317  0.750 s         0  0.000 s  disrupted/1, windy/1
        2  oneshot     2004  2.250 s          64  1.000 s        64  0.062 s  chosen/2

clingo for  Models  Choices  Conflicts  Restarts  Threads  Rules  Atoms  Variables  Constraints
         2      68      120          7         0        2     31     27         20           11

Evaluations  Changes  Rows  Held  Time, sampled  Rule
         31     1204     0     0        0.750 s  air.lars:4: disrupted(A) :- windy(A) in [30].
       4008       12     3     7        0.250 s  air.lars:3: windy(A) :- wind(A,V), V > 9.
       2004        -     -    60        0.125 s  air.lars:5: { chosen(A,B) }. (with 1 other, by clingo)
"""
    )


def test_what_there_is_not_or_was_not_measured_is_left_out() -> None:
    components = [
        replace(component, cost=None, searches=None, rules=()) for component in RUN.reasoner.components
    ]
    done = replace(RUN.reasoner, atoms=1, components=tuple(components))
    assert (
        RunStatistics(done, 0.5).text
        == """\
Time      : 0.500 s
Ticks     : 2004 evaluated, 998001 passed over
Facts     : 12533 received
Records   : 0 rejected, 0 of them late
Intervals : 421 held, of 1 atom
Memory    : 85.0 MiB

Component  Evaluator  Steps  Time  Groundings  Time  Solvings  Time  Derives
        1  delta          -     -           -     -         -     -  disrupted/1, windy/1
        2  oneshot        -     -           -     -         -     -  chosen/2
"""
    )
    assert RunStatistics(replace(done, components=()), 0.5).text.endswith("85.0 MiB\n")
    found = RunStatistics(done, 0.5).json
    assert (found["lag_seconds"], found["components"][0]["cost"]) == (None, None)


def test_long_lists_of_predicates_are_cut_off() -> None:
    many = ", ".join(f"p{number}/2" for number in range(100))
    done = replace(RUN.reasoner, components=(ComponentStatistics(many, EvaluatorName.DELTA, None),))
    assert max(map(len, RunStatistics(done, 0.5).text.splitlines())) < 150
    assert RunStatistics(done, 0.5).json["components"][0]["derives"] == many


def test_rules_that_took_least_time_are_left_out() -> None:
    rules = tuple(RuleStatistics(f"a{n}.", f"x.lars:{n}", seconds=float(n)) for n in range(50))
    component = ComponentStatistics("a/0", EvaluatorName.DELTA, Cost(), rules=rules)
    lines = RunStatistics(replace(RUN.reasoner, components=(component,)), 0.5).text.splitlines()
    assert [line.split()[-1] for line in lines[-21:-1]] == [f"a{n}." for n in range(49, 29, -1)]
    assert lines[-1] == "... and 30 rules that took less time"


def test_rules_go_on_in_the_next_process() -> None:
    """Costs are those of all processes of a run; rows are those that are kept now."""
    reasoner = Reasoner.from_text("a(X) :- p(X), q(X).", stats=True)
    reasoner.step(0, ["p(1)", "q(1)"])
    costs = RunCosts(reasoner.session)
    [before] = costs.statistics.components[0].rules
    costs.restore(json.loads(json.dumps(costs.state())))
    [after] = costs.statistics.components[0].rules
    assert (after.evaluations, after.changes, after.rows) == (4, 2, before.rows)
    assert after.seconds == 2 * before.seconds
    costs.restore({"seconds": 1.0, "costs": {}})  # as earlier versions have it
    assert costs.statistics.components[0].rules == (before,)


def test_json() -> None:
    assert json.loads(json.dumps(RUN.json)) == {
        "seconds": 6.7,
        "lag_seconds": 0.0125,
        "ticks": {"evaluated": 2004, "passed_over": 998001},
        "facts": 12533,
        "merged": {},
        "records": {"rejected": 3, "late": 1, "unfit": 0},
        "inputs": {},
        "intervals": 421,
        "atoms": 388,
        "memory_bytes": 89128960,
        "components": [
            {
                "derives": "disrupted/1, windy/1",
                "evaluator": "delta",
                "cost": {
                    "steps": 2004,
                    "seconds": 1.5,
                    "groundings": 317,
                    "grounding_seconds": 0.75,
                    "solvings": 0,
                    "solving_seconds": 0.0,
                },
                "searches": None,
                "rules": [
                    {
                        "text": "windy(A) :- wind(A,V), V > 9.",
                        "place": "air.lars:3",
                        "evaluations": 4008,
                        "changes": 12,
                        "rows": 3,
                        "seconds": 0.25,
                        "held": 7,
                        "others": None,
                    },
                    {
                        "text": "disrupted(A) :- windy(A) in [30].",
                        "place": "air.lars:4",
                        "evaluations": 31,
                        "changes": 1204,
                        "rows": 0,
                        "seconds": 0.75,
                        "held": 0,
                        "others": None,
                    },
                ],
            },
            {
                "derives": "chosen/2",
                "evaluator": "oneshot",
                "cost": {
                    "steps": 2004,
                    "seconds": 2.25,
                    "groundings": 64,
                    "grounding_seconds": 1.0,
                    "solvings": 64,
                    "solving_seconds": 0.0625,
                },
                "searches": {
                    "models": 68,
                    "choices": 120,
                    "conflicts": 7,
                    "restarts": 0,
                    "threads": 2,
                    "rules": 31,
                    "atoms": 27,
                    "variables": 20,
                    "constraints": 11,
                },
                "rules": [
                    {
                        "text": "{ chosen(A,B) }.",
                        "place": "air.lars:5",
                        "evaluations": 2004,
                        "changes": 0,
                        "rows": 0,
                        "seconds": 0.125,
                        "held": 60,
                        "others": 1,
                    },
                ],
            },
        ],
    }
