"""Finds the next tick that must be evaluated although the stream stays as it is.

Some answers change at every tick: those to `p at T in [10]` while p holds, and what depends on `@now`. Rules
over these may not fire nevertheless, since other atoms of their bodies cannot hold; then the ticks need no
evaluation. The result is safe but not exact, as it is found from predicates alone: a tick too many costs an
evaluation.

A streaming atom over derived atoms and a block (`[4 step 2]`, `[every 5]`) has two rules: one for the past in
the database, and one for the current tick while that is in the block. Where the derived atoms stay, are
recorded, and do not depend on the streaming atom, both rules together say at each tick what they would say of
input, and the database knows when that changes. Then no evaluation is needed when the current tick enters or
leaves the block.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.timer import GROWING, turns_by_itself
from lars2asp.planning.asp.asp_program import AspProgram, atoms_made_true, head_predicates, with_answer_atoms
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
        body: those of its body, whether the atoms must hold or not.
        leaves_choice: whether its body may be true and an atom of its head false.
        constrains: whether it may leave the tick without an answer stream: without a head, or with bounds.
    """

    heads: frozenset[Signature]
    needs: frozenset[Signature]
    mentions: frozenset[Signature]
    speaks_of_tick: bool
    body: frozenset[Signature]
    leaves_choice: bool
    constrains: bool


class Relevance:
    """Finds that tick for one component.

    Args:
        program: the ASP program of the component.
        lasting: the predicates whose derived atoms are all recorded when the tick is over.
    """

    def __init__(self, program: AspProgram, lasting: Collection[Signature] = ()) -> None:
        self._program = program
        self._lasting = lasting
        self._growing = [lookup for lookup in program.lookups if lookup.kind in GROWING]
        self._telling_time = [lookup for lookup in program.lookups if turns_by_itself(lookup)]
        self._is_calm = not (program.depends_on_now or self._growing or self._telling_time)
        self._answers = {lookup: Signature(name, 1) for lookup, name in program.answer_predicates.items()}
        self._background: set[Signature] = set()
        self._clauses: list[_Clause] = []
        self._while_recorded: list[_Clause] = []
        """The same, but for what needs no evaluation while derived atoms are recorded."""
        self._visible: set[Signature] = {*program.recorded, *program.placed}

    def next_change(self, database: IntervalDatabase, now: int, *, is_recorded: bool) -> int | None:
        """The first tick after now at which such an answer may change the result, if all else stays.

        Args:
            database: holds the stream.
            now: the current tick, which was evaluated.
            is_recorded: whether derived atoms were recorded: the tick has an answer stream.
        """
        if self._is_calm:
            return None
        restless: dict[Signature, int] = {}
        shut: dict[Signature, int] = {}
        for lookup in self._telling_time:
            tick = database.next_turn(lookup, now)
            if tick is not None:
                restless[self._answers[lookup]] = tick
                if not database.has_answer(lookup, now):
                    shut[self._answers[lookup]] = tick
        for lookup in self._growing:
            tick = database.next_growth(lookup, now)
            if tick is not None:
                restless[self._answers[lookup]] = tick
        if not restless and not self._program.depends_on_now:
            return None
        if not self._clauses:
            self._read()
        possible = self._background | restless.keys()
        possible.update(one for lookup, one in self._answers.items() if database.has_answer(lookup, now))
        live = _live(self._while_recorded if is_recorded else self._clauses, possible)
        return self._first_change(live, restless, shut, now)

    def _first_change(
        self,
        clauses: Iterable[_Clause],
        restless: Mapping[Signature, int],
        shut: Mapping[Signature, int],
        now: int,
    ) -> int | None:
        """The first tick at which the result may change.

        Args:
            clauses: the clauses that can fire.
            restless: the ticks at which predicates change by the passing of time.
            shut: for predicates without atoms now, the first ticks at which they can have some.
            now: the current tick.
        """
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
                tick = max([min(found), *(shut[signature] for signature in clause.needs & shut.keys())])
                if clause.constrains:
                    ticks.add(tick)
                for signature in clause.heads:
                    if changes.get(signature, tick + 1) > tick:
                        changes[signature] = tick
                        is_growing = True
        ticks.update(changes[signature] for signature in self._visible if signature in changes)
        return min(ticks, default=None)

    def _read(self) -> None:
        predicates = self._program.answer_predicates
        for line in self._program.lines:
            if line.background is not None:
                self._background.add(line.background)
            elif isinstance(line.statement, nodes.Show):
                if line.statement.signature is not None:
                    self._visible.add(line.statement.signature)
            elif line.statement is not None:
                self._clauses.append(self._clause(with_answer_atoms(line.statement, predicates)))
        about_blocks = {self._answers[lookup] for lookup in self._telling_time}
        dependencies = _Dependencies(self._clauses)
        self._while_recorded = [
            clause._replace(mentions=clause.mentions - about_blocks, speaks_of_tick=False)
            if self._is_share(clause, about_blocks, dependencies)
            else clause
            for clause in self._clauses
        ]

    def _clause(self, statement: nodes.Statement) -> _Clause:
        body, tick = body_of(statement), nodes.Function(self._program.names.now)
        heads = head_predicates(statement)
        return _Clause(
            heads,
            frozenset(
                literal.atom.signature
                for literal in body
                if isinstance(literal, nodes.Literal)
                and literal.sign is nodes.Sign.POSITIVE
                and isinstance(literal.atom, nodes.Atom)
            ),
            _predicates(statement),
            tick in walk(statement),
            _predicates(*body),
            any(head.is_chosen for head in atoms_made_true(statement)),
            not heads or _has_bounds(statement),
        )

    def _is_share(
        self, clause: _Clause, about_blocks: Collection[Signature], dependencies: "_Dependencies"
    ) -> bool:
        """Whether a clause adds the atoms derived now to a block, of which the database has the past.

        The derived atoms must be the same in all answer streams, be recorded, and not depend on the clause.
        """
        return (
            not clause.body.isdisjoint(about_blocks)
            and clause.body == clause.needs
            and all(
                signature in self._lasting and dependencies.is_certain(signature)
                for signature in clause.body.difference(self._answers.values())
            )
            and not any(dependencies.reaches(one, head) for one in clause.body for head in clause.heads)
        )


class _Dependencies:
    """The dependencies among the predicates of clauses."""

    def __init__(self, clauses: Sequence[_Clause]) -> None:
        graph: dict[Signature, set[Signature]] = {}
        for clause in clauses:
            for head in clause.heads:
                graph.setdefault(head, set()).update(clause.body)
        for mentioned in list(graph.values()):
            for signature in mentioned:
                graph.setdefault(signature, set())
        self._reached: dict[Signature, set[Signature]] = {}
        self._uncertain = {head for clause in clauses if clause.leaves_choice for head in clause.heads}
        for members in strongly_connected(graph):  # those below come first
            below = set().union(*(graph[member] for member in members))
            reached = below.union(*(self._reached.get(signature, ()) for signature in below))
            self._reached.update(dict.fromkeys(members, reached))
            for clause in clauses:
                if clause.heads & members and (clause.body - clause.needs) & members:
                    self._uncertain |= members

    def reaches(self, signature: Signature, other: Signature) -> bool:
        """Whether a predicate depends on another one, or is it."""
        return signature == other or other in self._reached.get(signature, ())

    def is_certain(self, signature: Signature) -> bool:
        """Whether the derived atoms of a predicate are the same in all answer streams."""
        return not self._uncertain & {signature, *self._reached.get(signature, ())}


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


def _predicates(*parts: nodes.Node) -> frozenset[Signature]:
    """The predicates of the atoms in parts of statements."""
    return frozenset(part.signature for one in parts for part in walk(one) if isinstance(part, nodes.Atom))
