"""The types of the arguments of predicates, as people read them."""

from collections.abc import Iterator

from lars2asp.analysis.argument_types.kinds import Evidence
from lars2asp.analysis.argument_types.type_table import PlaceType, Types
from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import ANY
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import LONGEST_NAME, NOWHERE, shown

MOST_PLACES = 3
"""The number of places of the program that are named for a type."""


def type_lines(types: Types) -> list[str]:
    """A line for each argument of each predicate: its number, its type, and what says so."""
    rows = [
        (f"{signature}" if not place else "", str(place + 1), str(one.type), what_says(one))
        for signature, places in types.items()
        for place, one in enumerate(places)
    ]
    if not rows:
        return []
    name, number, kind = (max(len(row[column]) for row in rows) for column in range(3))
    return [f"{row[0]:{name}}  {row[1]:>{number}}  {row[2]:{kind}}  {row[3]}".rstrip() for row in rows]


def what_says(one: PlaceType) -> str:
    """What says the type of an argument, each with its line."""
    places = dict.fromkeys(_place(evidence) for evidence in one.evidence if evidence.location is not NOWHERE)
    if not places:
        return ""
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return f"{', '.join([*places][:MOST_PLACES])}{more}"


def _place(evidence: Evidence) -> str:
    """What says something, and its line."""
    if evidence.column is not None:
        words = f"#input: {to_text(evidence.column)}"
    else:
        words = evidence.words or "the text"
    source = evidence.location.source
    return f"{words} ({shown(source.name, LONGEST_NAME)}:{evidence.location.line})"


def type_declarations_of(types: Types) -> Iterator[str]:
    """The declarations of all types that are known."""
    for signature, places in types.items():
        if signature.is_positive and any(one.type != ANY for one in places):
            said = tuple(None if one.type == ANY else one.type for one in places)
            yield to_text(nodes.Types(signature.name, said))
