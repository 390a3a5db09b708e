"""The protocol of evaluators, with their arguments and results."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
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
        shown: The atoms of the output, each once, by their keys (see lars2asp.externals.terms.symbols).
        recorded: The derived atoms that later ticks look at, in the followed answer stream.
        placed: The atoms of heads `a at T`, each with its tick at the end; likewise.
    """

    shown: Sequence[int]
    recorded: Sequence[AtomRows] = ()
    placed: Sequence[AtomRows] = ()


AnswerCost = tuple[tuple[int, int], ...]
"""The cost of an answer stream: pairs of a priority and a cost, the highest priority first."""


class Consequences(OptionValue):
    """Atoms over all answer streams: those in some (brave), or in every (cautious) answer stream."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a tick.

    Attributes:
        models: The requested answer streams; the first is followed.
        consequences: The brave or cautious consequences, if requested and there is an answer.
        cost: The cost of the answer streams, if they are optimised.
    """

    models: tuple[Model, ...] = ()
    consequences: Sequence[int] | None = None
    cost: AnswerCost | None = None

    @property
    def output(self) -> Sequence[int]:
        """The keys of the output atoms: the consequences, or those of the answer stream that is followed."""
        if self.consequences is not None:
            return self.consequences
        return self.models[0].shown if self.models else ()

    @property
    def says_more(self) -> bool:
        """Whether an answer has more of it than these."""
        return len(self.models) > 1 or self.cost is not None

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The JSON form, with atoms as predicates with rows."""
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


def recorded_by(evaluation: Evaluation | None) -> dict[Signature, set[Row]]:
    """What later ticks see of an evaluation; None is one of a tick without an answer stream."""
    models = () if evaluation is None else evaluation.models[:1]
    return {one: {*rows} for model in models for one, rows in model.recorded}


def rows_of_keys(keys: Iterable[int]) -> dict[Signature, list[Row]]:
    """Atoms by their predicates, given by their keys."""
    from lars2asp.externals.terms.symbols import rows_of_atoms

    return rows_of_atoms(keys)


def keys_of_rows(atoms: Iterable[tuple[Signature, Collection[Row]]]) -> list[int]:
    """The keys of atoms, whose numbers may have any size."""
    from lars2asp.externals.terms.symbols import atom_keys, widened

    wide = ((one, [tuple(map(widened, row)) for row in rows]) for one, rows in atoms)
    return [key for signature, rows in wide for key in atom_keys(signature, rows)]


def _written(keys: Iterable[int], write: WriteRows) -> list[Any]:
    """Atoms as a value for a state."""
    return written_atoms(rows_of_keys(keys).items(), write)


def _read(state: Iterable[Any], read: ReadRows) -> list[int]:
    """The keys of the atoms that a state has."""
    return keys_of_rows(read_atoms(state, read))


@dataclass(frozen=True)
class Request:
    """The answer streams that an evaluator is to find.

    Attributes:
        models: The number of answer streams, only optimal ones if the program optimizes; 0 for all.
        consequences: The kind of consequences to find as well, if any.
        raw: Whether models are just the atoms that the text shows, unordered, for components with one answer
            stream.
    """

    models: int = 1
    consequences: Consequences | None = None
    raw: bool = False

    def __repr__(self) -> str:
        """The text in fingerprints of snapshots; it stays if the class is renamed."""
        return f"Wanted(models={self.models}, consequences={self.consequences!r}, raw={self.raw})"


@dataclass(frozen=True)
class Task:
    """A program to evaluate, with everything that its evaluator needs.

    Attributes:
        program: The program.
        database: Holds the stream; its tick must be committed before `step`.
        request: The answer streams to find.
        functions: The user's `@`-functions.
        on_message: Takes clingo's messages, each once for a place.
        arrivals: The predicates that must arrive before atoms of a derived predicate can hold.
        is_late: Whether the stream has gone on before.
        last: The answer streams at the tick before; they stay while nothing changes.
        is_ordered: Whether lookups are answered in the order of symbols. The first answer stream then does
            not depend on the history of the database.
        clingo: The options for Controls.
        meter: Measures the cost of the component.
        limit: How long clingo may take for a tick, if there is a limit.
        tuning: The thresholds.
        largest_interval: The largest number of values of an interval.
        inbox: The lookups whose answers may have changed.
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

    def for_program_of(self, other: Self) -> Self:
        """The same task for the program of another one, which has the same lookups."""
        return replace(self, program=other.program, functions=other.functions, on_message=other.on_message)

    def messages(self, origins: Sequence[Location], quiet: Collection[int] = ()) -> "Messages":
        """Hands on clingo's messages about a text whose lines come from these places in the user's text.

        Args:
            origins: The places.
            quiet: The numbers of lines without reports of undefined operations.
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
    """Computes answer streams tick by tick, in time order; ticks without changes may be skipped."""

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick whose events are committed.

        Raises:
            EvaluationError: If clingo refuses the program.
        """
        ...

    def go_on(self, task: Task) -> None:
        """Goes on with the answers of another database, which are the same at the tick that is over.

        Which answer stream is found does not depend on that.
        """
        ...
