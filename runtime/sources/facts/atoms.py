"""Facts from outside: text, tuples and clingo's symbols become rows."""

import gc
import marshal
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from importlib import import_module
from itertools import repeat
from math import isfinite
from numbers import Integral
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import orjson

from lars2asp.externals.terms.terms import (
    BARE_TERM,
    CONSTANTS,
    AtomRows,
    GroundAtom,
    InTurns,
    Row,
    Term,
    Value,
    atoms_of,
    columns_of,
    tuple_term,
)
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.ground_terms import (
    DECIMAL_HINT,
    WrittenDecimal,
    check_characters,
    decimal_hint_for,
    is_refused,
    no_atom,
    parse_terms,
)
from lars2asp.runtime.sources.times.timeline import text_of_moment
from lars2asp.syntax.nodes import LARGEST_NUMBER, MOST_DIGITS, Signature
from lars2asp.syntax.source import shown, shown_number

if TYPE_CHECKING:
    from clingo import Symbol

Fact: TypeAlias = "str | Symbol | tuple[Any, ...]"
"""An atom as text, as a clingo symbol, or as a tuple of a name and arguments.

Arguments in a tuple are integers, strings, tuples and Terms. `constant("a")` is the constant a. A float needs
declared decimals, `#decimals`. Moments become text of ISO 8601. Scalars of numpy and Arrow work too.
"""

ReadAtom: TypeAlias = Callable[[str], tuple[Signature, Row]]
ReadAlike: TypeAlias = Callable[[Sequence[str]], AtomRows | None]
ParseAtoms: TypeAlias = Callable[[Sequence[str]], tuple[AtomRows, ...]]
ReadTerms: TypeAlias = Callable[[str], Iterable[Any]]

Kinds: TypeAlias = Mapping[Signature, Sequence[type]]
"""The classes of the arguments of predicates, where all values at a place have one class."""

NO_KINDS: Kinds = MappingProxyType({})

K = TypeVar("K")
V = TypeVar("V")

LONGEST_KEPT = 256
"""In characters: the atoms of longer texts are not kept, as thousands of them would fill the memory."""

LONGEST_SPLIT = 4096
"""In characters an atom, about: lists of longer ones are not split, as their parts would fill the memory."""

MOST_KEPT = 65536
"""The number of atoms, and of predicates, that are kept by their texts."""

SMALLEST_NUMBER = -LARGEST_NUMBER
"""Worked out once: a number of so many digits takes longer to negate than a fact to read."""

FEWEST_AT_ONCE = 6
"""Fewer facts are read one by one: that is faster then."""

_NAME, _INTEGER = "[a-z][A-Za-z0-9_]*+", "(?:0|-?[1-9][0-9]{0,8})"
_PLAIN = re.compile(rf"(-?{_NAME})(?:\(((?:{_NAME}|{_INTEGER})(?:,(?:{_NAME}|{_INTEGER}))*+)\))?")
"""A name, or a name and arguments that are names and integers: most atoms are of this kind."""

_NAMES = re.compile(rf"{_NAME}(?:,{_NAME})*+")
_NAMES_AND_INTEGERS = re.compile(rf"(?:{_NAME}|{_INTEGER})(?:,(?:{_NAME}|{_INTEGER}))*+")
_HEAD = re.compile(rf"(-?{_NAME})\(")


def to_rows(facts: Iterable[Fact]) -> tuple[AtomRows, ...]:
    """The atoms that facts stand for, by predicate; of such as come in turns the order is kept.

    Raises:
        InputError: saying what is wrong and what to do.
    """
    return typed_rows(facts)[0]


def typed_rows(facts: Iterable[Fact]) -> tuple[tuple[AtomRows, ...], Kinds]:
    """The same, and the classes of arguments as far as reading has found them. Raises InputError."""
    if isinstance(facts, str):
        raise InputError(f"{shown(repr(facts))} is a single fact: pass a list, such as ['p(a)']")
    given: Sequence[Any] = facts if isinstance(facts, list | tuple) else listed_facts(facts)
    if len(given) < FEWEST_AT_ONCE:
        return _rows_of(given) if given else ((), NO_KINDS)
    collects = gc.isenabled()
    gc.disable()  # else it would walk through columns and rows while they are made: a third of the time
    try:
        return _rows_of(given)
    finally:
        if collects:
            gc.enable()


def listed_facts(facts: Any) -> list[Any]:
    """Facts as a list. Raises InputError for what is no collection, and for a mapping."""
    if isinstance(facts, Mapping):
        raise InputError(
            f"{shown(repr(facts))} is a mapping: give a list of facts, such as ['p(a)'] or [('p', 'a')]"
        )
    if not isinstance(facts, Iterable):
        raise InputError(f"{shown(repr(facts))} is not a list of facts: pass a list, such as ['p(a)']")
    return list(facts)


def _rows_of(given: Sequence[Any]) -> tuple[tuple[AtomRows, ...], Kinds]:
    """The atoms that one fact or more stand for, as `typed_rows` gives them."""
    kind = type(given[0])
    if [*map(type, given)].count(kind) == len(given):
        if issubclass(kind, tuple):
            return _rows_of_tuples(given)
        if kind is str:
            return parse_atoms(given), NO_KINDS
        if (found := _rows_of_symbols(given)) is not None:
            return found, NO_KINDS
    return by_predicate(map(to_atom, given)), NO_KINDS


def to_atom(fact: Fact) -> GroundAtom:
    """The atom that a fact stands for. Raises InputError."""
    if isinstance(fact, str):
        return GroundAtom(*atom_of_text(str(fact)))
    if isinstance(fact, tuple):
        return GroundAtom(*_atom_of_tuple(fact))
    value = _value_of_symbol(fact)
    if value is None:
        raise _no_fact(fact)
    return as_atom(value)


def parse_atoms(texts: Sequence[str]) -> tuple[AtomRows, ...]:
    """The atoms of texts such as `p(a,1)`; see `to_rows`.

    Raises:
        InputError: saying what is wrong and what to do.
    """
    return parse_by(atom_of_text, rows_alike, texts)


def parse_by(read: ReadAtom, read_alike: ReadAlike, texts: Sequence[str]) -> tuple[AtomRows, ...]:
    """The same by functions that read a text, and several texts of one predicate."""
    if len(texts) == 1:
        signature, row = read(texts[0])
        return (AtomRows(signature, [row]),)
    if len(texts) < FEWEST_AT_ONCE:
        return by_predicate(map(read, texts))
    alike = read_alike(texts)
    if alike is not None:
        return (alike,)
    names = [text.partition("(")[0] for text in texts]
    groups = _grouped(names, texts)
    quick = {
        name: alike
        for name, group in groups.items()
        if FEWEST_AT_ONCE <= len(group) < len(texts) and (alike := read_alike(group)) is not None
    }
    if len(quick) == len(groups):
        signatures = {name: signature for name, (signature, _) in quick.items()}
        return InTurns.of(quick.values(), partial(map, signatures.__getitem__, names))
    atoms: dict[str, Iterator[tuple[Signature, Row]]]
    atoms = {name: map(read, group) for name, group in groups.items() if name not in quick}
    atoms |= {name: zip(repeat(signature), rows) for name, (signature, rows) in quick.items()}
    return by_predicate(map(next, map(atoms.__getitem__, names)))


def known_atoms(texts: Sequence[str], read_alike: ReadAlike | None = None) -> dict[str, tuple[AtomRows, ...]]:
    """What `parse_atoms` gives for each of some texts alone, where many are read at a time."""
    read_alike = read_alike or rows_alike
    found: dict[str, tuple[AtomRows, ...]] = {}
    for group in _grouped([text.partition("(")[0] for text in texts], texts).values():
        alike = read_alike(group) if len(group) >= FEWEST_AT_ONCE else None
        if alike is not None:
            rows = map(list, zip(alike.rows, strict=True))
            atoms = map(AtomRows._make, zip(repeat(alike.signature), rows))
            found.update(zip(group, zip(atoms, strict=True), strict=True))
    return found


def parse_list(
    text: str, parse: ParseAtoms = parse_atoms, read_terms: ReadTerms = parse_terms
) -> tuple[AtomRows, ...]:
    """The atoms of a text such as `p(a,1), q`; none for a blank text. Raises InputError."""
    if not text.strip():
        return ()
    *parts, last = text.split("),")
    if len(text) <= LONGEST_SPLIT * len(parts):
        try:
            return parse([*(f"{part.strip(' ')})" for part in parts), last.strip(" ")])
        except InputError:  # a part may be no atom, as in p((a,b),c), or the message is about the whole
            pass
    return by_predicate(map(as_atom, read_terms(text)))


def by_predicate(atoms: Iterable[tuple[Signature, Row]]) -> tuple[AtomRows, ...]:
    """Atoms by predicate; of such as came in turns the order is kept."""
    groups: dict[Signature, list[Row]] = {}
    order: list[Signature] = []
    turns = 0
    before: Signature | None = None
    for signature, row in atoms:
        if signature is not before:
            turns += 1
            before, rows = signature, groups.setdefault(signature, [])
        rows.append(row)
        order.append(signature)
    found = [*map(atoms_of, groups.items())]
    return tuple(found) if turns == len(groups) else InTurns.of(found, partial(iter, order))


def _grouped(keys: Sequence[K], values: Sequence[V]) -> dict[K, Sequence[V]]:
    """Values by their keys."""
    if not keys:
        return {}
    number = keys.count(keys[0])
    if number == len(keys):
        return {keys[0]: values}
    if 4 * number >= len(keys) and keys[:number].count(keys[0]) == number:  # they all come first
        return {keys[0]: values[:number]} | _grouped(keys[number:], values[number:])
    groups = defaultdict[K, list[V]](list)
    deque(map(list.append, map(groups.__getitem__, keys), values), maxlen=0)
    return dict(groups)


# --- text -----------------------------------------------------------------------------------------


def atom_of_text(text: str) -> tuple[Signature, Row]:
    """The atom of a text."""
    if len(text) > LONGEST_KEPT:
        return _any_atom(text)
    plain = _PLAIN.fullmatch(text)
    if plain is None:
        return _kept_atom(text)
    name, listed = plain.groups()
    if not listed:
        return _kept_predicate(name, 0), ()
    row = tuple(map(_name_or_integer, listed.split(",")))
    return _kept_predicate(name, len(row)), row


def _name_or_integer(text: str) -> Value:
    return int(text) if text[0] < "a" else CONSTANTS[text]


def _any_atom(text: str) -> GroundAtom:
    values = parse_terms(text)
    if len(values) > 1:
        raise no_atom(f"'{shown(text)}'")
    return as_atom(values[0], text)


_kept_atom = lru_cache(maxsize=MOST_KEPT)(_any_atom)


def as_atom(value: Value | GroundAtom, text: str | None = None) -> GroundAtom:
    """A value, which may be written in another way, as an atom."""
    if isinstance(value, GroundAtom):
        return value
    if not isinstance(value, Term) or not value.name or value.name[0] == "#":
        raise no_atom(shown(text_of(value) if text is None else text))
    return GroundAtom(Signature(value.name, len(value.arguments), value.is_positive), value.arguments)


def rows_alike(texts: Sequence[str]) -> AtomRows | None:
    """The atoms of texts of one predicate with plain arguments; None where there are others."""
    head = _HEAD.match(texts[0])
    lines = "\n".join(texts)
    if head is None or lines[-1] != ")" or lines.count("\n") >= len(texts):
        return None
    if "[" in lines or "]" in lines or "\\" in lines:
        return None
    between, listed = f")\n{head[0]}", lines[head.end() : -1]
    columns = _json_columns(listed.replace(between, "],["), len(texts))
    if columns is None:
        columns = _text_columns(listed.replace(between, ",\n,"), len(texts))
    if columns is None:
        return None
    return AtomRows(_predicate(head[1], len(columns)), list(zip(*columns, strict=True)))


def _json_columns(text: str, number: int) -> Sequence[Sequence[Value]] | None:
    """The columns of rows of integers and strings, which JSON has as facts have them.

    As no text has a bracket, there are as many rows as texts only if each is one of them.
    """
    try:
        rows = orjson.loads(f"[[{text}]]")
        columns = list(zip(*rows, strict=True))
    except ValueError:
        return None
    return columns if columns and len(rows) == number and all(map(_is_plain, columns)) else None


def _is_plain(column: Sequence[Any]) -> bool:
    """Whether values read as JSON are integers and strings."""
    if _are_integers(column):
        return True
    kinds = {*map(type, column)}
    return kinds == {str} or (
        kinds == {int, str} and _are_integers([value for value in column if type(value) is int])
    )


def _are_integers(values: Any) -> bool:
    """Whether a list or tuple is of integers (and no `bool`s) that facts may have.

    Nearly all have 32 bits. Marshal's second format has five bytes for the sequence, and five for each of
    these, an "i" first. Reading that is twice as fast as asking for each value's type and bounds.
    """
    try:
        packed = marshal.dumps(values, 2)
    except ValueError:
        return False
    if packed[5::5] == b"i" * len(values):
        return True
    return {*map(type, values)} == {int} and -LARGEST_NUMBER <= min(values) <= max(values) <= LARGEST_NUMBER


def _text_columns(text: str, number: int) -> Sequence[Sequence[Value]] | None:
    """The columns of rows of which some have names; a line end stands as an argument between two texts."""
    if '"' not in text:
        text = text.replace(", ", ",")
    parts = text.split(",")
    width = (len(parts) + 1) // number
    if len(parts) + 1 != width * number or parts[width - 1 :: width].count("\n") < number - 1:
        return None
    columns = []
    for place in range(width - 1):
        column = values_alike(parts[place::width])
        if column is None:
            return None
        columns.append(column)
    return columns


def values_alike(texts: list[str]) -> Sequence[Value] | None:
    """The values of plain arguments; None where there are others."""
    text = ",".join(texts)
    if _NAMES.fullmatch(text):
        return list(map(CONSTANTS.__getitem__, texts))
    if _NAMES_AND_INTEGERS.fullmatch(text):
        return list(map(_name_or_integer, texts))
    try:
        values = orjson.loads(f"[{text}]")
    except ValueError:
        return None
    return values if len(values) == len(texts) and _is_plain(values) else None


# --- tuples and symbols ---------------------------------------------------------------------------


def _atom_of_tuple(fact: tuple[Any, ...]) -> tuple[Signature, Row]:
    if not fact or not isinstance(fact[0], str):
        raise _no_fact(fact)
    try:
        row = tuple(map(_argument, fact[1:]))
    except InputError as error:
        raise tuple_refusal(fact, error) from None
    return _predicate(str(fact[0]), len(row)), row


def tuple_refusal(fact: tuple[Any, ...], error: InputError, decimals: Sequence[int] = ()) -> InputError:
    """Why a tuple is refused; for a float this names the declaration that takes it.

    Args:
        fact: the tuple.
        error: what is said where no float is the reason.
        decimals: the decimals of its places, if it has some.
    """
    for place, value in enumerate(fact[1:], start=1):
        if isinstance(value, float | Decimal) and isfinite(value) and not (decimals and decimals[place - 1]):
            row: Any = tuple(_written(one) if isinstance(one, float | Decimal) else one for one in fact[1:])
            atom = GroundAtom(_predicate(str(fact[0]), len(row)), row)
            text = (
                f"{value} is a decimal, but this argument is an integer: {decimal_hint_for(atom, decimals)}"
            )
            return InputError(f"argument {place} of {shown(fact[0])}: {text}")
    return error


def _written(number: float | Decimal) -> WrittenDecimal:
    return WrittenDecimal(format(Decimal(str(number)), "f"))


def _rows_of_tuples(facts: Sequence[Any]) -> tuple[tuple[AtomRows, ...], Kinds]:
    try:
        return _rows_of_parts(facts)
    except InputError:
        for fact in facts:
            _atom_of_tuple(fact)  # says which one it is
        raise


def _rows_of_parts(facts: Sequence[Any]) -> tuple[tuple[AtomRows, ...], Kinds]:
    if len(facts) == 1:
        signature, row = _atom_of_tuple(facts[0])
        return (AtomRows(signature, [row]),), NO_KINDS
    if len(facts) < FEWEST_AT_ONCE:
        return by_predicate(map(_atom_of_tuple, facts)), NO_KINDS
    found: dict[tuple[str, int], AtomRows] = {}
    kinds: dict[Signature, Sequence[type]] = {}
    for of_part, *columns in _parts(facts):
        arity, number = len(columns), len(of_part)
        values: list[Any] = [*map(_of_one_kind, columns)]
        are_values = None not in values
        of_one_kind = [type(column[0]) for column in values] if are_values else []
        if of_part.count(of_part[0]) == number:
            groups = {of_part[0]: _zipped(values if are_values else [*map(_column, columns)], number)}
        else:  # the arguments of one predicate may be of one kind where those of several are not
            groups = _grouped(of_part, _zipped(values if are_values else columns, number))
            if not are_values:
                for name, same in groups.items():
                    groups[name] = _zipped([*map(_column, zip(*same, strict=True))], len(same))
        for name, rows in groups.items():
            signature = _predicate(str(name), arity)
            found[name, arity + 1] = AtomRows(signature, rows)
            if are_values:
                kinds[signature] = of_one_kind
    if len(found) == 1:
        return tuple(found.values()), kinds
    signatures = {key: signature for key, (signature, _) in found.items()}
    if len({*signatures.values()}) < len(found):  # the same name, written in two ways
        return by_predicate(map(_atom_of_tuple, facts)), NO_KINDS
    return InTurns.of(found.values(), partial(_order_of, facts, signatures)), kinds


def _parts(facts: Sequence[Any]) -> list[list[Any]]:
    """The columns of facts, of which the first one has names; some together, all of which have one length.

    Raises InputError for a tuple without a name.
    """
    try:
        together = columns_of(facts)
    except ValueError:  # of several lengths
        together = []
    if together and type(together[0][0]) is str and together[0].count(together[0][0]) == len(facts):
        return [together]
    names = [fact[0] if fact else None for fact in facts]
    if not all(issubclass(kind, str) for kind in set(map(type, names))):
        raise _no_fact(next(fact for fact in facts if not fact or not isinstance(fact[0], str)))
    if len({*names}) * FEWEST_AT_ONCE <= len(facts):
        return [columns for alike in _grouped(names, facts).values() for columns in _by_length(alike)]
    return [together] if together else _by_length(facts)


def _by_length(facts: Sequence[Any]) -> list[list[Any]]:
    """The columns of tuples of each length."""
    try:
        return [columns_of(facts)]
    except ValueError:
        return [columns_of(alike) for alike in _grouped([*map(len, facts)], facts).values()]


def _order_of(facts: Iterable[Any], signatures: Mapping[tuple[str, int], Signature]) -> list[Signature]:
    """The predicate of each fact; by names and lengths of tuples."""
    return [signatures[fact[0], len(fact)] for fact in facts]


def _zipped(columns: Sequence[Any], number: int) -> Sequence[Row]:
    """Rows of columns."""
    return list(zip(*columns, strict=True)) if columns else [()] * number


def _predicate(name: str, arity: int) -> Signature:
    """A predicate, by its name with its sign."""
    return (_kept_predicate if len(name) <= LONGEST_KEPT else _any_predicate)(name, arity)


def _any_predicate(name: str, arity: int) -> Signature:
    atom = _any_atom(name)
    if atom.row:
        raise InputError(
            f"'{shown(name)}' is an atom, but a tuple begins with the name of a predicate: write for "
            'example ("temp", "kitchen", 21)'
        )
    return Signature(atom.signature.name, arity, atom.signature.is_positive)


_kept_predicate = lru_cache(maxsize=MOST_KEPT)(_any_predicate)


def _column(values: Sequence[Any]) -> Sequence[Value]:
    """The values of arguments, each of which stands at the same place of its fact."""
    found = _of_one_kind(values)
    return list(map(_argument, values)) if found is None else found


def _of_one_kind(values: Sequence[Any]) -> Sequence[Value] | None:
    """The values of arguments that are all integers, all strings or all terms; None for others."""
    kind = type(values[0])
    if kind is int:
        return values if _are_integers(values) else None
    if [*map(type, values)].count(kind) == len(values):
        if kind is str:
            return None if is_refused("".join(values)) else values
        if kind is Term:
            return values
        if kind is not bool and issubclass(kind, Integral):
            numbers = list(map(index, values))
            return numbers if _are_integers(numbers) else None
    return None


def float_refusal(value: float | Decimal) -> InputError:
    """Why a number with a point is refused where no decimals are declared."""
    what = (
        f"a decimal, but this argument is an integer: {DECIMAL_HINT}" if isfinite(value) else "not a number"
    )
    return InputError(f"{value} is {what}")


def _argument(value: Any) -> Value:
    """The value of an argument. Raises InputError."""
    if type(value) is int and SMALLEST_NUMBER <= value <= LARGEST_NUMBER:
        return value
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        raise InputError(f"{value} is no integer and no text")
    if isinstance(value, Integral):
        number = index(value)
        if abs(number) > LARGEST_NUMBER:
            raise InputError(f"the number {shown_number(number)} is longer than {MOST_DIGITS} digits")
        return number
    if isinstance(value, str):
        check_characters(value)
        return str(value)
    if isinstance(value, tuple):
        return tuple_term(tuple(map(_argument, value)))
    if isinstance(value, float | Decimal):
        raise float_refusal(value)
    moment = text_of_moment(value)
    if moment is not None:
        return moment
    for method in ("as_py", "item"):  # scalars of Arrow and numpy
        convert = getattr(value, method, None)
        if convert is not None and not getattr(value, "shape", ()):
            return _argument(convert())
    symbol = _value_of_symbol(value)
    if symbol is None:
        raise InputError(
            f"{shown(repr(value))} cannot be an argument of a fact: use an integer, a text or a tuple"
        )
    return symbol


def _rows_of_symbols(symbols: Sequence[Any]) -> tuple[AtomRows, ...] | None:
    """The atoms that symbols stand for; None if they are none, or are not symbols."""
    door = _door()
    if not isinstance(symbols[0], door.Symbol):
        return None
    keys = [*map(door.key_of, symbols)]
    found: dict[Signature, list[Row]] = door.rows_of_atoms(keys)
    if BARE_TERM in found:
        return None
    atoms = map(AtomRows._make, found.items())
    if len(found) == 1:
        return tuple(atoms)
    predicates = {key: one for one, same in door.keys_by_predicate(keys).items() for key in same}
    return InTurns.of(atoms, partial(map, predicates.__getitem__, keys))


def _value_of_symbol(symbol: object) -> Value | None:
    """The value of a clingo symbol; None for what is none."""
    door = _door()
    value: Value | None = door.value_of_symbol(symbol) if isinstance(symbol, door.Symbol) else None
    return value


def _door() -> Any:
    """The module for clingo's symbols; with it clingo is loaded, which most input does without."""
    return import_module("lars2asp.externals.terms.symbols")


def _no_fact(fact: object) -> InputError:
    return InputError(
        f"{shown(repr(fact))} is not a fact: write it as text ('p(a)'), as a clingo symbol, or as a "
        'tuple ("p", "a")'
    )
