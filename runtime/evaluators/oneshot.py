"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program and is what the other
evaluators are held to.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from clingo import Control, MessageCode, Number, Symbol, SymbolType
from clingo import Model as SolvedModel

from externals.database import IntervalDatabase
from externals.functions import LookupFunctions
from externals.symbols import as_atom_of, signature_of, without_tick
from lars2asp.plan import Lookup, Plan
from lars2asp.source import NOWHERE, Location
from runtime.errors import EvaluationError
from runtime.evaluators.protocol import Consequences, Model, Step

OnMessage = Callable[[Location, str], None]
"""Takes what clingo says about a place in the user's text."""

_STEP = re.compile(r"\[#inc_[^\]]*\];?")  # what clingo adds to the bodies of a part with parameters
_PARAMETER = "#Inc0"  # how clingo names a part's parameter in messages
_PLACE = re.compile(r"^<[a-z]+>:(\d+):[\d:-]+: (?:info|warning|error): (.*)", re.DOTALL)


@dataclass(frozen=True)
class Wanted:
    """What is asked of an evaluator.

    Attributes:
        models: how many answer streams to find (0: all), of optimal ones where the program optimizes.
        consequences: whether brave or cautious consequences are found besides.
    """

    models: int = 1
    consequences: Consequences | None = None


class OneShot:
    """Evaluates a plan with one Control for each tick.

    Where no lookup's answer changed since the tick before, and the plan does not depend on the tick itself,
    the answer streams stay as they are and nothing is solved.

    Args:
        plan: the program.
        database: holds the stream; its tick must be committed before `step`.
        wanted: what to find.
        functions: the user's `@`-functions.
        on_message: takes clingo's messages, each once for a place.
    """

    def __init__(
        self,
        plan: Plan,
        database: IntervalDatabase,
        wanted: Wanted,
        functions: Mapping[str, Callable[..., Any]],
        on_message: OnMessage,
    ) -> None:
        self._plan = plan
        self._database = database
        self._wanted = wanted
        self._on_message = on_message
        self._functions = LookupFunctions(plan.functions, plan.lookups, functions)
        self._known: dict[Lookup, frozenset[Symbol]] | None = None
        self._last = Step()
        is_search_for_one = plan.optimizes and wanted.models == 1  # a sequence of ever better ones
        self._arguments = [f"--models={0 if is_search_for_one else wanted.models}"]
        if plan.optimizes and not is_search_for_one:
            self._arguments.append("--opt-mode=optN")
        if plan.guides_solver:
            self._arguments.append("--heuristic=Domain")

    def step(self, tick: int) -> Step:
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

    def _solve(self, tick: int) -> Step:
        errors: list[str] = []

        def log(code: MessageCode, message: str) -> None:
            if code is MessageCode.RuntimeError:
                errors.append(self._about_the_program(message))
            elif code is MessageCode.OperationUndefined:
                self._on_message(*self._place(message))

        try:
            control = Control(self._arguments, logger=log, message_limit=1000)
            control.add(self._plan.part, [self._plan.parameter], self._plan.text)
            control.ground([(self._plan.part, [Number(tick)])], self._functions.context)
            models = self._models(control)
            consequences = self._consequences(control) if models and self._wanted.consequences else None
        except RuntimeError as error:
            raise EvaluationError("\n".join(errors) or str(error)) from error
        return Step(models, consequences)

    def _models(self, control: Control) -> tuple[Model, ...]:
        models: list[Model] = []
        with control.solve(yield_=True) as handle:
            for model in handle:
                if self._plan.optimizes:
                    if self._wanted.models == 1:
                        models.clear()  # of a sequence, ever better, the last is optimal
                    elif not _is_optimal(model):
                        continue
                models.append(self._model(model))
        return tuple(models)

    def _consequences(self, control: Control) -> tuple[Symbol, ...]:
        solve: Any = control.configuration.solve
        solve.enum_mode = str(self._wanted.consequences)
        solve.models = 0
        if self._plan.optimizes:
            solve.opt_mode = "optN"
        found: tuple[Symbol, ...] = ()
        with control.solve(yield_=True) as handle:
            for model in handle:  # each nearer to the consequences than the one before
                if not self._plan.optimizes or _is_optimal(model):
                    found = self._shown(model)
        return found

    def _shown(self, model: SolvedModel) -> tuple[Symbol, ...]:
        shown, shown_as = model.symbols(shown=True), self._plan.shown_as
        if not shown_as:
            return tuple(sorted(shown))
        return tuple(
            sorted(
                {
                    as_atom_of(shown_as[symbol.name], symbol)
                    if symbol.type is SymbolType.Function and symbol.name in shown_as
                    else symbol
                    for symbol in shown
                }
            )
        )

    def _model(self, model: SolvedModel) -> Model:
        plan = self._plan
        recorded: list[Symbol] = []
        placed: list[tuple[int, Symbol]] = []
        if plan.recorded or plan.placed:
            for atom in model.symbols(atoms=True):
                signature = signature_of(atom)
                if (as_recorded := plan.recorded.get(signature)) is not None:
                    recorded.append(atom if as_recorded == signature else as_atom_of(as_recorded, atom))
                elif (as_placed := plan.placed.get(signature)) is not None:
                    tick = atom.arguments[-1]
                    if tick.type is SymbolType.Number:
                        placed.append((tick.number, without_tick(as_placed, atom)))
        return Model(self._shown(model), tuple(recorded), tuple(placed))

    def _place(self, message: str) -> tuple[Location, str]:
        match = _PLACE.match(message.strip())
        if match is None or not 0 < int(match[1]) <= len(self._plan.lines):
            return NOWHERE, message.strip()
        text = _STEP.sub("", match[2].strip()).replace(_PARAMETER, "@now")
        return self._plan.lines[int(match[1]) - 1].origin, text

    def _about_the_program(self, message: str) -> str:
        location, text = self._place(message)
        return f"{location}: error: {text}"


def _is_optimal(model: SolvedModel) -> bool:
    """Whether no model is better; without anything weighed in the ground program none is."""
    return model.optimality_proven or not model.cost
