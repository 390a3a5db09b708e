"""A plan as text, which `compile --plan` prints."""

from textwrap import dedent

from lars2asp.compiler import compile_program
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.plan_text import plan_text
from lars2asp.syntax.source import Source

PROGRAM = """\
a(X) :- p(X) in [5].
b(X) :- a(X), q(X,Y+1).
b(X) :- b(Y), r(X,Y).
{ c(X) } :- b(X).
"""


def printed(evaluator: EvaluatorName) -> str:
    return plan_text(compile_program(Source("x.lars", PROGRAM)), evaluator)


def test_components_with_their_evaluators() -> None:
    assert printed(EvaluatorName.AUTO) == dedent("""\
        semantics: recorded
        p/1 is looked at 5 ticks back
        large files and pipes: many ticks at once

        component 1
          derives a/1, in one answer stream
          evaluator: delta: no choice; without clingo
          reads p/1 in sliding(5)
          hands on a/1 for the current tick
          lines 1

        component 2
          derives b/1, in one answer stream
          evaluator: delta: no choice; without clingo
          reads a/1 now, q/2 now, r/2 now
          hands on b/1 for the current tick
          lines 2, 3

        component 3
          derives c/1, in several answer streams or none
          evaluator: external: delta cannot: it may have several answer streams, or none
          reads b/1 now
          lines 4
        """)


def test_the_whole_program() -> None:
    assert printed(EvaluatorName.ONESHOT) == dedent("""\
        semantics: recorded
        p/1 is looked at 5 ticks back

        component 1
          is the whole program, with all its answer streams
          evaluator: oneshot: asked for
          reads p/1 in sliding(5)
        """)


def test_rules_that_are_left_out_and_why() -> None:
    sources = (
        Source("x.lars", "#show a/1.\na(X) :- p(X).\nb(X;Y) :- a(X), a(Y)."),
        Source("y.lars", "b(0) :- p(7)."),
    )
    text = plan_text(compile_program(*sources), EvaluatorName.AUTO)
    assert text.splitlines()[:5] == [
        "semantics: recorded",
        "b/1 is left out, as no answer depends on it: x.lars:3, y.lars:1",
        "large files and pipes: many ticks at once",
        "",
        "component 1",
    ]


def test_large_windows_are_said_with_their_places() -> None:
    text = "#tick 1 sec.\na(X) :- p(X) in [30 day], q(X) in [5].\nb(X) :- p(X) in [1 day]."
    printed = plan_text(compile_program(Source("x.lars", text)), EvaluatorName.AUTO).splitlines()
    assert [line for line in printed if "keeps" in line] == [
        "x.lars:2: p(X) in [30 day] keeps p/1 for 2592000 ticks",
        "x.lars:3: p(X) in [1 day] keeps p/1 for 86400 ticks",
    ]
