"""Writes the page of options, docs/reference/command-line.md, from its table to standard output."""

from lars2asp.runtime.settings.setting import Setting
from lars2asp.runtime.settings.table import SETTINGS

ADDRESSES = {"input": "an input: `?%s=`", "output": "an output: `?%s=`"}
FIRST = "0.2"
"""The release whose settings the page does not mark."""
PYTHON = {
    "program": "`Reasoner.from_text`",
    "reasoner": "`Reasoner`",
    "run": "`run`",
    "live": "`run_live`",
    "spark": "`lars2asp.spark`",
    "why": "`why`",
}


def page() -> str:
    """The page."""
    groups = dict.fromkeys(one.group for one in SETTINGS.values())
    return _HEAD + "".join(_section(group) for group in groups)


_HEAD = """---
search:
  boost: 3
---
# Command line options

This page lists every setting of lars2asp. A setting uses one name everywhere:

| where | how |
| --- | --- |
| command line | `--checkpoint-every '10 sec'` |
| a file for `--config` | `checkpoint-every = "10 sec"` |
| environment | `LARS2ASP_RUN_CHECKPOINT_EVERY='10 sec'`, with the command in place of `RUN` |
| Python | `tick_timeout=0.5` |
| after an input | `--input 'auth.log?lateness=15 sec'` |
| program | `#lateness 15 sec.` |

The command line overrides the environment, and the environment overrides the file. An option overrides the
[directive](directives.md) of its name. A switch such as `--follow` also works the other way, as
`--no-follow`.
"""


def _section(group: str) -> str:
    entries = [_entry(one) for one in SETTINGS.values() if one.group == group]
    return f"\n## {group}\n" + "".join(entries)


def _entry(one: Setting) -> str:
    names = ", ".join(f"`{name}`" for name in (one.short, one.shown) if name) if one.commands else ""
    also = _also(one)
    parts = [
        f"\n### {names or f'`{one.name}`'}\n\n{_meaning(one)}\n",
        f"\nAlso: {also}.\n" if also else "",
        "\nA run that resumes from a checkpoint needs the same value.\n" if one.is_state else "",
    ]
    return "".join(parts)


def _meaning(one: Setting) -> str:
    default = "" if one.default in (None, "") or one.kind == "switch" else f" [default: {one.default}]"
    commands = one.commands.split()
    said = [f"{one.help}{default} {one.more}".strip()]
    if commands and commands != ["run"]:
        said.append(f"Commands: {', '.join(f'`{name}`' for name in commands)}.")
    for name, use in one.uses.items():
        if use.help is not None:
            said.append(f"`{name}`: {use.help} {use.more or ''}".strip())
    if one.since != FIRST:
        said.append(f"Since {one.since}.")
    return _escaped(" ".join(said))


def _also(one: Setting) -> str:
    places = [f"`{one.directive}`"] if one.directive else []
    if one.address:
        places.append(ADDRESSES[one.address] % one.address_name)
    places += [f"`{one.name}` of {PYTHON[place]}" for place in one.python.split()]
    return _escaped(", ".join(places))


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace("{", "&#123;")


if __name__ == "__main__":
    print(page(), end="")
