"""The rules about payments pass their tests, which see all of them."""

from tests.support.command_line import run
from tests.support.pages import ROOT


def test_the_rules_pass_their_tests() -> None:
    said = run(ROOT, "test", "examples/fraud", "--coverage", "--quiet").stdout
    assert said == ("16 of 16 rules fired, 30 of 30 literals made a difference\n8 cases passed, 0 failed\n")
