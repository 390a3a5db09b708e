"""When an evaluation may be another, though all rows that a component looks at stay."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.planning.asp.asp_program import AspProgram, head_predicates, with_answer_atoms
from lars2asp.planning.lookups import Lookup
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.traversal import body_of, walk


class _Clause(NamedTuple):
    """The predicates of a statement, with one for each lookup.

    Attributes:
        heads: those of its head; none for a constraint, a weak constraint and the like.
        needs: those of atoms in its body that must hold.
        mentions: all.
        speaks_of_tick: whether the current tick is in it.
        constrains: whether it decides about answer streams: it has no head, or one with bounds.
    """

    heads: frozenset[Signature]
    needs: frozenset[Signature]
    mentions: frozenset[Signature]
    speaks_of_tick: bool
    constrains: bool


class PassingTime:
    """Says when rules over the current tick, and over windows that move, may fire anew.

    They do not if other atoms of their bodies cannot hold. The result is safe but not exact, as it is found
    from predicates alone: a tick too many costs an evaluation. O(statements) a call.

    Args:
        program: the ASP program of a component.
    """

    def __init__(self, program: AspProgram) -> None:
        predicates = program.answer_predicates
        self._answers = {lookup: Signature(name, 1) for lookup, name in predicates.items()}
        self._background: set[Signature] = set()
        self._visible: set[Signature] = {*program.recorded, *program.placed}
        self._clauses: list[_Clause] = []
        tick = nodes.Function(program.names.now)
        for line in program.lines:
            if line.background is not None:
                self._background.add(line.background)
            elif isinstance(line.statement, nodes.Show):
                if line.statement.signature is not None:
                    self._visible.add(line.statement.signature)
            elif line.statement is not None:
                self._clauses.append(_clause(with_answer_atoms(line.statement, predicates), tick))

    def next_change(self, has_rows: Callable[[Lookup], bool], moves: Mapping[Lookup, int], now: int) -> int:
        """The first tick after now at which the result may change with time alone; FOR_EVER for none.

        Args:
            has_rows: whether the answer to a lookup has rows.
            moves: of lookups about windows alone the first ticks at which their answers may be others.
            now: the current tick.
        """
        changes = {self._answers[lookup]: tick for lookup, tick in moves.items()}
        shut = {self._answers[lookup]: tick for lookup, tick in moves.items() if not has_rows(lookup)}
        possible = self._background | changes.keys()
        possible.update(one for lookup, one in self._answers.items() if has_rows(lookup))
        live, found, is_new = _live(self._clauses, possible), FOR_EVER, True
        while is_new:
            is_new = False
            for clause in live:
                tick = min((changes[one] for one in clause.mentions & changes.keys()), default=FOR_EVER)
                if clause.speaks_of_tick:
                    tick = now + 1
                if tick == FOR_EVER:
                    continue
                tick = max([tick, *(shut[one] for one in clause.needs & shut.keys())])
                if clause.constrains:
                    found = min(found, tick)
                for head in clause.heads:
                    if changes.get(head, FOR_EVER) > tick:
                        changes[head] = tick
                        is_new = True
        return min([found, *(changes[one] for one in self._visible & changes.keys())])


def _clause(statement: nodes.Statement, tick: nodes.Term) -> _Clause:
    heads = head_predicates(statement)
    needs = (
        literal.atom.signature
        for literal in body_of(statement)
        if isinstance(literal, nodes.Literal)
        and literal.sign is nodes.Sign.POSITIVE
        and isinstance(literal.atom, nodes.Atom)
    )
    every = [*walk(statement)]
    return _Clause(
        heads,
        frozenset(needs),
        frozenset(part.signature for part in every if isinstance(part, nodes.Atom)),
        tick in every,
        not heads or _has_bounds(statement),
    )


def _live(clauses: Iterable[_Clause], possible: set[Signature]) -> list[_Clause]:
    """The clauses that can fire where atoms of some predicates can hold."""
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


def _has_bounds(statement: nodes.Statement) -> bool:
    """Whether the head is an aggregate whose value is restricted."""
    head = statement.head if isinstance(statement, nodes.Rule) else None
    return isinstance(head, nodes.SetAggregate | nodes.HeadAggregate) and bool(head.left or head.right)
