"""What claims and literals of an explanation are like, as far as that decides how they are drawn."""

from collections.abc import Sequence

from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.words.claims import (
    Absent,
    Claim,
    CutOff,
    FromInput,
    FromProgram,
    FromRule,
    Remembered,
    Repeated,
    RuleLiteral,
)
from lars2asp.runtime.explanations.words.entries import ticks_outside


def is_bare(literal: RuleLiteral) -> bool:
    """Whether a literal is true by itself: a comparison, say."""
    has_support = literal.children or literal.elements or literal.witness or literal.values
    return literal.holds and not has_support


def has_rule(claim: Claim) -> bool:
    """Whether rules stand below a claim."""
    match claim.reason:
        case FromRule() | Remembered():
            return True
        case Absent(rules=rules):
            return bool(rules)
        case _:
            return False


def sources(claim: Claim) -> list[FromInput]:
    """The records on which an atom rests, by atoms that hold, each once."""
    found: dict[str, FromInput] = {}
    for one in claim.claims():
        if one.holds and isinstance(one.reason, FromInput):
            found.setdefault(one.reason.origin, one.reason)
    return [*found.values()]


def is_unknown(claim: Claim) -> bool:
    """Whether an atom was never told, and no rule could derive it."""
    reason = claim.reason
    return isinstance(reason, Absent) and reason.last is None and not reason.rules


def is_flat(claim: Claim) -> bool:
    """Whether a claim is derived at its own tick by input, facts and comparisons alone."""
    reason = claim.reason
    return (
        isinstance(reason, FromRule)
        and reason.at == claim.tick
        and not reason.is_chosen
        and bool(reason.body)
        and all(is_bare(literal) or is_based(literal) for literal in reason.body)
    )


def is_based(literal: RuleLiteral) -> bool:
    """Whether a literal is an atom that the input or a fact tells."""
    if literal.witness or literal.elements or literal.values or len(literal.children) != 1:
        return False
    return literal.holds and isinstance(literal.children[0].reason, FromInput | FromProgram)


def basis(claim: Claim) -> tuple[object, ...] | None:
    """What an atom rests on by rules, input and facts of its own tick; None where there is more.

    Where that is the same at two ticks, one explanation is enough.
    """
    found: list[object] = []
    for one in claim.claims():
        match one.reason:
            case FromInput(origin, first, last):
                found.append((one.of, origin, first, last))
            case FromRule(place, bound, body) if one.reason.at == one.tick == claim.tick:
                if one.reason.is_chosen or any(map(_looks_around, body)):
                    return None
                found.append((one.of, place.number, bound))
            case FromProgram(place):
                found.append((one.of, place.number))
            case _:
                return None
        if one.tick != claim.tick:
            return None
    return tuple(found)


def began(claim: Claim) -> int:
    """Since when what an atom rests on is as it is at its tick; that tick where it is not known."""
    if basis(claim) is None:
        return claim.tick
    return max((one.reason.first for one in claim.claims() if isinstance(one.reason, FromInput)), default=0)


def _looks_around(literal: RuleLiteral) -> bool:
    """Whether a literal may be otherwise at another tick though the claims below it are the same."""
    return bool(literal.witness or literal.elements or literal.values) or not (
        literal.children or is_bare(literal)
    )


def kind(claim: Claim) -> tuple[object, ...]:
    """Claims that follow one another and have it alike can share a line."""
    reason = claim.reason
    match reason:
        case FromRule(place=place, weighed=None):
            return claim.of, FromRule, place.number, place.location, is_flat(claim)
        case Absent(last=last, rules=()):
            return claim.of, Absent, last
        case CutOff(reason=why):
            return claim.of, CutOff, why
        case FromInput() | Repeated() | FromProgram():
            return claim.of, type(reason)
        case _:
            return (claim.number,)


def ticks_not_shown(claims: Sequence[Claim], literal: RuleLiteral, known: Sequence[Run]) -> int:
    """The number of ticks at which the atom holds that are not explained: of a run at most three are."""
    if len(claims) < 3 or literal.witness is None:
        return 0
    return ticks_outside(literal.witness.holds_at, known)
