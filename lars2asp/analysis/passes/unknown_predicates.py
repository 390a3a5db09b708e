"""The pass that warns of predicates that no rule, fact or declaration makes true.

Most programs declare no input, so that a predicate that nothing derives is input. It is told only if other
things speak against that: what the program derives has another arity or one other letter, it declares other
input, or other systems have the name for something that is not a predicate here.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import chain

from lars2asp.analysis.argument_types.declared_types import type_declarations
from lars2asp.analysis.calendar_atoms import calendar_predicates
from lars2asp.analysis.passes.foreign_predicates import meant_by
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics, Edit
from lars2asp.syntax.nodes import Atom, Program, Rule, Signature
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every, walk

MOST_GUESSED = 20
"""The number of unknown names for which a similar one is looked for, which takes time in a long program."""

SHORTEST_GUESSED = 4
"""Names of fewer letters are like many others."""


def check_predicates(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of predicates that nothing makes true, and of those that are shown or held and do not occur."""
    program = analysis.program
    inputs = {Signature(s.predicate, len(s.columns)) for s in program.every(nodes.Input)}
    defined = {defined.signature for defined in program.every(nodes.Defined)}
    held = {one.predicate for one in program.every(nodes.Held)} | calendar_predicates(program)
    known = {*analysis.derived, *analysis.facts, *analysis.externals, *defined, *inputs, *held}
    by_name: dict[str, set[Signature]] = {}
    for signature in known:
        by_name.setdefault(signature.name, set()).add(signature)
    used = _used(program)
    told = defined.intersection(used) - {*analysis.derived, *analysis.facts, *analysis.externals}
    unknown = [signature for signature in used if signature not in known]
    is_declared = bool(inputs) or len(unknown) <= sum(one.is_positive for one in told)
    with_types = {Signature(s.predicate, len(s.places)) for s in type_declarations(program)}
    streamed = {id(one.atom) for one in analysis.streaming_atoms}  # what has a window is not a comparison
    spelling = _Spelling()
    for signature in unknown:
        atom = used[signature][0]
        others = {o for o in by_name.get(signature.name, ()) if o.arity != signature.arity}
        plain = [each for each in used[signature] if id(each) not in streamed]
        if _mean_something_elsewhere(plain, by_name, diagnostics):
            continue
        if others:
            diagnostics.warning(
                atom.location,
                f"no rule or input has {signature}, only {' and '.join(map(str, sorted(others)))}",
                f"correct the number of arguments; if the input has {signature}, write #defined {signature}.",
                code=codes.OTHER_ARITY,
            )
        elif is_declared:
            near = spelling.near(signature.name, by_name, 0.6)
            diagnostics.warning(
                atom.location,
                f"no rule derives {signature}, and no {'#input' if inputs else '#defined'} declares it",
                f"did you mean {near}?" if near else f"if the input has it, write #defined {signature}.",
                edit=_renamed(atom, near),
                code=codes.UNKNOWN_PREDICATE,
            )
        elif signature not in with_types:
            alike = spelling.one_letter_away(signature, known | with_types)
            if alike is not None:
                diagnostics.warning(
                    atom.location,
                    f"no rule derives {signature}",
                    f"did you mean {alike}? If the input has {signature}, write #defined {signature}.",
                    edit=_renamed(atom, alike.name),
                    code=codes.UNKNOWN_PREDICATE,
                )
    for show in program.every(nodes.Show):
        shown = show.signature
        if shown and shown not in known and shown not in used:
            near = spelling.near(str(shown), map(str, chain(known, used)), 0.7)
            diagnostics.warning(
                show.location,
                f"#show {shown}: the program has no such predicate",
                f"did you mean {near}?" if near else "check the spelling",
                code=codes.UNKNOWN_SHOWN,
            )
    looked_at = {*used, *analysis.shown, *inputs}
    for one in program.every(nodes.Held):
        if one.predicate not in looked_at:
            near = spelling.near(str(one.predicate), map(str, looked_at), 0.7)
            diagnostics.warning(
                one.location,
                f"#held {one.predicate}: the program has no such predicate",
                f"did you mean {near}?" if near else "check the spelling",
                code=codes.UNKNOWN_HELD,
            )


def unknown_predicates(analysis: ProgramAnalysis) -> frozenset[Signature]:
    """The predicates of which `check_predicates` warns that nothing makes them true."""
    told = Diagnostics()
    check_predicates(analysis, told)
    places = {one.location for one in told.found}
    atoms = every(Atom, *analysis.program.but_plain_facts)
    return frozenset(atom.signature for atom in atoms if atom.location in places)


def _renamed(atom: Atom, name: str | None) -> Edit | None:
    """Another name in the place of an atom's."""
    if name is None:
        return None
    source, begin, end = atom.location
    begin = source.text.index(atom.name, begin, end)
    return Edit(Location(source, begin, begin + len(atom.name)), name)


def _mean_something_elsewhere(
    atoms: Iterable[Atom], known: Mapping[str, object], diagnostics: Diagnostics
) -> bool:
    """Whether other systems mean something by atoms, each of which is then told."""
    found = [(atom, meant) for atom in atoms if (meant := meant_by(atom, known)) is not None]
    for atom, meant in found:
        signature = atom.signature
        diagnostics.warning(
            atom.location,
            f"{signature} is an ordinary predicate here, and nothing derives it: "
            f"{meant.kind} written differently",
            f"write {meant.text}; if the input has {signature}, write #defined {signature}.",
            edit=Edit(atom.location, meant.text) if meant.is_whole else None,
            code=codes.FOREIGN_PREDICATE,
        )
    return bool(found)


class _Spelling:
    """Finds names like those that are not known, for the first of these."""

    def __init__(self) -> None:
        self._left = MOST_GUESSED

    def near(self, name: str, known: Iterable[str], cutoff: float) -> str | None:
        """The known name that is most like a name; None where none is, and when enough were looked for."""
        self._left -= 1
        found = get_close_matches(name, sorted(set(known)), 1, cutoff) if self._left >= 0 else []
        return found[0] if found else None

    def one_letter_away(self, signature: Signature, known: Iterable[Signature]) -> Signature | None:
        """A known predicate of the same arity whose name is another with a letter put right."""
        self._left -= 1
        if self._left < 0:
            return None
        others = (one for one in known if one == signature._replace(name=one.name))
        return min((one for one in others if _is_one_slip(signature.name, one.name)), default=None)


def _is_one_slip(one: str, other: str) -> bool:
    """Whether one letter is changed, left out or put in, or two are in the other order.

    Digits tell names apart on purpose, and so does a last letter that is only there in one, as of a plural.
    """
    longer = max(one, other, key=len)
    if len(longer) < SHORTEST_GUESSED or abs(len(one) - len(other)) > 1 or one == other:
        return False
    begin = 0
    while begin < min(len(one), len(other)) and one[begin] == other[begin]:
        begin += 1
    end = 0
    while end < min(len(one), len(other)) - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    left, right = one[begin : len(one) - end], other[begin : len(other) - end]
    is_ending = len(one) != len(other) and not end and longer[-1] != longer[-2]
    if is_ending or not (left + right).isalpha():
        return False
    if len(left) == len(right) == 2:
        return left == right[::-1]
    return len(left) <= 1 and len(right) <= 1 and (len(one) != len(other) or len(one) > SHORTEST_GUESSED)


def _used(program: Program) -> dict[Signature, list[Atom]]:
    """The predicates of bodies and conditions, with the atoms, in the order of the text."""
    found: dict[Signature, list[Atom]] = {}
    for statement in program.but_plain_facts:
        heads = set()
        if isinstance(statement, Rule):
            heads = {id(head.atom) for head in head_atoms(statement)}
        for node in walk(statement):
            if isinstance(node, Atom) and id(node) not in heads:
                found.setdefault(node.signature, []).append(node)
    return found
