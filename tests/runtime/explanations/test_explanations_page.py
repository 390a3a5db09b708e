"""The page on explanations as JSON names every key."""

import re

from lars2asp.checking.explanation_shapes import SHAPES
from tests.support.pages import CODE, DOCS


def test_the_reference_has_every_key() -> None:
    reference = (DOCS / "reference" / "formats" / "explanations-json.md").read_text()
    named = {code[1] for code in CODE.findall(reference)}
    keys = {re.split(r"\??:", entry)[0] for shape in SHAPES.values() for entry in shape.split()}
    assert keys - named == set()
