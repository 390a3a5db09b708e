"""Random programs on their streams, the explanations of which are checked."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.predicates import head_atoms
from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.strategies import Case
from tests.support.definition import record

Json = dict[str, Any]

ALL = 1000
"""In ticks, the longest history: longer than all streams."""


class Checked:
    """A random program on its stream, the explanations of which are checked."""

    def __init__(self, case: Case, kept: int = ALL) -> None:
        checked = _compiled(case)
        plan = compile_plan(checked, explained=True)
        self.program = checked.written
        self._is_strict = case.semantics == "strict"
        self._reasoner = Reasoner(
            plan,
            start=case.start,
            complete_windows=case.complete_windows,
            explain_last=kept,
            tuning=Tuning(explained_spare=0),
        )
        told = [record(one)._replace(origin=Origin("stream", n)) for n, one in enumerate(case.records)]
        self._held = {
            one.tick: one.holds.texts for one in self._reasoner.run(told, until=case.last, emit="every")
        }
        in_order = sorted(told, key=lambda one: one.tick)
        self._stream = arrivals(in_order, held_facts(self.program))

    @staticmethod
    def is_program(case: Case) -> bool:
        """Whether it has no error."""
        try:
            _compiled(case)
        except ProgramError:
            return False
        return True

    def questions(self, random: Random) -> Iterator[tuple[str, int]]:
        """Atoms that hold at some tick, or at others only, and one with a variable, at random ticks."""
        known = sorted({atom for atoms in self._held.values() for atom in atoms})
        history = self._reasoner.session.history
        assert history is not None
        kept = [tick for tick in sorted(self._held) if tick >= history.kept_from]
        for tick in random.sample(kept, min(3, len(kept))):
            holding = sorted(self._held[tick])
            others = sorted(set(known).difference(holding))
            asked = random.sample(holding, min(2, len(holding))) + random.sample(others, min(2, len(others)))
            yield from ((atom, tick) for atom in asked)
        if known:
            name, bracket, arguments = random.choice(known).partition("(")
            rest = ",Q" * arguments.count(",") if "(" not in arguments and '"' not in arguments else ""
            yield f"{name}(Q{rest})" if bracket else name, random.choice(kept)
        derived = sorted({head.atom.signature for rule in self.program.rules() for head in head_atoms(rule)})
        if derived and kept:
            signature = random.choice(derived)
            terms = ",".join(random.choice(["Q", "_", "0", "1", "f(_,1)"]) for _ in range(signature.arity))
            yield f"{signature.name}({terms})" if terms else signature.name, random.choice(kept)

    def explanation(self, atom: str, tick: int, explanations: int = 1) -> Json | None:
        """Why an atom holds, or why not; None if it rests on a choice that strict semantics has forgotten."""
        try:
            explanation = self._reasoner.why(atom, tick, explanations=explanations)
        except InputError as error:
            assert self._is_strict, error
            return None
        found: Json = json.loads(json.dumps(explanation.to_dict()))
        return found

    def faults(self, explanation: Json) -> list[str]:
        """What is wrong with an explanation."""
        return check_explanation(self.program, self._stream, explanation)


def _compiled(case: Case) -> CheckedProgram:
    overrides = Overrides(semantics=Semantics(case.semantics))
    return checked_program(Source("random.lars", case.program), overrides=overrides)
