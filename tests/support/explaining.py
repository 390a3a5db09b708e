"""Explanations made from the naive stream, for the tests of the checker: shallow ones."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from lars2asp.analysis.candidates import candidates_for, unified
from lars2asp.analysis.explanation_shapes import runs_of
from lars2asp.analysis.ground_terms import (
    Bindings,
    instance_text,
    match_all,
    read_atom,
    row,
    term_of,
    text_of,
    value,
    value_text,
)
from lars2asp.analysis.naive_stream import Arrival, is_choice, parts_of
from lars2asp.analysis.predicates import HeadAtom, is_fact
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule, Sign
from lars2asp.syntax.traversal import variable_names
from lars2asp.why_checker import _Checker

Json = dict[str, Any]


class Explaining:
    """Explains atoms, three rules deep."""

    def __init__(self, program: Program, arrivals: Sequence[Arrival], header: Json) -> None:
        self._program, self._arrivals, self._header = program, arrivals, header
        self._checker = _Checker(program, arrivals, header | {"explains": {}}, None)
        self.stream = self._checker._stream

    def explanation(self, atom: str, tick: int, *, deep: int = 3) -> Json:
        """Why an atom holds at a tick, or why it does not."""
        self._ids, self._explained, self._deep = count(1), dict[Any, int](), deep
        return self._header | {"tick": tick, "explains": self._claim(read_atom(atom), tick, tick, 0)}

    def _claim(self, atom: nodes.Atom, tick: int, now: int, depth: int) -> Json:
        holds = self._checker._holds(atom, tick, now)
        text = instance_text(atom, {})
        number = next(self._ids)
        claim: Json = {"id": number, "atom": text, "tick": tick, "seen_at": now, "holds": holds}
        key = text, tick, now
        if key in self._explained:
            return claim | {"because": "seen", "see": self._explained[key]}
        if depth > self._deep:
            return claim | {"because": "depth"}
        claim |= self._why(atom, tick, now, depth) if holds else self._why_not(atom, tick, now, depth)
        if claim["because"] != "depth":
            self._explained[key] = number
        return claim

    def _statement(self, number: int) -> Json:
        source, begin, end = (location := self._program.statements[number].location)
        text = " ".join(source.text[begin:end].split())
        return {"number": number, "source": source.name, "line": location.line, "text": text}

    def _why(self, atom: nodes.Atom, tick: int, now: int, depth: int) -> Json:
        wanted = row(atom.arguments, {})
        for one in self._arrivals:
            if read_atom(one.atom) == atom and one.tick <= tick and (one.last is None or tick <= one.last):
                return {"because": "input", "record": one.record, "first": one.tick, "last": one.last}
        for number, fact in enumerate(self._program.statements):
            if isinstance(fact, Rule) and is_fact(fact) and fact.head == atom:
                return {"because": "background", "statement": self._statement(number)}
        for number, rule in self.stream.rules.items():
            for at, _, _ in candidates_for(self.stream, rule, atom, tick, now):
                if not self.stream.has_answer(at):
                    continue
                for known in self.stream.solutions(rule.body, self.stream.bindings(at)):
                    if (atom.signature, wanted, tick) in set(self.stream.heads(rule, known)):
                        return {
                            "because": "choice" if is_choice(rule) else "rule",
                            "statement": self._statement(number),
                            "bindings": self._said(known),
                            "at": at,
                            "body": [
                                self._literal(i, one, known, at, depth) for i, one in enumerate(rule.body)
                            ],
                        }
        return {"because": "depth"}

    def _why_not(self, atom: nodes.Atom, tick: int, now: int, depth: int) -> Json:
        told = [
            t
            for t in self.stream.told.get(atom.signature, ())
            if match_all(atom.arguments, t.row, {}) is not None
        ]
        last = max((min(int(min(t.last, tick)), tick) for t in told if t.tick <= tick), default=None)
        rules = []
        for number, rule in self.stream.rules.items():
            best: tuple[int, Any, Bindings, int] | None = None
            for at, head, known in candidates_for(self.stream, rule, atom, tick, now):
                if not self.stream.has_answer(at):
                    continue
                planned = self.stream.plan(rule.body, known)
                for reached, one in self._reached(planned, known, head, atom, tick):
                    if best is None or reached > best[0]:
                        best = reached, planned, one, at
            if best is not None:
                reached, planned, one, at = best
                failed = None
                if reached < len(planned):
                    position = next(i for i, other in enumerate(rule.body) if other is planned[reached])
                    failed = self._literal(position, planned[reached], one, at, depth, holds=False)
                rules.append(
                    {
                        "statement": self._statement(number),
                        "bindings": {n: v for n, v in self._said(one).items() if n in variable_names(rule)},
                        "at": at,
                        "failed": failed,
                    }
                )
        return {"because": "nothing", "last_told": last, "rules": rules}

    def _reached(self, planned: Any, known: Bindings, head: HeadAtom, atom: nodes.Atom, tick: int) -> Any:
        waiting = [(0, known)]
        while waiting:
            depth, one = waiting.pop()
            if unified(self.stream, head, atom, tick, one) is not None:
                yield depth, one
                if depth < len(planned):
                    waiting += [(depth + 1, other) for other in self.stream.extend(planned[depth], one)]

    def _said(self, known: Bindings) -> dict[str, str]:
        return {n: value_text(v) for n, v in known.items() if n[0].isupper() or n[0] == "_"}

    def _literal(
        self, position: int, literal: Any, known: Bindings, at: int, depth: int, *, holds: bool = True
    ) -> Json:
        node: Json = {"position": position, "literal": instance_text(literal, known), "holds": holds}
        atom = getattr(literal, "atom", None)
        if isinstance(literal, nodes.ConditionalLiteral):
            found = {
                instance_text(literal.literal, one): self.stream.holds(literal.literal, one)
                for one in self.stream.solutions(literal.condition, known)
            }
            node["elements"] = [{"text": text} for text, is_true in found.items() if holds or not is_true]
            return node
        if isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            texts = self.stream.counted(atom, known).values()
            return node | {
                "value": value_text(self.stream.total(atom, known)),
                "elements": [{"text": text} for text in texts],
            }
        if atom is None or isinstance(atom, nodes.Comparison | nodes.Boolean):
            return node
        plain, window = parts_of(atom)
        look = self.stream.look(atom, at)
        rows = {
            one: ticks
            for one, (ticks, _) in look.rows.items()
            if match_all(plain.arguments, one, known) is not None
        }
        held, ticks = {t for found in rows.values() for t in found}, set(look.ticks)
        if not isinstance(atom, nodes.Atom):
            if isinstance(window, nodes.TupleWindow):
                inside = [one for group in self.stream.groups(plain, window, at, known) for one in group]
                ticks = {one.tick for one in inside}
            node["window"] = {
                "ticks": runs_of(ticks),
                "holds_at": runs_of(held),
                "tuples": isinstance(window, nodes.TupleWindow),
            }
        tick = value(atom.tick, known) if isinstance(atom, nodes.AtTick) else None
        is_true = (holds is not (literal.sign is Sign.NOT)) is not isinstance(atom, nodes.AtMost)
        places = [(one, t) for one, found in rows.items() for t in found if is_true and tick in (None, t)]
        name = f"{'' if plain.is_positive else '-'}{plain.name}"
        claims = [self._claim(read_atom(text_of(name, one)), t, at, depth + 1) for one, t in places[:2]]
        if not is_true and not isinstance(window, nodes.TupleWindow):
            pattern = read_atom(
                instance_text(nodes.Atom(plain.name, self._plain(plain, known), plain.is_positive), known)
            )
            open_ticks = [t for t in sorted(ticks - held) if tick in (None, t)]
            claims = [self._claim(pattern, t, at, depth + 1) for t in open_ticks[:1]]
        return node | ({"claims": claims} if claims else {})

    def _plain(self, atom: nodes.Atom, known: Bindings) -> tuple[nodes.Term, ...]:
        """The arguments, worked out where they have values."""
        values = [(term, value(term, known)) for term in atom.arguments]
        return tuple(term if found is None else term_of(found) for term, found in values)
