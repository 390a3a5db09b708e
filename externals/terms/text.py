"""Terms and atoms as clingo writes them."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import cast

from lars2asp.analysis.number_forms import NumberForm, NumberForms, number_text
from lars2asp.externals.terms.order import in_order, plain, sorted_in_parts
from lars2asp.externals.terms.terms import BARE_TERM, Row, Term, Value, columns_of
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.string_escapes import clingo_string

Decimals = NumberForms
"""How the numbers of predicates are written, if not as integers: with decimals, as times, or as durations."""

NO_DECIMALS: Decimals = {}

_ESCAPED = '\\\n"'
"""The characters that are escaped in strings."""


def text_of(value: Value) -> str:
    """A value as text; no recursion, as terms may be nested as deep as they like."""
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return clingo_string(value)
    assert isinstance(value, Term)
    if not value.arguments:
        sign = "" if value.is_positive else "-"
        return f"{sign}{value.name or '()'}"
    parts: list[str] = []
    waiting: list[Value | tuple[str]] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            parts.append(part[0])
        elif not isinstance(part, Term):
            parts.append(str(part) if type(part) is int else clingo_string(str(part)))
        elif not part.arguments:
            parts.append(text_of(part))
        else:
            sign = "" if part.is_positive else "-"
            parts.append(f"{sign}{part.name}(")
            end = ",)" if not part.name and len(part.arguments) == 1 else ")"
            waiting.append((end,))
            for place, argument in enumerate(reversed(part.arguments)):
                if place:
                    waiting.append((",",))
                waiting.append(argument)
    return "".join(parts)


def atom_text(signature: Signature, row: Row, decimals: Decimals = NO_DECIMALS) -> str:
    """An atom, or a term that is shown, as text; numbers at places with a form are written in it."""
    if signature == BARE_TERM:
        return text_of(row[0])
    name = signature.name if signature.is_positive else f"-{signature.name}"
    if not row:
        return name
    if signature in decimals:
        return f"{name}({','.join(map(argument_text, row, decimals[signature]))})"
    return f"{name}({','.join(map(text_of, row))})"


def argument_text(value: Value, form: NumberForm) -> str:
    """An argument at a place with numbers of a form as text."""
    if type(value) is not int:
        return text_of(value)
    text = number_text(value, form)
    return text if isinstance(form, int) or text == str(value) else clingo_string(text)


def cell_text(value: Value, form: NumberForm) -> str:
    """The same as it stands in a table: strings, times and durations have no quotes."""
    if type(value) is int:
        return number_text(value, form)
    return value if type(value) is str else text_of(value)


def atom_texts(signature: Signature, rows: Sequence[Row], decimals: Decimals = NO_DECIMALS) -> list[str]:
    """Atoms of one predicate as text, or terms that are shown; see `atom_text`."""
    if len(rows) == 1 or signature == BARE_TERM or not signature.arity or signature in decimals:
        return [atom_text(signature, row, decimals) for row in rows]
    return _formatted(signature, zip(*map(_texts, columns_of(rows)), strict=True))


def texts_in_order(signature: Signature, rows: Iterable[Row], decimals: Decimals = NO_DECIMALS) -> list[str]:
    """The same in clingo's order; quick where each place has numbers or constants."""
    found = list(rows)
    if len(found) < 2:
        return [atom_text(signature, row, decimals) for row in found]
    if signature in decimals:
        return atom_texts(signature, in_order(found), decimals)
    if {int}.issuperset(map(type, chain.from_iterable(found))) and signature != BARE_TERM:
        return _formatted(signature, sorted_in_parts(found))
    values = [plain(column) for column in columns_of(found)]
    if not values or None in values or signature == BARE_TERM:
        return atom_texts(signature, in_order(found))
    return _formatted(signature, sorted_in_parts(zip(*cast(list[Sequence[object]], values), strict=True)))


def _formatted(signature: Signature, rows: Iterable[tuple[object, ...]]) -> list[str]:
    """Atoms as text; values stand as numbers or texts."""
    name = signature.name if signature.is_positive else f"-{signature.name}"
    if signature.arity == 1:
        return [f"{name}({one})" for (one,) in rows]
    if signature.arity == 2:
        return [f"{name}({one},{other})" for one, other in rows]
    return [f"{name}({','.join(map(str, row))})" for row in rows]


def _texts(column: Sequence[Value]) -> Sequence[object]:
    """The texts of values; numbers stay as they are."""
    if set(map(type, column)) == {str}:
        together = "".join(cast(Sequence[str], column))
        if not any(sign in together for sign in _ESCAPED):
            return [f'"{text}"' for text in column]
    found = plain(column)
    return [text_of(value) for value in column] if found is None else found
