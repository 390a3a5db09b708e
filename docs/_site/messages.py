"""Writes the page of diagnostics: `python docs/_site/messages.py > docs/reference/messages.md`."""

from lars2asp.syntax.message_help.entry import Entry
from lars2asp.syntax.message_help.table import GROUPS, entries

HEAD = """---
search:
  boost: 4
---
# Error messages of check

Each error, warning and info of `lars2asp check` has a code. A code is a kind of mistake and never changes its
meaning, so you can search for it and link to it. `lars2asp help L101` prints the text of a code, and
`lars2asp help` lists all codes. A name such as `unsafe-variable` works too.

A message begins with the file, the line and the columns, as in clingo. The code comes after the severity:

```
rooms.lars:2:51-56: error: L101: unsafe variable Limit: nothing gives it a value
```
"""


def page() -> str:
    """The page."""
    return HEAD + "".join(_section(group) for group in GROUPS)


def _section(group: str) -> str:
    found = entries(group)
    rows = "".join(f"| [{one.code}](#{one.code.lower()}) | `{one.name}` | {one.title} |\n" for one in found)
    table = f"\n| code | name | mistake |\n| --- | --- | --- |\n{rows}"
    return f"\n## {group}: {GROUPS[group][0]}\n{table}" + "".join(map(_text, found))


def _text(one: Entry) -> str:
    wrong, right = one.programs
    parts = [f"\n### {one.code}\n", f"**{one.title}** (`{one.name}`)\n", f"{one.cause}\n", f"{one.cure}\n"]
    parts += [f"Example{_with(one.options)}:\n", f"```\n{wrong}```\n"]
    parts += [f"Corrected{_with(one.right_options)}:\n", f"```\n{right}```\n"]
    for name, text in one.files.items():
        parts += [f"The file `{name}`:\n", f"```\n{text}```\n"]
    return "\n".join(parts)


def _with(options: str) -> str:
    return f", with `{options}`" if options else ""


if __name__ == "__main__":
    print(page(), end="")
