"""The rules of the encoding, as templates in `encodings/ticker/`."""

from functools import cache
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parents[2] / "encodings" / "ticker"


def filled(name: str, **placeholders: str) -> list[str]:
    """The rules of a template, one a line, with text in place of its placeholders."""
    return _template(name).substitute(placeholders).splitlines()


@cache
def _template(name: str) -> Template:
    """The rules of a template without its comments, so that a solver call parses what it needs."""
    lines = (FOLDER / f"{name}.lp").read_text().splitlines()
    return Template("\n".join(line for line in lines if line and not line.startswith("%")))
