"""Streaming atoms become plain atoms, each defined by rules over `@`-calls and the current tick.

Each streaming atom over p(X), whatever its arguments, is one generated predicate with the arguments of p (and
the tick or number that it binds). The rules that define it depend on how p can become true in the window:

- input alone: one `@`-call answers for the whole window;
- rules at the current tick: a call for the ticks before, p itself for the current one (the translation of
  Eiter, Ogris, Schekotihin 2019, section 4, taken predicate by predicate);
- heads `p(X) at T`: besides, the atoms that they place at ticks of the window in this same evaluation.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from lars2asp.analysis import windows
from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.windows import TickWindow
from lars2asp.planning.asp.asp_program import LookupLiteral, term_of
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.source import Location

Emit = Callable[[nodes.Statement, Location], None]
"""Takes a generated statement and the place in the user's text that it comes from."""

_ANY = nodes.Variable("_")
_TICK = nodes.Variable("T")
_NUMBER = nodes.Variable("N")
_ONE = nodes.Number(1)
_ONE_MORE = nodes.BinaryOperation("+", _NUMBER, _ONE)


class StreamingAtoms:
    """Translates the streaming atoms of one program.

    Args:
        names: the generated names.
        constants: the values of integer constants.
        derived: the predicates that may hold now without the input: derived ones, and externals.
        placed: those of them that a head `a at T` places at ticks.
        emit: takes the rules that define the generated predicates.
    """

    def __init__(
        self,
        names: Names,
        constants: Mapping[str, int],
        derived: frozenset[nodes.Signature],
        placed: frozenset[nodes.Signature],
        emit: Emit,
    ) -> None:
        self.names = names
        self._constants = constants
        self._derived = derived
        self._placed = placed
        self._emit = emit
        self._defined: set[str] = set()
        self.named: set[nodes.Signature] = set()
        """The predicates whose plain atoms stand in the rules that were emitted."""
        self.lookups: dict[Lookup, None] = {}
        self.depends_on_now = False

    def atom(self, streaming: nodes.StreamingAtom) -> nodes.Atom:
        """The plain atom in place of a streaming atom; sees to the rules that define it."""
        atom, window = streaming.atom, window_of(streaming, self._constants)
        more: tuple[nodes.Term, ...] = ()
        least: int | None = None
        match streaming:
            case nodes.Diamond():
                kind = "in"
            case nodes.Box():
                kind = "always"
            case nodes.AtTick(_, tick, written):
                is_at = written is not None or isinstance(window, windows.Unbounded)
                kind, more = ("at", (tick,)) if is_at else ("in", ())
            case nodes.AtLeast(_, number):
                least = integer_value(number, self._constants)
                kind, more = ("least", (number,)) if least is None else (f"least_{least}", ())
            case nodes.Count(_, number):
                kind, more = "count", (number,)
            case nodes.AtMost():
                raise TypeError("`at most` is to be written as `at least` before")
            case _:
                assert_never(streaming)
        name = self.defined(kind, atom.signature, window, streaming.location, least)
        return nodes.Atom(name, (*atom.arguments, *more), location=streaming.location)

    def lookup(
        self,
        kind: LookupKind,
        terms: Sequence[nodes.Term],
        signature: nodes.Signature | None = None,
        window: TickWindow | None = None,
        least: int | None = None,
    ) -> LookupLiteral:
        """The literal that makes a lookup.

        Args:
            kind: the kind of the lookup.
            terms: the arguments of the predicate's atoms and the tick or number, if the answers have one;
                without a predicate, the members of the tuples.
            signature: the predicate.
            window: the window.
            least: for LEAST and LEAST_BEFORE, the number.
        """
        lookup = Lookup(kind, signature, window, least)
        self.lookups[lookup] = None
        arguments: list[nodes.Term] = []
        pattern: nodes.Term = nodes.Tuple(tuple(terms))
        if signature is not None:
            name = f"{'' if signature.is_positive else '-'}{signature.name}"
            arguments += nodes.String(name), nodes.Number(signature.arity)
            is_value = not signature.arity and signature.name in self.names.constants
            pattern = term_of(plain_atom(signature, terms[: signature.arity]))
            if is_value:
                pattern = nodes.Variable(self.names.variable(0))
            if len(terms) > signature.arity:
                pattern = nodes.Tuple((pattern, terms[-1]))
        if window is not None:
            arguments.append(nodes.String(str(window)))
        if least is not None:
            arguments.append(nodes.Number(least))
        call = nodes.Function(self.names.function(kind), (*arguments, nodes.Function(self.names.now)), True)
        return LookupLiteral(_compared(pattern, "=", call), lookup=lookup)

    def rule(self, head: nodes.Atom, body: Sequence[nodes.Atom | nodes.Literal], origin: Location) -> None:
        """Emits a rule."""
        literals = tuple(nodes.Literal(part) if isinstance(part, nodes.Atom) else part for part in body)
        self._emit(nodes.Rule(head, literals), origin)

    def defined(
        self,
        kind: str,
        signature: nodes.Signature,
        window: TickWindow,
        origin: Location,
        least: int | None = None,
    ) -> str:
        """The predicate for a kind of streaming atom; its rules are emitted once."""
        name = self.names.windowed(kind, str(window), signature)
        if name in self._defined:
            return name
        self._defined.add(name)
        definition = _StreamingDefinition(self, name, signature, window, origin)
        kind = kind if least is None else "least"
        if not self._may_change_now(signature, window):
            definition.of_input(kind, least)
        elif isinstance(window, windows.Since):
            self.named.add(signature)
            if window.signature in self._derived:
                self.named.add(window.signature)
                definition.is_begun_by_rules = True
            definition.of_derived(kind, least)
        else:
            self.named.add(signature)
            if signature in self._placed:
                self.depends_on_now = True
                definition.of_placed(kind, least)
            else:
                definition.of_derived(kind, least)
        return name

    def is_new(self, atom: nodes.Atom) -> bool:
        """Whether rules for a generated predicate are to be made, which is asked once."""
        is_new = atom.name not in self._defined
        self._defined.add(atom.name)
        return is_new

    def _may_change_now(self, signature: nodes.Signature, window: TickWindow) -> bool:
        """Whether atoms that rules derive now may hold at ticks of the window, or begin it."""
        if isinstance(window, windows.LastArrivals):
            return False
        if isinstance(window, windows.Since) and window.signature in self._derived:
            return True
        if signature in self._placed:
            return True
        return signature in self._derived and window.includes_now


class _StreamingDefinition:
    """The rules for one generated predicate."""

    def __init__(
        self,
        streaming: StreamingAtoms,
        name: str,
        signature: nodes.Signature,
        window: TickWindow,
        origin: Location,
    ) -> None:
        self._streaming = streaming
        self._names = streaming.names
        self._name = name
        self._signature = signature
        self._window = window
        self._leaps = isinstance(window, windows.TimeWindow) and window.leaps
        self.is_begun_by_rules = False
        """Whether rules derive what begins the window: then the database knows that up to the tick before."""
        self._origin = origin
        self._variables = variables_of(signature)
        self._plain = plain_atom(signature, self._variables)
        self._now = nodes.Function(self._names.now)

    def _atom(self, name: str, *more: nodes.Term) -> nodes.Atom:
        """An atom with the arguments of the predicate's atoms and more."""
        return nodes.Atom(name, (*self._variables, *more))

    def _add(self, more: Sequence[nodes.Term], *body: nodes.Atom | nodes.Literal) -> None:
        self._streaming.rule(self._atom(self._name, *more), body, self._origin)

    def _lookup(self, kind: LookupKind, *more: nodes.Term, least: int | None = None) -> LookupLiteral:
        """The lookup of the predicate's atoms in the window."""
        terms = [*self._variables, *more]
        return self._streaming.lookup(kind, terms, self._signature, self._window, least)

    def _before(self, kind: LookupKind, *more: nodes.Term, least: int | None = None) -> list[nodes.Literal]:
        """What holds if the lookup has the atom: that, while the window does not begin anew."""
        return [self._lookup(kind, *more, least=least), *self._not_begun()]

    def _about_window(self, kind: LookupKind, *terms: nodes.Term) -> LookupLiteral:
        return self._streaming.lookup(kind, terms, None, self._window)

    def _now_inside(self) -> tuple[nodes.Literal, ...]:
        """The condition that the current tick is in the window; empty for always."""
        if isinstance(self._window, windows.Fixed):
            self._streaming.depends_on_now = True
            return (nodes.Literal(_compared(nodes.Number(self._window.tick), "=", self._now)),)
        if self._leaps:
            return (self._about_window(LookupKind.HAS_NOW),)
        if isinstance(self._window, windows.Since):
            return (nodes.Literal(self._open(self._window)),)
        return ()

    # --- windows that begin with an atom --------------------------------------------------------------

    def _of_key(self, kind: str, window: windows.Since) -> nodes.Atom:
        """An atom about the window with the key of the predicate's atoms."""
        name = self._names.windowed(kind, str(window), window.signature)
        return nodes.Atom(name, tuple(self._variables[place] for place in window.positions))

    def _open(self, window: windows.Since) -> nodes.Atom:
        """The current tick is in the window."""
        found = self._of_key("open", window)
        if self._streaming.is_new(found):
            known = self._about_window(LookupKind.HAS_NOW, *found.arguments)
            begun = self._not_begun()
            if self.is_begun_by_rules and not window.is_after:
                self._streaming.rule(found, [self._begun(window)], self._origin)
                begun = []
            self._streaming.rule(found, [known, *begun], self._origin)
        return found

    def _begun(self, window: windows.Since) -> nodes.Atom:
        """The window begins at the current tick with what rules derive."""
        found = self._of_key("begun", window)
        if self._streaming.is_new(found):
            arguments = tuple(
                self._variables[one]
                if isinstance(one, int)
                else nodes.Variable(f"Y{place}")
                if one is None
                else one
                for place, one in enumerate(window.key)
            )
            before = self._streaming.defined("in", window.signature, windows.Offsets((1,)), self._origin)
            held = nodes.Literal(nodes.Atom(before, arguments), nodes.Sign.NOT)
            self._streaming.rule(found, [plain_atom(window.signature, arguments), held], self._origin)
        return found

    def _not_begun(self) -> list[nodes.Literal]:
        """The condition that what rules derive does not begin the window anew."""
        if not isinstance(self._window, windows.Since) or not self.is_begun_by_rules:
            return []
        return [nodes.Literal(self._begun(self._window), nodes.Sign.NOT)]

    def _nothing_before(self) -> nodes.Literal:
        """The window has no tick but the current one."""
        if not isinstance(self._window, windows.Since):
            return self._about_window(LookupKind.NOTHING_BEFORE)
        found = self._of_key("alone", self._window)
        if self._streaming.is_new(found):
            known = self._about_window(LookupKind.NOTHING_BEFORE, *found.arguments)
            if self.is_begun_by_rules and not self._window.is_after:
                self._streaming.rule(found, [self._begun(self._window)], self._origin)
            self._streaming.rule(found, [known, *self._not_begun()], self._origin)
        return nodes.Literal(found)

    # --- input alone ----------------------------------------------------------------------------------

    def of_input(self, kind: str, least: int | None) -> None:
        """The database has all ticks."""
        match kind:
            case "in":
                self._add([], self._lookup(LookupKind.IN))
            case "always":
                self._add([], self._lookup(LookupKind.ALWAYS))
            case "at":
                self._add([_TICK], self._lookup(LookupKind.AT, _TICK))
            case "least" if least is not None:
                self._add([], self._lookup(LookupKind.LEAST, least=least))
            case "least":
                self._add([_up_to(_NUMBER)], self._lookup(LookupKind.COUNT, _NUMBER))
            case "count":
                self._add([_NUMBER], self._lookup(LookupKind.COUNT, _NUMBER))

    # --- rules at the current tick --------------------------------------------------------------------

    def of_derived(self, kind: str, least: int | None) -> None:
        """The database has the ticks before."""
        match kind:
            case "in" | "at":
                self._streaming.depends_on_now = self._streaming.depends_on_now or kind == "at"
                self._add_ticks(kind)
            case "always":
                now_inside: tuple[nodes.Literal, ...] = ()
                if self._leaps:
                    self._add([], self._lookup(LookupKind.ALWAYS))
                    now_inside = self._now_inside()  # known ahead; see `relevance`
                self._add([], self._plain, *now_inside, *self._before(LookupKind.ALWAYS_BEFORE))
                self._add([], self._plain, self._nothing_before())
            case "least":
                self._least_of_derived(least)
            case "count":
                self._count_of_derived()

    def _add_ticks(self, kind: str) -> None:
        """The ticks before for `in` and `at`, and the current one."""
        ticks = [_TICK] if kind == "at" else []
        self._add(ticks, *self._before(LookupKind(kind), *ticks))
        if self._window.includes_now:
            self._add([self._now] if ticks else [], self._plain, *self._now_inside())

    def _least_of_derived(self, least: int | None) -> None:
        if least is None:
            before = self._before(LookupKind.COUNT_BEFORE, _NUMBER)
            self._add([_up_to(_NUMBER)], *before)
            self._add([_ONE], self._plain, *self._now_inside())
            self._add([_ONE_MORE], self._plain, *self._now_inside(), *before)
            return
        self._add([], *self._before(LookupKind.LEAST_BEFORE, least=least))
        now_inside = self._now_inside()
        if least <= 1:
            self._add([], self._plain, *now_inside)
        else:
            self._add([], self._plain, *now_inside, *self._before(LookupKind.LEAST_BEFORE, least=least - 1))

    def _count_of_derived(self) -> None:
        before = self._before(LookupKind.COUNT_BEFORE, _NUMBER)
        share = self._plain
        now_inside = self._now_inside()
        if now_inside:
            share = self._atom(self._names.windowed("now", str(self._window), self._signature))
            self._streaming.rule(share, [self._plain, *now_inside], self._origin)
        held = self._atom(self._names.windowed("before", str(self._window), self._signature))
        self._streaming.rule(held, before, self._origin)
        self._add([_NUMBER], *before, nodes.Literal(share, nodes.Sign.NOT))
        self._add([_ONE_MORE], *before, share)
        self._add([_ONE], share, nodes.Literal(held, nodes.Sign.NOT))

    # --- heads `p(X) at T` ----------------------------------------------------------------------------

    def of_placed(self, kind: str, least: int | None) -> None:
        """The database has the ticks before, but for the atoms that heads place at them now."""
        first, last = nodes.Variable("F"), nodes.Variable("L")
        placed = (
            self._atom(self._names.placed(self._signature), _TICK),
            self._about_window(LookupKind.SPAN, first, last),
            nodes.Literal(_compared(first, "<=", _TICK)),
            nodes.Literal(_compared(_TICK, "<=", last)),
        )
        if kind in ("in", "at"):
            self._add_ticks(kind)
            self._add([_TICK] if kind == "at" else [], *placed)
            return
        at = self._streaming.defined("at", self._signature, self._window, self._origin)
        some = self._atom(at, _ANY)
        ticks = nodes.AggregateElement((_TICK,), (nodes.Literal(self._atom(at, _TICK)),))

        def counted(sign: str, number: nodes.Term) -> nodes.Literal:
            return nodes.Literal(nodes.Aggregate("#count", (ticks,), nodes.Guard(sign, number)))

        size = nodes.Variable("S")
        match kind:
            case "always":
                self._add([], some, self._about_window(LookupKind.BOX_TICKS, size), counted("<=", size))
            case "least" if least is not None:
                self._add([], some, counted("<=", nodes.Number(least)))
            case "least":
                least_number = nodes.Variable("K")
                up_to_size = nodes.Literal(_compared(least_number, "=", _up_to(size)))
                in_window = self._about_window(LookupKind.TICKS, size)
                self._add([least_number], some, in_window, up_to_size, counted("<=", least_number))
            case "count":
                self._add([_NUMBER], some, counted("=", _NUMBER))


def variables_of(signature: nodes.Signature) -> tuple[nodes.Variable, ...]:
    """Variables for the arguments of a predicate's atoms."""
    return tuple(nodes.Variable(f"X{i}") for i in range(1, signature.arity + 1))


def plain_atom(signature: nodes.Signature, arguments: Sequence[nodes.Term]) -> nodes.Atom:
    """An atom of a predicate."""
    return nodes.Atom(signature.name, tuple(arguments), signature.is_positive)


def _compared(left: nodes.Term, sign: str, right: nodes.Term) -> nodes.Comparison:
    return nodes.Comparison(left, (nodes.Guard(sign, right),))


def _up_to(number: nodes.Term) -> nodes.BinaryOperation:
    """The interval from 1 to a number."""
    return nodes.BinaryOperation("..", _ONE, number)
