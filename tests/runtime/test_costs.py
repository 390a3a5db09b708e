"""Costs of optimal answers, a capability of several modules: at every tick they are those of clingo."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import clingo
import pytest
from clingo import Number, Symbol

from lars2asp import Answer, Reasoner
from lars2asp.__main__ import main

PROGRAM = """
1 { go(X) : way(X) } 1 :- call in [2].
way(1..4).
{ sleep } :- not call in [1].
:~ go(X), jam(X) in [1]. [10@3, X]
:~ go(X), go(X) in {1}. [2@2, X]
:~ sleep. [1@2]
#minimize { X@1, X : go(X); 5@1, s : not sleep }.
#maximize { W@P, X : bonus(X,W,P), go(X) }.
"""
LEVELS = (3, 2, 1)
EVALUATORS = ["auto", "oneshot", "stamped", "external"]

Stream = list[tuple[int, list[str]]]


def random_stream(seed: int) -> Stream:
    """Some facts at each of twenty ticks; bonuses are at priorities of their own, too."""
    choose = random.Random(seed)

    def fact() -> str:
        kind = choose.choice(["call", "jam", "jam", "bonus"])
        way = choose.randint(1, 4)
        bonus = f"bonus({way},{choose.randint(1, 9)},{choose.choice([0, 1, 3, 7])})"
        return {"call": "call", "jam": f"jam({way})", "bonus": bonus}[kind]

    return [(tick, [fact() for _ in range(choose.randrange(4))]) for tick in range(20)]


class Translation:
    """The text that the program becomes, with the functions that it calls, by the definition."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._held: dict[int, set[Symbol]] = {}
        """What was told and derived at each tick."""

    def tell(self, tick: int, atoms: Sequence[Symbol]) -> None:
        """Atoms hold at a tick."""
        self._held.setdefault(tick, set()).update(atoms)

    def lars_told(self, name: Symbol, arity: Symbol, now: Symbol) -> list[Symbol]:
        return [*self._at(now.number, name, arity)]

    def lars_in(self, name: Symbol, arity: Symbol, window: Symbol, now: Symbol) -> list[Symbol]:
        kind, _, size = window.string.rstrip(")").partition("(")
        ticks = range(int(size) + 1) if kind == "sliding" else [int(size)]
        return [*{atom for back in ticks for atom in self._at(now.number - back, name, arity)}]

    def _at(self, tick: int, name: Symbol, arity: Symbol) -> Iterator[Symbol]:
        for atom in self._held.get(tick, ()):
            if (atom.name, len(atom.arguments)) == (name.string, arity.number):
                yield atom

    def optimal(self, tick: int) -> tuple[dict[int, int], set[frozenset[Symbol]]]:
        """What the optimal answer sets cost at a tick, where that is not 0, and these."""
        control = clingo.Control(["--models=0", "--opt-mode=optN"])
        control.add("base", [], self._text)
        control.ground([("lars_tick", [Number(tick)])], self)
        found, costs = set(), {}
        with control.solve(yield_=True) as models:
            for model in models:
                if model.optimality_proven or not model.cost:
                    found.add(frozenset(model.symbols(shown=True)))
                    costs = dict(zip(model.priority, model.cost, strict=True))
        return {priority: cost for priority, cost in costs.items() if cost}, found


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `lars2asp compile` prints."""
    path = tmp_path_factory.mktemp("compiled")
    (path / "p.lars").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patch, (path / "text.lp").open("w") as output:
        patch.setattr("sys.stdout", output)
        assert main(["compile", str(path / "p.lars")]) == 0
    return (path / "text.lp").read_text()


def nonzero(answer: Answer) -> dict[int, int]:
    assert answer.cost is not None
    return {priority: cost for priority, cost in answer.cost if cost}


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("seed", range(8))
def test_costs_are_those_of_clingo_at_every_tick(text: str, evaluator: str, seed: int) -> None:
    by_clingo = Translation(text)
    reasoner = Reasoner.from_text(PROGRAM, evaluator=evaluator, models=0)
    for tick, facts in random_stream(seed):
        by_clingo.tell(tick, [*map(clingo.parse_term, facts)])
        answer = reasoner.step(tick, facts)
        costs, models = by_clingo.optimal(tick)
        assert nonzero(answer) == costs
        assert {frozenset(model.symbols) for model in answer.models} == models
        by_clingo.tell(tick, answer.holds.symbols)


@pytest.mark.parametrize("options", [{}, {"models": 3}, {"consequences": "brave"}, {"clingo": ["-t", "2"]}])
def test_the_cost_does_not_depend_on_what_is_asked_for(options: dict[str, object]) -> None:
    """While nothing that was chosen is looked at later on."""
    program = PROGRAM.replace(":~ go(X), go(X) in {1}. [2@2, X]", "")
    asked = Reasoner.from_text(program, **options)  # type: ignore[arg-type]
    plain = Reasoner.from_text(program, evaluator="oneshot")
    for tick, facts in random_stream(99):
        assert asked.step(tick, facts).cost == plain.step(tick, facts).cost


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_the_form_of_a_cost(evaluator: str) -> None:
    """The priorities that the program names are there at every tick, others where they cost something."""
    reasoner = Reasoner.from_text(PROGRAM, evaluator=evaluator)
    answers = [
        reasoner.step(0, ["call"]),
        reasoner.step(1, ["jam(1)", "bonus(2,4,7)"]),
        reasoner.step(2),
        reasoner.step(9),
    ]
    assert [answer.cost for answer in answers] == [
        ((3, 0), (2, 0), (1, 6)),
        ((7, -4), (3, 0), (2, 0), (1, 7)),
        ((3, 0), (2, 0), (1, 8)),
        ((3, 0), (2, 0), (1, 5)),
    ]


def test_answers_without_cost() -> None:
    """Those of programs that do not optimise, and at ticks that have none."""
    assert Reasoner.from_text("{ a }.").step(0).cost is None
    assert Reasoner.from_text("a :- p.").step(0, ["p"]).cost is None
    answer = Reasoner.from_text("{ a } :- p. :- p. :~ a. [1]").step(0, ["p"])
    assert (answer.satisfiable, answer.cost) == (False, None)
    ignoring = Reasoner.from_text("{ a } :- p. :~ a. [1]", clingo=["--opt-mode=ignore"], models=0)
    answer = ignoring.step(0, ["p"])
    assert (len(answer.models), answer.cost) == (2, None)


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_the_cost_stays_with_the_answer(evaluator: str) -> None:
    """While nothing changes, and over a snapshot."""
    program = "1 { go(X) : way(X) } 1 :- open. way(1..3). :~ go(X), not closed(X). [X]"
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    reasoner.step(0, begin=["open", "closed(3)"])
    assert [answer.cost for answer in reasoner.run([(3, []), (5, [])], emit="every")] == 5 * [((0, 0),)]
    other = Reasoner.from_text(program, evaluator=evaluator)
    other.resume(reasoner.snapshot())
    for one in reasoner, other:
        assert [answer.cost for answer in one.run([(7, [])], emit="every")] == 2 * [((0, 0),)]
        assert one.step(8, end=["closed(3)"]).cost == ((0, 1),)


def test_the_cost_is_not_known_of_an_answer_from_a_snapshot_of_an_earlier_version() -> None:
    """The answer stays, as it does in that version; the next one has its cost."""
    snapshot = (Path(__file__).parent / "reasoning" / "kept" / "without_costs.snapshot").read_bytes()
    reasoner = Reasoner.from_text("1 { go(X) : way(X) } 1 :- open. way(1..3). :~ go(X), not closed(X). [X]")
    reasoner.resume(snapshot)
    answer = reasoner.step(3)
    assert (answer.holds.texts, answer.cost) == (("go(3)",), None)
    answer = reasoner.step(4, end=["closed(3)"])
    assert (answer.holds.texts, answer.cost) == (("go(1)",), ((0, 1),))
