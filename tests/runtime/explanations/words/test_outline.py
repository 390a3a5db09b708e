"""Lines of trees that chance makes: no claim is lost on the way, whatever shares a line."""

import random

import pytest

from lars2asp.runtime.explanations.words.claims import (
    Absent,
    Claim,
    CutOff,
    FailedRule,
    FromInput,
    LastTold,
    Repeated,
    RuleLiteral,
)
from lars2asp.runtime.explanations.words.html import html_of
from lars2asp.runtime.explanations.words.outline import outline
from lars2asp.runtime.explanations.words.text import text_of
from tests.runtime.explanations.trees import NOON, Trees, aggregate, bare, bound, plain, rule_of, window
from tests.runtime.explanations.trees import atom as atom_of

RULES = [
    rule_of(text, line)
    for line, text in enumerate(("p(X) :- q(X).", "{ p(X) } :- r.", "q(X) :- p(X) in [3]."), 1)
]


class Chance:
    """Makes trees."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._trees = Trees()
        self._made: list[Claim] = []

    def claim(self, atom: str, tick: int, size: int) -> Claim:
        """Any claim about an atom."""
        chance, trees = self._random, self._trees
        kind = chance.choice(["told", "fact", "rule", "rule", "absent", "seen", "cut"]) if size else "told"
        made: Claim
        match kind:
            case "rule":
                body = [self.literal(tick, size // 2) for _ in range(chance.randrange(4))]
                at = tick + chance.choice([0, 0, 0, 1])
                by, chosen = chance.choice(RULES), chance.random() < 0.2
                made = trees.rule(atom, tick, by, *body, at=at, chosen=chosen)
            case "absent":
                failed = [
                    FailedRule(by, bound({}), chance.choice([None, self.literal(tick, size // 2)]), tick)
                    for by in chance.sample(RULES, chance.randrange(3))
                ]
                last = chance.choice([None, LastTold(1, atom_of(atom), "a.csv:1")])
                made = trees.claim(atom, tick, Absent(last, tuple(failed)))
            case "seen" if self._made:
                made = trees.seen(chance.choice(self._made))
            case "cut":
                made = trees.cut(atom, tick, chance.choice(["depth", "not kept"]))
            case "fact":
                made = trees.fact(atom, tick, RULES[0])
            case _:
                end = chance.choice([tick, tick + 2, None])
                made = trees.claim(atom, tick, FromInput(f"a.csv:{tick}", tick, end))
        self._made.append(made)
        return made

    def literal(self, tick: int, size: int) -> RuleLiteral:
        """Any literal."""
        chance = self._random
        atom = chance.choice(["p(1)", "p(2)", "q(X)", 'r("a b")'])
        match chance.randrange(4):
            case 0:
                return bare(0, "1 < 2", holds=chance.random() < 0.8)
            case 1:
                return plain(self.claim(atom, tick, size), chance.choice([atom, f"not {atom}"]))
            case 2:
                ticks = sorted(chance.sample(range(tick - 5, tick + 1), chance.randrange(4)))
                claims = [self.claim(chance.choice([atom, atom, "s"]), each, size) for each in ticks]
                holding = [(each, each) for each in ticks]
                return window(f"{atom} in [5]", *claims, over=(tick - 5, tick), holding=holding)
            case _:
                names = chance.sample(["1", '"p(1)"', "x,y"], 2)
                found = {
                    name: [self.claim(atom, tick, size) for _ in range(chance.randrange(3))] for name in names
                }
                return aggregate("#count { X : p(X) } > 1", "2", found)


@pytest.mark.parametrize("seed", range(200))
def test_each_claim_is_explained_by_one_line(seed: int) -> None:
    root = Chance(seed).claim("p(1)", 7, 40)
    wanted = sorted(one.number for one in root.claims() if not isinstance(one.reason, Repeated | CutOff))
    lines = list(outline(root, NOON).all_entries())
    assert sorted(number for line in lines for number in line.explains) == wanted
    text = text_of(root, NOON)
    assert len(text.splitlines()) == len(lines)
    assert html_of(root, NOON).count("<details") == sum(bool(line.children) for line in lines)
    told = {one.reason.origin for one in root.claims() if isinstance(one.reason, FromInput)}
    assert all(origin in text for origin in told)
    for depth in range(4):
        assert len(text_of(root, str, depth).splitlines()) <= len(lines)
