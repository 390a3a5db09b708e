"""Terms and atoms as clingo writes them."""

from collections.abc import Sequence

from lars2asp.externals.terms.terms import BARE_TERM, Row, Term, Value
from lars2asp.syntax.nodes import Signature


def text_of(value: Value) -> str:
    """A value as text; no recursion, as terms may be nested as deep as they like."""
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return quoted(value)
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
            parts.append(str(part) if type(part) is int else quoted(str(part)))
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


def quoted(text: str) -> str:
    """A string as clingo writes it."""
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'"{escaped}"'


def atom_text(signature: Signature, row: Row) -> str:
    """An atom as text, or a term that is shown."""
    if signature == BARE_TERM:
        return text_of(row[0])
    name = signature.name if signature.is_positive else f"-{signature.name}"
    return f"{name}({','.join(map(text_of, row))})" if row else name


def atom_texts(signature: Signature, rows: Sequence[Row]) -> list[str]:
    """Atoms of one predicate as text; quick where each place has values of one kind."""
    name = signature.name if signature.is_positive else f"-{signature.name}"
    if signature == BARE_TERM:
        return [text_of(row[0]) for row in rows]
    if not signature.arity:
        return [name] * len(rows)
    if not rows:
        return []
    columns = [_texts(column) for column in zip(*rows, strict=True)]
    if len(columns) == 1:
        return [f"{name}({one})" for one in columns[0]]
    if len(columns) == 2:
        return [f"{name}({one},{other})" for one, other in zip(*columns, strict=True)]
    return [f"{name}({','.join(map(str, texts))})" for texts in zip(*columns, strict=True)]


def _texts(column: Sequence[Value]) -> Sequence[object]:
    """The texts of values; numbers stay as they are, as formatting makes text of them."""
    kinds = set(map(type, column))
    if kinds == {int}:
        return column
    if kinds == {Term}:
        return [
            one.name if one.is_positive and one.name and not one.arguments else text_of(one)
            for one in column
            if isinstance(one, Term)
        ]
    return list(map(text_of, column))
