"""The facts of a tick that cannot be computed, and the records that brought them."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from lars2asp.analysis.arithmetic.intervals import intervals
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.terms.text import atom_text
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import UncomputableError
from lars2asp.runtime.sources.records import Origin
from lars2asp.syntax.nodes import Atom, Signature, is_plain_fact
from lars2asp.syntax.source import shown
from lars2asp.syntax.traversal import every

_MOST_NAMED = 3
_LONGEST = 200

Given = list[tuple[Events, Origin | None]]
"""The events of a tick, and the records that they are of."""


def enumerates(plan: Plan) -> bool:
    """Whether a rule has an interval, so that the records of a tick are kept until it is over."""
    return any(not is_plain_fact(one) and any(intervals(one)) for one in plan.program.rules())


def binding_facts(
    error: UncomputableError,
    plan: Plan,
    answers: Mapping[Lookup, Collection[Row]],
    given: Given,
) -> str:
    """The facts that a rule looks at, and that have the number at fault, as a part of a message."""
    numbers = [value for value in error.values if type(value) is int]
    rule = next((one for one in plan.program.rules() if one.location == error.location), None)
    if not numbers or rule is None:
        return ""
    size = max(map(abs, numbers))
    asked = {atom.signature for atom in every(Atom, rule)}
    found = (
        (lookup.signature, row[: lookup.signature.arity])
        for lookup, rows in answers.items()
        if lookup.signature in asked
        for row in rows
        if any(type(value) is int and abs(value) == size for value in row[: lookup.signature.arity])
    )
    named = [*_named(dict.fromkeys(found), plan, given)]
    return f"; bound by {', '.join(named[:_MOST_NAMED])}" if named else ""


def _named(atoms: Iterable[tuple[Signature, Row]], plan: Plan, given: Given) -> Iterator[str]:
    """The facts, each with the record that brought it at this tick."""
    for signature, row in atoms:
        origins = (
            origin
            for events, origin in given
            for some in (events.facts, events.begin)
            for one, rows in some
            if one == signature and origin is not None and row in rows
        )
        origin = next(origins, None)
        text = shown(atom_text(signature, row, plan.decimals), _LONGEST)
        yield text if origin is None else f"{text} of {origin}"
