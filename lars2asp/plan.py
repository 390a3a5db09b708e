"""The plan: what the compiler hands to the runtime."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from lars2asp.diagnostics import Diagnostic
from lars2asp.source import Location
from lars2asp.syntax import Input, Script, Semantics, Signature
from lars2asp.windows import TickWindow


class LookupKind(StrEnum):
    """What a generated rule asks the interval database."""

    TOLD = "told"
    """The atoms that the input tells for the current tick."""
    NOW = "now"
    """The atoms that hold at the current tick: told, derived by components below, background data."""
    IN = "in"
    """The atoms that hold at some tick of the window."""
    ALWAYS = "always"
    """The atoms that hold at every tick of the window."""
    ALWAYS_BEFORE = "always_before"
    """The atoms that hold at every tick of the window but the current one, when there is such a tick."""
    NOTHING_BEFORE = "nothing_before"
    """The empty tuple when the window has no tick but the current one."""
    AT = "at"
    """Pairs of the atoms and the ticks of the window at which they hold."""
    COUNT = "count"
    """Pairs of the atoms and the number of ticks of the window at which they hold, 1 or more."""
    COUNT_BEFORE = "count_before"
    """The same for the ticks of the window but the current one."""
    SCHEDULED = "scheduled"
    """Pairs of the atoms of the future log and their ticks."""
    HAS_NOW = "has_now"
    """The empty tuple when the current tick is in the window."""
    SPAN = "span"
    """Pairs of ticks (first, last): the stretches of the window."""
    TICKS = "ticks"
    """The number of ticks of the window, when there are any."""
    BOX_TICKS = "box_ticks"
    """The number of ticks over which a box is taken: nothing for windows over which none may be."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """One question that the generated program asks at every tick."""

    kind: LookupKind
    signature: Signature | None
    window: TickWindow | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A place in the body of a generated rule where a lookup is asked.

    Attributes:
        lookup: what is asked.
        pattern: a term for what is answered.
        call: the `@`-call that asks it.
    """

    lookup: Lookup
    pattern: str
    call: str

    @property
    def text(self) -> str:
        """The equation of the pattern and the call."""
        return f"{self.pattern} = {self.call}"


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One line of generated text and the place in the user's text that it comes from."""

    pieces: tuple[str | Ask, ...]
    origin: Location

    @property
    def text(self) -> str:
        """The text, with `@`-calls."""
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Plan:
    """A checked and translated program.

    Attributes:
        semantics: how windows over derived atoms are read.
        facts: ASP text of the background data.
        lines: the ASP text of a tick, to be grounded as program part `part` with one parameter, the tick.
        part: the name of that part.
        functions: the `@`-function that each kind of lookup is called by.
        lookups: what the text asks the database, each once.
        ask_names: for each lookup a predicate name that the program does not have.
        shown_as: for generated predicates in the output, the predicates whose atoms they stand for.
        recorded: the predicates whose atoms are put into the stream, and the predicate that they are there;
            only such as later ticks look at.
        placed: the predicates whose atoms are put into the stream at the tick that is their last argument,
            and the predicate that they are there.
        reach: for each predicate under a streaming atom, how many ticks back it is ever looked at (None:
            without end).
        depends_on_now: whether the answer may change with the tick alone, all lookups being the same.
        optimizes: whether answer streams are compared by weak constraints.
        has_externals: whether atoms may be true that neither rules derive nor the input tells.
        guides_solver: whether the program has heuristics for the solver.
        scripts: the user's Python code, in the order of the text.
        called: the user's `@`-functions that the program calls, and where it does first.
        tick_length: the length of a tick in microseconds, if the program gives it.
        inputs: the declarations of table input.
        warnings: what is odd about the program and keeps it from nothing.
    """

    semantics: Semantics
    facts: str
    lines: tuple[PlanLine, ...]
    part: str
    parameter: str
    functions: Mapping[LookupKind, str]
    lookups: tuple[Lookup, ...]
    ask_names: tuple[str, ...]
    shown_as: Mapping[str, Signature]
    recorded: Mapping[Signature, Signature]
    placed: Mapping[Signature, Signature]
    reach: Mapping[Signature, int | None]
    depends_on_now: bool
    optimizes: bool
    has_externals: bool
    guides_solver: bool
    scripts: tuple[Script, ...]
    called: Mapping[str, Location]
    tick_length: int | None
    inputs: tuple[Input, ...]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> str:
        """The ASP text, one statement a line."""
        return "".join(f"{line.text}\n" for line in self.lines)
