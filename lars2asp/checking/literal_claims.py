"""What the claims of an explanation must be for a literal that is true, or is not.

A positive literal that is true needs the ticks at which one atom holds: of those that count at least
`MOST_TICKS`. One that is not true needs a tick of its window at which no instance of its atom holds, if there
is one, else a tick at which the instance that holds most often does not. Under `not` it is the other way
round. An interval or an `@`-call stands for several literals, of which one must be true, or none.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lars2asp.analysis.predicates import HeadAtom, needs_whole_window
from lars2asp.checking.candidates import unified
from lars2asp.checking.explanation_shapes import Json, atom_of, bare, need, runs_of, shaped, turns
from lars2asp.definition.matching import match, match_exactly
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import (
    Bindings,
    Row,
    instance_text,
    is_multiple,
    row,
    term_of,
    value,
    value_text,
    written_out,
)
from lars2asp.definition.windows import Seen, parts_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Term
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every, variable_names, walk

MOST_TICKS = 3
"""Of more ticks only so many need claims."""

Check = Callable[[Sequence[Json]], None]
"""Raises FaultError if claims are not as they must be."""


class LiteralClaims:
    """Holds the claims about literals to a stream."""

    def __init__(self, stream: NaiveStream) -> None:
        self._stream = stream

    def check(
        self,
        literal: nodes.Literal,
        known: Bindings,
        holds: bool,
        claims: Sequence[Json],
        *,
        has_others: bool = False,
    ) -> None:
        """Checks the claims about a literal that is true, or is not. Raises FaultError.

        Args:
            literal: the literal.
            known: the values of variables.
            holds: whether it is true.
            claims: what it rests on.
            has_others: whether instances with other heads are told, for which it may be true: then nothing
                need say why it is not.
        """
        atom = literal.atom
        if needs_whole_window(literal) and not self._stream.bodies.is_whole(atom, known):
            need(not holds, "its window is not whole")
            need(not claims, "what has no whole window rests on nothing")
            return
        if has_others and not (holds or claims) and self._stream.bodies.holds(literal, known):
            return
        if isinstance(atom, nodes.Comparison | nodes.Boolean):
            need(not claims, "a comparison rests on nothing")
            return
        is_affirmed = holds is not (literal.sign is Sign.NOT)
        is_signed = literal.sign is not Sign.POSITIVE
        if is_signed and self._stream.bodies.undefined(atom, known):
            need(not claims, "what has no value rests on nothing")
            return
        several = [part for part in walk(atom) if is_multiple(part)]
        is_whole = is_signed or not variable_names(*several) - known.keys()
        instances = [*written_out(atom, known, self._stream.functions)] if is_whole else []

        def checked(one: Any) -> Check:
            return lambda found: (self._affirmed if is_affirmed else self._denied)(one, known, found)

        if not holds:  # each instance is not true
            turns([checked(one) for one in instances or [atom]], claims)
            return
        choices = [one for one in instances or [atom] if self._is_true(one, known) is is_affirmed]
        turns([checked(one) for one in choices], claims, any_of=True)

    def elements(self, node: Json, literal: Any, known: Bindings) -> None:
        """Checks the elements that count in an aggregate, or the instances of a conditional literal."""
        self._listed(node, literal, known)
        holds = node["holds"] or not isinstance(literal, nodes.ConditionalLiteral)
        for element in node.get("elements", ()):
            bodies = self._stream.bodies
            is_any = isinstance(literal, nodes.ConditionalLiteral) and holds
            checks = [
                self._in_turn(each, one, holds)
                for text, literals, one in self._stream.bodies.elements(literal, known)
                if bare(text) == bare(element["text"])
                for each in (
                    [(other,) for other in literals if bodies.holds(other, one)] if is_any else [literals]
                )
            ]
            turns(checks, element.get("claims", ()), any_of=True)
            adds = self._adds(getattr(literal, "atom", None), element["text"])
            need(element.get("adds", True) is adds, f"`{element['text']}` does {'' if adds else 'not '}count")

    def _adds(self, aggregate: Any, text: str) -> bool:
        """Whether the value of an aggregate depends on a tuple; others than numbers add nothing to sums."""
        function = getattr(aggregate, "function", "")
        if function not in ("#sum", "#sum+"):
            return True
        weight = text.partition(",")[0]
        is_number = weight.removeprefix("-").isdecimal()
        return is_number and (int(weight) > 0 or (int(weight) < 0 and function == "#sum"))

    def _in_turn(self, literals: Sequence[nodes.Literal], known: Bindings, holds: bool) -> Check:
        checks = [self._of(one, known, holds) for one in literals]
        return lambda claims: turns(checks, claims)

    def _of(self, literal: nodes.Literal, known: Bindings, holds: bool) -> Check:
        return lambda claims: self.check(literal, known, holds, claims)

    def window(self, node: Json, literal: nodes.Literal, known: Bindings) -> None:
        """Checks the window of a streaming atom."""
        atom: Any = literal.atom
        plain, window = parts_of(atom)
        now: Any = known["@now"]
        if isinstance(atom, nodes.Atom):
            need("window" not in node, "only streaming atoms have windows")
            return
        need("window" in node, "streaming atoms have windows")
        ticks, is_tuple = self._ticks(atom, known), isinstance(window, nodes.TupleWindow)
        held = set[int]().union(*(seen.ticks for seen in self.rows(atom, known).values()))
        if isinstance(window, nodes.SinceWindow):
            held &= ticks
        told, windows = shaped(node["window"], "window"), [runs_of(ticks)]
        if isinstance(window, nodes.TupleWindow):
            groups = self._stream.windows.groups(plain, window, now, known)
            inside = [one for group in groups for one in group]
            covered = {tick for tick in ticks if any(one.covers(tick) for one in inside)}
            windows = [runs_of({one.tick for one in inside}), runs_of(covered)]
        need(told["ticks"] in windows, f"the window has the ticks {windows[0]}")
        of = instance_text(plain, known)
        need(bare(told.get("of", of)) == bare(of), f"the window is of `{of}`")
        need(told["tuples"] is is_tuple, "tuple windows, and no others, count arrivals")
        need(told["holds_at"] == runs_of(held), f"it holds at {runs_of(held)}")

    def _ticks(self, atom: Any, known: Bindings) -> set[int]:
        """The ticks of the window of a (streaming) atom; of `[since b]` those for what is known."""
        now: Any = known["@now"]
        window = parts_of(atom)[1]
        if isinstance(window, nodes.SinceWindow):
            return {*self._stream.windows.ticks_since(window, now, known)}
        return set(self._stream.look(atom, now).ticks)

    def _listed(self, node: Json, literal: Any, known: Bindings) -> None:
        """Checks which elements count in an aggregate, or which instances a conditional literal has."""
        bodies, elements = self._stream.bodies, node.get("elements", ())
        if isinstance(literal, nodes.ConditionalLiteral):
            instances = bodies.elements(literal, known)
            holding = {
                bare(text): any(bodies.holds(alternative, one) for alternative in alternatives)
                for text, alternatives, one in instances
            }
            need("value" not in node, "a conditional literal has no value")
        else:
            holding = dict.fromkeys(map(bare, bodies.counted(literal.atom, known).values()), True)
            number = bare(value_text(bodies.total(literal.atom, known)))
            need(bare(node.get("value", "")) == number, f"the value of the aggregate is {number}")
        told = [bare(one["text"]) for one in elements]
        is_once = len(set(told)) == len(told) and set(told) <= holding.keys()
        need(is_once, f"the elements are {sorted(holding)}")
        failing = isinstance(literal, nodes.ConditionalLiteral) and not node["holds"]
        need(len(told) == len(holding) or failing, f"the elements are {sorted(holding)}")
        is_shown = bool(told) and not any(holding[text] for text in told)
        need(not failing or is_shown, "no instance is shown that fails")

    def rows(self, atom: Any, known: Bindings) -> dict[Row, Seen]:
        """The instances of the atom of a (streaming) atom that hold somewhere in its window."""
        plain, now = parts_of(atom)[0], known["@now"]
        return {
            found: seen
            for found, seen in self._stream.look(atom, now).rows.items()  # type: ignore[arg-type]
            if match_exactly(plain.arguments, found, known, self._stream.functions) is not None
        }

    def comparison_values(self, atom: nodes.Comparison, known: Bindings) -> set[str]:
        """What may be told of the values of the sides of a comparison."""
        found = {""}
        for side in (atom.term, *(guard.term for guard in atom.guards)):
            values = {value(one, known) for one in written_out(side, known, self._stream.functions)}
            (one,) = values if len(values) == 1 else [None]
            if one is not None:
                found |= {f"{text}, {value_text(one)}" if text else value_text(one) for text in found}
        return found

    def _is_true(self, atom: Any, known: Bindings) -> bool:
        return next(self._stream.bodies.extend(nodes.Literal(atom), known), None) is not None

    # --- true -----------------------------------------------------------------------------------------

    def _affirmed(self, atom: Any, known: Bindings, claims: Sequence[Json]) -> None:
        """Checks that claims are about one atom, at ticks for which the (streaming) atom is true of it."""
        rows, text = self.rows(atom, known), instance_text(atom, known)
        if isinstance(atom, nodes.AtMost):
            self._most(atom, known, claims)
            return
        need(claims, f"no claim supports `{text}`")
        need(all(claim["holds"] for claim in claims), f"a claim does not support `{text}`")
        at = [claim["tick"] for claim in claims]
        (one, *others) = {self._row(claim, atom) for claim in claims}
        need(not others, f"the claims about `{text}` are about several atoms")
        seen = rows.get(one)
        need(seen is not None, f"`{claims[0]['atom']}` does not make `{text}` true")
        arguments = parts_of(atom)[0].arguments
        found, needed = match_exactly(arguments, one, known, self._stream.functions) or known, 1
        ticks = set(seen.ticks if seen else ())
        match atom:
            case nodes.AtTick():
                ticks = {tick for tick in ticks if match(atom.tick, tick, found) is not None}
            case nodes.Box():
                ticks, needed = set(seen.span if seen else ()), len(seen.span if seen else ())
                need(seen and seen.is_always, f"`{claims[0]['atom']}` does not hold at all ticks")
            case nodes.AtLeast():
                least = value(atom.number, known)
                needed = least if isinstance(least, int) else 1
                need(1 <= needed <= len(ticks), f"`{claims[0]['atom']}` does not hold often enough")
            case nodes.Count():
                needed = len(ticks)
                need(match(atom.number, needed, found) is not None, f"`{text}` counts another atom")
        need(set(at) <= ticks, f"`{claims[0]['atom']}` is not in the window at tick {at}")
        self._enough(at, needed, text)

    def _row(self, claim: Json, atom: Any) -> Row:
        """The arguments of the atom of a claim, which must be of the predicate of a (streaming) atom."""
        one = atom_of(claim)
        is_about = one.signature == parts_of(atom)[0].signature
        need(is_about, f"`{claim['atom']}` is not an instance of the atom of `{to_text(atom)}`")
        return row(one.arguments, {}) or ()

    def _enough(self, at: Sequence[int], needed: int, text: str) -> None:
        need(len(set(at)) == len(at), f"the same tick is told of twice for `{text}`")
        need(len(at) >= min(needed, MOST_TICKS), f"`{text}` needs {needed} ticks")

    def _most(self, atom: nodes.AtMost, known: Bindings, claims: Sequence[Json]) -> None:
        """Checks that claims are about the ticks of the atom that holds most often, if one does at all."""
        rows, text = self.rows(atom, known), instance_text(atom, known)
        most = max((len(seen.ticks) for seen in rows.values()), default=0)
        if not most:
            self._gaps(atom, known, claims)
            return
        need(all(claim["holds"] for claim in claims), f"a claim does not support `{text}`")
        found = {self._row(claim, atom) for claim in claims}
        need(len(found) == 1, f"no claim supports `{text}`")
        seen = rows.get(min(found))
        need(seen and len(seen.ticks) == most, f"`{text}`: another atom holds more often")
        at = [claim["tick"] for claim in claims]
        need(seen and set(at) <= set(seen.ticks), f"`{claims[0]['atom']}` is not in the window at tick {at}")
        self._enough(at, most, text)

    # --- not true -------------------------------------------------------------------------------------

    def _denied(self, atom: Any, known: Bindings, claims: Sequence[Json]) -> None:
        """Checks that claims say why a (streaming) atom is not true."""
        if isinstance(atom, nodes.AtMost):
            self._most(atom, known, claims)
        else:
            self._gaps(atom, known, claims)

    def _gaps(self, atom: Any, known: Bindings, claims: Sequence[Json]) -> None:
        plain, window = parts_of(atom)
        now: Any = known["@now"]
        rows, text = self.rows(atom, known), instance_text(atom, known)
        ticks, ats = self._ticks(atom, known), None
        if isinstance(atom, nodes.AtTick) and all(
            one.name in known for one in every(nodes.Variable, atom.tick)
        ):
            ats = {value(one, known) for one in written_out(atom.tick, known, self._stream.functions)}
            ticks = {tick for tick in ticks if tick in ats}
        if isinstance(window, nodes.TupleWindow) and not rows and ats is None:
            self._arrived_instead(plain, window, known, claims, text)
            return
        holding = {found: ticks & set(seen.ticks) for found, seen in rows.items()}
        if isinstance(window, nodes.TupleWindow):  # what holds by no arrival is not a gap
            if ats is None:
                ticks = set()
            holding = {
                found: {tick for tick in ticks if found in self._stream.holding(plain.signature, tick, now)}
                for tick_ in ticks
                for found in self._stream.holding(plain.signature, tick_, now)
                if match_exactly(plain.arguments, found, known, self._stream.functions) is not None
            }
        gaps = ticks.difference(*holding.values())
        most = max(map(len, holding.values()), default=0)
        partly = {found: ticks - at for found, at in holding.items() if len(at) == most}
        need(not any(claim["holds"] for claim in claims), f"a claim does not say why `{text}` is not true")
        for claim in claims:
            self._row(claim, atom)
            one = atom_of(claim)
            ground = row(one.arguments, {})
            is_pattern = _pattern_text(one, {}) == _pattern_text(plain, known)
            missing = gaps if is_pattern and gaps else partly.get(ground or (), set()) if not gaps else set()
            is_instance = unified(self._stream, HeadAtom(plain), one, now, known) is not None
            need(is_instance or is_pattern, f"`{claim['atom']}` is not an instance of the atom of `{text}`")
            need(
                claim["tick"] in missing,
                f"`{claim['atom']}` at tick {claim['tick']} says nothing of `{text}`",
            )
        needed = gaps.union(*partly.values())
        if isinstance(window, nodes.TupleWindow):  # whether it held by another arrival may be known no longer
            needed = {tick for tick in needed if tick >= self._stream.kept_from}
        need(claims or not needed, f"no claim says why `{text}` is not true")

    def _arrived_instead(
        self, atom: nodes.Atom, window: nodes.TupleWindow, known: Bindings, claims: Sequence[Json], text: str
    ) -> None:
        """Checks that claims are about the last arrivals in a tuple window."""
        now: Any = known["@now"]
        inside = [
            (one.signature, one.row, one.tick)
            for group in self._stream.windows.groups(atom, window, now, known)
            for one in group
            if one.row in self._stream.holding(one.signature, one.tick, now)
        ]
        told = [
            (one.signature, row(one.arguments, {}), claim["tick"])
            for claim in claims
            if (one := atom_of(claim)) and claim["holds"]
        ]
        need(
            sorted(told, key=str) == sorted(inside[-MOST_TICKS:], key=str),
            f"the claims are not about the last arrivals in the window of `{text}`",
        )


def _pattern_text(atom: nodes.Atom, known: Bindings) -> str:
    """The text of an atom with the values of the terms that have one."""

    def changed(term: Term) -> Term:
        found = value(term, known)
        if found is not None:
            return term_of(found)
        match term:
            case nodes.Function(arguments=arguments) | nodes.Tuple(arguments):
                return replace(term, arguments=tuple(map(changed, arguments)))
            case nodes.UnaryOperation(argument=argument) | nodes.Absolute(argument):
                return replace(term, argument=changed(argument))
            case nodes.BinaryOperation(_, left, right):
                return replace(term, left=changed(left), right=changed(right))
        return term

    return to_text(nodes.Atom(atom.name, tuple(map(changed, atom.arguments)), atom.is_positive))
