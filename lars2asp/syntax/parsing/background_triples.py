"""Background facts from files of RDF, which an `#include` names."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError
from lars2asp.syntax.rdf_terms import literal_of, string_of
from lars2asp.syntax.source import Location, shown

FORMATS = {".nt": "N_TRIPLES", ".nq": "N_QUADS", ".ttl": "TURTLE", ".trig": "TRIG", ".jsonld": "JSON_LD"}
"""The endings of the names of such files, and what pyoxigraph calls their formats."""

_GENERAL = {3: "triple", 4: "quad"}
"""The predicates of all triples, and of those in graphs, by the number of their arguments."""


_NAME = re.compile(r"_*[a-z][A-Za-z0-9_]*")

_COLUMNS = nodes.Column("S"), nodes.Column("P"), nodes.Column("O", conversion="any"), nodes.Column("G")
_ALL = (nodes.Input("triple", _COLUMNS[:3]), nodes.Input("quad", _COLUMNS))
"""What triples are where nothing is declared."""

Decimals = Mapping[tuple[str, int], Sequence[int | None]]
"""For each predicate, by its name and number of arguments, the declared decimals of its places."""


class _UnfitError(Exception):
    """A term is not what its column reads."""


class Background(NamedTuple):
    """The triples of a file.

    Attributes:
        path: the file.
        quads: subject, property, object and graph of each, in canonical form; the graph is empty for none.
        location: where it is included.
    """

    path: Path
    quads: Sequence[tuple[str, str, str, str]]
    location: Location


def ending_of(path: str | Path) -> str:
    """How the name of a file ends, whether or not it is packed."""
    plain = Path(path)
    return (plain.with_suffix("") if plain.suffix.lower() == ".gz" else plain).suffix.lower()


def read_background(path: Path, location: Location) -> Background:
    """The triples of a file. Raises Lars2aspError where it cannot be read, or pyoxigraph is missing."""
    try:
        ox: Any = import_module("pyoxigraph")
    except ImportError as error:
        raise Lars2aspError(
            f"{path}: the package pyoxigraph is needed: pip install 'lars2asp[rdf]'"
        ) from error
    try:
        text = path.read_bytes()
        text = gzip.decompress(text) if path.suffix.lower() == ".gz" else text
        read = [
            tuple(map(_written, quad))
            for quad in ox.parse(text, format=getattr(ox.RdfFormat, FORMATS[ending_of(path)]))
        ]
    except SyntaxError as error:
        raise Lars2aspError(f"{path}:{error.lineno or 1}: {error.msg}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise Lars2aspError(f"{path}: cannot be read: {error}") from error
    return Background(path, [*_named(read, text.decode(errors="replace"), path)], location)


def facts_of(
    backgrounds: Iterable[Background], statements: Sequence[nodes.Statement], diagnostics: Diagnostics
) -> Iterator[nodes.Rule]:
    """The facts of triples in a program with these statements, each once.

    The first term of a column that is not what it reads is reported, unless it counts as missing.

    They are those of each predicate that `#input` reads from their property, of `triple/3` and of `quad/4` if
    they are in a graph; where `#input` speaks of such predicates, these alone.
    """
    inputs = [one for one in statements if isinstance(one, nodes.Input)]
    declared = [one for one in inputs if one.rdf_property or _is_general(one)] or _ALL
    decimals = {
        (one.predicate, len(one.places)): one.places for one in statements if isinstance(one, nodes.Decimals)
    }
    for background in backgrounds:
        for atom in dict.fromkeys(_atoms(background, declared, decimals, diagnostics)):
            yield nodes.Rule(atom, location=background.location)


def _is_general(one: nodes.Input) -> bool:
    return _GENERAL.get(len(one.columns)) == one.predicate and not one.pattern


def _atoms(
    background: Background,
    declared: Sequence[nodes.Input],
    decimals: Decimals,
    diagnostics: Diagnostics,
) -> Iterator[nodes.Atom]:
    told: set[nodes.Input] = set()
    for quad in background.quads:
        for one in declared:
            terms = (quad[0], quad[2], quad[3]) if one.rdf_property else quad
            if one.rdf_property not in ("", quad[1]) or not all(terms[: len(one.columns)]):
                continue
            try:
                atom = _atom(one, terms, decimals, background.location)
            except _UnfitError as error:
                if one not in told:
                    message, hint = error.args
                    diagnostics.error(
                        background.location, f"{background.path}: {message}", hint, code=codes.TABLE_ROW
                    )
                    told.add(one)
                continue
            if atom is not None:
                yield atom


def _atom(
    declared: nodes.Input, terms: Sequence[str], decimals: Decimals, location: Location
) -> nodes.Atom | None:
    """The fact of a triple; None where a term counts as missing. Raises _UnfitError."""
    columns = declared.columns
    places = decimals.get((declared.predicate, len(columns)), (None,) * len(columns))
    values = []
    for term, column, place in zip(terms, columns, places, strict=False):
        try:
            values.append(_value(term, column, place, location))
        except _UnfitError:
            if column.or_missing:
                return None
            raise
    return nodes.Atom(declared.predicate, tuple(values), location=location)


def _value(term: str, column: nodes.Column, digits: int | None, location: Location) -> nodes.Term:
    """A term as an argument; numbers with decimals at a place without are what `any(O)` makes of them.

    Raises _UnfitError.
    """
    literal = literal_of(term)
    number = None if literal is None else literal.number
    asks_number = column.conversion in ("int", "number") or column.scale is not None
    if asks_number and number is None and literal is not None:
        number = literal._replace(datatype=_INTEGER if column.conversion == "int" else _DECIMAL).number
    if asks_number and number is None:
        said = shown(term if literal is None else literal.text)
        raise _UnfitError(
            f"column {column.name}: {said} is not a number", f"number({column.name}) or missing leaves it out"
        )
    if column.conversion == "constant" and (literal is None or not _NAME.fullmatch(literal.text)):
        said = shown(term if literal is None else literal.text)
        raise _UnfitError(
            f"column {column.name}: {said} is not a constant, which begins with a small letter",
            f"text({column.name}) takes all texts",
        )
    if column.scale is not None:
        scaled = (Decimal(number or 0) * column.scale).to_integral_value(ROUND_HALF_UP)
        number, digits = str(int(scaled)), None
    elif literal is None or column.conversion == "text":
        text = term if literal is None else literal.text if number is not None else string_of(literal)
        return nodes.String(text, location=location)
    elif column.conversion in ("time", "duration"):
        return nodes.String(literal.text, location=location)
    elif column.conversion == "constant":
        return nodes.Function(literal.text, location=location)
    elif number is None or (column.conversion == "any" and "." in number and not digits):
        return nodes.String(string_of(literal), location=location)
    whole, _, fraction = number.removeprefix("-").partition(".")
    value: nodes.Term = (
        nodes.Decimal(f"{whole}.{fraction.ljust(digits or 1, '0')}", location=location)
        if fraction or digits
        else nodes.Number(int(whole), location=location)
    )
    return nodes.UnaryOperation("-", value, location=location) if number.startswith("-") else value


_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
_DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal"


def _written(term: Any) -> str:
    """A term in canonical form, an empty text for no graph. Raises SyntaxError for a triple."""
    text = str(term)
    if type(term).__name__ == "Triple":
        raise SyntaxError(f"a triple within a triple is no value: {shown(text)}")
    return "" if text == "DEFAULT" else text


def _named(quads: Iterable[tuple[str, ...]], text: str, path: Path) -> Iterator[tuple[str, str, str, str]]:
    """The same with names for blank nodes that the text gives none, by their order."""
    beginning, names = f"_:{zlib.crc32(str(path).encode(errors='surrogateescape')):08x}n", dict[str, str]()
    for quad in quads:
        terms = []
        for term in quad:
            if term.startswith("_:") and term not in names:
                names[term] = term if term in text else f"{beginning}{len(names) + 1}"
            terms.append(names.get(term, term))
        yield terms[0], terms[1], terms[2], terms[3]
