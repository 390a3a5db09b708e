"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program and is what the other
evaluators are held to.
"""

import re
from collections.abc import Callable

from clingo import Control, MessageCode, Number, Symbol

from externals.database import IntervalDatabase
from externals.functions import LookupFunctions
from externals.symbols import as_atom_of, signature_of
from lars2asp.plan import Lookup, Plan
from lars2asp.source import NOWHERE, Location
from runtime.errors import EvaluationError
from runtime.evaluators.protocol import Model

OnMessage = Callable[[Location, str], None]
"""Takes what clingo says about a place in the user's text."""

_STEP = re.compile(r"\[#inc_[^\]]*\];?")  # what clingo adds to the bodies of a part with parameters
_PARAMETER = "#Inc0"  # how clingo names a part's parameter in messages
_PLACE = re.compile(r"^<[a-z]+>:(\d+):[\d:-]+: (?:info|warning|error): (.*)", re.DOTALL)


class OneShot:
    """Evaluates a plan with one Control for each tick.

    Where no lookup's answer changed since the tick before, and the plan does not depend on the tick itself,
    the answer streams stay as they are and nothing is solved.

    Args:
        plan: the program.
        database: holds the stream; its tick must be committed before `step`.
        models: how many answer streams to find (0: all).
        on_message: takes clingo's messages, each once for a place.
    """

    def __init__(self, plan: Plan, database: IntervalDatabase, models: int, on_message: OnMessage) -> None:
        self._plan = plan
        self._database = database
        self._models = models
        self._on_message = on_message
        self._functions = LookupFunctions(plan.functions, plan.lookups)
        self._known: dict[Lookup, frozenset[Symbol]] | None = None
        self._last: tuple[Model, ...] = ()

    def step(self, tick: int) -> tuple[Model, ...]:
        """The answer streams at a tick. Raises EvaluationError."""
        answers = {lookup: self._database.answer(lookup, tick) for lookup in self._plan.lookups}
        known: dict[Lookup, frozenset[Symbol]] | None = None
        if not self._plan.depends_on_now:
            known = {lookup: frozenset(symbols) for lookup, symbols in answers.items()}
            if known == self._known:
                return self._last
        self._known = None  # nothing is known should solving fail
        self._functions.hand_out(answers)
        self._last = self._solve(tick)
        self._known = known
        return self._last

    def _solve(self, tick: int) -> tuple[Model, ...]:
        errors: list[str] = []

        def log(code: MessageCode, message: str) -> None:
            if code is MessageCode.RuntimeError:
                errors.append(self._about_the_program(message))
            elif code is MessageCode.OperationUndefined:
                self._on_message(*self._place(message))

        try:
            control = Control([f"--models={self._models}"], logger=log, message_limit=1000)
            control.add(self._plan.part, [self._plan.parameter], self._plan.text)
            control.ground([(self._plan.part, [Number(tick)])], self._functions.context)
            with control.solve(yield_=True) as handle:
                return tuple(
                    self._model(model.symbols(shown=True), model.symbols(atoms=True)) for model in handle
                )
        except RuntimeError as error:
            raise EvaluationError("\n".join(errors) or str(error)) from error

    def _model(self, shown: list[Symbol], atoms: list[Symbol]) -> Model:
        recorded, shown_as = self._plan.recorded, self._plan.shown_as
        if shown_as:
            shown = [as_atom_of(shown_as[symbol.name], symbol) for symbol in shown]
        return Model(
            tuple(sorted(shown)),
            tuple(atom for atom in atoms if signature_of(atom) in recorded) if recorded else (),
        )

    def _place(self, message: str) -> tuple[Location, str]:
        match = _PLACE.match(message.strip())
        if match is None or not 0 < int(match[1]) <= len(self._plan.lines):
            return NOWHERE, message.strip()
        text = _STEP.sub("", match[2].strip()).replace(_PARAMETER, "@now")
        return self._plan.lines[int(match[1]) - 1].origin, text

    def _about_the_program(self, message: str) -> str:
        location, text = self._place(message)
        return f"{location}: error: {text}"
