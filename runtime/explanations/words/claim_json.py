"""Claims as JSON: docs/reference/formats/explanations-json.md; lars2asp.checking.why_checker reads it."""

from collections.abc import Iterable
from typing import Any

from lars2asp.runtime.explanations.past.history import Followed, Runs
from lars2asp.runtime.explanations.past.interpretation import Placement
from lars2asp.runtime.explanations.words.claims import (
    Absent,
    Claim,
    CutOff,
    Element,
    FailedRule,
    FromInput,
    FromProgram,
    FromRule,
    LastTold,
    LateRule,
    NoAnswer,
    OtherHead,
    Place,
    Reason,
    Remembered,
    Repeated,
    RuleLiteral,
    Weighed,
    Witness,
)
from lars2asp.runtime.explanations.words.instances import Numbers

Json = dict[str, Any]
"""An object; keys without a value are left out, but for those that are always there."""


def claim_json(claim: Claim) -> Json:
    """A claim and those below it."""
    found: Json = {
        "id": claim.number,
        "atom": str(claim.of),
        "tick": claim.tick,
        "seen_at": claim.seen_at,
        "holds": claim.holds,
    }
    return found | _given(label=claim.label) | _reason(claim.reason)


def followed_json(followed: Followed, placed: Iterable[Placement], numbers: Numbers) -> Json:
    """The answer streams that were followed, and what choices placed at other ticks."""

    def runs(found: Runs) -> Json:
        return {str(numbers.atom(*atom)): [*map(list, ticks)] for atom, ticks in found.items()}

    found: Json = {"atoms": runs(followed.atoms), "without_answer": [*map(list, followed.without_answer)]}
    found |= _given(fleeting=runs(followed.fleeting))
    atoms = [[str(numbers.atom(one.signature, one.row)), one.tick, one.at] for one in placed]
    return found | {"placed": atoms}


def _given(**values: Any) -> Json:
    """Those of some keys that have a value."""
    return {key: value for key, value in values.items() if value}


def _known(**values: Any) -> Json:
    """Those of some keys that are not None."""
    return {key: value for key, value in values.items() if value is not None}


def _reason(reason: Reason) -> Json:
    match reason:
        case FromInput(origin, first, last):
            return {"because": "input", "record": origin, "first": first, "last": last}
        case FromProgram(place):
            return {"because": "background", "statement": _place(place)}
        case FromRule():
            found: Json = {
                "because": "choice" if reason.is_chosen else "rule",
                "statement": _place(reason.place),
                "bindings": reason.bindings,
                "at": reason.at,
                "body": [*map(_literal, reason.body)],
            }
            calls = [{"call": one.call, "value": one.value} for one in reason.calls]
            condition = [*map(_literal, reason.condition)]
            return found | _given(condition=condition) | _weighed(reason.weighed) | _given(calls=calls)
        case Absent():
            return _absent(reason)
        case NoAnswer():
            told = [{"statement": _place(place), "bindings": texts} for place, texts in reason.clashing]
            return {"because": "no answer", "clashing": told} | _given(contraries=[*reason.contraries])
        case Remembered(since, place, bound, step, through=through):
            found = {"because": "memory", "since": claim_json(since)}
            if place is not None:
                found |= {"statement": _place(place), "bindings": bound.texts}
            if through:
                found["through"] = [
                    {"atom": str(atom), "statement": _place(rule), "bindings": values.texts, "ago": ago}
                    for atom, rule, values, ago in through
                ]
            return found if step == 1 else found | {"step": step}
        case Repeated(number):
            return {"because": "seen", "see": number}
        case CutOff(why):
            return {"because": why}


def _absent(absent: Absent) -> Json:
    last = absent.last
    found: Json = {"because": "nothing", "last_told": None if last is None else last.tick}
    if last is not None:
        found |= {"last_atom": str(last.of), "last_record": last.origin}
    found |= _known(known_from=absent.known_from)
    found |= {"defined_by": str(absent.source), "rules": [*map(_failed, absent.rules)]}
    found |= _given(later=[*map(_late, absent.later)]) | _known(rules_from=absent.rules_from)
    return found | _given(nearest=absent.nearest and _told(absent.nearest))


def _told(one: LastTold) -> Json:
    return {"atom": str(one.of), "tick": one.tick, "record": one.origin}


def _late(rule: LateRule) -> Json:
    return {"statement": _place(rule.place), "at": rule.at}


def _failed(rule: FailedRule) -> Json:
    found: Json = {
        "statement": _place(rule.place),
        "bindings": rule.bindings,
        "at": rule.at,
        "failed": None if rule.failed is None else _literal(rule.failed),
    }
    found |= _given(met=[*map(_literal, rule.met)]) | _weighed(rule.weighed)
    return found | _given(others=[*map(_other, rule.others)], more=rule.has_more)


def _other(other: OtherHead) -> Json:
    found: Json = {
        "atom": str(other.of),
        "tick": other.tick,
        "bindings": other.bindings,
        "body": [*map(_literal, other.body)],
    }
    return found if other.count == 1 else found | {"count": other.count}


def _weighed(weighed: Weighed | None) -> Json:
    if weighed is None:
        return {}
    found: Json = {"cost": [*map(list, weighed.cost)]}
    if weighed.is_compared:
        found["other"] = None if weighed.other is None else [*map(list, weighed.other)]
    return found


def _place(place: Place) -> Json:
    location = place.location
    found = {"number": place.number, "source": location.source.name, "line": location.line}
    return found | {"text": place.text} | _given(label=place.label)


def _literal(literal: RuleLiteral) -> Json:
    found: Json = {"position": literal.position, "literal": literal.text, "holds": literal.holds}
    found |= _known(element=literal.element)
    found |= _given(written=literal.written, claims=[*map(claim_json, literal.children)])
    found |= _given(window=literal.witness and _window(literal.witness), value=literal.value)
    return found | _given(elements=[*map(_element, literal.elements)], undefined=literal.undefined)


def _window(witness: Witness) -> Json:
    found: Json = {
        "ticks": [*map(list, witness.window)],
        "holds_at": [*map(list, witness.holds_at)],
        "tuples": witness.is_tuple_window,
    }
    return found | _given(of=witness.of)


def _element(element: Element) -> Json:
    found: Json = {"text": element.text, "claims": [*map(claim_json, element.claims)]}
    return found if element.adds else found | {"adds": False}
