"""Checks explanations: whether a tree of claims says truly why an atom holds at a tick, or why it does not.

It trusts neither the tree nor the evaluators that made it: each node is held to what
lars2asp.definition.stream works out, and each literal to what lars2asp.checking.literal_claims asks for.

Why a rule derived nothing: the atom in its head binds variables, then the literals of its body, and those of
the condition in its head, are looked at in the order that lars2asp.definition.bodies describes. The instance
that gets furthest is the one to show, and the literal there the one that failed.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain, count
from typing import Any

from lars2asp.analysis.calendar_atoms import CALENDAR_RECORD
from lars2asp.analysis.declared_time import needs_whole_windows
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms, is_fact
from lars2asp.checking.candidates import Candidate, candidates_for, unified
from lars2asp.checking.claim_checks import (
    as_written,
    check_costs,
    check_last_told,
    check_nearest,
    checked_statement,
    places_of,
    sources_of,
)
from lars2asp.checking.claim_supports import Counting, unfounded_claims
from lars2asp.checking.clash_checks import check_clash
from lars2asp.checking.decimal_points import PointChecks
from lars2asp.checking.explanation_shapes import (
    FaultError,
    Json,
    atom_of,
    bare,
    check_header,
    claims_of,
    does,
    has_decimals,
    in_integers,
    need,
    shaped,
)
from lars2asp.checking.head_checks import check_calls, check_later, other_heads
from lars2asp.checking.literal_claims import LiteralClaims
from lars2asp.checking.memory_checks import Remembering, check_remembering, checked_beginning, is_beginning
from lars2asp.checking.rule_instances import (
    ALL,
    Meant,
    Required,
    deepest,
    giving,
    heads_with,
    named_by,
    required_by,
    solve,
)
from lars2asp.definition.bodies import outer_names
from lars2asp.definition.matching import match_exactly
from lars2asp.definition.stream import Arrival, NaiveStream, is_choice, with_held
from lars2asp.definition.terms import (
    Bindings,
    Functions,
    UnreadableError,
    instance_text,
    read_atom,
    read_row,
    row,
    written_out,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule, Sign
from lars2asp.syntax.traversal import variable_names

__all__ = ["Arrival", "check_explanation"]

_REASONS = (
    "input",
    "background",
    "rule",
    "choice",
    "nothing",
    "no answer",
    "memory",
    "seen",
    "depth",
    "not kept",
)


def check_explanation(
    program: Program, stream: Sequence[Arrival], explanation: Json, functions: Functions | None = None
) -> list[str]:
    """What is wrong with an explanation, a line for each node; nothing if it is one.

    Args:
        program: the explained program (`CheckedProgram.written`).
        stream: the input up to the tick of the explanation or longer, in the order in which it arrived.
        explanation: as its JSON says it.
        functions: the `@`-functions; they take the texts of their arguments and give a list of texts.
    """
    try:
        checker = _Checker(program, stream, in_integers(explanation, program), functions)
        return checker.problems() or checker.misplaced_points(explanation)
    except (FaultError, UnreadableError) as fault:
        return [f"explanation: {fault}"]
    except RecursionError:
        return ["explanation: it rests on too much to be checked"]


class _Checker:
    def __init__(
        self, program: Program, stream: Sequence[Arrival], explanation: Json, functions: Functions | None
    ) -> None:
        self._program, self._explanation = program, explanation
        check_header(explanation)
        is_complete = explanation["complete_windows"] or not needs_whole_windows(program)
        need(is_complete, "the program demands complete windows, and it has others")
        self._claims: dict[int, Json] = {}
        self._faults: list[str] = []
        for claim in claims_of(explanation["explains"]):
            if claim["id"] in self._claims:
                self._faults.append(f"claim {claim['id']}: another one has the same id")
            self._claims[claim["id"]] = claim
        self._stream = NaiveStream(program, stream, explanation, functions)
        self._arrivals = self._stream.arrivals
        known = [one for one in stream if one.tick <= explanation["tick"]]
        self._known_then = with_held(program, known) if any(program.every(nodes.Held)) else ()
        """Of those that were known at the tick of the explanation, which may not have ended yet."""
        self._literal_claims = LiteralClaims(self._stream)
        self._waiting: list[tuple[Json, int, int]] = []
        self._supports: dict[int, list[int]] = {}
        self._counting: dict[int, list[Counting]] = {}
        self._sources = sources_of(program)

    def problems(self) -> list[str]:
        """What is wrong, each node with its claim."""
        roots, tick = self._explanation["explains"], self._explanation["tick"]
        need(roots and all(isinstance(root, dict) for root in roots), "it explains nothing")
        self._waiting += [(root, tick, 0) for root in roots]
        while self._waiting:
            claim, viewer, level = self._waiting.pop()
            try:
                self._check_claim(claim, viewer, level)
                is_root = any(claim is root for root in roots)
                need(not is_root or claim["tick"] == tick, f"it is not about tick {tick}")
            except (FaultError, UnreadableError) as fault:
                self._faults.append(f"claim {claim.get('id', '?')}: {fault}")
            except (KeyError, TypeError):  # in a claim that another one refers to
                self._faults.append(f"claim {claim.get('id', '?')}: it is malformed")
        unfounded = unfounded_claims(self._supports, self._counting)
        for part in strongly_connected(unfounded):
            number = min(part)
            if len(part) > 1 or number in unfounded.get(number, ()):
                self._faults.append(f"claim {number}: it rests on itself")
        self._stream.verify()
        return [*self._faults, *self._stream.faults]

    def misplaced_points(self, explanation: Json) -> list[str]:
        """What is wrong with the points in the numbers of the explanation, where nothing else is."""
        if not has_decimals(self._program):
            return []
        return [*PointChecks(self._program, self._stream).faults(explanation)]

    # --- claims -----------------------------------------------------------------------------------------

    def _check_claim(self, claim: Json, viewer: int, level: int) -> None:
        """Checks a claim that is looked at from the evaluation at a tick, with so many rules above it."""
        because = claim.get("because")
        need(because in _REASONS, f"the reason `{because}` is unknown")
        shaped(claim, "claim", str(because))
        atom, tick, seen_at, stream = read_atom(claim["atom"]), claim["tick"], claim["seen_at"], self._stream
        self._supports.setdefault(claim["id"], [])
        need(stream.start <= tick <= seen_at <= viewer, "its ticks are out of order, or off the timeline")
        need(seen_at == viewer or stream.is_recorded, f"it must be seen from tick {viewer}")
        for now in {seen_at, viewer}:
            holds = self._holds(atom, tick, now)
            need(holds is claim["holds"], f"{claim['atom']} {does(holds)} at tick {tick}, seen from {now}")
        need(not (claim["holds"] and variable_names(atom)), "an atom that holds has no variables")
        match because:
            case "input":
                need(claim["holds"], "input cannot tell that an atom does not hold")
                self._check_input(claim, atom)
            case "background":
                fact: Any = self._program.statements[checked_statement(self._program, claim["statement"])]
                need(isinstance(fact, Rule) and is_fact(fact), "the statement is not a fact")
                known = stream.bindings(tick)
                said = [row(one.arguments, known) for one in written_out(fact.head, known, stream.functions)]
                is_said = fact.head.signature == atom.signature and row(atom.arguments, {}) in said
                need(is_said and claim["holds"], "the statement is another fact")
            case "rule" | "choice":
                self._check_derived(claim, atom, viewer, level)
            case "nothing":
                self._check_nothing(claim, atom, level)
            case "memory":
                self._check_memory(claim, atom, level)
            case "seen":
                other = self._claims.get(claim["see"], {})
                same = all(other.get(key) == claim[key] for key in ("atom", "tick", "seen_at", "holds"))
                need(same, f"claim {claim['see']} is another one")
                is_explained = other["because"] not in ("seen", "depth", "not kept")
                need(is_explained, f"claim {claim['see']} is not explained")
                if other["because"] in ("rule", "choice"):
                    self._check_lasting(other, viewer)
                self._supports[claim["id"]].append(claim["see"])
            case "no answer":
                need(not (claim["holds"] or stream.has_answer(tick)), f"tick {tick} has an answer stream")
                check_clash(self._program, stream, claim)
            case "depth":
                need(level >= self._explanation["depth"], "the tree is not cut off here")
            case "not kept":
                found = (candidates_for(stream, rule, atom, tick, seen_at) for rule in stream.rules.values())
                first = min((at for one in found for at, _, _ in one if claim["holds"]), default=tick)
                need(min(tick, first) < self._explanation["kept_from"], "it is kept")

    def _check_memory(self, claim: Json, atom: nodes.Atom, level: int) -> None:
        """Checks that it has been so since an earlier tick."""
        stream, since = self._stream, checked_beginning(claim, self._stream)
        first = since["tick"]
        self._waiting.append((since, first, level + 1))
        if claim["holds"]:
            instances = [self._remembering(claim, atom, 0, first)]
            for one in claim.get("through", ()):
                shaped(one, "through")
                instances.append(self._remembering(one, read_atom(one["atom"]), one["ago"], first))
            check_remembering(claim, stream, instances)
            need(is_beginning(claim, self._explanation["kept_from"]), "it began before")
            self._supports[claim["id"]].append(since["id"])
            return
        need(claim.keys().isdisjoint(("statement", "bindings", "step", "through")), "no rule derived it")
        need(not any(self._holds(atom, tick, tick) for tick in range(first, claim["tick"])), "it held since")
        is_first = first in (stream.start, stream.kept_from) or self._holds(atom, first - 1, first - 1)
        need(is_first, "it did not hold before either")

    def _remembering(self, claim: Json, atom: nodes.Atom, ago: int, at: int) -> Remembering:
        """The instance that a claim names, or a part of it."""
        number = checked_statement(self._program, claim["statement"])
        need(number in self._stream.rules, "the statement derives nothing")
        rule = self._stream.rules[number]
        return Remembering(atom, rule, self._known(claim["bindings"], rule, at), ago)

    def _holds(self, atom: nodes.Atom, tick: int, now: int) -> bool:
        """Whether an instance of an atom holds at a tick, seen from another one."""
        rows = self._stream.holding(atom.signature, tick, now)
        functions = self._stream.functions
        return any(match_exactly(atom.arguments, one, {}, functions) is not None for one in rows)

    def _check_input(self, claim: Json, atom: nodes.Atom) -> None:
        tick, until = claim["tick"], self._explanation["tick"]
        if self._stream.is_of_calendar(atom.signature):
            self._check_calendar(claim, atom)
            return
        for one in chain(self._arrivals, self._known_then):
            is_open = one.last is None or (claim["last"] is None and one.last >= until)
            told = one.record, one.tick, None if is_open else one.last
            is_at = one.tick <= tick and (one.last is None or tick <= one.last)
            wanted = claim["record"], claim["first"], claim["last"]
            if told == wanted and is_at and read_atom(one.atom) == atom:
                return
        raise FaultError(f"no such record tells it at tick {tick}")

    def _check_calendar(self, claim: Json, atom: nodes.Atom) -> None:
        """Checks that an atom of the calendar holds from a tick to another one, and no longer."""
        stream, first, last = self._stream, claim["first"], claim["last"]
        need(claim["record"] == CALENDAR_RECORD, f"{atom.signature} is of the calendar")

        def holds(tick: int) -> bool:
            return row(atom.arguments, {}) in stream.given(atom.signature, tick)

        need(last is not None, "the calendar has an end of it")
        is_there = stream.start <= first <= claim["tick"] <= last and all(map(holds, range(first, last + 1)))
        need(is_there, "the calendar does not have it there")
        is_whole = not holds(last + 1) and (first <= stream.kept_from or not holds(first - 1))
        need(is_whole, "the calendar has it before or afterwards as well")

    def _check_lasting(self, claim: Json, viewer: int) -> None:
        """Checks that what a rule derived at a tick is seen from an evaluation."""
        rule, at, stream = self._stream.rules.get(claim["statement"]["number"]), claim["at"], self._stream
        need(rule is not None, "the statement derives nothing")
        is_answered = stream.start <= at <= claim["seen_at"] and stream.has_answer(at)
        need(is_answered, f"nothing was derived at tick {at}")
        is_lasting = stream.is_recorded and rule is not None and not rule.is_temporary
        need(at == viewer or is_lasting, f"what was derived at tick {at} is not seen from {viewer}")

    def _check_derived(self, claim: Json, atom: nodes.Atom, viewer: int, level: int) -> None:
        number, at = checked_statement(self._program, claim["statement"]), claim["at"]
        need(claim["holds"], "a rule cannot tell that an atom does not hold")
        self._check_lasting(claim, viewer)
        rule = self._stream.rules[number]
        need((claim["because"] == "choice") is is_choice(rule), "rules are not choices")
        if claim["because"] == "choice":
            check_costs(self._program, self._stream, claim, at)
        known, condition = self._known(claim["bindings"], rule, at), claim.get("condition", [])
        heads = heads_with(rule, condition)
        need(heads, "the condition in the head has other literals")
        missing = outer_names((*rule.body, *heads[0].condition)) - known.keys()
        need(not missing, f"the variables {', '.join(sorted(missing))} have no values")
        check_calls(self._stream, rule, claim, known)
        derived = atom.signature, row(atom.arguments, {}), claim["tick"]
        made = {one for head in heads for one in self._stream.bodies.derived(head, known)}
        need(derived in made, "the instance has another head")
        body = [named_by(rule, node) for node in claim["body"]]
        need(body == [Required(*one) for one in zip(rule.body, count())], "the body has other literals")
        for node in (*claim["body"], *condition):
            self._check_named(node, named_by(rule, node), rule, known, (claim["id"], level))

    def _check_named(
        self, node: Any, required: Required | None, rule: Rule, known: Bindings, claim: tuple[int, int]
    ) -> None:
        """Checks a literal of a rule that is true with the values of an instance."""
        if required is None:
            raise FaultError(f"the rule does not contain the literal `{node['literal']}` there")
        self._check_literal(node, required, rule, known, claim)

    def _known(self, bindings: Json, rule: Rule, at: int) -> Bindings:
        """The bindings of an instance."""
        heads = [names for one in head_atoms(rule) for names in (one.atom, *one.condition)]
        other = bindings.keys() - variable_names(*heads) - outer_names(rule.body)
        need(not other, f"the rule has no variables {', '.join(sorted(other))}")
        need(all(isinstance(text, str) for text in bindings.values()), "a binding is not text")
        found = {name: read_row(f"v({text})") for name, text in bindings.items()}
        need(all(len(one) == 1 for one in found.values()), "a binding is not a value")
        return {**self._stream.bindings(at), **{name: one for name, (one,) in found.items()}}

    # --- why nothing derived an atom --------------------------------------------------------------------

    def _check_nothing(self, claim: Json, atom: nodes.Atom, level: int) -> None:
        tick, now, stream = claim["tick"], claim["seen_at"], self._stream
        need(not claim["holds"], "something must have derived it")
        check_last_told(claim, atom, stream, self._arrivals, self._explanation["kept_from"])
        check_nearest(claim, atom, self._arrivals, (tick, now))
        source = self._sources.get(atom.signature, "input")
        need(claim.get("defined_by", source) == source, f"its predicate is defined by {source}")
        check_later(self._program, stream, claim, atom)
        possible = {n: [*candidates_for(stream, rule, atom, tick, now)] for n, rule in stream.rules.items()}
        kept_from = self._explanation["kept_from"]
        need(claim.get("rules_from", kept_from) == kept_from, f"rules are known from tick {kept_from} on")
        kept = {n: [one for one in found if one[0] >= kept_from] for n, found in possible.items()}
        need("rules_from" in claim or kept == possible, "rules may have placed it before what is kept")
        candidates = {number: found for number, found in kept.items() if found}
        statements = [shaped(one, "failed")["statement"] for one in claim["rules"]]
        listed = [checked_statement(self._program, one) for one in statements]
        needed = {
            number for number, found in candidates.items() if any(stream.has_answer(at) for at, _, _ in found)
        }
        needed = {number for number in needed if isinstance(self._program.statements[number], Rule)}
        need(len(listed) == len(set(listed)), "a statement is listed twice")
        need(
            needed <= set(listed) <= candidates.keys(),
            f"the rules for it are {places_of(self._program, needed)}",
        )
        for failed, number in zip(claim["rules"], listed, strict=True):
            self._check_failed(failed, stream.rules[number], candidates[number], claim, level)

    def _check_failed(
        self, failed: Json, rule: Rule, candidates: Sequence[Candidate], claim: Json, level: int
    ) -> None:
        at, literal, stream, atom = failed["at"], failed["failed"], self._stream, read_atom(claim["atom"])
        need(any(one[0] == at for one in candidates), f"the rule could not derive it at tick {at}")
        if literal is None and not stream.has_answer(at):
            return
        if "cost" in failed:
            need(literal is None, "only what is chosen has costs")
            check_costs(self._program, stream, failed, at)
        last = None if literal is None else named_by(rule, literal)
        need(last is not None if literal else is_choice(rule), "no literal failed")
        given = self._known(failed["bindings"], rule, at)
        furthest, reached, instance, before, is_last_meant = 0, -1, {}, list[Required](), None
        for tick, head, bound in candidates:
            planned = required_by(stream, rule, head, bound)
            is_meant = partial(unified, stream, head, atom, claim["tick"])
            if stream.has_answer(tick):
                furthest = max(furthest, deepest(stream, rule, planned, bound, is_meant))
            names = bound.keys() & outer_names((*rule.body, *head.condition))
            if tick != at or (last and last not in planned) or any(given.get(n) != bound[n] for n in names):
                continue
            merged = {**bound, **given}
            first = planned[: planned.index(last)] if last else planned
            found = (
                one
                for one in solve(stream, rule, first, merged)
                if one.keys() == merged.keys() and is_meant(one) is not None
            )
            depth = len(first) if last else ALL
            if depth > reached and next(found, None) is not None:
                reached, before, instance, is_last_meant = depth, first, merged, is_meant
        need(reached >= 0, "the literals before the one that failed are not true with these bindings")
        need(reached >= furthest, "another instance gets further")
        has_others, parent = bool(failed.get("others")), (claim["id"], level)
        if last is not None:
            self._check_literal(literal, last, rule, instance, parent, is_last_meant, has_others)
        met = failed.get("met", [])
        needed = [] if has_others else giving(before, last)
        need([named_by(rule, one) for one in met] == needed, "other literals gave the comparison its values")
        for node, required in zip(met, needed, strict=True):
            self._check_named(node, required, rule, instance, parent)
        asked, known_of = (atom, claim["tick"]), partial(self._known, rule=rule, at=at)
        for node, required, other in other_heads(stream, rule, failed, candidates, asked, known_of):
            self._check_named(node, required, rule, other, parent)

    # --- literals ---------------------------------------------------------------------------------------

    def _check_literal(
        self,
        node: Any,
        required: Required,
        rule: Rule,
        instance: Bindings,
        claim: tuple[int, int],
        is_meant: Meant | None = None,
        has_others: bool = False,
    ) -> None:
        """Checks a literal that is true, or one that is false for the instances that are meant.

        Args:
            node: what is told of it.
            required: the literal.
            rule: the rule that it is of.
            instance: the values of variables.
            claim: the number of the claim above, and how many rules stand above that.
            is_meant: which instances; None for a literal that is true.
            has_others: whether other instances are told, with other heads.
        """
        literal, known = required.literal, required.known_to(rule, instance)
        self._check_text(node, literal, known)
        true = self._stream.bodies.extend(literal, known, required.among(rule))
        is_true, holds = any(is_meant is None or is_meant(one) is not None for one in true), is_meant is None
        need(node["holds"] is holds is is_true, f"`{node['literal']}` {does(is_true)}")
        own = {"position", "element", "literal", "written", "holds"}
        atom, keys = getattr(literal, "atom", None), node.keys() - own
        elements = node.get("elements", ())
        claims = [
            *node.get("claims", ()),
            *(one for e in elements for one in shaped(e, "element").get("claims", ())),
        ]
        for one in claims:
            atom_of(one)
            self._waiting.append((one, known["@now"], claim[1] + 1))  # type: ignore[arg-type]
        is_signed = isinstance(literal, nodes.Literal) and literal.sign is not Sign.POSITIVE
        if "undefined" in node:
            is_matched = isinstance(atom, nodes.Atom | nodes.StreamingAtom) and not isinstance(
                atom, nodes.AtMost
            )
            terms = self._stream.bodies.undefined(atom, known) if is_signed or is_matched else ()
            told = {bare(instance_text(term, known)) for term in terms}
            need(
                bare(node["undefined"]) in told and keys == {"undefined"},
                f"`{node['undefined']}` has a value",
            )
        elif isinstance(literal, nodes.ConditionalLiteral) or isinstance(
            atom, nodes.Aggregate | nodes.SetAggregate
        ):
            need(keys <= {"elements", "value"}, "only streaming atoms have windows")
            self._literal_claims.elements(node, literal, known)
        elif isinstance(atom, nodes.Comparison | nodes.Boolean):
            need(keys <= {"value"}, "a comparison rests on nothing")
            if isinstance(atom, nodes.Comparison) and "value" in node:
                values = map(bare, self._literal_claims.comparison_values(atom, known))
                need(bare(node["value"]) in values, "the comparison has other values")
        else:
            need(keys <= {"claims", "window"}, "only aggregates have values and elements")
            self._literal_claims.window(node, literal, known)
            self._literal_claims.check(literal, known, holds, claims, has_others=has_others)
        if not holds or is_signed or isinstance(atom, nodes.AtMost):
            return
        if elements:
            counting = Counting(self._stream, literal, known, elements)
            self._counting.setdefault(claim[0], []).append(counting)
        else:
            self._supports.setdefault(claim[0], []).extend(one["id"] for one in claims if one["holds"])

    def _check_text(self, node: Any, literal: Any, known: Bindings) -> None:
        text = instance_text(literal, known)
        need(bare(shaped(node, "literal")["literal"]) == bare(text), f"`{node['literal']}` is not `{text}`")
        written = instance_text(as_written(literal), known)
        is_same = bare(node.get("written", written)) == bare(written)
        need(is_same, f"`{node.get('written')}` is not `{written}`")
