"""Bodies that are said to be never true; tests/broken/contradictions.lars has what is said of them."""

from hypothesis import HealthCheck, assume, given, settings

from lars2asp.compiler import check, read_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.nodes import Atom, Rule
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.strategies import ALL_PROGRAMS, Case, cases
from tests.support.definition import record
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(6)


def contradicted(program: str) -> list[str]:
    """Rules that derive `probe` from the bodies of which a program is told that they are never true."""
    source = Source("x.lars", program)
    diagnostics = check(source)
    if any(found.severity is Severity.ERROR for found in diagnostics):
        return []
    places = [found.location for found in diagnostics if found.message.startswith("this body is never true")]
    rules = [rule for rule in read_program(source).rules() if rule.body]
    within = (
        rule for rule in rules for place in places if rule.location.begin <= place.begin < rule.location.end
    )
    return [to_text(Rule(Atom("probe"), rule.body)) for rule in within]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases(ALL_PROGRAMS))
def test_a_body_that_is_said_to_be_never_true_never_is(case: Case) -> None:
    probes = contradicted(case.program)
    assume(probes)
    text = "\n".join([case.program, *probes])
    reasoner = Reasoner.from_text(
        text, start=case.start, semantics=case.semantics, complete_windows=case.complete_windows
    )
    for answer in reasoner.run(map(record, case.records), until=case.last, emit="every"):
        assert "probe" not in answer.holds.texts


def test_a_statement_with_pools_is_told_of_if_nothing_is_left_of_it() -> None:
    assert not check(Source("x.lars", "a(X) :- p(X), X = (1;9), X > 5."))
    [found] = check(Source("x.lars", "a(X) :- p(X), X = (1;3), X > 5."))
    assert found.message == "this body is never true: X > 5 contradicts X = (1;3)"


def test_windows_of_constants_and_units_are_known() -> None:
    [found] = check(Source("x.lars", "#const n = 3. a(T) :- p at T in [n], T < @now-3."))
    assert found.message == "this body is never true: T < @now-3 contradicts p at T in [n]"
    [found] = check(Source("x.lars", "#tick 1 min. a(T) :- p at T in [1 hour], T < @now-60."))
    assert found.message == "this body is never true: T < @now-60 contradicts p at T in [1 hour]"


def test_decimals_are_compared_as_they_are_written() -> None:
    [found] = check(Source("x.lars", "#decimals p(1). a(X) :- p(X), X > 25.5, X < 25.4."))
    assert found.message == "this body is never true: X < 25.4 contradicts X > 25.5"
