"""Window atoms become plain atoms `w_e(X)`, and the rules that define them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from experiments.ticker.templates import filled
from experiments.ticker.ticker_names import TickerNames
from lars2asp.analysis.windows import LastArrivals, Sliding, tick_window
from lars2asp.syntax.nodes import (
    Atom,
    AtTick,
    BinaryOperation,
    Box,
    Diamond,
    Node,
    Signature,
    Term,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import walk

WindowAtom = Diamond | Box | AtTick

TICK, NUMBER = Variable("T"), Variable("D")
"""The names that templates use for the tick and the number of an arrival."""


class Ticked:
    """The encoding's atoms of a predicate that bear a tick or a number."""

    def __init__(self, names: TickerNames) -> None:
        self._names = names
        self.common = {name: names.of(name) for name in ("now", "start", "cnt", "arrived")}
        """The predicates that say where time and input have come to; the templates' words for them."""

    def at(self, atom: Atom, tick: Term = TICK) -> Atom:
        """`a_@(X,T)`: an atom at a tick."""
        return Atom(self._names.of("{}_at", atom.signature), (*atom.arguments, tick))

    def counted(self, atom: Atom) -> Atom:
        """`a_#(X,T,D)`: an arrival with its number."""
        return Atom(self._names.of("{}_counted", atom.signature), (*atom.arguments, TICK, NUMBER))


class _Kind(NamedTuple):
    """Window atoms that differ in their arguments only: temporal operator, window, predicate."""

    operator: type[WindowAtom]
    size: int | None
    is_tuple: bool
    signature: Signature

    @property
    def name(self) -> str:
        """The beginning of the predicate's name."""
        words = {Diamond: "in", Box: "always", AtTick: "at"}
        window = "" if self.size is None else f"_last_{self.size}" if self.is_tuple else f"_{self.size}"
        return f"{words[self.operator]}{window}"

    @property
    def template(self) -> str:
        """The template of the rules."""
        words = {Diamond: "diamond", Box: "box", AtTick: "at"}
        window = "" if self.size is None else "tuple_" if self.is_tuple else "time_"
        return f"{window}{words[self.operator]}"


class WindowAtoms:
    """The window atoms of a program."""

    def __init__(self, names: TickerNames, ticked: Ticked) -> None:
        self._names = names
        self._ticked = ticked
        self._found: dict[_Kind, dict[Atom, None]] = {}

    def encoded(self, window_atom: WindowAtom) -> Atom:
        """The plain atom in place of a window atom, or of `a at T` without a window."""
        atom, window = window_atom.atom, window_atom.window
        selected = None if window is None else tick_window(window, atom)
        if not isinstance(selected, Sliding | LastArrivals | None):
            raise TypeError(f"{selected} is outside of the fragment")
        size = selected.size if selected else None
        kind = _Kind(type(window_atom), size, isinstance(selected, LastArrivals), atom.signature)
        self._found.setdefault(kind, {})[_pattern(atom)] = None
        return self._head(kind, atom, window_atom.tick if isinstance(window_atom, AtTick) else TICK)

    def longest_tuple_window(self) -> int:
        """The number of arrivals in the largest tuple window."""
        return max((kind.size or 0 for kind in self._found if kind.is_tuple), default=0)

    def counted(self) -> frozenset[Signature]:
        """The predicates of which tuple windows see atoms."""
        return frozenset(kind.signature for kind in self._found if kind.is_tuple)

    def rules(self) -> Iterator[str]:
        """The rules that define the window atoms, for the arguments with which they stand in the program."""
        spans = sorted({k.size or 0 for k in self._found if k.is_tuple and k.operator is Box})
        for size in spans:
            covers = self._names.of(f"covers_last_{size}")
            yield from filled("tuple_covers", covers=covers, size=str(size), **self._ticked.common)
        if spans:
            yield from filled("arrived", **self._ticked.common)
        for kind, patterns in self._found.items():
            for pattern in _most_general(list(patterns)):
                yield from self._rules(kind, pattern)

    def _rules(self, kind: _Kind, atom: Atom) -> list[str]:
        now = Variable("N")
        held = _Kind(AtTick, kind.size, True, kind.signature)
        spoil = Atom(self._names.of(f"spoil_{kind.name}_{{}}", kind.signature), atom.arguments)
        return filled(
            kind.template,
            window=to_text(self._head(kind, atom, TICK)),
            size=str(kind.size),
            at=to_text(self._ticked.at(atom)),
            at_now=to_text(self._ticked.at(atom, now)),
            counted=to_text(self._ticked.counted(atom)),
            spoil=to_text(spoil),
            covers=self._names.of(f"covers_last_{kind.size}"),
            held=to_text(self._head(held, atom, TICK)),
            held_now=to_text(self._head(held, atom, now)),
            **self._ticked.common,
        )

    def _head(self, kind: _Kind, atom: Atom, tick: Term) -> Atom:
        name = self._names.of(f"w_{kind.name}_{{}}", kind.signature)
        return Atom(name, (*atom.arguments, tick) if kind.operator is AtTick else atom.arguments)


def _pattern(atom: Atom) -> Atom:
    """The atoms for which a window atom is defined: constants stay, what may be anything is a variable."""
    known: dict[Term, Variable] = {}
    arguments: list[Term] = []
    for i, term in enumerate(atom.arguments, 1):
        if isinstance(term, Variable) and not term.is_anonymous:
            arguments.append(known.setdefault(term, Variable(f"X{i}")))
        elif any(map(_is_open, walk(term))):
            arguments.append(Variable(f"X{i}"))
        else:
            arguments.append(term)
    return Atom(atom.name, tuple(arguments), atom.is_positive)


def _is_open(node: Node) -> bool:
    """Whether a part of a term makes it stand for more than one value."""
    return isinstance(node, Variable) or (isinstance(node, BinaryOperation) and node.operator == "..")


def _most_general(patterns: Sequence[Atom]) -> Sequence[Atom]:
    """The one pattern that covers all, if it is among them."""
    general = [
        p for p in patterns if len({t for t in p.arguments if isinstance(t, Variable)}) == len(p.arguments)
    ]
    return general or patterns


def general_atom(signature: Signature) -> Atom:
    """An atom of a predicate over variables alone."""
    variables = tuple(Variable(f"X{i}") for i in range(1, signature.arity + 1))
    return Atom(signature.name, variables, signature.is_positive)
