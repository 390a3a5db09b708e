"""Valid programs are not warned of what they do not do."""

import re

from hypothesis import HealthCheck, given, settings

from lars2asp.analysis.passes.other_meanings import check_meanings
from lars2asp.compiler import WARNING
from lars2asp.syntax.diagnostics import Diagnostics
from tests.strategies import (
    ALL_PROGRAMS,
    aggregating_programs,
    functional_programs,
    keyed_choices,
    splittable_programs,
)
from tests.support.examples import number_of_examples
from tests.support.programs import analysed

EXAMPLES = number_of_examples(20)
VALID = (
    ALL_PROGRAMS | aggregating_programs() | functional_programs() | splittable_programs() | keyed_choices()
)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(VALID)
def test_random_programs_have_no_foreign_names_and_no_misspelt_ones(program: str) -> None:
    found = Diagnostics()
    analysis = analysed(re.sub(r"#show .*", "", program))  # some name what the program may not have
    for check in WARNING:
        if check is check_meanings:  # random programs say what few people mean
            continue
        check(analysis, found)
    assert not found.found
