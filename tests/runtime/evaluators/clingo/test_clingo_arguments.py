"""clingo's own options: which are taken, and that they reach every Control."""

from typing import Any

import pytest
from clingo import Control

from lars2asp import Reasoner
from lars2asp.runtime.evaluators.clingo import messages
from lars2asp.runtime.evaluators.clingo.clingo_arguments import clingo_options

CHOICE = """
1 { go(X) : way(X) } 1 :- call in [2].
way(1..4).
:- go(X), closed(X).
:~ go(X), jam(X) in [1]. [X@2, X]
"""

REFUSED = [
    ("--foo", "clingo says: unknown option: 'foo'"),
    (
        "--heuristic=Vsid",
        r"'Vsid' invalid value for: 'heuristic'; it takes {Berkmin\|Vmtf\|Vsids\|Domain",
    ),
    (
        "-t 100",
        r"'100' invalid value for: 'parallel-mode'; it takes <n {1\.\.64}>\[,<mode ",
    ),
    (
        "--project=all",
        r"'all' invalid value for: 'project'; it takes {show\|project\|auto}",
    ),
    ("--seed", "clingo says: 'seed' requires a value"),
    ("--seed=x", "clingo says: 'x' invalid value for: 'seed'"),
    ("--seed=1 --seed=2", "clingo says: multiple occurrences: 'seed'"),
    ("--s=3", "ambiguous option: 's' could be: "),
    ("--models=3", "lars2asp does not accept clingo's --models: write --models"),
    ("--mod 3", "lars2asp does not accept clingo's number of models: write --models"),
    ("-n0", "lars2asp does not accept clingo's --models: write --models"),
    ("3", "lars2asp does not accept clingo's number of models: write --models"),
    ("p.lp", "'p.lp' contains a file name: clingo's options begin with -"),
    ("-c n=3", "lars2asp does not accept clingo's --const: write -c name=value"),
    ("--outf=2", "lars2asp does not accept clingo's --outf: use --output, --output-format and --emit"),
    ("-q", "lars2asp does not accept clingo's --quiet: use --output, --output-format and --emit"),
    ("--mode=gringo", "lars2asp does not accept clingo's --mode: .* use lars2asp compile"),
    ("--text", "lars2asp does not accept clingo's --text: .* use lars2asp compile"),
    ("--output=text", "lars2asp does not accept clingo's --output: .* use lars2asp compile"),
    ("-V", "lars2asp does not accept clingo's --verbose: write --stats"),
    ("--stats=2", "lars2asp does not accept clingo's --stats: write --stats"),
    ("--warn=none", "lars2asp does not accept clingo's --warn"),
    ("--time-limit=3", "lars2asp does not accept clingo's --time-limit: use --tick-timeout"),
    ("--solve-limit=3", "lars2asp does not accept clingo's --solve-limit: use --tick-timeout"),
    ("--enum-mode=brave", "lars2asp does not accept clingo's --enum-mode=brave: write --consequences"),
    ("-e cautious", "lars2asp does not accept clingo's --enum-mode=cautious: write --consequences"),
    ("--opt-mode=enum,3", "lars2asp does not accept clingo's --opt-mode=enum: .* --opt-mode=ignore"),
    ("--opt-stop=3", "lars2asp does not accept clingo's --opt-stop"),
    (
        "--supp-models",
        "lars2asp does not accept clingo's --supp-models: the answers",
    ),
    ("--single-shot", "lars2asp does not accept clingo's --single-shot: write --evaluator oneshot"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[arguments for arguments, _ in REFUSED])
def test_options_that_are_not_taken(arguments: str, message: str) -> None:
    """The message names the option, and says what clingo says or what to write in its place."""
    with pytest.raises(ValueError, match=message):
        Reasoner.from_text("a :- p.", clingo=arguments.split())


def test_options_are_a_list_of_texts() -> None:
    with pytest.raises(ValueError, match=r"a list of texts, such as \['--seed=5', '-t', '2'\]"):
        Reasoner.from_text("a :- p.", clingo="--seed=5")


def test_one_optimum_is_not_several_answer_streams() -> None:
    assert clingo_options(["--opt-mode=opt"]).opt_mode == "opt"
    with pytest.raises(ValueError, match=r"--opt-mode=opt finds one .* write --opt-mode=optN"):
        Reasoner.from_text("{ a }. :~ a. [1]", models=0, clingo=["--opt-mode=opt"])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Control]:
    """All Controls that are made for a program."""
    found: list[Control] = []

    def control(*arguments: Any, **named: Any) -> Control:
        found.append(Control(*arguments, **named))
        return found[-1]

    monkeypatch.setattr(messages, "Control", control)
    return found


def told(control: Control) -> tuple[str, str, str, int]:
    """Seed, heuristic, threads, and the solvers that are set up."""
    configuration: Any = control.configuration
    solver = configuration.solver[0]
    return solver.seed, solver.heuristic, configuration.solve.parallel_mode, len(configuration.solver)


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped", "external"])
@pytest.mark.parametrize("heuristic", ["", "#heuristic go(3). [1,true]"])
def test_options_reach_every_control(made: list[Control], evaluator: str, heuristic: str) -> None:
    """Those that answer, and those that explain; #heuristic needs a heuristic that was not said."""
    options = ["--seed=5", "-t", "2", "--heuristic", "Vsids"]
    program = CHOICE + heuristic
    reasoner = Reasoner.from_text(program, evaluator=evaluator, clingo=options, stats=True, explain_last=9)
    for tick in range(4):
        reasoner.step(tick, ["call", f"jam({tick})"])
    [component] = reasoner.statistics.components
    assert component.searches is not None
    assert component.searches.threads == 2
    answering = len(made)
    assert "; the best answer with" in str(reasoner.why("go(1)"))
    reasoner.step(4, ["call", *(f"closed({way})" for way in range(1, 5))])
    assert ":- go(X), closed(X)" in str(reasoner.why("go(1)"))
    assert len(made) > answering
    assert {told(control) for control in made} == {("5", "vsids,0", "2,compete", 2)}


def test_a_heuristic_of_the_program(made: list[Control]) -> None:
    """It is used while no other one is asked for."""
    program = "1 { go(1..4) } 1. #heuristic go(3). [1,true]"
    assert Reasoner.from_text(program, clingo=["--seed=5"]).step(0).holds.texts == ("go(3)",)
    assert made
    for control in made:
        seed, heuristic, *_ = told(control)
        assert (seed, heuristic.partition(",")[0]) == ("5", "domain")


def test_the_seed_chooses_among_answer_streams() -> None:
    def followed(seed: int) -> tuple[str, ...]:
        options = [f"--seed={seed}", "--rand-freq=1", "--sign-def=rnd"]
        return Reasoner.from_text("4 { a(1..9) } 4.", clingo=options).step(0).holds.texts

    assert followed(1) == followed(1)
    assert len({followed(seed) for seed in range(9)}) > 1


def test_the_mode_of_optimisation() -> None:
    """Answer streams are optimal, but where optimisation is left out; bounds exclude those that cost more."""

    def found(*options: str, models: int = 0) -> list[tuple[str, ...]]:
        reasoner = Reasoner.from_text("1 { a(1..3) }. :~ a(X). [X@1,X]", models=models, clingo=options)
        return sorted(model.texts for model in reasoner.step(0).models)

    best = [("a(1)",)]
    assert found() == found("--opt-mode=optN") == found("--opt-strategy=usc") == best
    assert found("--opt-mode=optN", models=1) == found("--opt-mode=opt", models=1) == best
    assert found("--opt-mode=optN,1") == best
    assert found("--opt-mode=optN,0") == found("--opt-mode=opt,0", models=1) == []
    assert len(found("--opt-mode=ignore")) == 7


def test_several_models_are_the_best_ones() -> None:
    reasoner = Reasoner.from_text("2 { a(1..4) } 2. :~ a(1). [1]", models=2)
    answer = reasoner.step(0)
    assert (len(answer.models), answer.cost) == (2, ((0, 0),))
    assert all("a(1)" not in model.texts for model in answer.models)


@pytest.mark.parametrize("consequences", ["brave", "cautious"])
def test_consequences_of_optimal_answers(consequences: str) -> None:
    for options in ([], ["--opt-mode=optN"], ["--opt-mode=opt"], ["--enum-mode=bt"]):
        reasoner = Reasoner.from_text(
            "2 { a(1..4) } 2 :- p. :~ a(1). [1]", consequences=consequences, clingo=options
        )
        for tick in range(2):
            answer = reasoner.step(tick, ["p", f"q({tick})"])
            assert answer.holds.texts == (("a(2)", "a(3)", "a(4)") if consequences == "brave" else ())
            assert answer.cost == ((0, 0),)


PROJECTED = [
    ("{ a(1..3) } :- q. b :- a(1). #show b/0.", "--project", 2),
    ("{ a(1..3) } :- q. b :- a(1). #show b/0.", "--project=show", 2),
    ("{ a(1..3) } :- q. b :- a(1). #project b/0.", "--project", 2),
    ("{ a(1..3) } :- q. b :- a(1). #project a(X) : w(X) in [9].", "--project", 4),
    ("{ a(1..3) } :- q. b :- a(1). #project a(X) : w(X) in [9].", "--project=show", 8),
    ("{ a(1..3) } :- q. b :- a(1). #project b/0.", "--seed=1", 8),
    ("{ a(X) : w(X) in [9] } :- q. #show. #show t(X) : a(X), X < 3.", "--project", 2),
    ("b :- w(1) in [9]. { a(1..3) } :- q. #project b/0.", "--project", 1),
]


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped", "external"])
@pytest.mark.parametrize(("program", "option", "number"), PROJECTED)
def test_projection(program: str, option: str, number: int, evaluator: str) -> None:
    """Of answer streams that agree on the atoms of #project, or else on the output, there is one."""
    reasoner = Reasoner.from_text(program, models=0, evaluator=evaluator, clingo=[option])
    assert len(reasoner.step(0).models) == 1
    for tick in range(1, 4):
        facts = ["q", "w(1)", "w(3)"] if tick == 1 else ["q", f"r({tick})"]
        assert len(reasoner.step(tick, facts).models) == number


def test_searches_are_counted_where_ticks_are_measured() -> None:
    reasoner = Reasoner.from_text(CHOICE, stats=True)
    assert [component.searches for component in reasoner.statistics.components] == []
    reasoner.step(0)
    reasoner.step(1, ["call", "jam(1)"])
    reasoner.step(2, ["jam(2)"])
    [component] = reasoner.statistics.components
    assert component.searches is not None
    assert component.searches.models >= component.cost.solvings == 3  # type: ignore[union-attr]
    assert component.searches.threads == 1
    assert component.searches.rules > 0
    certain = Reasoner.from_text("a :- p.", stats=True)
    certain.step(0, ["p"])
    assert [component.searches for component in certain.statistics.components] == [None]
