"""Programs and streams for the tests of the native evaluators."""

from collections.abc import Mapping, Sequence

from experiments.engine import Engine, Fact
from lars2asp import Source
from lars2asp.compiler import Overrides, checked_program
from lars2asp.syntax.nodes import Program, Semantics


def checked(text: str) -> Program:
    """A program, with windows over derived atoms read strictly."""
    return checked_program(Source("test.lars", text), overrides=Overrides(semantics=Semantics.STRICT)).program


def fact(text: str) -> Fact:
    """A fact from its text, such as `p(1,a)`."""
    name, _, arguments = text.rstrip(")").partition("(")
    values = arguments.split(",") if arguments else []
    return name, *(int(value) if value.lstrip("-").isdigit() else value for value in values)


def answers(engine: Engine, last: int, stream: Mapping[int, str]) -> list[str]:
    """The answers from tick 0 to a last one, each as atoms in order with blanks between.

    The stream has the facts of ticks, with blanks between them.
    """
    found, answer = [], set[str]()
    for tick in range(last + 1):
        answer = step(engine, answer, tick, stream.get(tick, "").split())
        found.append(" ".join(sorted(answer)))
    return found


def step(engine: Engine, answer: set[str], tick: int, facts: Sequence[str]) -> set[str]:
    """The answer at a tick after the one before."""
    began, ended = engine.step(tick, engine.facts([fact(text) for text in facts]))
    return (answer - set(engine.texts(ended))) | set(engine.texts(began))
