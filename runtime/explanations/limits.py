"""Questions that cannot be answered, and why."""

from collections.abc import Iterable, Iterator

from lars2asp.analysis.predicates import head_atoms, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.runtime.errors import InputError
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every


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
                f"{to_text(show.term)} is no atom but a term that #show adds to the output "
                f"({where(show.location)}): ask about the atoms behind its colon"
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
