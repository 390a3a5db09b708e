"""The checker of explanations: what is right is accepted, and what is wrong in it is named."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings

from lars2asp.analysis.naive_stream import Arrival
from lars2asp.compiler import Overrides, checked_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from lars2asp.why_checker import check_explanation
from tests.lars2asp.test_naive_stream import followed_of
from tests.oracle import TooManyError, UnstratifiedError, arrivals, atom_text
from tests.strategies import ALL_PROGRAMS, Case, aggregating_programs, cases, placing_programs
from tests.support.explaining import Explaining

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "45"))

Json = dict[str, Any]


@pytest.mark.parametrize("programs", [ALL_PROGRAMS, placing_programs(), aggregating_programs()])
def test_explanations_of_random_programs(programs: Any) -> None:
    """An explanation from the naive stream is one, of what holds and of what does not."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(cases(programs))
    def explaining(case: Case) -> None:
        note(case.program)
        overrides = Overrides(semantics=Semantics(case.semantics))
        try:
            written = checked_program(Source("random.lars", case.program), overrides=overrides).written
            header, placed = followed_of(case)
        except (ProgramError, TooManyError, UnstratifiedError):
            return
        if placed:
            return
        stream = [
            Arrival(one.tick, one.last, atom_text(one.atom), "x") for one in arrivals(case.records, case.last)
        ]
        header |= {"kept_from": 0, "tick": case.last}
        made = Explaining(written, stream, header)
        for signature in made.stream.derived:
            name = f"{'' if signature.is_positive else '-'}{signature.name}"
            given = [
                f"{name}({','.join(terms[: signature.arity])})" if signature.arity else name
                for terms in ("01", "xx", "XY")
            ]
            holding = made.stream.holds_now(signature, case.last)
            for text in [*sorted(holding)[:2], *(given[:2] if holding else given)]:
                explained = made.explanation(text, case.last)
                assert check_explanation(written, stream, explained) == [], (text, explained)

    explaining()
