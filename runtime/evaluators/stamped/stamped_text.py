"""Text for one Control that is kept: what it derives at a tick bears a stamp, background data does not.

A stamp is the number of a tick among those that the Control has seen.

With `link` as background data and `w` from the stream,

    r(Y) :- r(X), link(X,Y), w(Y).

becomes, in the part of a tick,

    stamped_r(r(Y),stamp) :- stamped_r(r(X),stamp); link(X,Y); stamped_w(w(Y),stamp).

Where there may be several answer streams, rules hold only while an external of their tick does, but for those
that say what is answered by the database, which choose nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clingo import Number, ast

from lars2asp.planning.lookups import LookupKind
from lars2asp.planning.plan import Plan, PlanLine
from lars2asp.runtime.evaluators.stamped.asp_statements import heads, parsed, signature_of_term
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import NOWHERE, Location

_GUARDED = (
    ast.ASTType.Rule,
    ast.ASTType.Minimize,
    ast.ASTType.Heuristic,
    ast.ASTType.Edge,
    ast.ASTType.ProjectAtom,
)


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
    stamped: Mapping[Signature, str]
    background: frozenset[Signature]
    shown: tuple[Signature, ...]
    terms: str


def stamped_text(plan: Plan, told: Collection[Signature], *, is_certain: bool) -> StampedText:
    """The text for a plan.

    Args:
        plan: the plan.
        told: the predicates of background data that the input tells atoms of as well.
        is_certain: whether there is exactly one answer stream.
    """
    return _Writer(plan, told, is_certain).written()


class _Writer:
    def __init__(self, plan: Plan, told: Collection[Signature], is_certain: bool) -> None:
        self._plan = plan
        self._names = plan.names
        self._lines = [
            (line, statement)
            for line in plan.lines
            if line.background is None
            for statement in parsed(line.text)
        ]
        facts = dict.fromkeys(line.background for line in plan.lines if line.background is not None)
        told_lines = {id(line) for line in plan.lines if _is_told(line)}
        derived = {
            s for line, statement in self._lines if id(line) not in told_lines for s in heads(statement)
        }
        shown = {
            _named_signature(statement)
            for _, statement in self._lines
            if statement.ast_type is ast.ASTType.ShowSignature
        }
        self._background = frozenset(facts) - derived - frozenset(told) - shown
        self._copied = [signature for signature in facts if signature not in self._background]
        self._is_guarded = not is_certain
        self._sure = self._sure_predicates() if self._is_guarded else frozenset()
        self._stamped: dict[Signature, str] = {}
        self._shown: dict[Signature, None] = {}
        self._has_terms = False
        self._stamper = _Stamper(self)

    def written(self) -> StampedText:
        names = self._names
        base = [(line.text, line.origin) for line in self._plan.lines if line.background is not None]
        tick: list[tuple[str, Location]] = []
        if self._is_guarded:
            tick.append((f"#external {names.guard}({names.stamp}).", NOWHERE))
        for line, statement in self._lines:
            if statement.ast_type is ast.ASTType.Definition:
                base.append((str(statement), line.origin))
            elif statement.ast_type is ast.ASTType.ShowSignature:
                if statement.name:
                    self._shown[_named_signature(statement)] = None
            elif statement.ast_type is ast.ASTType.ProjectSignature:
                tick.append((self._projection(_named_signature(statement)), line.origin))
            elif not set(heads(statement)) & self._background:  # else nothing of it is told
                tick.append((self._line(statement), line.origin))
        for signature in self._copied:
            tick.append((f"{self._pair(signature)} :- {_pattern(signature)}.", NOWHERE))
        for signature in (*self._shown, *self._plan.recorded, *self._plan.placed):
            self.stamped(signature)
        tick += self._exclusions()
        lines = [*base, (f"#program {names.part}({names.now},{names.stamp}).", NOWHERE), *tick]
        return StampedText(
            "".join(f"{text}\n" for text, _ in lines),
            tuple(origin for _, origin in lines),
            names.part,
            names.guard if self._is_guarded else "",
            self._stamped,
            self._background,
            tuple(self._shown),
            names.shown_terms if self._has_terms else "",
        )

    def stamped(self, signature: Signature) -> str:
        """The predicate of the pairs of atoms and stamps."""
        return self._stamped.setdefault(signature, self._names.stamped(signature))

    def is_stamped(self, signature: Signature) -> bool:
        """Whether the atoms of a predicate bear stamps."""
        return signature not in self._background

    def stamp(self, location: Any) -> Any:
        """The term for the stamp."""
        return ast.Function(location, self._names.stamp, [], False)

    def _line(self, statement: Any) -> str:
        location = statement.location
        if statement.ast_type is ast.ASTType.ShowTerm:
            self._has_terms = True
            pair = ast.Function(
                location, self._names.shown_terms, [statement.term, self.stamp(location)], False
            )
            head = ast.Literal(location, ast.Sign.NoSign, ast.SymbolicAtom(pair))
            changed = ast.Rule(location, head, list(self._stamper.visit_sequence(statement.body)))
        else:
            changed = self._stamper.visit(statement)
        is_sure = any(signature in self._sure for signature in heads(statement))
        if self._is_guarded and changed.ast_type in _GUARDED and not is_sure:
            changed = changed.update(body=[*changed.body, self._guard(location)])
        return str(changed)

    def _guard(self, location: Any) -> Any:
        atom = ast.SymbolicAtom(ast.Function(location, self._names.guard, [self.stamp(location)], False))
        return ast.Literal(location, ast.Sign.NoSign, atom)

    def _exclusions(self) -> Iterator[tuple[str, Location]]:
        """That atoms and their classical negations exclude each other, which clingo cannot see any more.

        Where there is one answer stream, whatever holds, it is for others to say so.
        """
        if not self._is_guarded:
            return
        known = {*self._stamped, *self._background}
        for contrary in dict.fromkeys((*self._stamped, *self._background)):
            both = contrary._replace(is_positive=True), contrary
            if not contrary.is_positive and both[0] in known and not self._background.issuperset(both):
                atoms = (self._pair(s) if self.is_stamped(s) else _pattern(s) for s in both)
                yield f":- {', '.join(atoms)}{self._guarded}.", NOWHERE

    def _projection(self, signature: Signature) -> str:
        """The statement for `#project p/n`."""
        if not self.is_stamped(signature):
            return f"#project {signature}."
        return f"#project {self._pair(signature)} : {self._pair(signature)}{self._guarded}."

    @property
    def _guarded(self) -> str:
        """What goes behind a body."""
        return f", {self._names.guard}({self._names.stamp})" if self._is_guarded else ""

    def _pair(self, signature: Signature) -> str:
        """The pairs of the atoms of a predicate and the stamp."""
        atom = _pattern(signature) if signature.arity else 0
        return f"{self.stamped(signature)}({atom},{self._names.stamp})"

    def _sure_predicates(self) -> frozenset[Signature]:
        """The predicates about which the rules leave no choice, as far as that is easily seen."""
        rules: dict[Signature, list[Any]] = {}
        for _, statement in self._lines:
            for signature in heads(statement):
                rules.setdefault(signature, []).append(statement)
        sure: set[Signature] = set()
        while True:
            found = {
                signature
                for signature, statements in rules.items()
                if signature not in sure
                and all(_is_sure(statement, sure | self._background) for statement in statements)
            }
            if not found:
                return frozenset(sure)
            sure |= found


def _pattern(signature: Signature) -> str:
    """The atoms of a predicate."""
    variables = ",".join(f"X{i}" for i in range(1, signature.arity + 1))
    name = f"{'' if signature.is_positive else '-'}{signature.name}"
    return f"{name}({variables})" if variables else name


def _is_told(line: PlanLine) -> bool:
    return any(not isinstance(piece, str) and piece.lookup.kind is LookupKind.INPUT for piece in line.pieces)


def _is_sure(statement: Any, sure: Collection[Signature]) -> bool:
    """Whether a rule derives one atom, from predicates that are sure."""
    if statement.ast_type is not ast.ASTType.Rule or statement.head.ast_type is not ast.ASTType.Literal:
        return False
    for literal in statement.body:
        if literal.ast_type is not ast.ASTType.Literal:
            return False
        atom = literal.atom
        if atom.ast_type is ast.ASTType.SymbolicAtom and signature_of_term(atom.symbol) in sure:
            continue
        if atom.ast_type not in (ast.ASTType.Comparison, ast.ASTType.BooleanConstant):
            return False
    return True


def _named_signature(statement: Any) -> Signature:
    """The predicate that a statement such as `#show p/1.` names."""
    return Signature(statement.name, statement.arity, bool(statement.positive))


class _Stamper(ast.Transformer):
    """Makes pairs of atoms and stamps of the atoms that bear stamps."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer

    def visit_SymbolicAtom(self, node: Any) -> Any:  # noqa: N802 - clingo's name
        symbol = node.symbol
        signature = signature_of_term(symbol)
        if not self._writer.is_stamped(signature):
            return node
        if not signature.arity:  # it may be named like a constant, which it is not
            symbol = ast.SymbolicTerm(node.symbol.location, Number(0))
        location = node.symbol.location
        pair = [symbol, self._writer.stamp(location)]
        return ast.SymbolicAtom(ast.Function(location, self._writer.stamped(signature), pair, False))
