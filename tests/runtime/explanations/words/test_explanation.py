"""The public face of an explanation."""

import json

from lars2asp.runtime.explanations.words.explanation import Explanation
from lars2asp.runtime.explanations.words.tick_texts import tick_texts
from tests.runtime.explanations.trees import NOON, Trees

HEADER = {"tick": 7, "start": 0, "complete_windows": False, "semantics": "recorded", "kept_from": 0}


def test_what_it_tells() -> None:
    explanation = Explanation((Trees().alarm(),), HEADER, NOON)
    assert (explanation.atom, explanation.tick, explanation.holds) == ("alarm(kitchen)", 7, True)
    assert explanation.size == 8
    assert repr(explanation) == "<Explanation: alarm(kitchen) holds at 7, 8 claims>"
    assert str(explanation) == explanation.to_text()
    assert str(explanation).splitlines()[0] == "alarm(kitchen) at 2026-01-01 12:07 UTC"
    assert explanation.to_text(0) == "alarm(kitchen) at 2026-01-01 12:07 UTC   ... 7 more steps: see --depth"
    assert max(map(len, explanation.to_text(width=60).splitlines())) < 80
    assert explanation._repr_html_() == explanation.to_html()
    assert explanation.to_html().startswith('<div class="lars-explanation">')
    assert explanation.to_html(as_page=True).startswith("<!DOCTYPE html>")


def test_its_text_for_programmers_is_short() -> None:
    trees = Trees()
    long_one = Explanation((trees.absent(f'p("{"x" * 10_000}\n")', 7),), HEADER, tick_texts(None))
    assert repr(long_one).endswith(" ... does not hold at 7, 1 claim>")
    assert len(repr(long_one)) < 150


def test_as_json_has_it() -> None:
    trees = Trees()
    found = Explanation((trees.told("p", 7, "a.csv:3", label="it is so"),), HEADER, str).to_dict()
    assert json.loads(json.dumps(found)) == {
        **HEADER,
        "explains": [
            {
                "id": 1,
                "atom": "p",
                "tick": 7,
                "seen_at": 7,
                "holds": True,
                "label": "it is so",
                "because": "input",
                "record": "a.csv:3",
                "first": 7,
                "last": 7,
            }
        ],
    }
    (alarm,) = Explanation((Trees().alarm(),), HEADER, str).to_dict()["explains"]
    assert (alarm["because"], alarm["statement"]["line"]) == ("rule", 6)
    assert alarm["body"][0]["window"] == {"ticks": [[5, 7]], "holds_at": [[5, 7]], "tuples": False}
