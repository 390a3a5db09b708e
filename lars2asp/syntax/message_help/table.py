"""All entries, by group: a group is the first digit of its codes, and a module."""

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

from lars2asp.syntax.codes import names
from lars2asp.syntax.message_help.entry import Entry

GROUPS = {
    "L0": ("Text that is no program", "program_text"),
    "L1": ("Variables, rules and heads", "rules"),
    "L2": ("Windows and time", "windows"),
    "L3": ("Predicates and #show", "predicates"),
    "L4": ("Values, types and decimals", "values"),
    "L5": ("Directives, constants, files and options", "directives"),
    "L6": ("Input declarations and tables", "inputs"),
    "L7": ("Programs that mean something else", "meanings"),
    "L8": ("Aggregates and cycles", "aggregates"),
    "L9": ("Functions and scripts", "functions"),
}
"""The title of each group, and the module of its entries."""


def entries(group: str) -> Sequence[Entry]:
    """The entries of a group, in the order of their codes."""
    module = import_module(f"{__package__}.{GROUPS[group][1]}")
    found: Sequence[Entry] = module.ENTRIES
    return found


def entry_of(code: str) -> Entry | None:
    """The entry of a code or its name, in letters of any size; None for others."""
    wanted = names().get(code.lower(), code.upper())
    found = entries(wanted[:2]) if wanted[:2] in GROUPS else ()
    return next((one for one in found if one.code == wanted), None)


def near(code: str) -> str | None:
    """The code or name that is most like another text; None if none is."""
    known = names()
    found = get_close_matches(code.lower(), known, 1) or get_close_matches(code.upper(), known.values(), 1)
    return found[0] if found else None
