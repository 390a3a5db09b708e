"""Python code in programs."""

import re
from collections.abc import Callable

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.source import Location

_SCRIPT = re.compile(r"#script\s*\(\s*([a-z]+)\s*\)(.*)#end\s*\.", re.DOTALL)
_SCRIPT_HINT = "write #script (python) ... #end."


def script(
    text: str, located: Callable[[int, int], Location], diagnostics: Diagnostics
) -> tuple[nodes.Script, ...]:
    """The script that the text of a statement is; none, which is reported, where it cannot be run."""
    match = _SCRIPT.fullmatch(text)
    if match is None:
        diagnostics.error(
            located(0, len("#script")), "cannot read this #script", _SCRIPT_HINT, code=codes.SCRIPT_SYNTAX
        )
        return ()
    if match[1] != "python":
        diagnostics.error(
            located(*match.span(1)),
            f"lars2asp runs scripts in Python, not in {match[1]}",
            _SCRIPT_HINT,
            code=codes.SCRIPT_SYNTAX,
        )
        return ()
    begin, end = match.span(2)
    return (nodes.Script(match[2], location=located(begin, end)),)
