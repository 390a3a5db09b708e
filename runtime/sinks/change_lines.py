"""Lines of JSON about what began and ended at many ticks, all at once where the atoms are usual ones."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from lars2asp.externals.terms.order import signature_key
from lars2asp.externals.terms.terms import BARE_TERM, Row, columns_of
from lars2asp.externals.terms.text import Decimals
from lars2asp.externals.views import Changes, RowChanges, TickChanges
from lars2asp.syntax.nodes import Signature

Beside = Callable[[int], str]
"""What stands behind the tick in a line."""


def change_lines(changes: Sequence[TickChanges], decimals: Decimals, beside: Beside) -> Iterator[str] | None:
    """The line of each tick; None where some arguments are neither numbers nor strings that need no escapes.

    Args:
        changes: what changes at these ticks.
        decimals: how the numbers of predicates are written.
        beside: see `Beside`.
    """
    rows: defaultdict[Signature, list[Row]] = defaultdict(list)
    for _, changed in changes:
        for signature, (began, ended) in changed:
            some = rows[signature]
            some += began
            some += ended
    forms: dict[Signature, str] = {}
    for signature in sorted(rows, key=signature_key):
        form = None if signature in decimals else _form(signature, rows[signature])
        if form is None:
            return None
        forms[signature] = form
    return _lines(changes, forms, beside)


def _form(signature: Signature, rows: Sequence[Row]) -> str | None:
    """The atoms of these rows as JSON has them, with `%s` for their values."""
    if signature == BARE_TERM:
        return None
    places = []
    for column in columns_of(rows):
        kinds = {*map(type, column)}
        if kinds == {int}:
            places.append("%s")
            continue
        if kinds != {str}:
            return None
        together = "".join(column)
        if not together.isprintable() or "\\" in together or '"' in together:
            return None
        places.append('\\"%s\\"')
    name = signature.name if signature.is_positive else f"-{signature.name}"
    return f'"{name}({",".join(places)})"' if places else f'"{name}"'


def _lines(changes: Sequence[TickChanges], forms: Mapping[Signature, str], beside: Beside) -> Iterator[str]:
    for tick, changed in changes:
        if len(changed) == 1:
            [(signature, (began, ended))] = changed
            form = forms[signature]
            begins, ends = _atoms(form, began), _atoms(form, ended)
        else:
            begins, ends = _of_several(changed, forms)
        yield f'{{"time": {tick}{beside(tick)}, "began": [{begins}], "ended": [{ends}]}}\n'


def _of_several(changed: RowChanges, forms: Mapping[Signature, str]) -> tuple[str, str]:
    """What began and what ended, of several predicates."""
    known: dict[Signature, Changes] = dict(changed)
    here = [(form, known[signature]) for signature, form in forms.items() if signature in known]
    begins = ", ".join(_atoms(form, one.began) for form, one in here if one.began)
    return begins, ", ".join(_atoms(form, one.ended) for form, one in here if one.ended)


def _atoms(form: str, rows: Sequence[Row]) -> str:
    """Atoms in clingo's order, which is that of their values."""
    if len(rows) == 1:
        return form % rows[0]
    return ", ".join([form % row for row in sorted(rows)]) if rows else ""
