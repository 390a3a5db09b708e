"""Streaming atoms become plain atoms, each defined by rules over `@`-calls and the current tick.

Each streaming atom over p(X), whatever its arguments, is one generated predicate with the arguments of p (and
the tick or number that it binds). Which rules define it depends on what can make p true in the window:

- input alone: one `@`-call answers for the whole window;
- rules at the current tick: a call for the ticks before, p itself for the current one (the translation of
  Eiter, Ogris, Schekotihin 2019, section 4, taken predicate by predicate);
- heads `p(X) at T`: besides, the atoms that they place at ticks of the window in this same evaluation.
"""

from collections.abc import Callable, Mapping, Sequence

from lars2asp.analysis.constants import integer_value
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.windows import (
    Fixed,
    Hopping,
    LastArrivals,
    TickWindow,
    TimeWindow,
    Tumbling,
    Unbounded,
)
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.planning.plan import Ask
from lars2asp.syntax.nodes import (
    AtLeast,
    AtMost,
    Atom,
    AtTick,
    Box,
    Count,
    Diamond,
    Signature,
    StreamingAtom,
    Term,
)
from lars2asp.syntax.source import Location

Emit = Callable[[Sequence[str | Ask], Location], None]
"""Takes the pieces of a line of ASP text and the place in the user's text that it comes from."""


class StreamingAtoms:
    """Translates the streaming atoms of one program.

    Args:
        names: the generated names.
        constants: the values of integer constants.
        derived: the predicates that may hold now without the input: what rules derive, and externals.
        placed: those of them that a head `a at T` places at ticks.
        emit: takes the rules that define the generated predicates.
    """

    def __init__(
        self,
        names: Names,
        constants: Mapping[str, int],
        derived: frozenset[Signature],
        placed: frozenset[Signature],
        emit: Emit,
    ) -> None:
        self.names = names
        self._constants = constants
        self._derived = derived
        self._placed = placed
        self._emit = emit
        self._defined: set[str] = set()
        self.named: set[Signature] = set()
        """The predicates whose plain atoms stand in the rules that were emitted."""
        self.lookups: dict[Lookup, None] = {}
        self.depends_on_now = False

    def atom(self, streaming: StreamingAtom) -> Atom:
        """The plain atom in place of a streaming atom; sees to the rules that define it."""
        atom, window = streaming.atom, window_of(streaming, self._constants)
        more: tuple[Term, ...] = ()
        least: int | None = None
        match streaming:
            case Diamond():
                kind = "in"
            case Box():
                kind = "always"
            case AtTick(_, tick, written):
                is_at = written is not None or isinstance(window, Unbounded)
                kind, more = ("at", (tick,)) if is_at else ("in", ())
            case AtLeast(_, number):
                least = integer_value(number, self._constants)
                kind, more = ("least", (number,)) if least is None else (f"least_{least}", ())
            case Count(_, number):
                kind, more = "count", (number,)
            case AtMost():
                raise TypeError("`at most` was to be written as `at least` before")
        name = self.defined(kind, atom.signature, window, streaming.location, least)
        return Atom(name, (*atom.arguments, *more), location=streaming.location)

    def ask(
        self,
        kind: LookupKind,
        terms: Sequence[str],
        signature: Signature | None = None,
        window: TickWindow | None = None,
        least: int | None = None,
    ) -> Ask:
        """The place where a lookup is asked.

        Args:
            kind: what is asked.
            terms: the arguments of the predicate's atoms and the tick or number, if one is answered as well;
                without a predicate, the members of the tuples.
            signature: the predicate.
            window: the window.
            least: for what holds at so many ticks, the number.
        """
        lookup = Lookup(kind, signature, window, least)
        self.lookups[lookup] = None
        arguments = []
        if signature is None:
            pattern = f"({','.join(terms)}{',' if len(terms) == 1 else ''})"
        else:
            arguments += [f'"{"" if signature.is_positive else "-"}{signature.name}"', str(signature.arity)]
            is_value = not signature.arity and signature.name in self.names.constants
            pattern = self.names.variable(0) if is_value else plain_atom(signature, terms[: signature.arity])
            if len(terms) > signature.arity:
                pattern = f"({pattern},{terms[-1]})"
        if window is not None:
            arguments.append(f'"{window}"')
        if least is not None:
            arguments.append(str(least))
        call = f"@{self.names.function(kind)}({','.join([*arguments, self.names.now])})"
        return Ask(lookup, pattern, call)

    def rule(self, head: str, body: Sequence[str | Ask], origin: Location) -> None:
        """Emits a rule."""
        parts = [part for part in body if part]
        pieces: list[str | Ask] = [f"{head} :- "]
        for part in parts:
            pieces += part, ", "
        self._emit([*pieces[:-1], "."], origin)

    def defined(
        self,
        kind: str,
        signature: Signature,
        window: TickWindow,
        origin: Location,
        least: int | None = None,
    ) -> str:
        """The predicate for a kind of streaming atom; its rules are emitted when it is first asked for."""
        name = self.names.streaming_atom(kind, str(window), signature)
        if name in self._defined:
            return name
        self._defined.add(name)
        definition = _Definition(self, name, signature, window, origin)
        kind = kind if least is None else "least"
        if isinstance(window, LastArrivals) or not self._may_change_now(signature, window):
            definition.of_input(kind, least)
        else:
            self.named.add(signature)
            if signature in self._placed:
                self.depends_on_now = True
                definition.of_placed(kind, least)
            else:
                definition.of_derived(kind, least)
        return name

    def _may_change_now(self, signature: Signature, window: TimeWindow) -> bool:
        """Whether what rules derive now may hold at ticks of the window."""
        if signature in self._placed:
            return True
        return signature in self._derived and window.includes_now


class _Definition:
    """The rules for one generated predicate."""

    def __init__(
        self,
        streaming: StreamingAtoms,
        name: str,
        signature: Signature,
        window: TickWindow,
        origin: Location,
    ) -> None:
        self._streaming = streaming
        self._names = streaming.names
        self._name = name
        self._signature = signature
        self._window = window
        self._origin = origin
        self._variables = [f"X{i}" for i in range(1, signature.arity + 1)]
        self._plain = plain_atom(signature, self._variables)

    def _add(self, more: Sequence[str], *body: str | Ask) -> None:
        self._streaming.rule(atom_of(self._name, [*self._variables, *more]), body, self._origin)

    def _asked(self, kind: LookupKind, *more: str, least: int | None = None) -> Ask:
        """What the database says of the predicate's atoms in the window."""
        terms = [*self._variables, *more]
        return self._streaming.ask(kind, terms, self._signature, self._window, least)

    def _about_window(self, kind: LookupKind, *terms: str) -> Ask:
        return self._streaming.ask(kind, terms, None, self._window)

    def _guard(self) -> str | Ask:
        """When the current tick is in the window; empty for always."""
        if isinstance(self._window, Fixed):
            self._streaming.depends_on_now = True
            return f"{self._window.tick} = {self._names.now}"
        if isinstance(self._window, Hopping | Tumbling):
            return self._about_window(LookupKind.HAS_NOW)
        return ""

    # --- what the input tells -------------------------------------------------------------------------

    def of_input(self, kind: str, least: int | None) -> None:
        """The database knows all."""
        match kind:
            case "in":
                self._add([], self._asked(LookupKind.IN))
            case "always":
                self._add([], self._asked(LookupKind.ALWAYS))
            case "at":
                self._add(["T"], self._asked(LookupKind.AT, "T"))
            case "least" if least is not None:
                self._add([], self._asked(LookupKind.LEAST, least=least))
            case "least":
                self._add(["1..N"], self._asked(LookupKind.COUNT, "N"))
            case "count":
                self._add(["N"], self._asked(LookupKind.COUNT, "N"))

    # --- what rules derive now ------------------------------------------------------------------------

    def of_derived(self, kind: str, least: int | None) -> None:
        """The database knows the ticks before."""
        match kind:
            case "in":
                self._add([], self._asked(LookupKind.IN))
                self._add([], self._plain, self._guard())
            case "always":
                if isinstance(self._window, Hopping | Tumbling):
                    self._add([], self._asked(LookupKind.ALWAYS))
                self._add([], self._plain, self._asked(LookupKind.ALWAYS_BEFORE))
                self._add([], self._plain, self._about_window(LookupKind.NOTHING_BEFORE))
            case "at":
                self._streaming.depends_on_now = True
                self._add(["T"], self._asked(LookupKind.AT, "T"))
                self._add([self._names.now], self._plain, self._guard())
            case "least":
                self._least_of_derived(least)
            case "count":
                self._count_of_derived()

    def _least_of_derived(self, least: int | None) -> None:
        if least is None:
            before = self._asked(LookupKind.COUNT_BEFORE, "N")
            self._add(["1..N"], before)
            self._add(["1"], self._plain, self._guard())
            self._add(["N+1"], self._plain, self._guard(), before)
            return
        self._add([], self._asked(LookupKind.LEAST_BEFORE, least=least))
        if least <= 1:
            self._add([], self._plain, self._guard())
        else:
            self._add([], self._plain, self._guard(), self._asked(LookupKind.LEAST_BEFORE, least=least - 1))

    def _count_of_derived(self) -> None:
        before = self._asked(LookupKind.COUNT_BEFORE, "N")
        share = self._plain
        guard = self._guard()
        if guard:
            share = atom_of(self._names.share(str(self._window), self._signature), self._variables)
            self._streaming.rule(share, [self._plain, guard], self._origin)
        held = atom_of(self._names.counted(str(self._window), self._signature), self._variables)
        self._streaming.rule(held, [before], self._origin)
        self._add(["N"], before, f"not {share}")
        self._add(["N+1"], before, share)
        self._add(["1"], share, f"not {held}")

    # --- what heads place at ticks --------------------------------------------------------------------

    def of_placed(self, kind: str, least: int | None) -> None:
        """The database knows the ticks before, but for what heads place at them now."""
        placed = atom_of(self._names.placed(self._signature), [*self._variables, "T"])
        in_span = (self._about_window(LookupKind.SPAN, "F", "L"), "F <= T", "T <= L")
        if kind == "in":
            self._add([], self._asked(LookupKind.IN))
            if self._window.includes_now:
                self._add([], self._plain, self._guard())
            self._add([], placed, *in_span)
            return
        if kind == "at":
            self._add(["T"], self._asked(LookupKind.AT, "T"))
            if self._window.includes_now:
                self._add([self._names.now], self._plain, self._guard())
            self._add(["T"], placed, *in_span)
            return
        at = self._at_predicate()
        some = atom_of(at, [*self._variables, "_"])
        ticks = f"#count {{ T: {atom_of(at, [*self._variables, 'T'])} }}"
        match kind:
            case "always":
                self._add([], some, self._about_window(LookupKind.BOX_TICKS, "S"), f"S <= {ticks}")
            case "least" if least is not None:
                self._add([], some, f"{least} <= {ticks}")
            case "least":
                self._add(["K"], some, self._about_window(LookupKind.TICKS, "S"), "K = 1..S", f"K <= {ticks}")
            case "count":
                self._add(["N"], some, f"N = {ticks}")

    def _at_predicate(self) -> str:
        """The predicate of the atoms and the ticks of the window at which they hold."""
        return self._streaming.defined("at", self._signature, self._window, self._origin)


def atom_of(name: str, arguments: Sequence[str]) -> str:
    """The text of an atom."""
    return f"{name}({','.join(arguments)})" if arguments else name


def plain_atom(signature: Signature, variables: Sequence[str]) -> str:
    """The text of an atom of a predicate."""
    return ("" if signature.is_positive else "-") + atom_of(signature.name, variables)
