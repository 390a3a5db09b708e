"""Questions about atoms: as text, in the integers of the program, those without answer, and hints."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain, islice

from lars2asp.analysis.arithmetic.constants import integer_term
from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError, scaled
from lars2asp.analysis.number_forms import NumberForm, NumberForms, number_of
from lars2asp.analysis.predicates import head_atoms, is_fact, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import Term, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.past.history import History
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.parser import parse, read_statements
from lars2asp.syntax.parsing.tree import Prefix
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.traversal import every, variable_names, walk

MOST_SHOWN = 300
"""Of what to ask instead."""

_LEADING_ZERO = re.compile(r"(?<![\w\".])0[0-9]+")


def parsed_atom(text: str, program: Program | None = None) -> nodes.Atom:
    """The atom that a question is about; it may have variables. Raises InputError.

    Args:
        text: the atom.
        program: the program whose `#prefix` names in it may have.
    """
    prefixes = {} if program is None or ":" not in text else prefixes_of(program)
    declared = "".join(f"#prefix {name}: <{iri}>. " for name, iri in prefixes.items())
    try:
        statements = parse(Source("<question>", f"{declared}{text.strip().removesuffix('.')}.")).statements
    except ProgramError as error:
        raise _no_atom(text) from error
    match statements:
        case (nodes.Rule(nodes.Atom() as atom, ()),):
            return atom
        case _:
            raise _no_atom(text, statements)


def prefixes_of(program: Program) -> dict[str, str]:
    """What the prefixes of a program stand for, which itself has whole IRIs."""
    return {
        one.name: one.iri
        for source in program.sources
        if "#prefix" in source.text
        for _, statements in read_statements(source, Diagnostics())
        for one in statements
        if isinstance(one, Prefix)
    }


def _no_atom(text: str, statements: Sequence[nodes.Statement] = ()) -> InputError:
    instead = shown(_instead(text, statements), MOST_SHOWN)
    return InputError(f"{shown(repr(text))} is not an atom such as alarm(kitchen) or alarm(X){instead}")


def _instead(text: str, statements: Sequence[nodes.Statement]) -> str:
    """What to ask instead."""
    match statements:
        case (nodes.Rule(nodes.AtTick(atom=atom), ()),):
            return f": ask about {to_text(atom)}, and give the tick separately"
        case _ if text.strip().startswith("not "):
            return f": ask about {text.strip()[4:].strip()}; if it does not hold, you see why not"
        case _ if text.endswith((".lars", ".lp")):
            return ": write the atom after the programs"
        case _ if zeros := _LEADING_ZERO.search(text):
            return f': put text into quotes, as in "{zeros[0]}"'
        case _:
            return ""


def asked_atom(atom: nodes.Atom, decimals: NumberForms) -> nodes.Atom:
    """The atom of a question with the integers of the program: numbers in it are what they say.

    Raises InputError.
    """
    places = decimals.get(atom.signature, (0,) * len(atom.arguments))
    try:
        arguments = tuple(map(_integer, atom.arguments, places))
    except NotScaledError as error:
        raise InputError(f"{shown(to_text(atom))}: {error}") from error
    asked = dataclasses.replace(atom, arguments=arguments)
    for found in every(nodes.Decimal, asked):
        raise InputError(f"{shown(to_text(atom))}: nothing says how many decimals {found.text} has there")
    return asked


def _integer(term: nodes.Term, decimals: NumberForm) -> nodes.Term:
    match term:
        case nodes.String(text) if not isinstance(decimals, int):
            return integer_term(number_of(text, decimals), term.location)
        case _ if not isinstance(decimals, int):
            return term
        case nodes.Number() | nodes.Decimal() if decimals:
            return nodes.Number(scaled(to_text(term), decimals), location=term.location)
        case nodes.UnaryOperation("-", nodes.Number() | nodes.Decimal() as number):
            return dataclasses.replace(term, argument=_integer(number, decimals))
        case _:
            return term


# --- questions without answer ---------------------------------------------------------------------------


def check_question(
    program: Program, atom: nodes.Atom, known: Iterable[Signature], *, is_strict: bool
) -> None:
    """Raises InputError for a question that cannot be answered.

    Args:
        program: the explained program.
        atom: the atom that is asked about.
        known: the predicates of the input so far.
        is_strict: whether the semantics is strict.
    """
    analysis = ProgramAnalysis(program)
    atoms = {one.signature for statement in program.statements for one in every(nodes.Atom, statement)}
    if atom.signature not in atoms | {*known}:
        for show in shown_like(program, atom):
            raise InputError(
                f"{to_text(show.term)} is not an atom: #show ({where(show.location)}) adds this term to the "
                "output. Ask about the atoms after its colon"
            )
    if is_strict:
        _check_strict(analysis, atom.signature)


def shown_like(program: Program, atom: nodes.Atom) -> Iterator[nodes.ShowTerm]:
    """The statements `#show` that add terms which look like an atom to the output."""
    return (show for show in program.every(nodes.ShowTerm) if _is_like(show.term, atom))


def _check_strict(analysis: ProgramAnalysis, asked: Signature) -> None:
    """Choices at earlier ticks are forgotten in strict semantics: what rests on them cannot be explained."""
    waiting, seen = [asked], {asked}
    while waiting:
        one = waiting.pop()
        for rule, head in analysis.heads:
            if head.atom.signature != one:
                continue
            if head.is_chosen and head.tick and offset_from_now(head.tick, analysis.constants) != 0:
                raise InputError(
                    f"{asked} cannot be explained: it rests on a choice at other ticks than the current one "
                    f"({where(rule.location)}), which strict semantics does not keep"
                )
            needed = {atom.signature for atom in every(nodes.Atom, rule)} - seen
            needed -= {other.atom.signature for other in head_atoms(rule)}
            seen |= needed
            waiting += needed


def _is_like(term: nodes.Term, atom: nodes.Atom) -> bool:
    """Whether a term has the name and the number of arguments of an atom."""
    match term:
        case nodes.Function(name, arguments, False):
            return Signature(name, len(arguments), True) == atom.signature
        case _:
            return False


def where(location: Location) -> str:
    """File and line."""
    return f"{location.source.name}:{location.line}"


# --- hints ----------------------------------------------------------------------------------------------

MOST_COMPARED = 2000
"""The number of names or values that are compared with one that is not known."""


def hints_for(asked: nodes.Atom, program: Program, history: History) -> tuple[str, ...]:
    """What may be wrong with a question about an atom of which no instance holds.

    Args:
        asked: the atom.
        program: the program that is explained.
        history: what was told.
    """
    used = (node for one in program.but_plain_facts for node in walk(one) if isinstance(node, nodes.Atom))
    facts = (one.head for one in program.rules() if isinstance(one.head, nodes.Atom))
    signatures = {atom.signature for atom in chain(used, facts)} | history.signatures()
    signatures |= {Signature(one.predicate, len(one.columns)) for one in program.every(nodes.Input)}
    if asked.signature not in signatures:
        return (_of_predicate(asked, signatures),)
    values = _known_values(program, history)
    return (
        *_of_conditions(asked, program),
        *_of_terms(asked, program),
        *_of_arithmetic(asked),
        *_of_variables(asked, values),
        *_of_values(asked, values),
    )


def _of_predicate(asked: nodes.Atom, known: Iterable[Signature]) -> str:
    """The predicate is not known."""
    wanted = asked.signature
    others = sorted(one for one in known if one.is_positive == wanted.is_positive)
    words = f"{wanted} is in neither the program nor the input"
    alike = [one for one in others if one.name == wanted.name]
    if alike:
        return f"{words}: did you mean {' or '.join(map(_pattern, alike))}?"
    names = {one.name for one in islice(others, MOST_COMPARED)}
    near = get_close_matches(wanted.name, sorted(names), 1, 0.6)
    if not near:
        return words
    same = [one for one in others if one.name == near[0] and one.arity == wanted.arity]
    meant = to_text(nodes.Atom(near[0], asked.arguments, asked.is_positive)) if same else ""
    of_name = [one for one in others if one.name == near[0]]
    return f"{words}: did you mean {meant or ' or '.join(map(_pattern, of_name))}?"


def _of_conditions(asked: nodes.Atom, program: Program) -> Iterator[str]:
    """Conditions of declarations may leave out the records that would tell an atom."""
    for one in program.every(nodes.Input):
        if one.conditions and Signature(one.predicate, len(one.columns)) == asked.signature:
            said = ", ".join(map(to_text, one.conditions))
            yield f"#input ({where(one.location)}) accepts only records with {said}"


def _of_terms(asked: nodes.Atom, program: Program) -> Iterator[str]:
    """A term that `#show` adds to the output looks like an atom that is derived or told as well."""
    for show in shown_like(program, asked):
        yield (
            f"#show ({where(show.location)}) adds the term {to_text(show.term)} to the output, "
            "no atom: ask about the atoms after its colon"
        )


def _pattern(signature: Signature) -> str:
    """A question about all atoms of a predicate."""
    names = "XYZ" if signature.arity <= 3 else ()
    terms = [*names[: signature.arity]] or [f"X{number}" for number in range(1, signature.arity + 1)]
    sign = "" if signature.is_positive else "-"
    return f"{sign}{signature.name}({','.join(terms)})" if terms else f"{sign}{signature.name}"


def _of_arithmetic(asked: nodes.Atom) -> Iterator[str]:
    """A text with a minus, such as P-101, that is not in quotes is a difference."""
    for term in asked.arguments:
        if isinstance(term, nodes.BinaryOperation) and term.operator == "-":
            text = to_text(term)
            quoted = nodes.Atom(
                asked.name,
                tuple(nodes.String(text) if one is term else one for one in asked.arguments),
                asked.is_positive,
            )
            yield f"{text} is a difference: texts need double quotes, write {to_text(quoted)}"


def _of_variables(asked: nodes.Atom, values: Sequence[str]) -> Iterator[str]:
    """A name that begins with a capital letter is a variable, though it may be meant as a value."""
    for name in sorted(variable_names(asked)):
        if len(name.strip("_")) > 1:
            near = _near(name, values)
            meant = f"did you mean {near}?" if near else f'for the value write "{name}"'
            yield f"{name} is a variable because it begins with a capital letter: {meant}"


def _of_values(asked: nodes.Atom, values: Sequence[str]) -> Iterator[str]:
    """A value that does not occur, but for one that is written nearly so."""
    for number in dict.fromkeys(_numbers_in(asked)):
        if f'"{number}"' in values:
            yield f'did you mean the text "{number}" instead of {number}?'
    for text in dict.fromkeys(_names_in(asked)):
        if text not in values and f'"{text}"' not in values and (near := _near(text, values)):
            yield f"did you mean {near} instead of {text}?"


def _near(name: str, values: Sequence[str]) -> str | None:
    """The value that is written most like a name."""
    plain: dict[str, str] = {}
    for text in values:
        plain.setdefault(_plain(text), text)
    found = get_close_matches(_plain(name), sorted(plain), 1, 0.75)
    return plain[found[0]] if found else None


def _plain(text: str) -> str:
    return text.strip("'\" ").casefold()


def _known_values(program: Program, history: History) -> list[str]:
    """Strings and constants of the facts and of the stream, as text; some of them if there are many."""
    told = (value for row in history.told_rows() for value in row if _is_name(value))
    facts = (name for one in program.rules() if is_fact(one) and one.head for name in _names_in(one.head))
    names = chain(islice(facts, 10 * MOST_COMPARED), map(text_of, islice(told, 10 * MOST_COMPARED)))
    return [*islice(dict.fromkeys(names), MOST_COMPARED)]


def _is_name(value: Value) -> bool:
    return isinstance(value, str) or (isinstance(value, Term) and not value.arguments and bool(value.name))


def _numbers_in(node: nodes.Node) -> Iterator[str]:
    """The integers in a node, as text."""
    return (to_text(term) for term in walk(node) if isinstance(term, nodes.Number))


def _names_in(node: nodes.Node) -> Iterator[str]:
    """The strings and constants in a node, as text."""
    for term in walk(node):
        match term:
            case nodes.String() | nodes.Function(_, (), False):
                yield to_text(term)
