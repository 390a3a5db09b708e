"""The @-functions that clingo calls while it grounds a tick."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from clingo import Number, String, Symbol

from lars2asp.planning.lookups import Lookup, LookupKind


class LookupFunctions:
    """The grounding context of one tick: hands out answers that the database gave before.

    Clingo promises neither order nor number of calls, so nothing is computed in a call. The predicate, the
    window and the tick are the arguments of a call, as the generated text has them.

    Args:
        functions: the names by which lookups are called.
        lookups: what will be called.
        others: the user's functions by name.
    """

    def __init__(
        self,
        functions: Mapping[LookupKind, str],
        lookups: Sequence[Lookup],
        others: Mapping[str, Callable[..., Any]],
    ) -> None:
        self._keys: dict[Lookup, tuple[LookupKind | Symbol, ...]] = {
            lookup: (lookup.kind, *_arguments(lookup)) for lookup in lookups
        }
        self._answers: dict[tuple[LookupKind | Symbol, ...], Sequence[Symbol]] = {}
        calls: dict[str, Callable[..., Sequence[Symbol]]] = {
            name: partial(self._call, kind) for kind, name in functions.items()
        }
        self.context: Any = SimpleNamespace(**others, **calls)
        """The object to ground with."""

    def hand_out(self, answers: Mapping[Lookup, Sequence[Symbol]]) -> None:
        """Sets the answers of the tick to be grounded."""
        self._answers = {self._keys[lookup]: symbols for lookup, symbols in answers.items()}

    def _call(self, kind: LookupKind, *arguments: Symbol) -> Sequence[Symbol]:
        return self._answers[(kind, *arguments[:-1])]  # the last argument is the tick


def _arguments(lookup: Lookup) -> list[Symbol]:
    arguments = []
    if lookup.signature is not None:
        name = ("" if lookup.signature.is_positive else "-") + lookup.signature.name
        arguments += [String(name), Number(lookup.signature.arity)]
    if lookup.window is not None:
        arguments.append(String(str(lookup.window)))
    if lookup.least is not None:
        arguments.append(Number(lookup.least))
    return arguments
