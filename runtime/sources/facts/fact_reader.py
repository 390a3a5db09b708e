"""Facts from outside for a program that declares decimals: their numbers become its integers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from operator import index, itemgetter
from typing import Any

from lars2asp.analysis.argument_types.required import RequiredTypes
from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError, scaled
from lars2asp.analysis.number_forms import DurationForm, NumberForm, NumberForms, TimeForm, number_of
from lars2asp.externals.terms.terms import CONSTANTS, AtomRows, GroundAtom, Row, Term, Value, atoms_of
from lars2asp.externals.terms.text import atom_texts, text_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.atoms import (
    FEWEST_AT_ONCE,
    NO_KINDS,
    SMALLEST_NUMBER,
    Fact,
    Kinds,
    as_atom,
    atom_of_text,
    by_predicate,
    float_refusal,
    known_atoms,
    listed_facts,
    parse_atoms,
    parse_by,
    parse_list,
    rows_alike,
    to_atom,
    tuple_refusal,
    typed_rows,
    values_alike,
)
from lars2asp.runtime.sources.facts.ground_terms import (
    WrittenDecimal,
    declaration_for,
    no_atom,
    parse_with_decimals,
)
from lars2asp.runtime.sources.times.timeline import length_of, moment_of
from lars2asp.syntax.argument_type import NAME, TEXT, ArgumentType, Required
from lars2asp.syntax.nodes import LARGEST_NUMBER, MOST_DIGITS, MOST_PROPOSED, Decimals, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown, shown_number
from lars2asp.syntax.values import dataclass

_NAME, _NUMBER = "[a-z][A-Za-z0-9_]*+", r"-?(?:0|[1-9][0-9]{0,17}+)(?:\.[0-9]++)?"
_PLAIN = re.compile(rf"(-?{_NAME})\(((?:{_NAME}|{_NUMBER})(?:,(?:{_NAME}|{_NUMBER}))*+)\)")
"""An atom with arguments that are names and numbers."""

_MOST_KNOWN = 1000
"""The number of names, and of forms of facts, that a reader keeps."""

_HEAD = re.compile(rf"(-?{_NAME})\(")


@dataclass(frozen=True)
class FactReader:
    """Reads facts from outside.

    Numbers at places with decimals are the values that they say, with a point or without: with one decimal
    24 is 24.0, and 240 in the program. Times and durations are strings, or what Python, pandas and
    numpy have for them; integers in their places are ticks. clingo's symbols are the program's own and stay
    what they are.

    Args:
        decimals: the forms of the numbers of predicates (`Plan.decimals`); integers by default.
        required: what arguments must be (`Plan.required`); other facts are refused.
    """

    decimals: NumberForms = field(default_factory=dict)
    required: RequiredTypes = field(default_factory=dict)

    @cached_property
    def _names(self) -> Mapping[str, Mapping[int, tuple[NumberForm, ...]]]:
        """The forms of numbers of predicates, by their names with sign and their arities."""
        found: dict[str, dict[int, tuple[NumberForm, ...]]] = {}
        for (name, arity, is_positive), decimals in self.decimals.items():
            found.setdefault(name if is_positive else f"-{name}", {})[arity] = decimals
        return found

    def rows(self, facts: Iterable[Fact]) -> tuple[AtomRows, ...]:
        """The atoms of facts; see `to_rows`. Raises InputError."""
        is_few = type(facts) is list and len(facts) < FEWEST_AT_ONCE and not self.decimals
        if is_few and (known := self._alike_before(facts)) is not None:
            return known
        found = self._checked(*self._rows(facts))
        if is_few:
            self._learn(facts)
        return found

    @cached_property
    def _known(self) -> dict[tuple[type, ...], dict[str, Signature]]:
        """The predicates of facts that were taken before: by the classes of their parts, and by names."""
        return {}

    def _learn(self, facts: Iterable[Any]) -> None:
        """Facts were taken: others with such parts can be as well."""
        for fact in facts:
            kinds = tuple(map(type, fact)) if type(fact) is tuple else ()
            if not kinds or kinds[0] is not str or not {*kinds} <= {str, int}:
                continue
            known = self._known.setdefault(kinds, {}) if len(self._known) < _MOST_KNOWN else {}
            if fact[0] not in known and len(known) < _MOST_KNOWN:
                [(signature, _)], _ = typed_rows([fact])
                known[fact[0]] = signature

    def _alike_before(self, facts: Iterable[Any]) -> tuple[AtomRows, ...] | None:
        """The atoms of facts if such were taken before; None for others."""
        known = self._known
        found: list[tuple[Signature, Row]] = []
        for fact in facts:
            alike = known.get(tuple(map(type, fact))) if type(fact) is tuple else None
            signature = None if alike is None else alike.get(fact[0])
            if signature is None:
                return None
            row = fact[1:]
            for value in row:
                if type(value) is int:
                    if not SMALLEST_NUMBER <= value <= LARGEST_NUMBER:
                        return None
                elif not value.isascii() or "\0" in value:
                    return None
            found.append((signature, row))
        if len(found) == 1:
            [(predicate, row)] = found
            return (atoms_of((predicate, [row])),)
        return by_predicate(found)

    def _rows(self, facts: Iterable[Fact]) -> tuple[tuple[AtomRows, ...], Kinds]:
        if not self.decimals or isinstance(facts, str):
            return typed_rows(facts)
        given = listed_facts(facts)
        if given and all(isinstance(fact, str) for fact in given):
            return self._parsed([*map(str, given)]), NO_KINDS
        given = [self._scaled_tuple(fact) if isinstance(fact, tuple) else fact for fact in given]
        if any(isinstance(fact, str) for fact in given):
            return by_predicate(
                self._atom(str(fact)) if isinstance(fact, str) else to_atom(fact) for fact in given
            ), NO_KINDS
        return typed_rows(given)

    def parse_atoms(self, texts: Sequence[str]) -> tuple[AtomRows, ...]:
        """The atoms of texts such as `p(a,1)`. Raises InputError."""
        return self._checked(self._parsed(texts))

    def _parsed(self, texts: Sequence[str]) -> tuple[AtomRows, ...]:
        return parse_by(self._atom, self._alike, texts) if self.decimals else parse_atoms(texts)

    def known_atoms(self, texts: Sequence[str]) -> dict[str, tuple[AtomRows, ...]]:
        """What `parse_atoms` gives for each of some texts alone, where many are read at a time."""
        found = known_atoms(texts, self._alike if self.decimals else rows_alike)
        if not self.required:
            return found
        return {text: atoms for text, atoms in found.items() if self._fault(atoms) is None}

    def parse_list(self, text: str) -> tuple[AtomRows, ...]:
        """The atoms of a text such as `p(a,1), q`; none for a blank text. Raises InputError."""
        if not self.decimals:
            return self._checked(parse_list(text))
        return self._checked(parse_list(text, self._parsed, self._listed))

    # --- types ----------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> Mapping[Signature, tuple[tuple[int, type, Required], ...]]:
        """The places of predicates at which something is required, with the class of values there."""
        return {
            signature: tuple(
                (place, _class_of(one.type), one) for place, one in enumerate(required) if one is not None
            )
            for signature, required in self.required.items()
        }

    def _checked(self, atoms: tuple[AtomRows, ...], kinds: Kinds = NO_KINDS) -> tuple[AtomRows, ...]:
        """Atoms of which all arguments are what is required. Raises InputError for others."""
        if self.required and (fault := self._fault(atoms, kinds)) is not None:
            raise InputError(self._refusal(*fault))
        return atoms

    def _fault(
        self, atoms: Iterable[AtomRows], kinds: Kinds = NO_KINDS
    ) -> tuple[Signature, Sequence[Row], int, Required] | None:
        """The first place of atoms with a value that is not what is required, and what that is.

        Args:
            atoms: the atoms.
            kinds: the classes of arguments as far as they are known.
        """
        places = self._places
        for signature, rows in atoms:
            known = kinds.get(signature)
            for place, kind, one in places.get(signature, ()):
                if known is not None and known[place] is kind is not Term:
                    continue
                if len(rows) == 1 and type(rows[0][place]) is kind is not Term:  # a tick with one fact
                    continue
                if _are_others(map(itemgetter(place), rows), kind, one.type):
                    return signature, rows, place, one
        return None

    def _refusal(self, signature: Signature, rows: Sequence[Row], place: int, one: Required) -> str:
        """Why the first of rows with a value that is not what is required is refused."""
        row = next(row for row in rows if _are_others([row[place]], _class_of(one.type), one.type))
        [text] = atom_texts(signature, [row], self.decimals)
        return f"{shown(text)}: {one.refusal(shown(text_of(row[place])))}"

    # --- text -----------------------------------------------------------------------------------------

    def _atom(self, text: str) -> GroundAtom:
        """The atom of a text."""
        plain = _PLAIN.fullmatch(text)
        if plain is None:
            values = parse_with_decimals(text)
            if len(values) > 1:
                raise no_atom(f"'{shown(text)}'")
            return self._scaled(values[0], text)
        name, listed = plain.groups()
        arguments = listed.split(",")
        decimals = self._names.get(name, {}).get(len(arguments))
        if decimals is None and "." not in listed:
            return GroundAtom(*atom_of_text(text))
        row: list[Any] = [
            CONSTANTS[one] if one[0] >= "a" else WrittenDecimal(one) if "." in one else int(one)
            for one in arguments
        ]
        is_positive = name[0] != "-"
        signature = Signature(name if is_positive else name[1:], len(row), is_positive)
        return self._scaled(GroundAtom(signature, tuple(row)), text)

    def _listed(self, text: str) -> Iterable[GroundAtom]:
        return (self._scaled(value, text) for value in parse_with_decimals(text))

    def _scaled(self, value: Any, text: str) -> GroundAtom:
        """An atom as it is written, with the program's integers."""
        if not isinstance(value, GroundAtom):
            if isinstance(value, WrittenDecimal):
                raise no_atom(shown(text))
            return as_atom(value, text)
        decimals = self.decimals.get(value.signature)
        if decimals is None and WrittenDecimal not in map(type, value.row):
            return value
        row: list[Value] = []
        arguments: Sequence[Any] = value.row
        for written, places in zip(arguments, decimals or (0,) * len(value.row), strict=True):
            try:
                row.append(_integer(written, places))
            except NotScaledError as error:
                reason = (
                    str(error) if places else f"{written.text} is a decimal, but this argument is an integer"
                )
                cure = ""
                if error.digits is not None:
                    declaration = declaration_for(value, _digits(decimals or ()))
                    cure = f": declare {declaration}" if declaration else ": round it"
                raise InputError(f"{shown(text)}: {reason}{cure}") from error
        return GroundAtom(value.signature, tuple(row))

    def _alike(self, texts: Sequence[str]) -> AtomRows | None:
        """The atoms of texts of one predicate with plain arguments; None where there are others."""
        head = _HEAD.match(texts[0])
        if head is None:
            return None
        arities = self._names.get(head[1])
        if arities is None:
            return rows_alike(texts)
        lines = "\n".join(texts)
        if lines[-1] != ")" or lines.count("\n") >= len(texts) or any(sign in lines for sign in "[]\\"):
            return None
        between = f")\n{head[0]}"
        parts = lines[head.end() : -1].replace(between, ",\n,").split(",")
        width = (len(parts) + 1) // len(texts)
        if len(parts) + 1 != width * len(texts) or parts[width - 1 :: width].count("\n") < len(texts) - 1:
            return None
        decimals = arities.get(width - 1, (0,) * (width - 1))
        columns = [_column(parts[place::width], decimals[place]) for place in range(width - 1)]
        if None in columns:
            return None
        is_positive = head[1][0] != "-"
        signature = Signature(head[1].removeprefix("-"), width - 1, is_positive)
        return AtomRows(signature, list(zip(*columns, strict=True)))

    # --- tuples ---------------------------------------------------------------------------------------

    def _scaled_tuple(self, fact: tuple[Any, ...]) -> tuple[Any, ...]:
        """A fact that is a tuple, with the program's integers."""
        name = fact[0] if fact else None
        if not isinstance(name, str):
            return fact
        decimals = self._names.get(name, {}).get(len(fact) - 1)
        if decimals is None:
            return fact
        found = [name]
        for place, (value, places) in enumerate(zip(fact[1:], decimals, strict=True)):
            try:
                if not places and isinstance(value, float | Decimal):
                    raise tuple_refusal(fact, float_refusal(value), _digits(decimals))
                found.append(_number(value, places) if places else value)
            except NotScaledError as error:
                more = _digits(decimals)
                more[place] = error.digits or 0
                cure = f": {_cure(name.removeprefix('-'), more)}" if error.digits is not None else ""
                raise InputError(f"argument {place + 1} of {shown(name)}: {error}{cure}") from error
        return tuple(found)


PLAIN = FactReader()
"""Reads the facts of programs without decimals."""


def _class_of(one: ArgumentType) -> type:
    """The class of the values of a type; those of class Term have a name or arguments."""
    return int if one.is_number else str if one == TEXT else Term


def _are_others(values: Iterable[Value], kind: type, one: ArgumentType) -> bool:
    """Whether there is a value that is not of a type, which has values of a class."""
    if kind is not Term:
        return not {*map(type, values)} <= {kind}
    return any(not isinstance(value, Term) or bool(value.arguments) is (one == NAME) for value in values)


def _cure(name: str, decimals: Sequence[int]) -> str:
    """What to do about a number that needs these decimals of a predicate."""
    if max(decimals) > MOST_PROPOSED:
        return "round it"
    return f"declare {to_text(Decimals(name, tuple(each or None for each in decimals)))}, or round it"


def _digits(forms: Sequence[NumberForm]) -> list[int]:
    """The decimals of places."""
    return [form if isinstance(form, int) else 0 for form in forms]


def _column(texts: list[str], decimals: NumberForm) -> Sequence[Value] | None:
    """The values of plain arguments of one place; None where there are others."""
    if not decimals:
        return values_alike(texts)
    if not isinstance(decimals, int):
        values = values_alike(texts)
        try:
            return None if values is None else [_integer(value, decimals) for value in values]
        except NotScaledError:
            return None
    together = ",".join(texts)
    if not _numbers(decimals).fullmatch(together):
        found = values_alike(texts)
        return None if found is None or int in map(type, found) else found
    if "." not in together:
        return [int(text) * 10**decimals for text in texts]
    return [
        int(whole + behind.ljust(decimals, "0"))
        for whole, _, behind in (text.partition(".") for text in texts)
    ]


def _numbers(decimals: int) -> re.Pattern[str]:
    """Numbers with commas between them; such patterns are kept by `re`."""
    number = rf"-?(?:0|[1-9][0-9]{{0,17}}+)(?:\.[0-9]{{1,{decimals}}}+)?"
    return re.compile(rf"{number}(?:,{number})*+")


def _integer(value: Any, decimals: NumberForm) -> Value:
    """The value of an argument that is written. Raises NotScaledError."""
    if not isinstance(decimals, int):
        if isinstance(value, WrittenDecimal):
            raise NotScaledError(f"{value.text} is a decimal, but a number of ticks is an integer")
        temporal: Value = number_of(value, decimals) if isinstance(value, str) else value
        return temporal
    if isinstance(value, WrittenDecimal):
        return scaled(value.text, decimals)
    found: Value = scaled(str(value), decimals) if decimals and type(value) is int else value
    return found


def _number(value: Any, decimals: NumberForm) -> Any:
    """The same of an item of a tuple, which may be what it likes. Raises NotScaledError."""
    if isinstance(decimals, TimeForm):
        moment = moment_of(value)
        if moment is not None:
            return decimals.of_moment(moment)
    if isinstance(decimals, DurationForm):
        length = length_of(value)
        if length is not None:
            return decimals.of_length(length)
    if not isinstance(decimals, int):
        convert = getattr(value, "as_py", None)
        if convert is not None:  # a scalar of Arrow
            return _number(convert(), decimals)
        return number_of(value, decimals) if isinstance(value, str) else value
    if isinstance(value, bool | str | tuple | Term):
        return value
    if isinstance(value, Integral):
        number = index(value)
        if abs(number) > LARGEST_NUMBER:
            raise NotScaledError(f"the number {shown_number(number)} is longer than {MOST_DIGITS} digits")
        return scaled(str(number), decimals)
    if isinstance(value, float):
        return scaled(float.__repr__(value), decimals)
    if isinstance(value, Decimal | Real):  # of numpy, the text of which is the shortest one
        return scaled(str(value), decimals)
    for method in ("as_py", "item"):  # scalars of Arrow and numpy
        convert = getattr(value, method, None)
        if convert is not None and not getattr(value, "shape", ()):
            return _number(convert(), decimals)
    return value
