"""Predicates get other names wherever they are named, and nothing else changes."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp.runtime.language_server.renaming import RenameError, renamed
from lars2asp.runtime.language_server.statements import Occurrence, StatementReader
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Signature
from lars2asp.syntax.parser import read_statements
from lars2asp.syntax.parsing.tree import Include, Prefix, ProgramPart
from lars2asp.syntax.source import NOWHERE, Source
from lars2asp.syntax.traversal import rewrite
from tests.strategies import ALL_PROGRAMS
from tests.support.examples import number_of_examples
from tests.support.pages import BLOCK, PAGES

EXAMPLES = number_of_examples(10)

PROGRAM = """\
#input p(a, p) at time.  #decimals p(_,1). #types p(text,_). #held p(X,_) by X.
#show p/2. #show -p/2. #defined p/1. #project p/2. #show p(X,Y) : p(X,Y).
p(p,"p"). -p(1,X) :- p(X), p(X,@p(X)), not p(p(1),_) in [3 # p/2], r in [since p(p,1)].
p(1;2,3) :- (p(X,X), not q(p)) always in [2], #count { p,X : p(X,1) } > 1, p(X,Y) : p(X,1), -p(Y,X).
#external p(X,X) : p(X). { p(1,1) : p(X) }. % p(1,2)
#minimize { X@p : p(X,1) }. #heuristic p(1,2). [p@1,true]
"""


def occurrences(text: str) -> list[Occurrence]:
    statements = StatementReader().statements(Source("x", text), Diagnostics())
    return [one for statement in statements for one in statement.occurrences]


def with_name(text: str, offset: int, name: str) -> str:
    source = Source("x", text)
    for place in sorted(
        renamed(StatementReader(), [source], offset, name), reverse=True, key=lambda p: p.begin
    ):
        text = text[: place.begin] + name + text[place.end :]
    return text


def test_all_places_of_a_predicate_are_renamed() -> None:
    text = PROGRAM.replace("p(1;2,3) :-", "s(1) :-")
    new = with_name(text, text.index("p(a, p)"), "new")
    assert new == (
        "#input new(a, p) at time.  #decimals new(_,1). #types new(text,_). #held new(X,_) by X.\n"
        "#show new/2. #show -new/2. #defined p/1. #project new/2. #show p(X,Y) : new(X,Y).\n"
        'new(p,"p"). -new(1,X) :- p(X), new(X,@p(X)), not new(p(1),_) in [3 # new/2], '
        "r in [since new(p,1)].\n"
        "s(1) :- (new(X,X), not q(p)) always in [2], #count { p,X : new(X,1) } > 1, new(X,Y) : new(X,1), "
        "-new(Y,X).\n"
        "#external new(X,X) : p(X). { new(1,1) : p(X) }. % p(1,2)\n"
        "#minimize { X@p : new(X,1) }. #heuristic new(1,2). [p@1,true]\n"
    )


def test_what_a_pool_names_together_is_renamed_together() -> None:
    new = with_name(PROGRAM, PROGRAM.index("p(a, p)"), "new")
    assert "new(1;2,3) :-" in new
    assert "#defined new/1." in new


def test_places_are_definitions_or_not() -> None:
    text = (
        "p(X) :- q(X), r(X). q(1). #input r(a). { s : p(1) }. #calendar hour(H). #show p/1. "
        '#table t(a) from "t".'
    )
    assert [(one.name, one.is_definition) for one in occurrences(text)] == [
        *(("p", True), ("q", False), ("r", False), ("q", True), ("r", True), ("s", True), ("p", False)),
        *(("hour", True), ("p", False), ("t", True)),
    ]


@pytest.mark.parametrize("name", ["X", "1", "not", "", "a b", "p(1)", "q"])
def test_names_that_are_none_or_are_there_are_refused(name: str) -> None:
    with pytest.raises(RenameError):
        with_name("p(X) :- q(X).", 0, name)


def test_words_with_which_the_program_could_not_be_read_are_refused() -> None:
    text = "p(X) :- q(X).\nr(X) :- p(X) in [5], q(X)."
    with pytest.raises(RenameError, match=r"or is a word of the language: x:2:\d+"):
        with_name(text, 0, "or")
    assert with_name("p :- q in [5].", 0, "always") == "always :- q in [5]."


def test_programs_with_mistakes_are_not_renamed() -> None:
    with pytest.raises(RenameError, match=r"x:1:\d+"):
        with_name("p(X). q :-", 0, "r")


TEXTS = [
    pytest.param(block[2], id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(BLOCK.finditer(page.read_text()))
    if block[1].startswith("lars")
]


@pytest.mark.parametrize("text", TEXTS)
def test_programs_of_the_pages_say_the_same_with_another_name(text: str) -> None:
    check_renaming(text)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(ALL_PROGRAMS))
def test_random_programs_say_the_same_with_another_name(text: str) -> None:
    check_renaming(text)


def check_renaming(text: str) -> None:
    """Each predicate gets another name: the tree has it in place of the old one, and is else the same."""
    before = said(text)
    if before is None:
        return
    for one in {(one.name, one.arity): one for one in occurrences(text)}.values():
        new = with_name(text, one.begin, "some_new_name")
        arities = {other.arity for other in occurrences(new) if other.name == "some_new_name"}
        assert said(new) == [[with_other_name(part, one.name, arities) for part in parts] for parts in before]


def said(text: str) -> list[list[Any]] | None:
    diagnostics = Diagnostics()
    found = [
        [
            one._replace(location=NOWHERE) if isinstance(one, Include | ProgramPart | Prefix) else one
            for one in parts
        ]
        for _, parts in read_statements(Source("x", text), diagnostics)
    ]
    return None if diagnostics.has_errors else found


def with_other_name(part: Any, name: str, arities: set[int]) -> Any:
    if isinstance(part, tuple):
        return part

    def other(signature: Signature | None) -> Signature | None:
        is_meant = signature is not None and signature.name == name and signature.arity in arities
        return signature._replace(name="some_new_name") if is_meant and signature else signature

    def change(node: Node) -> Node:
        match node:
            case nodes.FormulaAtom():
                return node
            case nodes.Atom() if other(node.signature) != node.signature:
                return replace(node, name="some_new_name")
            case nodes.Show() | nodes.Defined() | nodes.ProjectSignature() | nodes.TupleWindow():
                signature: Any = other(node.signature)
                return replace(node, signature=signature)
            case nodes.Held() | nodes.Calendar():
                predicate: Any = other(node.predicate)
                return replace(node, predicate=predicate)
            case nodes.Input() | nodes.Table():
                arity = len(node.columns)
            case nodes.Types() | nodes.Decimals():
                arity = len(node.places)
            case _:
                return node
        return (
            replace(node, predicate="some_new_name") if node.predicate == name and arity in arities else node
        )

    return rewrite(part, change)
