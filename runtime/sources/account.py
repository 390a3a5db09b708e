"""Counts of the records of each input: with facts, rejected, late and so on."""

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, fields
from operator import sub

from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import (
    TIME_ALONE,
    Late,
    LeftOut,
    OneEach,
    OnReject,
    PassedOver,
    Record,
    Rejected,
    SharedOrigin,
    SourceName,
    TimeAlone,
)
from lars2asp.syntax.summaries import counted

COUNTS = ("gave_facts", "passed_over", "without_fact", "rejected", "late", "clock_only")
"""The counts of an account, in the order of printing."""

_WORDS = {
    "passed_over": "passed over (no #input fits)",
    "without_fact": "without a fact (a value is missing)",
    "rejected": "rejected",
    "late": "late",
    "clock_only": "only set the clock",
    "late_facts": "late facts of other records",
}


@dataclass(slots=True)
class Account:
    """Counts the records of an input; the first six counts add up to all records.

    You can add and pickle accounts.

    Attributes:
        gave_facts: records with at least one fact.
        passed_over: records that match no `#input`.
        without_fact: records that match an `#input` but gave no fact, because a value is missing.
        rejected: unreadable records, and records too far ahead.
        late: records that are later than the lateness.
        clock_only: records of JSON lines that only set the clock.
        late_facts: late facts in records with other, timely facts.
        with_time: records without a fact, but with a readable time.
    """

    gave_facts: int = 0
    passed_over: int = 0
    without_fact: int = 0
    rejected: int = 0
    late: int = 0
    clock_only: int = 0
    late_facts: int = 0
    with_time: int = 0

    def __add__(self, other: "Account") -> "Account":
        return Account(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @property
    def records(self) -> int:
        """The number of records."""
        others = self.without_fact + self.rejected + self.late + self.clock_only
        return self.gave_facts + self.passed_over + others

    @property
    def is_unread(self) -> bool:
        """Whether lars2asp read neither a fact nor a time in any record."""
        others = self.gave_facts + self.without_fact + self.late + self.clock_only
        return self.records > 0 and not others and not self.with_time

    @property
    def has_others(self) -> bool:
        """Whether some records gave no fact, except records that only set the clock."""
        return bool(self.passed_over or self.without_fact or self.rejected or self.late)

    @property
    def text(self) -> str:
        """The counts in words, without zeros."""
        parts = [f"{self.gave_facts} gave facts"]
        parts += [f"{number} {words}" for name, words in _WORDS.items() if (number := getattr(self, name))]
        return f"{counted(self.records, 'record')}: {', '.join(parts)}"

    @property
    def json(self) -> dict[str, int]:
        """The counts by name; `late_facts` only if there are any."""
        found = {name: max(0, getattr(self, name)) for name in COUNTS}
        return found | ({"late_facts": self.late_facts} if self.late_facts else {})

    def state(self) -> list[int]:
        """The counts for JSON, in their order."""
        return [*astuple(self)]

    def restore(self, state: Iterable[int]) -> None:
        """Takes over the numbers of a state."""
        for one, number in zip(fields(self), state, strict=False):
            setattr(self, one.name, number)

    def refuse(self, rejected: Rejected) -> bool:
        """Counts a record that its reader rejects, or passes over; whether it is to be reported."""
        if isinstance(rejected, PassedOver):
            self.passed_over += 1
        else:
            self.rejected += 1
        return not isinstance(rejected, LeftOut)

    def take(self, records: Iterable[Record]) -> None:
        """Counts records that were read, those in columns without a look at each."""
        if type(records) is not list:
            if isinstance(records, OneEach):
                self.gave_facts += len(records) - len(records.without_facts)
                for one in records.without_facts:
                    self._take_times(one.counted_as, 1)
                return
            if isinstance(records, RecordColumns):
                self._take_columns(records)
                return
        for record in records:
            events, origin = record.events, record.origin
            if type(origin) is SharedOrigin:
                origin.given += 1
                if origin.given == 1:
                    self._take_shared(origin)
            elif not isinstance(events, tuple) or events[0] or events[1] or events[2]:
                self.gave_facts += 1  # others are judged, and moved, later
            elif isinstance(events, TimeAlone):
                self._take_times("" if events is TIME_ALONE else events.counted_as, 1)
            else:
                self.clock_only += 1

    def _take_shared(self, origin: SharedOrigin) -> None:
        self.gave_facts += origin.gave_facts
        self.without_fact += origin.without_fact
        self.passed_over += origin.passed_over
        self.with_time += origin.without_fact + origin.passed_over

    def _take_times(self, counted_as: str, number: int) -> None:
        """Counts records that only set the clock."""
        self.with_time += number
        if counted_as:
            setattr(self, counted_as, getattr(self, counted_as) + number)

    def _take_columns(self, columns: RecordColumns) -> None:
        without = columns.number_without_facts
        self.gave_facts += len(columns) - without
        if without:
            passed_over = columns.number_passed_over
            self._take_times("passed_over", passed_over)
            self._take_times("without_fact", without - passed_over)

    def without(self, record: Record) -> "Account":
        """The account without the record that was taken last."""
        taken, origin = Account(), record.origin
        if not isinstance(origin, SharedOrigin):
            taken.take([record])
            taken.passed_over += record.events is TIME_ALONE  # as its line is read again
        elif origin.given == 1:
            taken._take_shared(origin)
        return Account(*map(sub, astuple(self), astuple(taken)))

    def move(self, rejected: Rejected) -> None:
        """A record that was counted is rejected, or late."""
        origin, is_late = rejected.origin, isinstance(rejected, Late)
        number = 1
        if isinstance(origin, SharedOrigin):
            origin.refused += 1
            if is_late:
                origin.late += 1
                origin.late_facts += rejected.facts
                self.late_facts += rejected.facts
            if origin.refused < origin.parts:
                return
            self.late_facts -= origin.late_facts
            number, is_late = origin.gave_facts, origin.late == origin.parts
        before = rejected.counted_as
        if before:
            setattr(self, before, getattr(self, before) - number)
        if is_late:
            self.late += number
        else:
            self.rejected += number


class Accounts:
    """The accounts of several inputs.

    Args:
        named: the accounts of the inputs with their names, which may repeat.
    """

    def __init__(self, named: Iterable[tuple[str, Account]] = ()) -> None:
        self._named = [*named]

    def add(self, named: Iterable[tuple[str, Account]]) -> None:
        """More of them."""
        self._named += named

    def of(self, name: str) -> Account:
        """The account of an input; it is made if none has this name."""
        for one, account in self._named:
            if one == name:
                return account
        self._named.append((name, Account()))
        return self._named[-1][1]

    @property
    def first(self) -> Account:
        """The account of the first input."""
        return self._named[0][1] if self._named else Account()

    @property
    def by_name(self) -> dict[str, Account]:
        """The accounts by the names of inputs; accounts with equal names are added up."""
        found: dict[str, Account] = {}
        for name, account in self._named:
            found[name] = found.get(name, Account()) + account
        return found

    @property
    def total(self) -> Account:
        """All together."""
        return sum((account for _, account in self._named), Account())

    @property
    def json(self) -> dict[str, dict[str, int]]:
        """The counts of each input."""
        return {name: account.json for name, account in self.by_name.items()}

    def judging(self, on_reject: OnReject) -> OnReject:
        """Takes records that were counted and are rejected after that, and hands them on."""
        return judging(lambda one: self._of_source(one.origin.source), on_reject)

    def _of_source(self, source: str) -> Account:
        """The account of the input of a source; if that is unknown, the only account."""
        name = source.input if isinstance(source, SourceName) else ""
        return next((account for one, account in self._named if one == name), self.first)


def judging(account_of: Callable[[Rejected], Account], on_reject: OnReject) -> OnReject:
    """Takes records that were counted and are rejected after that, and hands them on.

    Args:
        account_of: returns the account of a record.
        on_reject: takes the record.
    """

    def rejected(one: Rejected) -> None:
        account_of(one).move(one)
        on_reject(one)

    return rejected
