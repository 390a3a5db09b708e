"""Whether it matters that some answers change at every tick.

That is so for `p at T in [10]` while p holds, and for what rules say of `@now`. The rules that look at these
may be silent nevertheless, since something else that they need cannot hold; then the ticks need no look. What
is found is that the outcome stays, as far as the predicates tell: a tick too many costs a look.

Of what rules derive a block (`[4 step 2]`, `[every 5]`) has the past from the database, and the current tick
by a rule of its own, while that is in the block. Where what is derived stays, is recorded, and does not
depend on the rule, both say together at each tick what they would say of the input, and the database knows
when that changes; that the current tick comes into the block and leaves it needs no look then.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clingo import SymbolType, ast

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.externals.database import IntervalDatabase, turns_by_itself
from lars2asp.externals.timer import GROWING
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.plan import Plan, PlanLine
from lars2asp.runtime.evaluators.stamped.asp_statements import heads, parsed, signature_of_term
from lars2asp.syntax.nodes import Signature


class _Clause(NamedTuple):
    """What a statement is about.

    Attributes:
        heads: the predicates that it may make true; none where it says something by itself.
        needs: those of atoms that must hold for it to say anything.
        mentions: all its predicates.
        speaks_of_tick: whether the current tick is in it.
        body: those that stand in its body, whether they must hold or not.
        is_plain: whether its head, if it has one, is an atom.
    """

    heads: frozenset[Signature]
    needs: frozenset[Signature]
    mentions: frozenset[Signature]
    speaks_of_tick: bool
    body: frozenset[Signature]
    is_plain: bool


class Relevance:
    """Judges for one plan.

    Args:
        plan: the plan of a component, or of the whole program.
        lasting: the predicates of which all that rules derive is recorded when the tick is over.
    """

    def __init__(self, plan: Plan, lasting: Collection[Signature] = ()) -> None:
        self._plan = plan
        self._lasting = lasting
        self._growing = [lookup for lookup in plan.lookups if lookup.kind in GROWING]
        self._telling_time = [lookup for lookup in plan.lookups if turns_by_itself(lookup)]
        self._is_calm = not (plan.depends_on_now or self._growing or self._telling_time)
        names = zip(plan.lookups, plan.ask_names, strict=True)
        self._asked = {lookup: Signature(name, 1) for lookup, name in names}
        self._background: set[Signature] = set()
        self._clauses: list[_Clause] = []
        self._while_recorded: list[_Clause] = []
        """The same but for what needs no look while what rules derive is recorded."""
        self._visible: set[Signature] = {*plan.recorded, *plan.placed}

    def next_change(self, database: IntervalDatabase, now: int, *, is_recorded: bool) -> int | None:
        """The first tick after now at which such an answer may change the outcome, if all else stays.

        Args:
            database: holds the stream.
            now: the current tick, which was evaluated.
            is_recorded: whether what rules derive was recorded: the tick has an answer stream.
        """
        if self._is_calm:
            return None
        restless: dict[Signature, int] = {}
        shut: dict[Signature, int] = {}
        for lookup in self._telling_time:
            tick = database.next_turn(lookup, now)
            if tick is not None:
                restless[self._asked[lookup]] = tick
                if not database.answer(lookup, now):
                    shut[self._asked[lookup]] = tick
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
        live = _live(self._while_recorded if is_recorded else self._clauses, possible)
        return self._first_to_tell(live, restless, shut, now)

    def _first_to_tell(
        self,
        clauses: Iterable[_Clause],
        restless: Mapping[Signature, int],
        shut: Mapping[Signature, int],
        now: int,
    ) -> int | None:
        """The first tick at which one of the clauses that can fire tells of what is restless.

        Args:
            clauses: that can fire.
            restless: when predicates change.
            shut: from when on predicates can have atoms that have none now.
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
                finder, inside = _Finder(self._plan.parameter), _Finder(self._plan.parameter)
                finder.visit(statement)
                for literal in getattr(statement, "body", ()):
                    inside.visit(literal)
                self._clauses.append(
                    _Clause(
                        frozenset(heads(statement)),
                        _needs(statement),
                        frozenset(finder.mentions),
                        finder.has_tick,
                        frozenset(inside.mentions),
                        _is_plain(statement),
                    )
                )
        about_blocks = {self._asked[lookup] for lookup in self._telling_time}
        dependencies = _Dependencies(self._clauses)
        self._while_recorded = [
            clause._replace(mentions=clause.mentions - about_blocks)
            if self._is_share(clause, about_blocks, dependencies)
            else clause
            for clause in self._clauses
        ]

    def _is_share(
        self, clause: _Clause, about_blocks: Collection[Signature], dependencies: "_Dependencies"
    ) -> bool:
        """Whether a clause gives a block what is derived now, to complete what the database says of the past.

        What is derived must be the same in all answer streams, be recorded, and not depend on the clause.
        """
        return (
            not clause.body.isdisjoint(about_blocks)
            and clause.body == clause.needs
            and all(
                signature in self._lasting and dependencies.is_certain(signature)
                for signature in clause.body.difference(self._asked.values())
            )
            and not any(dependencies.reaches(one, head) for one in clause.body for head in clause.heads)
        )


class _Dependencies:
    """Which predicates clauses derive from which."""

    def __init__(self, clauses: Sequence[_Clause]) -> None:
        graph: dict[Signature, set[Signature]] = {}
        for clause in clauses:
            for head in clause.heads:
                graph.setdefault(head, set()).update(clause.body)
        for mentioned in list(graph.values()):
            for signature in mentioned:
                graph.setdefault(signature, set())
        self._reached: dict[Signature, set[Signature]] = {}
        self._uncertain = {head for clause in clauses if not clause.is_plain for head in clause.heads}
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
        """Whether what is derived of a predicate is the same in all answer streams."""
        return not self._uncertain & {signature, *self._reached.get(signature, ())}


def _is_plain(statement: Any) -> bool:
    """Whether a statement derives one atom, if anything."""
    if statement.ast_type is not ast.ASTType.Rule:
        return statement.ast_type is not ast.ASTType.External
    return bool(statement.head.ast_type is ast.ASTType.Literal)


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
