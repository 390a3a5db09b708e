"""Text for one Control that is kept: atoms of a tick bear a stamp, background data does not.

A stamp is the number of a tick among those that the Control has seen.

With `link` as background data and `w` from the stream,

    r(Y) :- r(X), link(X,Y), w(Y).

becomes, in the part of a tick,

    stamped_r(r(Y),stamp) :- stamped_r(r(X),stamp), link(X,Y), stamped_w(w(Y),stamp).

Where there may be several answer streams, rules hold only while an external of their tick does, but for those
that leave no choice, whatever the others derive (stratified ones). So facts of a tick are facts here as well.
"""

import dataclasses
from collections.abc import Collection, Iterator, Mapping

from lars2asp.planning.asp.asp_program import AspProgram, LookupLiteral, head_predicates, term_of
from lars2asp.planning.asp.recursion import is_stratified, recursion_of
from lars2asp.planning.lookups import LookupKind
from lars2asp.syntax import nodes
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import rewrite
from lars2asp.syntax.values import dataclass

_GUARDED = (nodes.Rule, nodes.WeakConstraint, nodes.Heuristic, nodes.Edge, nodes.ProjectAtom)


@dataclass(frozen=True)
class StampedText:
    """A program of which one part is ground once and the other for each tick.

    Attributes:
        text: the program, a statement a line. Its part `base` has the background data.
        origins: where each line comes from.
        part: the name of the part of a tick, with the tick and the stamp as parameters.
        guard: the external that a tick's rules rest on, with the stamp as argument; empty without.
        stamped: for predicates whose atoms bear stamps, the predicate of the pairs of atom and stamp. For
            those without arguments 0 stands in place of the atom.
        background: the predicates of background data that bear none.
        shown: the predicates that are output.
        terms: the predicate of the pairs of shown terms and stamps; empty without.
    """

    text: str
    origins: tuple[Location, ...]
    part: str
    guard: str
    stamped: Mapping[nodes.Signature, str]
    background: frozenset[nodes.Signature]
    shown: tuple[nodes.Signature, ...]
    terms: str


def stamped_text(
    program: AspProgram,
    with_input: Collection[nodes.Signature],
    *,
    is_certain: bool,
    is_shown: bool = False,
) -> StampedText:
    """The text for a program.

    Args:
        program: the program.
        with_input: the predicates of background data of which the input has atoms as well.
        is_certain: whether there is exactly one answer stream.
        is_shown: whether clingo is told what is output, on which it then may project.
    """
    return _StampedWriter(program, with_input, is_certain, is_shown).written()


class _StampedWriter:
    def __init__(
        self,
        program: AspProgram,
        with_input: Collection[nodes.Signature],
        is_certain: bool,
        is_shown: bool,
    ) -> None:
        self._is_shown = is_shown
        self._program = program
        self._names = program.names
        self._facts = [line for line in program.lines if line.background is not None]
        self._statements = [
            (line.statement, line) for line in (*program.lines, *program.checks) if line.statement is not None
        ]
        facts = dict.fromkeys(line.background for line in self._facts if line.background is not None)
        derived = {
            signature
            for statement, _ in self._statements
            if not _is_for_input(statement)
            for signature in head_predicates(statement)
        }
        self._shown = dict.fromkeys(
            statement.signature
            for statement, _ in self._statements
            if isinstance(statement, nodes.Show) and statement.signature is not None
        )
        self._background = facts.keys() - derived - self._shown.keys() - set(with_input)
        self._copied = [signature for signature in facts if signature not in self._background]
        self._is_guarded = not is_certain
        self._recursion = recursion_of(statement for statement, _ in self._statements)
        self._stamped: dict[nodes.Signature, str] = {}
        self._stamp = nodes.Function(self._names.stamp)
        self._guard = (
            (nodes.Literal(nodes.Atom(self._names.guard, (self._stamp,))),) if self._is_guarded else ()
        )

    def written(self) -> StampedText:
        names, program = self._names, self._program
        base = [(line.text, line.origin) for line in self._facts]
        tick: list[tuple[str, Location]] = []
        if self._is_guarded:
            tick.append((f"#external {names.guard}({names.stamp}).", NOWHERE))
        for statement, line in self._statements:
            if isinstance(statement, nodes.Constant):
                base.append((line.text, line.origin))
            elif isinstance(statement, nodes.ProjectSignature):
                tick.append((to_text(self._projection(statement)), line.origin))
            elif not isinstance(statement, nodes.Show) and self._background.isdisjoint(
                head_predicates(statement)
            ):
                tick.append((to_text(self._changed(statement)), line.origin))
        for signature in self._copied:
            atom = _pattern(signature)
            tick.append((to_text(nodes.Rule(self._pair(atom), (nodes.Literal(atom),))), NOWHERE))
        for signature in (*self._shown, *program.recorded, *program.placed):
            self._name(signature)
        tick += ((to_text(exclusion), NOWHERE) for exclusion in self._exclusions())
        if self._is_shown:
            shown = [self._stamped[signature] for signature in self._shown]
            if program.shows_terms:
                shown.append(names.shown_terms)
            shows = (nodes.Show(), *(nodes.Show(nodes.Signature(name, 2)) for name in shown))
            base += ((to_text(show), NOWHERE) for show in shows)
        lines = [*base, (f"#program {names.part}({names.now},{names.stamp}).", NOWHERE), *tick]
        return StampedText(
            "".join(f"{text}\n" for text, _ in lines),
            tuple(origin for _, origin in lines),
            names.part,
            names.guard if self._is_guarded else "",
            self._stamped,
            frozenset(self._background),
            tuple(self._shown),
            names.shown_terms if program.shows_terms else "",
        )

    def _changed(self, statement: nodes.Statement) -> nodes.Statement:
        """The statement about stamped atoms."""
        is_sure = isinstance(statement, nodes.Rule) and is_stratified(statement, self._recursion)
        changed = rewrite(statement, self._with_stamp)
        if isinstance(changed, nodes.ShowTerm):
            changed = nodes.Rule(
                nodes.Atom(self._names.shown_terms, (changed.term, self._stamp)), changed.body
            )
        if isinstance(changed, _GUARDED) and not is_sure:
            changed = dataclasses.replace(changed, body=(*changed.body, *self._guard))
        return changed

    def _with_stamp(self, node: nodes.Node) -> nodes.Node:
        return self._with_own_stamp(node) if isinstance(node, nodes.Atom) else node

    def _with_own_stamp(self, atom: nodes.Atom) -> nodes.Atom:
        """The atom, or for a stamped one the pair."""
        return atom if atom.signature in self._background else self._pair(atom)

    def _name(self, signature: nodes.Signature) -> str:
        """The predicate of the pairs of atoms and stamps."""
        return self._stamped.setdefault(signature, self._names.stamped(signature))

    def _pair(self, atom: nodes.Atom) -> nodes.Atom:
        """The pair of an atom and the stamp; an atom without arguments may be named like a constant."""
        first: nodes.Term = term_of(atom) if atom.arguments else nodes.Number(0)
        return nodes.Atom(self._name(atom.signature), (first, self._stamp))

    def _exclusions(self) -> Iterator[nodes.Rule]:
        """The constraints that exclude atoms together with their classical negations.

        Where there is one answer stream, other evaluators see to that.
        """
        if not self._is_guarded:
            return
        known = {*self._stamped, *self._background}
        for contrary in dict.fromkeys((*self._stamped, *self._background)):
            both = contrary._replace(is_positive=True), contrary
            if not contrary.is_positive and both[0] in known and not self._background.issuperset(both):
                atoms = (self._with_own_stamp(_pattern(signature)) for signature in both)
                yield nodes.Rule(None, (*map(nodes.Literal, atoms), *self._guard))

    def _projection(self, statement: nodes.ProjectSignature) -> nodes.Statement:
        """The statement for `#project p/n`."""
        if statement.signature in self._background:
            return statement
        pair = self._pair(_pattern(statement.signature))
        return nodes.ProjectAtom(pair, (nodes.Literal(pair), *self._guard))


def _pattern(signature: nodes.Signature) -> nodes.Atom:
    """The atoms of a predicate."""
    variables = tuple(nodes.Variable(f"X{i}") for i in range(1, signature.arity + 1))
    return nodes.Atom(signature.name, variables, signature.is_positive)


def _is_for_input(statement: nodes.Statement) -> bool:
    """Whether it is a rule that adds the input atoms of a predicate."""
    return isinstance(statement, nodes.Rule) and any(
        isinstance(literal, LookupLiteral) and literal.lookup.kind is LookupKind.INPUT
        for literal in statement.body
    )
