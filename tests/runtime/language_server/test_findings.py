"""What is said at a key: mistakes of what changed, nothing of what is right, and the rest where it moved."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp.compiler import check
from lars2asp.runtime.language_server.findings import Findings
from lars2asp.runtime.language_server.statements import StatementReader
from lars2asp.syntax.diagnostics import Diagnostic, Diagnostics, Severity
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.source import Source
from tests.strategies import ALL_PROGRAMS
from tests.support.examples import number_of_examples
from tests.support.pages import BLOCK, PAGES, ROOT

EXAMPLES = number_of_examples(10)
SLOW = [HealthCheck.too_slow]

PROGRAM = """\
#tick 1 sec. #const n = 5.
hot(R) :- temp(R,T) in [n], T > 25.
% more
alarm(R) :- hot(R) always in [1 min], hott(R).
#show alarm/1. #input temp(room, t) at time.
"""


class Writing:
    """A text that somebody writes, and what is found in it."""

    def __init__(self, text: str) -> None:
        self._findings = Findings(StatementReader())
        self.whole(text)

    def whole(self, text: str) -> list[Diagnostic]:
        """What a check of the whole program says, as in a pause."""
        source = Source("rooms.lars", text)
        self._findings.at_once(source)
        return self._findings.settle(source, check(source, informs=True))

    def key(self, text: str) -> list[Diagnostic]:
        """What is said at a key."""
        found = self._findings.at_once(Source("rooms.lars", text))
        assert all(one.location.source.text == text for one in found)
        return found


def errors(found: list[Diagnostic]) -> list[tuple[str, str]]:
    """The messages of errors and what they mark."""
    return [
        (one.message, place.source.text[place.begin : place.end])
        for one in found
        for place in (one.location, *one.also)
        if one.severity is Severity.ERROR
    ]


def test_a_mistake_in_what_changed_is_said_at_once() -> None:
    writing = Writing(PROGRAM)
    assert errors(writing.key(PROGRAM.replace("alarm(R) :-", "alarm(R,X) :-"))) == [
        ("unsafe variable X: nothing gives it a value", "X")
    ]
    assert errors(writing.key(PROGRAM.replace("[n]", "[m]")))[0][1] == "m"
    assert errors(writing.key(PROGRAM.replace("1 min", "1 mns"))) == [("mns is not a unit of time", "mns")]
    assert errors(writing.key(PROGRAM)) == []


def test_what_was_found_moves_with_its_statement_and_goes_when_that_changes() -> None:
    writing = Writing(PROGRAM)
    before = writing.key(PROGRAM)
    [warning] = [one for one in before if one.severity is Severity.WARNING]
    assert warning.message.startswith("no rule derives hott/1")
    [moved] = [one for one in writing.key(f"\n% é\n{PROGRAM}") if one.severity is Severity.WARNING]
    assert moved.location.begin == warning.location.begin + 5
    assert moved.edit is not None and warning.edit is not None
    assert moved.edit.location.begin == warning.edit.location.begin + 5
    changed = PROGRAM.replace("hott(R)", "hot(R)")
    assert not [one for one in writing.key(changed) if one.severity is Severity.WARNING]


def test_equal_statements_keep_what_was_found_nearest() -> None:
    twice = "a(X) :- b.\na(X) :- b.\n"
    writing = Writing(twice)
    assert len(errors(writing.key(twice))) == 2


def test_a_mistake_of_syntax_hides_no_other() -> None:
    writing = Writing("a(X) :- b.\n")
    assert {message for message, _ in errors(writing.key("a(X) :- b.\nc :-\n"))} == {
        "unsafe variable X: nothing gives it a value",
        "the text ends in the middle of a statement",
    }


FILES = [path for name in ("examples", "tests/broken") for path in sorted((ROOT / name).rglob("*.lars"))]
TEXTS = [
    *(pytest.param(path.read_text(), id=str(path.relative_to(ROOT))) for path in FILES),
    *(
        pytest.param(block[2], id=f"{page.name}-{number}")
        for page in PAGES
        for number, block in enumerate(BLOCK.finditer(page.read_text()))
        if block[1] == "lars"
    ),
]


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_said_at_once_that_the_whole_check_does_not_say(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _no_more_at_once(text)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW)
@given(st.one_of(ALL_PROGRAMS))
def test_nothing_wrong_is_said_of_random_programs(text: str) -> None:
    _no_more_at_once(text)


def _no_more_at_once(text: str) -> None:
    """Three statements are written behind the others, as somebody does who writes one after the other."""
    source = Source("rooms.lars", text)
    wrong = set(errors([*check(source)]))
    statements = [*cut_statements(source, Diagnostics())]
    for statement in statements[:: max(1, len(statements) // 2)][:3]:
        end = statement.begin + len(statement.text)
        writing = Writing(text[: statement.begin] + " " * len(statement.text) + text[end:])
        now = [one for one in writing.key(text) if statement.begin <= one.location.begin < end]
        assert {*errors(now)} <= wrong
