"""Changes that make an explanation wrong, whatever it says: none of them happens to be true as well.

A tick is one at which the atom does not hold, a witness an atom that no stream has, a record one that is not
there; what is left out is needed.
"""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from lars2asp.analysis.predicates import head_atoms
from lars2asp.runtime.explanations.words.claims import Place
from lars2asp.syntax.nodes import Decimals, Program, Rule
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import variable_names

Json = dict[str, Any]

_NUMBER = re.compile(r"(?<![A-Za-z0-9_'.])[0-9]+(?:\.[0-9]+)?")


def nodes_with(key: str, node: Any) -> Iterator[Json]:
    """The objects of an explanation that have a key."""
    if isinstance(node, dict):
        if key in node:
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from nodes_with(key, child)


class Changes:
    """Changes of an explanation in place; each says whether it could be made.

    Args:
        explanation: the explanation.
        program: the explained program.
        random: chooses what is changed.
    """

    def __init__(self, explanation: Json, program: Program, random: Random) -> None:
        self._program, self._random = program, random
        self._explanation, self._root = explanation, explanation["explains"][0]
        self._claims = [*nodes_with("because", explanation["explains"])]
        self._has_answers = not explanation.get("followed", {}).get("without_answer")

    def _one(self, found: list[Any]) -> Any:
        return self._random.choice(found) if found else None

    def _claim(self, *reasons: str) -> Json | None:
        found = [one for one in self._claims if one["because"] in reasons]
        return self._one(found)  # type: ignore[no-any-return]

    def _claims_of_literals(self) -> list[list[Json]]:
        return [node["claims"] for node in nodes_with("claims", self._root) if node["claims"]]

    def another_question(self) -> bool:
        """The root is about another tick."""
        self._root["tick"] += 1
        return True

    def another_truth(self) -> bool:
        """A claim says the contrary."""
        claim = self._one(self._claims)
        claim["holds"] = not claim["holds"]
        return True

    def another_tick(self) -> bool:
        """A claim is about a tick at which its atom does not hold, or that is not in the window."""
        found = [one for one in nodes_with("window", self._root) if one.get("claims")]
        if not found:
            return False
        literal = self._one(found)
        window = literal["window"]
        inside = {tick for first, last in window["ticks"] for tick in range(first, last + 1)}
        held = {tick for first, last in window["holds_at"] for tick in range(first, last + 1)}
        claim = self._one(literal["claims"])
        is_gap = not claim["holds"] and claim["tick"] not in held  # of all instances
        others = inside - held - {claim["tick"]} if claim["holds"] else held if is_gap else set()
        claim["tick"] = self._one(sorted(others)) if others else max(inside | held | {claim["tick"]}) + 1
        claim["seen_at"] = max(claim["tick"], claim["seen_at"])
        return True

    def another_witness(self) -> bool:
        """A claim is about an atom that no stream has."""
        claim = self._one([one for claims in self._claims_of_literals() for one in claims])
        if claim is None:
            return False
        name, bracket, _ = claim["atom"].partition("(")
        claim["atom"] = f"{name}({', '.join(['nowhere'] * _arity(claim['atom']))})" if bracket else "nowhere"
        return True

    def a_witness_left_out(self) -> bool:
        """One of the claims that a literal needs."""
        claims = self._one(self._claims_of_literals())
        if claims is None:
            return False
        claims.pop(self._random.randrange(len(claims)))
        return True

    def another_window(self) -> bool:
        """The ticks of a window, or those at which the atom holds; or it is of another atom."""
        window = self._one([*nodes_with("holds_at", self._root)])
        if window is None:
            return False
        key = self._random.choice(["holds_at", "ticks", "of"])
        if key == "of":
            window["of"] = "nowhere"
            return True
        last = max((run[1] for run in window["ticks"]), default=0)
        window[key] = window[key][1:] or [[last + 1, last + 1]]
        return True

    def a_literal_left_out(self) -> bool:
        """One of the body, or of those that gave a comparison its values."""
        claims = [one["body"] for one in self._claims if one.get("body")]
        claims += [one["condition"] for one in self._claims if self._needs_condition(one)]
        claims += [one["met"] for one in nodes_with("met", self._root) if len(one["met"]) == 1]
        literals = self._one(claims)
        if literals is None:
            return False
        literals.pop(self._random.randrange(len(literals)))
        return True

    def _needs_condition(self, claim: Json) -> bool:
        """Whether a claim has a condition without which no other element of the head is meant."""
        if "condition" not in claim:
            return False
        statement: Any = self._program.statements[claim["statement"]["number"]]
        return len(claim["condition"]) > 1 or len([*head_atoms(statement)]) == 1

    def another_literal(self) -> bool:
        """The text of a literal."""
        literal = self._one([*nodes_with("literal", self._root)])
        if literal is None:
            return False
        literal["literal"] = self._random.choice([f"not {literal['literal']}", "nowhere", "0 = 1"])
        return True

    def another_group(self) -> bool:
        """The window of a literal is of another group of arrivals."""
        literal = self._one([one for one in nodes_with("literal", self._root) if "# by " in one["literal"]])
        if literal is None:
            return False
        before, _, behind = literal["literal"].partition("# by ")
        literal["literal"] = f"{before}# by nowhere{behind[behind.index(']') :]}"
        return True

    def another_condition(self) -> bool:
        """A literal stands in the body in place of a condition of the head, or in that of another element."""
        literal = self._one([*nodes_with("literal", self._root)])
        if literal is None:
            return False
        if "element" in literal and self._random.random() < 0.5:
            del literal["element"]
        else:
            literal["element"] = literal.get("element", 0) + 10
        return True

    def another_rule(self) -> bool:
        """Another statement of the program, with another body."""
        claim = self._claim("rule", "choice", "background")
        if claim is None:
            return False
        texts = {Place(n, one.location).text: n for n, one in enumerate(self._program.statements)}
        own = self._body(claim["statement"]["number"])
        others = [text for text, number in texts.items() if not own or self._body(number) != own]
        text = self._one(sorted({*others} - {claim["statement"]["text"]}))
        if text is None:
            return False
        line = self._program.statements[texts[text]].location.line
        claim["statement"] |= {"number": texts[text], "text": text, "line": line}
        return True

    def _body(self, number: int) -> list[str]:
        return [to_text(one) for one in getattr(self._program.statements[number], "body", ())]

    def another_line(self) -> bool:
        """The place of a statement."""
        statement = self._one([one["statement"] for one in nodes_with("statement", self._root)])
        if statement is None:
            return False
        statement[self._random.choice(["line", "number"])] += 1
        return True

    def another_evaluation(self) -> bool:
        """A rule was evaluated at another tick, after that from which it is looked at."""
        claim = self._claim("rule", "choice")
        if claim is None:
            return False
        claim["at"] = claim["seen_at"] + 1
        return True

    def other_values(self) -> bool:
        """Two variables of a body swap their values, or one has none."""
        found = []
        for claim in self._claims:
            if claim["because"] in ("rule", "choice"):
                names = sorted(claim["bindings"].keys() & self._names(claim["statement"]["number"]))
                found += [(claim["bindings"], one) for one in names]
        if not found:
            return False
        bindings, name = self._random.choice(found)
        others = [other for one, other in found if one is bindings and one[other] != one[name]]
        if others:
            other = self._random.choice(others)
            bindings[name], bindings[other] = bindings[other], bindings[name]
        else:
            del bindings[name]
        return True

    def _names(self, number: int) -> set[str]:
        """The variables of atoms in a body or a condition, which all stand in the texts of its literals."""
        statement = self._program.statements[number]
        names = set[str]()
        if not isinstance(statement, Rule):
            return names
        conditions = [head.condition for head in head_atoms(statement)]
        for literal in (*statement.body, *(conditions[0] if len(conditions) == 1 else ())):
            if hasattr(literal, "atom") and not hasattr(literal.atom, "elements"):
                names |= variable_names(literal)
        return names

    def another_value(self) -> bool:
        """The value of an aggregate or a comparison."""
        literal = self._one([*nodes_with("value", self._root)])
        if literal is None:
            return False
        literal["value"] = "77777"
        return True

    def another_point(self) -> bool:
        """A number has a point where it has none, or none where it has one."""
        if not any(self._program.every(Decimals)):
            return False
        found = [
            (node, key) for key in ("atom", "literal", "value", "of") for node in nodes_with(key, self._root)
        ]
        found += [
            (one["bindings"], name) for one in nodes_with("bindings", self._root) for name in one["bindings"]
        ]
        found = [(node, key) for node, key in found if _NUMBER.search(node[key])]
        if not found:
            return False
        node, key = self._random.choice(found)
        number = self._random.choice([*_NUMBER.finditer(node[key])])
        digits = number[0].replace(".", "")
        others = {digits, f"{digits[:-1] or 0}.{digits[-1]}", f"0.{digits:0>3}"} - {number[0]}
        text = self._random.choice(sorted(others))
        node[key] = f"{node[key][: number.start()]}{text}{node[key][number.end() :]}"
        return True

    def other_elements(self) -> bool:
        """An element is left out, or another one; or it is said to count, or not to."""
        found = [one for one in nodes_with("elements", self._root) if one["elements"]]
        literal = self._one(found)
        if literal is None:
            return False
        element = self._random.choice(literal["elements"])
        match self._random.randrange(3):
            case 0:
                element["text"] = "nowhere"
            case 1:
                element["adds"] = not element.get("adds", True)
            case _:
                literal["elements"].remove(element)
        return True

    def another_record(self) -> bool:
        """A record that is not there, or other ticks of one."""
        claim = self._claim("input")
        if claim is None:
            return False
        claim.update(self._random.choice([{"record": "nowhere:1"}, {"first": -1}, {"last": 10**6}]))
        return True

    def a_cut(self) -> bool:
        """The tree is cut off where it is not."""
        claim = self._claim("input", "background", "rule", "choice", "nothing")
        if claim is None:
            return False
        keys = ("id", "atom", "tick", "seen_at", "holds")
        kept = {key: claim[key] for key in keys}
        claim.clear()
        claim.update(kept, because=self._random.choice(["depth", "not kept"]))
        return True

    def another_reference(self) -> bool:
        """The claim is explained by itself, or by another one, or shares its number."""
        claim = self._one(self._claims[1:])
        if claim is None:
            return False
        number = self._random.choice([claim["id"], 10**6])
        if claim["because"] == "seen":
            claim["see"] = number
        else:
            claim["id"] = self._root["id"]
        return True

    def another_last_tick(self) -> bool:
        """The input told an atom last at another tick."""
        claim = self._claim("nothing")
        if claim is None:
            return False
        claim["last_told"] = 10**6
        return True

    def a_rule_left_out(self) -> bool:
        """One of the rules that could have derived an atom; or none of its literals failed."""
        found = [one for one in nodes_with("rules", self._root) if one["rules"]]
        found = [one for one in found if all(rule["failed"] for rule in one["rules"])]
        claim = self._one(found)
        if claim is None or not self._has_answers:
            return False
        rule = self._random.choice(claim["rules"])
        if self._random.random() < 0.5:
            rule["failed"] = None
        else:
            claim["rules"].remove(rule)
        return True

    def a_literal_with_value(self) -> bool:
        """A literal that failed has a term without value, but none of its own."""
        failed = self._one([one["failed"] for one in nodes_with("failed", self._root) if one["failed"]])
        if failed is None:
            return False
        for key in failed.keys() - {"position", "literal", "holds", "written"}:
            del failed[key]
        failed["undefined"] = "nowhere"
        return True


KINDS: tuple[Callable[[Changes], bool], ...] = (
    Changes.another_question,
    Changes.another_truth,
    Changes.another_tick,
    Changes.another_witness,
    Changes.a_witness_left_out,
    Changes.another_window,
    Changes.a_literal_left_out,
    Changes.another_literal,
    Changes.another_group,
    Changes.another_condition,
    Changes.another_rule,
    Changes.another_line,
    Changes.another_evaluation,
    Changes.other_values,
    Changes.another_value,
    Changes.another_point,
    Changes.other_elements,
    Changes.another_record,
    Changes.a_cut,
    Changes.another_reference,
    Changes.another_last_tick,
    Changes.a_rule_left_out,
    Changes.a_literal_with_value,
)


def changed(explanation: Json, program: Program, random: Random, most: int) -> Iterator[tuple[str, Json]]:
    """Explanations that are wrong, with the kind of the change: at most so many, of different kinds."""
    for kind in random.sample(KINDS, len(KINDS)):
        other = deepcopy(explanation)
        if most and kind(Changes(other, program, random)):
            most -= 1
            yield kind.__name__, other


def _arity(atom: str) -> int:
    (rule,) = parse(Source("atom", f"{atom}.")).rules()
    return len(getattr(rule.head, "arguments", ()))
