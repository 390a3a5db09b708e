"""A split as text: how a program would be distributed, and why not further."""

from collections.abc import Iterable, Iterator

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.keys import ordinal
from lars2asp.splitting.parts import Part, Split, place
from lars2asp.syntax.nodes import Rule, Signature

MOST_SHOWN = 40
"""The number of lines of a part, and of remarks, that are listed at most."""


def split_text(split: Split) -> str:
    """What `compile --split` prints."""
    parts, levels = len(split.parts), split.levels
    lines = [f"{parts} part{'s' * (parts > 1)} in {levels} level{'s' * (levels > 1)}"]
    failed = frozenset(part.failed for part in split.parts if part.failed)
    for part in split.parts:
        lines += ["", f"part {part.number}", *(f"  {line}" for line in _part(part, failed))]
    copied = [f"{signature} by parts {_numbers(readers)}" for signature, readers in split.duplicated.items()]
    if copied:
        lines += ["", f"read by several parts: {', '.join(copied)}"]
    if split.remarks:
        lines += ["", *map(str, split.remarks[:MOST_SHOWN])]
        if len(split.remarks) > MOST_SHOWN:
            lines.append(f"... and {len(split.remarks) - MOST_SHOWN} more remarks")
    return "\n".join(lines) + "\n"


def _part(part: Part, failed: frozenset[Signature]) -> Iterator[str]:
    is_gate = bool(part.listens & failed)
    analysis = ProgramAnalysis(part.program)
    derived, rules = frozenset(analysis.derived), analysis.rules
    if part.level:
        yield f"level {part.level}"
    if derived:
        yield f"derives {_listed(derived, part)}"
    if rules and not is_gate:
        yield f"rules: {_lines(rules)}"
    if part.reads_all:
        yield "reads the whole input"
    elif part.reads - derived:
        yield f"reads {_listed(part.reads - derived, part)}"
    if part.listens:
        yield f"listens to {_listed(part.listens - failed, part)}"
    if part.failed or is_gate:
        yield (
            "may have no answer stream" if part.failed else "has no answer stream where a part below has none"
        )
    if part.outputs:
        yield f"gives {', '.join(map(str, sorted(part.outputs)))}"
    if part.hands_on - failed:
        yield f"hands on {', '.join(map(str, sorted(part.hands_on - failed)))}"
    yield "in buckets of keys" if part.is_keyed else "in one bucket"


def _listed(signatures: Iterable[Signature], part: Part) -> str:
    return ", ".join(_distributed(signature, part) for signature in sorted(signatures))


def _distributed(signature: Signature, part: Part) -> str:
    if not part.is_keyed:
        return str(signature)
    key = part.keys.get(signature)
    if key is None:
        return f"{signature} in every bucket"
    through = " and ".join(f"argument {n.found + 1} of {n.table} for {n.given + 1}" for n in key.lookups)
    return f"{signature} by its {ordinal(key.position)} argument" + (f" through {through}" if through else "")


def _lines(rules: Iterable[Rule]) -> str:
    places = dict.fromkeys(place(rule.location) for rule in rules)
    files = {text.rpartition(":")[0] for text in places}
    texts = list(places)
    if len(files) == 1:
        (file,) = files
        texts = [f"{file}:{texts[0].rpartition(':')[2]}", *(t.rpartition(":")[2] for t in texts[1:])]
    more = f", ... ({len(texts)} in all)" if len(texts) > MOST_SHOWN else ""
    return ", ".join(texts[:MOST_SHOWN]) + more


def _numbers(parts: tuple[Part, ...]) -> str:
    numbers = [str(part.number) for part in parts]
    return f"{', '.join(numbers[:-1])} and {numbers[-1]}"
