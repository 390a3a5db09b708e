"""Hints for questions about atoms that do not hold, if they may be written otherwise than they are meant."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain, islice

from lars2asp.analysis.predicates import is_fact
from lars2asp.externals.terms.terms import Term, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.explanations.history import History
from lars2asp.runtime.explanations.limits import shown_like, where
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import variable_names, walk

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
    return (*_of_terms(asked, program), *_of_variables(asked, values), *_of_values(asked, values))


def _of_predicate(asked: nodes.Atom, known: Iterable[Signature]) -> str:
    """The predicate is not known."""
    wanted = asked.signature
    others = sorted(one for one in known if one.is_positive == wanted.is_positive)
    words = f"neither the program nor the input has {wanted}"
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


def _of_terms(asked: nodes.Atom, program: Program) -> Iterator[str]:
    """A term that `#show` adds to the output looks like an atom that is derived or told as well."""
    for show in shown_like(program, asked):
        yield (
            f"if the output has it, it is the term {to_text(show.term)} that #show adds there "
            f"({where(show.location)}), and no atom: ask about the atoms behind its colon"
        )


def _pattern(signature: Signature) -> str:
    """A question about all atoms of a predicate."""
    names = "XYZ" if signature.arity <= 3 else ()
    terms = [*names[: signature.arity]] or [f"X{number}" for number in range(1, signature.arity + 1)]
    sign = "" if signature.is_positive else "-"
    return f"{sign}{signature.name}({','.join(terms)})" if terms else f"{sign}{signature.name}"


def _of_variables(asked: nodes.Atom, values: Sequence[str]) -> Iterator[str]:
    """A name that begins with a capital letter is a variable, though it may be meant as a value."""
    for name in sorted(variable_names(asked)):
        if len(name.strip("_")) > 1:
            near = _near(name, values)
            meant = f"did you mean {near}?" if near else f'for the value write "{name}"'
            yield f"{name} is a variable, as it begins with a capital letter: {meant}"


def _of_values(asked: nodes.Atom, values: Sequence[str]) -> Iterator[str]:
    """A value that does not occur, but for one that is written nearly so."""
    for number in dict.fromkeys(_numbers_in(asked)):
        if f'"{number}"' in values:
            yield f'did you mean "{number}", which is text, in place of {number}?'
    for text in dict.fromkeys(_names_in(asked)):
        if text not in values and f'"{text}"' not in values and (near := _near(text, values)):
            yield f"did you mean {near} in place of {text}?"


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
