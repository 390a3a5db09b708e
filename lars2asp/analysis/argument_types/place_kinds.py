"""The kinds of values that the arguments of predicates may have: those that facts, heads and input give."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lars2asp.analysis.argument_types.declared_types import Declarations, DeclaredType
from lars2asp.analysis.argument_types.function_types import FunctionTypes
from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    NAME,
    NUMBER,
    OPEN,
    SOFT,
    TERM,
    TEXT,
    TIME,
    UNKNOWN,
    WRITTEN_AS,
    Evidence,
    Kinds,
    Known,
    kinds_of,
)
from lars2asp.analysis.argument_types.kinds_in_rules import Constants, ScopeKinds
from lars2asp.analysis.predicates import HeadAtom, head_atoms, is_fact
from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import ANY
from lars2asp.syntax.nodes import Atom, Body, Column, Input, Program, Rule, Signature, Statement, Term
from lars2asp.syntax.traversal import atoms_in, body_of

_CONVERTED: Mapping[str, Kinds] = {
    "text": TEXT,
    "int": NUMBER,
    "number": NUMBER,
    "constant": NAME,
    "row": NUMBER,
    "file": TEXT,
    "time": TIME,
    "duration": DURATION,
    "any": NUMBER | TEXT,
    "": NUMBER | TEXT,
}


class PlaceKinds:
    """The kinds of the places of a program.

    Where `#input` declares how rows become facts, predicates have the values that it, rules and background
    data give them, and those that have none of these any values. Where nothing does so, the input may tell
    atoms of all predicates.

    Args:
        program: the program.
        declared: the types that it declares.
        constants: the terms that constants stand for.
        functions: the types of the user's functions.

    Attributes:
        has_declarations: whether the program says what some values are, by `#input`, `#types` or `#decimals`.
        taken: the places of the input that are numbers since rules take them so; see `demands`.
        deriving: the atoms that rules and `#external` may make true, each with its statement.
    """

    def __init__(
        self, program: Program, declared: Declarations, constants: Constants, functions: FunctionTypes
    ) -> None:
        self._declared = declared
        self.functions = functions
        self._constants = constants
        self._found: dict[Signature, list[Known]] = {}
        self._open: dict[int, tuple[Known, ...]] = {}
        inputs = [*program.every(Input)]
        for one in inputs:
            self._add_input(one)
        deriving = [*_deriving(program)]
        types = (one.type for places in declared.values() for one in places if one is not None)
        self.has_declarations = bool(inputs) or any(one != ANY for one in types)
        self.taken: Mapping[tuple[Signature, int], Evidence] = {}
        self._scopes: dict[int, ScopeKinds] = {}
        mark = 0 if inputs else SOFT
        for head, _ in deriving:
            self._known(head.atom.signature, mark)
        self._add_facts(program, mark)
        self._told = {signature: [*known] for signature, known in self._found.items()}
        self.deriving = deriving
        self._derived = frozenset(head.atom.signature for head, _ in deriving)
        self._settle()

    def take_as_numbers(self, taken: Mapping[tuple[Signature, int], Evidence]) -> None:
        """Some places of the input are numbers, so that others may be so too."""
        self.taken = taken
        self._found = self._told
        for (signature, place), evidence in taken.items():
            known = self._found.setdefault(signature, [UNKNOWN] * signature.arity)
            known[place] = Known(NUMBER, {NUMBER: evidence})
        self._scopes = {}
        self._settle()

    @cached_property
    def _readers(self) -> Mapping[Signature, Sequence[int]]:
        """For a predicate, which of `deriving` look at it."""
        found: dict[Signature, list[int]] = {}
        for number, (head, statement) in enumerate(self.deriving):
            for atom in atoms_in(*body_of(statement), *head.condition):
                found.setdefault(atom.signature, []).append(number)
        return found

    def is_derived(self, signature: Signature) -> bool:
        """Whether rules derive a predicate."""
        return signature in self._derived

    def of(self, signature: Signature) -> Sequence[Known]:
        """What is known of the places of a predicate."""
        found = self._found.get(signature)
        if found is not None:
            return found
        if (signature.name, signature.arity) in self._declared:
            return self._known(signature, OPEN)
        if signature.arity not in self._open:
            self._open[signature.arity] = (UNKNOWN,) * signature.arity
        return self._open[signature.arity]

    def __iter__(self) -> Iterator[Signature]:
        """The predicates of which something is known."""
        return iter(self._found)

    def declared(self, signature: Signature, place: int) -> DeclaredType | None:
        """What a program says of a place by `#types` or `#decimals`."""
        found = self._declared.get((signature.name, signature.arity))
        one = None if found is None else found[place]
        return one if one is not None and one.is_written else None

    def scope(self, body: Body, terms: Iterable[Term] = ()) -> ScopeKinds:
        """The variables of a body."""
        return ScopeKinds(body, self.of, self._constants, None, terms, self.functions)

    def scope_of(self, statement: Statement) -> ScopeKinds:
        """The variables of the body of a statement, of whose terms those in its head have a value."""
        found = self._scopes.get(id(statement))
        if found is None:
            found = self._scopes[id(statement)] = self.scope(body_of(statement), terms_of(statement))
        return found

    def _known(self, signature: Signature, kinds: Kinds = 0) -> list[Known]:
        """What is known of the places of a predicate so far."""
        found = self._found.get(signature)
        if found is None:
            found = [Known(kinds, {})] * signature.arity
            for place in range(signature.arity):
                said = self.declared(signature, place)
                if said is not None:
                    kind = kinds_of(said.type)
                    evidence = Evidence(said.location, f"declared as {said.type}", is_declared=True)
                    found[place] = Known(kind, {kind: evidence})
            self._found[signature] = found
        return found

    def _add_input(self, one: Input) -> None:
        signature = Signature(one.predicate, len(one.columns))
        known = self._known(signature)
        for place, column in enumerate(one.columns):
            if self.declared(signature, place) is None or column.conversion == "any":
                kinds = column_kinds(column)
                evidence = Evidence(column.location, column_words(column), one, column)
                each = (kind for kind in (NUMBER, TEXT, NAME, TIME, DURATION) if kind & kinds)
                self._join(known, place, kinds, dict.fromkeys(each, evidence))

    def _add_facts(self, program: Program, mark: Kinds) -> None:
        """Adds the background data, of which there may be much."""
        constants, found = self._constants, self._found
        declared = self._declared
        for rule in program.statements:
            if (
                not isinstance(rule, Rule)
                or rule.body
                or not isinstance(rule.head, Atom)
                or not is_fact(rule)
            ):
                continue
            atom = rule.head
            signature = atom.signature
            known = found.get(signature)
            if known is None:
                known = self._known(signature, mark)
            is_declared = (signature.name, signature.arity) in declared
            for place, term in enumerate(atom.arguments):
                kind = _KIND_OF.get(type(term), 0)
                if kind == NUMBER and term.stands_for:  # type: ignore[union-attr]
                    kind = WRITTEN_AS[term.stands_for]  # type: ignore[union-attr]
                if not kind or (kind == NAME and (term.arguments or term.name in constants)):  # type: ignore[union-attr]
                    kind = ScopeKinds((), self.of, constants, functions=self.functions).of(term).kinds
                if kind & ~known[place].kinds and not (is_declared and self.declared(signature, place)):
                    self._join(known, place, kind, {kind: Evidence(term.location, "a fact")})

    @staticmethod
    def _join(known: list[Known], place: int, kinds: Kinds, evidence: Mapping[Kinds, Evidence]) -> bool:
        """Adds kinds to those of a place; whether there are more now."""
        before = known[place]
        if not kinds & ~before.kinds:
            return False
        known[place] = Known(before.kinds | kinds, {**evidence, **before.evidence})
        return True

    def _settle(self) -> None:
        """Adds what heads derive until that is all."""
        deriving, readers = self.deriving, self._readers
        waiting, is_waiting = [*range(len(deriving))], [True] * len(deriving)
        waiting.reverse()
        while waiting:
            number = waiting.pop()
            is_waiting[number] = False
            head, statement = deriving[number]
            atom = head.atom
            known = self._known(atom.signature)
            if not self._derive(head, statement, known):
                continue
            for reader in readers.get(atom.signature, ()):
                self._scopes.pop(id(deriving[reader][1]), None)
                if not is_waiting[reader]:
                    is_waiting[reader] = True
                    waiting.append(reader)

    def _derive(self, head: HeadAtom, statement: Statement, known: list[Known]) -> bool:
        """Adds what a head derives; whether that is more than before."""
        atom = head.atom
        if all(one.kinds & OPEN for one in known):  # as is most of what depends on open input
            return False
        scope = None
        changed = False
        for place, term in enumerate(atom.arguments):
            if self.declared(atom.signature, place) is not None:
                continue
            if scope is None:
                is_whole = isinstance(statement, Rule) and head.element is None
                scope = (
                    self.scope_of(statement)
                    if is_whole
                    else self.scope((*body_of(statement), *head.condition), atom.arguments)
                )
            kinds, evidence = scope.of(term)
            changed = self._join(known, place, kinds, evidence) or changed
        return changed


_KIND_OF: Mapping[type[nodes.Node], Kinds] = {
    nodes.Number: NUMBER,
    nodes.String: TEXT,
    nodes.Function: NAME,
    nodes.Tuple: TERM,
}


def column_kinds(column: Column) -> Kinds:
    """The kinds of values that a column gives."""
    if column.is_fixed:
        return (
            TEXT
            if column.name[0] == '"'
            else NUMBER
            if column.name[-1].isdigit() and column.name.lstrip("-").isdigit()
            else NAME
        )
    return NUMBER if column.scale is not None else _CONVERTED.get(column.conversion, OPEN)


def column_words(column: Column) -> str:
    """What a column gives."""
    if column.is_fixed:
        return "a constant of #input"
    if column.conversion or column.scale is not None:
        return ""
    return "a plain column contains either"


def _deriving(program: Program) -> Iterator[tuple[HeadAtom, Statement]]:
    """The atoms that rules and `#external` may make true, each with its statement."""
    for statement in program.but_plain_facts:
        if isinstance(statement, Rule):
            if not is_fact(statement):
                for head in head_atoms(statement):
                    yield head, statement
        elif isinstance(statement, nodes.External):
            yield HeadAtom(statement.atom), statement


def terms_of(statement: Statement) -> Sequence[Term]:
    """The terms of a statement outside its body that must have a value."""
    match statement:
        case Rule(head=Atom(arguments=arguments)):
            return arguments
        case Rule(head=nodes.AtTick(atom, tick)):
            return (*atom.arguments, tick)
        case nodes.WeakConstraint(_, weight, priority, terms):
            return (weight, priority, *terms)
        case nodes.ShowTerm(term):
            return (term,)
        case _:
            return ()
