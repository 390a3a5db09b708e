"""Declarations that come from outside a program: the option `--declare`, and the keyword `declare`."""

from collections.abc import Iterable

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse_input_declaration
from lars2asp.syntax.source import Source, shown

DECLARE = "--declare"
"""What messages call the source of the declarations."""


def added_sources(declared: Iterable[str]) -> tuple[Source, ...]:
    """The text that joins the program: all declarations but those of input. Raises Lars2aspError."""
    added = [one for one in declared if _is_added(one)]
    if not added:
        return ()
    return (Source(DECLARE, "\n".join(f"{one.strip().removesuffix('.')}." for one in added)),)


def declared_inputs(declared: Iterable[str]) -> list[Input]:
    """The declarations of input that take the place of those of the program. Raises Lars2aspError."""
    return [parse_input_declaration(one) for one in declared if not _is_added(one)]


def _is_added(text: str) -> bool:
    """Whether a declaration joins those of the program. Raises Lars2aspError."""
    if not text.lstrip().startswith("#"):
        return False
    from lars2asp.syntax.directives import DIRECTIVES, directive_of, meant  # noqa: PLC0415 - few ask

    name = text.split(maxsplit=1)[0]
    one = directive_of(text.lstrip())
    if one is not None and one.option == "declare":
        return one.is_added
    if one is not None and one.option:
        raise Lars2aspError(f"{DECLARE}: {name} has an option of its own: --{one.option.replace('_', '-')}")
    if one is None and (near := meant(name)) is not None:
        raise Lars2aspError(f"{DECLARE}: there is no directive {shown(name)}: did you mean {near}?")
    known = ", ".join(each.name for each in DIRECTIVES.values() if each.option == "declare")
    raise Lars2aspError(f"{DECLARE} takes {known}, not {shown(name)}")
