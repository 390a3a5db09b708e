"""Rows that are records by themselves: what becomes of each is counted."""

import sys
from collections.abc import Iterable, Sequence

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.record_numbers import RecordNumbers
from lars2asp.runtime.sources.records import Origin, PassedOver, Record, Rejected
from lars2asp.runtime.sources.text.lines import Read, line_records
from lars2asp.runtime.spark.carrier.cells import NAME
from lars2asp.syntax.nodes import Input


def add_records(
    texts: Iterable[str],
    read: Read,
    router: Router,
    declarations: Sequence[Input],
    decimals: NumberForms,
    comment: str | None = None,
    *,
    takes_bytes: bool = False,
) -> None:
    """Adds the records that rows with these texts are; blank ones and comments are skipped."""
    numbers = RecordNumbers(declarations, decimals, router.records)

    def read_checked(text: str, origin: Origin) -> Sequence[Record | Rejected]:
        records = read(text, origin)
        for record in records:
            if isinstance(record, Record):
                router.check(record.tick)
        return records

    unfit: list[Rejected] = []
    told: list[Record] = []

    def on_reject(rejected: Rejected) -> None:
        if not router.counts.account.refuse(rejected):
            return
        if isinstance(rejected, PassedOver):
            unfit.append(rejected)
        else:
            router.reject(rejected)

    for text in texts:
        how = read_checked, on_reject
        records = line_records(text, Origin(NAME, 0, text), *how, comment=comment, takes_bytes=takes_bytes)
        if numbers.are_asked:
            records = [*numbers.over(records)]
        for record in records:
            router.add(record)
        if router.counts.is_asked:
            told += records
    router.counts.account.take(told)
    router.tell(told)
    if unfit:
        were = "rows were" if len(unfit) > 1 else "row was"
        sys.stderr.write(f"lars2asp: {len(unfit)} {were} passed over, the first: {unfit[0].reason}\n")
