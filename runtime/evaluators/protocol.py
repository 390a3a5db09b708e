"""The protocol of evaluators, and what they take and give."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol, Self

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.externals.database import Inbox, IntervalDatabase, Watched
from lars2asp.externals.terms.order import in_order
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.planning.arrivals import Arrivals
from lars2asp.planning.asp.asp_program import AspProgram
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.clingo.clingo_options import NO_OPTIONS, ClingoOptions
from lars2asp.runtime.evaluators.costs.meter import Meter
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.source import Location
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.evaluators.clingo.messages import Messages, OnMessage

# clingo is imported where it is needed: programs that it does not evaluate start sooner.
# ruff: noqa: PLC0415


@dataclass(frozen=True, slots=True)
class Model:
    """One answer stream at a tick.

    Attributes:
        shown: the atoms of the output, each once, by their keys (see lars2asp.externals.terms.symbols).
        recorded: the derived atoms that later ticks look at; only of the answer stream that is followed.
        placed: the atoms that heads `a at T` place at ticks, each with its tick at the end; likewise.
    """

    shown: Sequence[int]
    recorded: Sequence[AtomRows] = ()
    placed: Sequence[AtomRows] = ()


AnswerCost = tuple[tuple[int, int], ...]
"""What an answer stream costs: pairs of a priority and the cost at it, the highest priority first."""


class Consequences(OptionValue):
    """Atoms over all answer streams: those in some (brave), or in every (cautious) answer stream."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a tick.

    Attributes:
        models: the answer streams, as many as were requested; the first is the one to follow.
        consequences: the brave or cautious consequences, if requested and there is an answer.
        cost: what the answer streams cost, where they are optimised.
    """

    models: tuple[Model, ...] = ()
    consequences: Sequence[int] | None = None
    cost: AnswerCost | None = None

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The same as JSON has it, atoms as predicates with rows."""
        models = [
            {
                "shown": _written(model.shown, write),
                "recorded": written_atoms(model.recorded, write),
                "placed": written_atoms(model.placed, write),
            }
            for model in self.models
        ]
        found = self.consequences
        return {
            "models": models,
            "consequences": None if found is None else _written(found, write),
            "cost": self.cost,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any], read: ReadRows) -> Self:
        """The evaluation that a state is of."""
        models = tuple(
            Model(
                _read(model["shown"], read),
                read_atoms(model["recorded"], read),
                read_atoms(model["placed"], read),
            )
            for model in state["models"]
        )
        consequences, cost = state["consequences"], state.get("cost")  # states of earlier versions have none
        return cls(
            models,
            None if consequences is None else _read(consequences, read),
            None if cost is None else tuple((priority, weight) for priority, weight in cost),
        )


def rows_of_keys(keys: Iterable[int]) -> dict[Signature, list[Row]]:
    """Atoms by their predicates, given by their keys."""
    from lars2asp.externals.terms.symbols import rows_of_atoms

    return rows_of_atoms(keys)


def _written(keys: Iterable[int], write: WriteRows) -> list[Any]:
    """Atoms as a state has them."""
    return written_atoms(rows_of_keys(keys).items(), write)


def _read(state: Iterable[Any], read: ReadRows) -> list[int]:
    """The keys of the atoms that a state has."""
    from lars2asp.externals.terms.symbols import atom_keys, widened

    atoms = ((one, [tuple(map(widened, row)) for row in rows]) for one, rows in read_atoms(state, read))
    return [key for signature, rows in atoms for key in atom_keys(signature, rows)]


@dataclass(frozen=True)
class Request:
    """The answer streams that an evaluator is to find.

    Attributes:
        models: the number of answer streams (0: all), of optimal ones where the program optimizes.
        consequences: the kind of consequences to find besides, if any.
        raw: whether models are just the atoms that the text shows, in no order: of components that have
            one answer stream.
    """

    models: int = 1
    consequences: Consequences | None = None
    raw: bool = False

    def __repr__(self) -> str:
        """The text that snapshots' fingerprints are made of; it stays whatever the class is called."""
        return f"Wanted(models={self.models}, consequences={self.consequences!r}, raw={self.raw})"


@dataclass(frozen=True)
class Task:
    """A program to evaluate, and all that its evaluator needs.

    Attributes:
        program: the program.
        database: holds the stream; its tick must be committed before `step`.
        request: the answer streams to find.
        functions: the user's `@`-functions.
        on_message: takes clingo's messages, each once for a place.
        arrivals: for the predicates that the whole program derives, what must arrive for their atoms to hold.
        is_late: whether the stream has gone on before.
        last: the answer streams at the tick before, which stay while nothing changes.
        is_ordered: whether lookups are answered in the order of symbols, so that the answer stream which is
            found first does not depend on the history of the database.
        clingo: the options that Controls are made with.
        meter: measures the cost of the component.
        limit: how long clingo may take for a tick, if there is a limit.
        tuning: the thresholds.
        largest_interval: the number of values that one interval may have.
        inbox: where the lookups lie whose answers may have changed.
    """

    program: AspProgram
    database: IntervalDatabase
    request: Request
    functions: Mapping[str, Callable[..., Any]]
    on_message: "OnMessage"
    arrivals: Arrivals
    is_late: bool = False
    last: Evaluation | None = None
    is_ordered: bool = False
    clingo: ClingoOptions = NO_OPTIONS
    meter: Meter = field(default_factory=Meter)
    limit: TickLimit | None = None
    tuning: Tuning = DEFAULT
    largest_interval: int = LARGEST_INTERVAL
    inbox: Inbox = field(default_factory=Inbox)

    def watch(
        self,
        lookups: Iterable[Lookup],
        patient: Collection[Lookup] = (),
        guards: Iterable[Signature] = (),
    ) -> list[Watched]:
        """The changes of lookups, which lie in the inbox from here on (`IntervalDatabase.watch`)."""
        return self.database.watch(lookups, self.inbox, patient, guards)

    def messages(self, origins: Sequence[Location], quiet: Collection[int] = ()) -> "Messages":
        """Hands on clingo's messages about a text whose lines come from these places in the user's text.

        Args:
            origins: the places.
            quiet: the numbers of lines of which nothing is said that is undefined.
        """
        from lars2asp.runtime.evaluators.clingo.messages import Messages

        meant = self.program.meant

        def on_message(location: Location, text: str) -> None:
            self.on_message(location, meant.get((location, text), text))

        return Messages(origins, on_message if meant else self.on_message, self.meter, self.limit, quiet)

    def keys(self, lookup: Lookup, rows: Iterable[Row]) -> list[int]:
        """The answer to a lookup as clingo takes it."""
        from lars2asp.externals.lookup_functions import answer_keys

        return answer_keys(lookup, in_order(rows) if self.is_ordered else list(rows))


class Evaluator(Protocol):
    """Computes answer streams tick by tick, in time order; ticks at which nothing changes may be left out."""

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick whose events are committed.

        Raises:
            EvaluationError: if clingo refuses the program.
        """
        ...
