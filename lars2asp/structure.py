"""The pass that checks what the grammar lets through: heads, @-functions, repeated directives."""

from lars2asp.diagnostics import Diagnostics
from lars2asp.syntax import NOW, AtTick, Function, Program, SemanticsChoice
from lars2asp.traversal import walk


def check_structure(program: Program, diagnostics: Diagnostics) -> Program:
    """Reports statements that parse but mean nothing here; the program is returned as it is."""
    for rule in program.rules():
        if isinstance(rule.head, AtTick):
            diagnostics.error(
                rule.head.location,
                "`at` in a head is not supported yet",
                "derive the atom at the current tick and ask for its tick with `at T` in a body",
            )
        for part in walk(rule):
            if isinstance(part, Function) and part.is_external and part != NOW:
                diagnostics.error(
                    part.location,
                    f"@{part.name} is not known",
                    "@now, the current tick, is the only @-function so far",
                )
    choices = [statement for statement in program.statements if isinstance(statement, SemanticsChoice)]
    for choice in choices[1:]:
        diagnostics.error(choice.location, "the semantics is chosen twice", "keep one #semantics")
    return program
