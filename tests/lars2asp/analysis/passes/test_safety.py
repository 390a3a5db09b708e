"""The variables that we call unsafe are those that clingo does."""

import re

from clingo import Control, MessageCode
from hypothesis import HealthCheck, example, given, settings

from lars2asp.analysis.passes.safety import check_safety
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import (
    Atom,
    BinaryOperation,
    Comparison,
    Constant,
    Defined,
    Literal,
    Rule,
    Show,
    Sign,
    Statement,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import walk
from tests.support.examples import number_of_examples
from tests.support.programs import parse_text, said
from tests.support.syntax_strategies import syntactic_programs

EXAMPLES = 2 * number_of_examples(30)
_AUXILIARY = re.compile(r"(?:Arith|Range|Chain|Script)[0-9]+")
_NOTE = re.compile(r"note: '(?:#?([^']*))' is unsafe")


def _unsafe_to_clingo(text: str) -> set[str] | None:
    """Names of unsafe variables, `_` for anonymous ones; None if clingo objects to something else."""
    messages: list[tuple[MessageCode, str]] = []
    control = Control([], logger=lambda code, message: messages.append((code, message)), message_limit=100)
    try:
        control.add("part", [], text)
        control.ground([])
    except RuntimeError:
        errors = [message for code, message in messages if code is MessageCode.RuntimeError]
        if not errors or not all("unsafe" in message for message in errors):
            return None
    if any(code is MessageCode.OperationUndefined for code, _ in messages):
        return None  # the rule is dropped before its safety is looked at
    names = {name for _, message in messages for name in _NOTE.findall(message)}
    return {"_" if name.startswith("Anon") else name for name in names if not _AUXILIARY.match(name)}


def _unsafe_to_us(text: str) -> set[str]:
    diagnostics = Diagnostics()
    check_safety(ProgramAnalysis(parse_text(text)), diagnostics)
    return {found.message.removeprefix("unsafe variable ").partition(":")[0] for found in diagnostics.found}


def _is_peculiar(statement: Statement) -> bool:
    """Whether clingo accepts more than the rules of safety say, or less.

    More is so for comparisons with an interval over a variable (`0 = X..X`), and for negated chains, some of
    which it works out before it looks at safety. We call their variables unsafe. Less is so for `_` in
    `not -p(_)`, which means any value here.
    """
    nodes = list(walk(statement))
    if any(
        isinstance(node, Literal)
        and node.sign is not Sign.POSITIVE
        and isinstance(node.atom, Atom)
        and not node.atom.is_positive
        and any(isinstance(part, Variable) and part.is_anonymous for part in walk(node.atom))
        for node in nodes
    ):
        return True
    negated = [node.atom for node in nodes if isinstance(node, Literal) and node.sign is Sign.NOT]
    heads = [node.head for node in nodes if isinstance(node, Rule)]
    if any(isinstance(atom, Comparison) and len(atom.guards) > 1 for atom in [*negated, *heads]):
        return True
    return any(
        isinstance(part, BinaryOperation)
        and part.operator == ".."
        and any(isinstance(inner, Variable) for inner in walk(part))
        for comparison in nodes
        if isinstance(comparison, Comparison)
        for part in walk(comparison)
    )


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(syntactic_programs(streaming=False).map(to_text))
@example("a(X) :- b(Y), X = Y+1. c(X) :- X+1 = 2*Y, Y = 3. d(X) :- b(X*X). e(X) :- b(-X), not c(_).")
@example("a(X) :- X = #count { Y : b(Y,Z) }. c :- not b(X). d :- 1 < X. e(X) :- X = 1..3.")
@example("a(X) :- not X != 1. a(X) :- not not X = 1. a(X) :- X = Y, Y = X. a(X) :- X = 1 = Y, b(Y).")
@example("a(_). a :- b(f(_)), not b(f(_)). a :- _ < 1. a :- not _ < 1. a(X) :- b((X,X+1),0*X).")
@example("a(X) :- b : X = Y. :~ #false : X = Y. [X@1] a(X) :- #sum { Y : b(Y+X), X = Y } = 1.")
@example(":- X-1 = X. :- X = X, p. :- X < X. a(X) :- X < Y, Y < X. a(X) :- X-1 = X, X < Y, Y < 3.")
@example("a :- #sum { X,Y : b(X), not c(Y) ; Z } > 0. a(Y) :- Y = #sum { X : b(X,Y) }.")
def test_unsafe_variables_are_those_of_clingo(text: str) -> None:
    """Statement by statement, on random ones of the plain language."""
    for statement in parse_text(text).statements:
        if isinstance(statement, Constant | Show | Defined) or _is_peculiar(statement):
            continue
        expected = _unsafe_to_clingo(to_text(statement))
        if expected is not None:
            found = _unsafe_to_us(to_text(statement))  # not those that are safe once these are
            assert found <= expected and bool(found) == bool(expected), to_text(statement)


def test_a_variable_is_reported_once_a_rule() -> None:
    assert said("a(X,X) :- X < 3, not b(X).").count("unsafe variable") == 1


def test_many_negated_chains_are_no_matter() -> None:
    """Each is true in several ways, and all ways of all together are too many to look at."""
    chains = ", ".join(f"not 1 < X{i} < 3" for i in range(40))
    atoms = ", ".join(f"p(X{i})" for i in range(40))
    assert said(f":- {chains}, {atoms}.") == "\n"
