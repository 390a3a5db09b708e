"""A proposal proves itself: what its declarations do with the whole input, by the readers of `run`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import NamedTuple

from lars2asp.compiler import checked_program, compile_plan
from lars2asp.runtime.sources.account import Accounts
from lars2asp.runtime.sources.first_time import find_first_time
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import PassedOver, Rejected
from lars2asp.runtime.sources.survey.table_survey import duration_text
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.source import Source

MOST_TOLD = 3
"""So many records that give no facts are named."""


class Proof(NamedTuple):
    """What came of the records of inputs.

    Attributes:
        lines: what is said of it.
        is_right: whether none was rejected or came late.
        records: the number of records of each input.
        without_fact: the number of records that a declaration fits, and that gave no fact.
    """

    lines: Sequence[str]
    is_right: bool
    records: Sequence[int]
    without_fact: int


def proof_of(text: str, paths: Sequence[str], reading: Reading, *, advises_lateness: bool) -> Proof:
    """What becomes of all records of inputs that a proposal reads.

    Args:
        text: the proposal.
        paths: the inputs.
        reading: what is known of how they are written.
        advises_lateness: whether `#lateness` is the cure for records that come late.

    Raises InputError if an input cannot be read, ProgramError if the proposal is no program.
    """
    plan = with_own_moments(compile_plan(checked_program(Source("<proposal>", text))))
    reading = replace(
        reading,
        timeline=Timeline.of(plan),
        declarations=plan.inputs,
        decimals=plan.decimals,
        required=plan.required,
        is_of_several=len(paths) > 1,
        lateness=plan.lateness or 0,
    )
    find_first_time(reading, paths, reading.lateness)
    refused: list[Rejected] = []
    behind = late = 0
    with open_inputs(paths, reading, refused.append, is_quiet=True) as source:
        latest = -1
        for block in source.blocks():
            ticks = block.ticks if isinstance(block, RecordColumns) else [one.tick for one in block]
            if ticks and ticks[0] >= latest and isinstance(block, RecordColumns) and block.is_in_order:
                latest = ticks[-1]
                continue
            peaks = accumulate(chain([latest], ticks), max)
            for tick, last in zip(ticks, peaks, strict=False):
                late += last - tick > reading.lateness
                behind = max(behind, last - tick)
                latest = max(last, tick)
        source.count_given()
        accounts = [account for _, account in source.accounts]
    total = Accounts(source.accounts).total
    total = replace(total, late=late, gave_facts=total.gave_facts - late)
    lines = [f"these declarations read {total.text}"]
    if late:
        length = plan.tick_length
        far = str(behind) if length is None else duration_text(behind * length)
        unit = " ticks" if length is None else ""
        cure = f": to wait for them, add #lateness {far}." if advises_lateness else ""
        lines.append(f"rows are late, by {far}{unit} at most{cure}")
    lines += _named([one for one in refused if not isinstance(one, PassedOver)])
    lines += _named([one for one in refused if isinstance(one, PassedOver)])
    is_right = not (total.rejected or total.late)
    return Proof(lines, is_right, [one.records for one in accounts], total.without_fact)


def _named(refused: Sequence[Rejected]) -> Iterable[str]:
    """The first of some records, and why they gave no fact."""
    for one in refused[:MOST_TOLD]:
        yield f"{one.origin}: {one.reason}"
    if len(refused) > MOST_TOLD:
        yield f"and {len(refused) - MOST_TOLD} more like these"
