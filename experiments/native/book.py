"""All formulae of a program: one object for each, whichever rules say it."""

from collections.abc import Iterable

from experiments.native.conclusions import Conclusions
from experiments.native.formulae import FormulaInstances, KeptFormula, PredicateState
from experiments.native.native_program import Formula, LastArrivalWindow, NativeProgram, Operator, Predicate
from experiments.native.passing import ArrivalLog, InputFormula, PassingFormula, TupleFormula, box

AnyFormula = KeptFormula | PassingFormula


class Book:
    """The predicates and formulae of a program.

    Attributes:
        states: what is known of each predicate.
        logs: the arrivals that tuple windows hold.
    """

    def __init__(self, program: NativeProgram) -> None:
        self.states: dict[Predicate, PredicateState] = {}
        self.logs: dict[LastArrivalWindow, ArrivalLog] = {}
        self._formulae: dict[Formula, AnyFormula] = {}
        self._background = program.background
        for rule in program.rules:
            state = self.state(rule.predicate)
            state.present = state.present or Conclusions()
            if rule.tick is None:
                state.is_asserted = True
            else:
                state.placed = state.placed or Conclusions()
        for rule in program.rules:
            for one in rule.formulae:
                self.formula(one.formula)

    def state(self, predicate: Predicate) -> PredicateState:
        """The state of a predicate."""
        if predicate not in self.states:
            background = list(self._background.get(predicate, ()))
            self.states[predicate] = PredicateState(predicate, background)
        return self.states[predicate]

    def formula(self, formula: Formula) -> AnyFormula:
        """The object for a formula."""
        if formula not in self._formulae:
            self._formulae[formula] = self._made(formula)
        return self._formulae[formula]

    def instances(self, formula: Formula) -> FormulaInstances:
        """The instances of a formula, which will be kept from now on."""
        instances = self.formula(formula).instances
        instances.is_needed = True
        return instances

    def kept(self, predicates: Iterable[Predicate]) -> list[KeptFormula]:
        """The formulae over some predicates whose annotations reach beyond a tick."""
        return [one for one in self._over(predicates) if isinstance(one, KeptFormula)]

    def passing(self, predicates: Iterable[Predicate]) -> list[PassingFormula]:
        """The formulae over some predicates that hold [t,t]."""
        return [one for one in self._over(predicates) if isinstance(one, PassingFormula)]

    def _over(self, predicates: Iterable[Predicate]) -> list[AnyFormula]:
        chosen = frozenset(predicates)
        return [one for formula, one in self._formulae.items() if formula.predicate in chosen]

    def _made(self, formula: Formula) -> AnyFormula:
        state, window = self.state(formula.predicate), formula.window
        if isinstance(window, LastArrivalWindow):
            return TupleFormula(formula, self.logs.setdefault(window, ArrivalLog(window)))
        state.reach = max(state.reach, window.size)
        if formula.operator is Operator.BOX:
            return box(formula, state, self._ticks)
        if formula.operator is Operator.NOW and state.present is None and not state.background:
            return InputFormula(formula, state)
        return KeptFormula(formula, state)

    def _ticks(self, formula: Formula) -> KeptFormula:
        found = self.formula(formula)
        assert isinstance(found, KeptFormula)
        return found
