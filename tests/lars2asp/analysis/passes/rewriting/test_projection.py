"""`_` under `not` in atoms of classical negation: text in, text out."""

import pytest

from lars2asp.analysis.passes.rewriting.projection import write_projections
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.printer import to_text
from tests.support.programs import analysed


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        ("a :- not -p(1,_).", "a :- not -p(1,_) in [0]."),
        ("a :- not not -p(f(_)).", "a :- not not -p(f(_)) in [0]."),
        ("a :- not p(1,_), not -p(1), -p(_).", "a :- not p(1,_), not -p(1), -p(_)."),
    ],
)
def test_only_atoms_that_clingo_calls_unsafe_change(rule: str, written: str) -> None:
    written_as = write_projections(analysed(rule), Diagnostics())
    assert written_as is not None
    [statement] = written_as.statements
    assert to_text(statement) == written
