"""Writes the page of directives from their table to standard output; it is docs/reference/directives.md."""

from collections.abc import Iterator

from lars2asp.syntax.directives import DIRECTIVES, Directive


def page() -> str:
    """The page."""
    groups = dict.fromkeys(one.group for one in DIRECTIVES.values())
    return _HEAD + "".join(_section(group) for group in groups)


_HEAD = """---
search:
  boost: 4
---
# Directives

This page lists every directive of a program.
[Options](command-line.md) lists the options. Square brackets enclose parts that you can leave out.
"""


def _section(group: str) -> str:
    parts = [_part(one) for one in DIRECTIVES.values() if one.group == group]
    return f"\n## {group}\n" + "".join(parts)


def _part(one: Directive) -> str:
    return f"\n### {one.name}\n\n" + "\n".join(_lines(one)) + "\n"


def _lines(one: Directive) -> Iterator[str]:
    yield "```text"
    yield from one.syntax.split("  ")
    yield "```\n"
    yield f"{one.text}\n"
    if one.option:
        meaning = "adds such declarations" if one.is_added else "overrides it"
        yield f"- Option: `--{one.option.replace('_', '-')}` {meaning}."
    if one.default:
        yield f"- Without it: {one.default}."
    if one.also:
        yield f"- Other spelling: {', '.join(f'`{name}`' for name in one.also)}."
    if one.option or one.default or one.also:
        yield ""
    for name, text in one.files.items():
        kind = "csv" if name.endswith(".csv") else "lars"
        yield f"```{kind} {name}\n{text}\n```\n"
    yield f"```lars\n{one.example}\n```"


if __name__ == "__main__":
    print(page(), end="")
