"""Splits a program into parts that several reasoners can run."""

from collections.abc import Iterator, Sequence

from lars2asp.analysis.predicates import all_predicates
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.input_graph import input_components, input_dependencies
from lars2asp.splitting.parts import Key, Part, Remark, Split
from lars2asp.splitting.rule_groups import (
    RuleGroup,
    independent_groups,
    joined_by_input,
    layered_groups,
    levels_of,
)
from lars2asp.splitting.splittable_program import SplittableProgram
from lars2asp.splitting.wholeness import why_later_ticks_see_it, why_uncertain, why_whole
from lars2asp.syntax.nodes import (
    Atom,
    Calendar,
    Declaration,
    Held,
    Literal,
    Program,
    Rule,
    Semantics,
    Show,
    Signature,
    Variable,
)


def split(program: Program, semantics: Semantics, *, by_key: bool = True, pipelined: bool = False) -> Split:
    """The parts of a checked program.

    The parts together, each with the input that it reads and listens to, give the output of the program at
    every tick, if all of them start at the same tick (see Part for which atoms of a bucket's answer count).
    Where there may be several answer streams, or none, those of the program combine those of the parts.

    Args:
        program: as the compiler's passes leave it.
        semantics: how windows over derived predicates are read.
        by_key: whether parts are for buckets of keys, where that is possible.
        pipelined: whether parts may listen to others; else each reads the input alone.
    """
    analysis = ProgramAnalysis(program)
    reasons = why_whole(analysis)
    uncertain = why_uncertain(analysis, semantics) if not reasons else ()
    if uncertain:
        reasons = why_later_ticks_see_it(analysis)
    if reasons or (uncertain and not by_key):
        return Split((whole(program),), uncertain + reasons)
    splittable = SplittableProgram(analysis, semantics, is_certain=not uncertain)
    in_layers = pipelined and not uncertain
    groups = (layered_groups if in_layers else independent_groups)(splittable, by_key=by_key)
    groups = _show_underived(splittable, joined_by_input(groups), by_key=by_key)
    levels = levels_of(groups)
    groups = sorted(groups, key=lambda group: (levels[group], not group.keys, group.place))
    if not groups:
        return Split((whole(program),), (Remark("nothing is shown"),))
    parts, remarks = (
        list(_parts(splittable, groups)),
        tuple(_remarks(splittable, groups, pipelined=pipelined)),
    )
    if not uncertain:
        return Split(tuple(parts), remarks)
    if not any(part.is_keyed for part in parts):
        return Split((whole(program),), uncertain + remarks)
    return Split((*parts, _gate(splittable, parts)), remarks)


def whole(program: Program) -> Part:
    """A program as one part."""
    named = frozenset(all_predicates(program))
    return Part(0, 0, program, named, True, frozenset(), {}, ProgramAnalysis(program).shown, frozenset())


def _show_underived(
    splittable: SplittableProgram, groups: list[RuleGroup], *, by_key: bool
) -> list[RuleGroup]:
    """Each predicate that is shown without a rule for it is shown by a group that looks at it, or alone."""
    depth = levels_of(groups)
    for signature in sorted(splittable.shown - set(splittable.derived)):
        readers = [group for group in groups if signature in group.named]
        if readers:
            reader = min(readers, key=lambda group: (signature not in group.keys.of, depth[group]))
            reader.shown_only.append(signature)
        else:
            groups = [*groups, alone := RuleGroup(splittable, (), by_key, [signature])]
            depth[alone] = 0
    return groups


def _parts(splittable: SplittableProgram, groups: list[RuleGroup]) -> Iterator[Part]:
    levels = levels_of(groups)
    output: set[Signature] = set()  # of several groups with the same rules one outputs what they derive
    heard = frozenset(signature for group in groups for signature in group.listens)
    for number, group in enumerate(groups):
        members = frozenset(group.members) - splittable.made
        outputs = (members & splittable.shown | frozenset(group.shown_only)) - output
        output |= outputs
        hands_on = members & heard
        reads = frozenset(group.named) - splittable.made - group.listens | members
        failed = None
        if not splittable.is_certain:  # what is output goes through the gate
            outputs, hands_on = frozenset(), outputs
            failed = None if group.is_certain else _failed(splittable)
        program = splittable.part_of(group.rules, reads, outputs | hands_on, group.listens)
        keys = {s: key for s, key in group.keys.of.items() if s in reads or s in group.listens}
        yield Part(
            number,
            levels[group],
            program,
            reads,
            group.counts_all,
            group.listens,
            keys,
            outputs,
            hands_on | ({failed} if failed else set()),
            failed,
        )


def _failed(splittable: SplittableProgram) -> Signature:
    return Signature(splittable.names.failed, 1)


def _gate(splittable: SplittableProgram, parts: Sequence[Part]) -> Part:
    """The part that outputs what the others hand on, and has no answer stream where one of them has none.

    So the answer streams of the whole are the combinations of those of the parts and their buckets.
    """
    failed = _failed(splittable)
    outputs = frozenset(signature for part in parts for signature in part.hands_on) - {failed}
    keys = {
        s: Key(part.keys[s].position if s in part.keys else 0)
        for part in parts
        for s in part.hands_on
        if s.arity
    }
    del keys[failed]
    constraint = Rule(None, (Literal(Atom(failed.name, (Variable("_"),))),))
    shared = (
        s
        for s in splittable.program.statements
        if isinstance(s, Declaration) and not isinstance(s, Show | Held | Calendar)
    )
    shows = tuple(map(Show, sorted(outputs))) or (Show(),)
    own = Program((*shared, constraint, *shows), splittable.program.sources)
    level = 1 + max(part.level for part in parts)
    return Part(len(parts), level, own, frozenset(), False, outputs | {failed}, keys, outputs, frozenset())


def _remarks(splittable: SplittableProgram, groups: list[RuleGroup], *, pipelined: bool) -> Iterator[Remark]:
    edges = list(input_dependencies(splittable))
    for edge in edges:
        yield Remark(f"{edge.one} meets {edge.other}", edge.rule.location)
    for members in input_components(splittable, edges):
        if len(members) > 1:
            yield Remark(f"connected by that: {', '.join(map(str, sorted(members)))}")
    if pipelined and splittable.is_strict and any(len(group.members) > 1 for group in groups):
        yield Remark("with strict semantics what is derived is not handed on, so that groups stay whole")
    if pipelined and not splittable.is_certain:
        yield Remark(
            "with choices or constraints what is derived is not handed on, so that groups stay whole"
        )
    if not pipelined and splittable.is_certain:
        yield from _proposal(splittable, groups)
    for number, group in enumerate(groups):
        for reason in group.keys.reasons:
            yield Remark(f"part {number}: {reason.text}", reason.location)
    for rule in splittable.idle:
        yield Remark("nothing that is shown depends on this rule", rule.location)


def _proposal(splittable: SplittableProgram, groups: Sequence[RuleGroup]) -> Iterator[Remark]:
    """Proposes levels, where more would have keys then."""
    without = {s for group in groups if group.by_key and not group.keys for s in group.members}
    layers = layered_groups(splittable, by_key=True) if len(without) > 1 else []
    levels = 1 + max(levels_of(layers).values(), default=0)
    known = splittable.background.union(splittable.derived)
    gaining = (group for group in layers if group.keys and group.named.keys() - known)
    able = sorted(without.intersection(s for group in gaining for s in group.members))
    if able and levels > 1:
        names = ", ".join(map(str, able))
        yield Remark(f"split with `pipelined`, buckets of keys would have {names}, in {levels} levels")
