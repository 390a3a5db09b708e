"""Plain ASP, a capability of several modules: the answer sets at every tick are those of clingo."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import clingo
import pytest
from clingo import ast
from clingo.script import enable_python

from lars2asp import Answer, Reasoner, compile_program
from lars2asp.compiler import Overrides
from lars2asp.planning.plan import Component, Plan, Translated
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.parser import read_sources

enable_python()

PROGRAMS = sorted((Path(__file__).parent.parent / "plain_asp").glob("*.lp"))

AnswerSets = frozenset[frozenset[str]]
Predicate = tuple[str, int, bool]
"""Name, arity, and whether it is not classically negated."""


def nodes(node: object) -> Iterator[ast.AST]:
    """All nodes of a syntax tree that are no plain terms, itself first."""
    if isinstance(node, ast.AST):
        yield node
        for child in node.values():
            yield from nodes(child)
    elif isinstance(node, Iterable) and not isinstance(node, str):
        for child in node:
            yield from nodes(child)


def of_type(node: object, *types: ast.ASTType) -> list[ast.AST]:
    """The nodes of some types in a syntax tree."""
    return [found for found in nodes(node) if found.ast_type in types]


def base_statements(path: Path) -> list[ast.AST]:
    """The statements of a program, with those it includes, that clingo grounds for the base part."""
    statements: list[ast.AST] = []
    within = True

    def take(statement: ast.AST) -> None:
        nonlocal within
        if statement.ast_type == ast.ASTType.Program:
            within = statement.name == "base" and not statement.parameters
        elif within:
            statements.append(statement)

    ast.parse_files([str(path)], take)
    return statements


def predicates(symbol: ast.AST, positive: bool = True) -> Iterator[Predicate]:
    """The predicates of an atom, several where a pool mixes arities."""
    if symbol.ast_type == ast.ASTType.UnaryOperation:
        yield from predicates(symbol.argument, not positive)
    elif symbol.ast_type == ast.ASTType.Pool:
        for argument in symbol.arguments:
            yield from predicates(argument, positive)
    else:
        assert symbol.ast_type == ast.ASTType.Function, symbol
        yield symbol.name, len(symbol.arguments), positive


def is_fact(rule: ast.AST) -> bool:
    """Whether a rule is a plain atom without body and without call of a function."""
    head = rule.head
    return (
        head.ast_type == ast.ASTType.Literal
        and head.sign == ast.Sign.NoSign
        and not rule.body
        and not any(function.external for function in of_type(head, ast.ASTType.Function))
    )


def head_atoms(head: ast.AST) -> list[ast.AST]:
    """The atoms that a head is about, without those of its conditions."""
    if head.ast_type == ast.ASTType.Literal:
        literals = [head]
    elif head.ast_type == ast.ASTType.HeadAggregate:
        literals = [element.condition.literal for element in head.elements]
    else:
        assert head.ast_type in {ast.ASTType.Aggregate, ast.ASTType.Disjunction}, head
        literals = [element.literal for element in head.elements]
    return [literal.atom for literal in literals if literal.atom.ast_type == ast.ASTType.SymbolicAtom]


def derived_predicates(statements: Iterable[ast.AST]) -> set[Predicate]:
    """The predicates that head a rule which is not a fact."""
    return {
        predicate
        for statement in statements
        if statement.ast_type == ast.ASTType.Rule and not is_fact(statement)
        for atom in head_atoms(statement.head)
        for predicate in predicates(atom.symbol)
    }


@cache
def answer_sets(path: Path) -> AnswerSets:
    """What clingo answers; without a shown signature only derived atoms, and shown terms."""
    statements = base_statements(path)
    types = {statement.ast_type for statement in statements}
    optimising = ast.ASTType.Minimize in types
    derived = None if ast.ASTType.ShowSignature in types else derived_predicates(statements)
    control = clingo.Control(
        ["--models=0", *(["--opt-mode=optN"] if optimising else [])], logger=lambda code, message: None
    )
    control.load(str(path))
    control.ground([("base", [])])
    found: set[frozenset[str]] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            if optimising and not model.optimality_proven:
                continue
            shown = model.symbols(shown=True)
            terms = set(model.symbols(terms=True))
            found.add(
                frozenset(
                    str(symbol)
                    for symbol in shown
                    if derived is None
                    or symbol in terms
                    or (symbol.name, len(symbol.arguments), symbol.positive) in derived
                )
            )
    return frozenset(found)


def models(answer: Answer) -> AnswerSets:
    """The answer sets of an answer."""
    return frozenset(frozenset(model.texts) for model in answer.models)


def name(path: Path) -> str:
    """The name of a program in the names of tests."""
    return path.stem


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 40


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_clingo_and_lars2asp_agree(path: Path) -> None:
    expected = answer_sets(path)
    answer = Reasoner.from_file(path, models=0).step(0)
    assert models(answer) == expected
    assert answer.satisfiable == bool(expected)


def never_skipped(plan: Plan) -> Plan:
    """The plan as if every tick made a difference."""
    whole, *components = map(_changing, (plan.whole, *plan.components))
    return replace(plan, whole=whole, components=tuple(components))


def _changing(component: Component) -> Component:
    translated = Translated(replace(component.program, depends_on_now=True), component.destinations)
    return replace(component, translation=lambda: translated)


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped"])
@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_every_tick_has_the_same_answer_sets(path: Path, evaluator: str) -> None:
    expected = answer_sets(path)
    plan = never_skipped(
        compile_program(*read_sources([path]), overrides=Overrides(semantics=Semantics.STRICT))
    )
    if evaluator == "stamped" and plan.whole.program.has_externals:
        return
    reasoner = Reasoner(plan, models=0, evaluator=evaluator)
    for tick in range(3):
        answer = reasoner.step(tick)
        assert models(answer) == expected
        assert answer.satisfiable == bool(expected)
