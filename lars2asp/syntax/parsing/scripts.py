"""Python code in programs."""

import re
from collections.abc import Callable

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.source import Location

_SCRIPT = re.compile(r"#script\s*\(\s*([a-z]+)\s*\)(.*)#end\s*\.", re.DOTALL)
_SCRIPT_HINT = "scripts are written #script (python) ... #end."


def script(
    text: str, located: Callable[[int, int], Location], diagnostics: Diagnostics
) -> tuple[nodes.Script, ...]:
    """The script that the text of a statement is; none, which is reported, where it cannot be run."""
    match = _SCRIPT.fullmatch(text)
    if match is None:
        diagnostics.error(located(0, len("#script")), "this #script is malformed", _SCRIPT_HINT)
        return ()
    if match[1] != "python":
        diagnostics.error(located(*match.span(1)), f"scripts in {match[1]} are not run", _SCRIPT_HINT)
        return ()
    begin, end = match.span(2)
    return (nodes.Script(match[2], location=located(begin, end)),)
