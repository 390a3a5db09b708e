"""The pass that warns of texts such as `"12"` where columns give the number in their place."""

import re
from collections.abc import Iterator
from dataclasses import replace

from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.argument_type import ANY
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Column, Signature, String, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import atoms_in, body_of, every

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
"""A cell that is read as an integer where its column says nothing else."""


def check_texts_of_digits(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of such texts where nothing but such columns gives what they are compared with."""
    columns_at = _unconverted(analysis)
    if not columns_at:
        return
    for statement in analysis.program.but_plain_facts:
        if isinstance(statement, nodes.Declaration):
            continue
        columns = dict[str, Column]()
        texts = list[tuple[Term, Column]]()
        for atom in atoms_in(*body_of(statement)):
            for place, term in enumerate(atom.arguments):
                column = columns_at.get((atom.signature, place))
                if column is not None and isinstance(term, Variable):
                    columns.setdefault(term.name, column)
                elif column is not None:
                    texts.append((term, column))
        for term, other in _equal_terms(statement):
            if isinstance(other, Variable) and other.name in columns:
                texts.append((term, columns[other.name]))
        for term, column in texts:
            if isinstance(term, String) and _INTEGER.fullmatch(term.value):
                diagnostics.warning(
                    term.location,
                    f"{to_text(term)} is text, but a cell {term.value} is read as a number: "
                    "they are never equal",
                    f"write {term.value}, or {to_text(replace(column, conversion='text'))} in #input",
                    code=codes.TEXT_OF_DIGITS,
                )


def _unconverted(analysis: ProgramAnalysis) -> dict[tuple[Signature, int], Column]:
    """The columns that take texts and numbers, at the places of which nothing else says what is there."""
    program = analysis.program
    found = dict[tuple[Signature, int], Column | None]()
    for one in program.every(nodes.Input):
        signature = Signature(one.predicate, len(one.columns))
        for place, column in enumerate(one.columns):
            is_unconverted = column.conversion in ("", "any") and column.scale is None
            before = found.get((signature, place), column)
            found[signature, place] = before if is_unconverted else None
    others = {head.atom.signature for rule in program.every(nodes.Rule) for head in head_atoms(rule)}
    others |= analysis.facts.keys()
    types = analysis.types.table
    return {
        (signature, place): column
        for (signature, place), column in found.items()
        if column is not None
        and signature not in others
        and (signature not in types or types[signature][place].type == ANY)
    }


def _equal_terms(statement: nodes.Statement) -> Iterator[tuple[Term, Term]]:
    """The pairs of terms of which a statement asks whether they are equal, both ways round."""
    for comparison in every(nodes.Comparison, *body_of(statement)):
        left = comparison.term
        for guard in comparison.guards:
            if guard.comparison in ("=", "!="):
                yield left, guard.term
                yield guard.term, left
            left = guard.term
