"""Whether it matters that some answers change at every tick.

That is so for `p at T in [10]` while p holds, and for what rules say of `@now`. The rules that look at these
may be silent nevertheless, since something else that they need cannot hold; then the ticks need no look. What
is found is that the outcome stays, as far as the predicates tell: a tick too many costs a look.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from clingo import SymbolType, ast

from externals.database import IntervalDatabase, tells_time
from externals.timer import GROWING
from lars2asp.lookups import Lookup
from lars2asp.plan import Plan, PlanLine
from lars2asp.syntax import Signature
from runtime.evaluators.statements import heads, parsed, signature_of_term


class _Clause(NamedTuple):
    """What a statement is about.

    Attributes:
        heads: the predicates that it may make true; none where it says something by itself.
        needs: those of atoms that must hold for it to say anything.
        mentions: all its predicates.
        speaks_of_tick: whether the current tick is in it.
    """

    heads: frozenset[Signature]
    needs: frozenset[Signature]
    mentions: frozenset[Signature]
    speaks_of_tick: bool


class Relevance:
    """Judges for one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._growing = [lookup for lookup in plan.lookups if lookup.kind in GROWING]
        self._telling_time = [lookup for lookup in plan.lookups if tells_time(lookup)]
        self._is_calm = not (plan.depends_on_now or self._growing or self._telling_time)
        names = zip(plan.lookups, plan.ask_names, strict=True)
        self._asked = {lookup: Signature(name, 1) for lookup, name in names}
        self._background: set[Signature] = set()
        self._clauses: list[_Clause] = []
        self._visible: set[Signature] = {*plan.recorded, *plan.placed}

    def next_change(self, database: IntervalDatabase, now: int) -> int | None:
        """The first tick after now at which such an answer may change the outcome, if all else stays."""
        if self._is_calm:
            return None
        restless = {self._asked[lookup]: now + 1 for lookup in self._telling_time}
        for lookup in self._growing:
            tick = database.next_growth(lookup, now)
            if tick is not None:
                restless[self._asked[lookup]] = tick
        if not restless and not self._plan.depends_on_now:
            return None
        if not self._clauses:
            self._read()
        possible = self._background | restless.keys()
        possible.update(asked for lookup, asked in self._asked.items() if database.answer(lookup, now))
        return self._first_to_tell(_live(self._clauses, possible), restless, now)

    def _first_to_tell(
        self, clauses: Iterable[_Clause], restless: Mapping[Signature, int], now: int
    ) -> int | None:
        """The first tick at which one of the clauses that can fire tells of what is restless."""
        changes = dict(restless)
        ticks: set[int] = set()
        is_growing = True
        while is_growing:
            is_growing = False
            for clause in clauses:
                found = [changes[signature] for signature in clause.mentions if signature in changes]
                if clause.speaks_of_tick:
                    found.append(now + 1)
                if not found:
                    continue
                tick = min(found)
                if not clause.heads:
                    ticks.add(tick)
                for signature in clause.heads:
                    if changes.get(signature, tick + 1) > tick:
                        changes[signature] = tick
                        is_growing = True
        ticks.update(changes[signature] for signature in self._visible if signature in changes)
        return min(ticks, default=None)

    def _read(self) -> None:
        names = {lookup: asked.name for lookup, asked in self._asked.items()}
        for line in self._plan.lines:
            if line.background is not None:
                self._background.add(line.background)
                continue
            for statement in parsed(_text(line, names)):
                if statement.ast_type is ast.ASTType.ShowSignature:
                    self._visible.add(Signature(statement.name, statement.arity, bool(statement.positive)))
                    continue
                finder = _Finder(self._plan.parameter)
                finder.visit(statement)
                self._clauses.append(
                    _Clause(
                        frozenset(heads(statement)),
                        _needs(statement),
                        frozenset(finder.mentions),
                        finder.has_tick,
                    )
                )


def _live(clauses: Iterable[_Clause], possible: set[Signature]) -> list[_Clause]:
    """The clauses that can say something where atoms of some predicates can hold."""
    live: list[_Clause] = []
    waiting = list(clauses)
    while True:
        ready = [clause for clause in waiting if clause.needs <= possible]
        if not ready:
            return live
        live += ready
        waiting = [clause for clause in waiting if not clause.needs <= possible]
        for clause in ready:
            possible |= clause.heads


def _text(line: PlanLine, names: Mapping[Lookup, str]) -> str:
    """A line with an atom for each lookup."""
    return "".join(
        piece if isinstance(piece, str) else f"{names[piece.lookup]}({piece.pattern})"
        for piece in line.pieces
    )


def _needs(statement: Any) -> frozenset[Signature]:
    """The predicates of the atoms in a body that must hold."""
    return frozenset(
        signature_of_term(literal.atom.symbol)
        for literal in getattr(statement, "body", ())
        if literal.ast_type is ast.ASTType.Literal
        and literal.sign == ast.Sign.NoSign
        and literal.atom.ast_type is ast.ASTType.SymbolicAtom
    )


class _Finder(ast.Transformer):
    """Finds the predicates of a statement, and whether the tick is in it."""

    def __init__(self, tick: str) -> None:
        self._tick = tick
        self.mentions: set[Signature] = set()
        self.has_tick = False

    def visit_SymbolicAtom(self, node: Any) -> Any:  # noqa: N802 - clingo's name
        self.mentions.add(signature_of_term(node.symbol))
        return node.update(**self.visit_children(node))

    def visit_SymbolicTerm(self, node: Any) -> Any:  # noqa: N802 - clingo's name
        symbol = node.symbol
        self.has_tick |= symbol.type is SymbolType.Function and symbol.name == self._tick
        return node
