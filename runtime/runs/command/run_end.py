"""What a run says when it is over: what became of the records, and why there may be no answers."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import join

from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted
from lars2asp.syntax.values import dataclass

MOST_SHOWN = 200
"""The number of characters of a list of predicates."""

LONGEST = 1000
"""That of the name of an input, and of a command."""


@dataclass(frozen=True)
class RunEnd:
    """A run that is over.

    Attributes:
        accounts: how many records of each input gave facts, and what became of the others.
        is_recorded: whether all of the input was there to be read.
        never_held: the predicates of the output, if no answer had an atom.
        inputs: the inputs, as the command has them.
        programs: the files of the program.
        has_told: whether the counts were printed already.
        is_quiet: whether remarks are left out.
    """

    accounts: Mapping[str, Account]
    is_recorded: bool
    never_held: Sequence[Signature]
    inputs: Sequence[str]
    programs: Sequence[str]
    has_told: bool = False
    is_quiet: bool = False

    @property
    def is_unread(self) -> bool:
        """Whether a recorded input has records, none gave a fact, and no time of one was read."""
        return self.is_recorded and any(one.is_unread for one in self.accounts.values())

    @property
    def lines(self) -> Iterator[str]:
        """The lines to print."""
        for name, account in self.accounts.items():
            if not self.has_told and account.has_others:
                yield f"{shown(name, LONGEST)}: {account.text}"
            yield from self._remarks(name, account)
        if self.never_held and self.is_recorded and not self.is_quiet:
            yield from self._without_answers

    def _remarks(self, name: str, account: Account) -> Iterator[str]:
        """What is said of an input without any fact."""
        if not self.is_recorded or account.gave_facts or not account.passed_over:
            return
        number = counted(account.passed_over, "record")
        if account.is_unread:
            yield (
                f"{shown(name, LONGEST)}: no #input fits any of {number}, and none reads their times. "
                f"To see why, try: {self._check}"
            )
        elif account.passed_over == account.records and not self.is_quiet:
            yield f"{shown(name, LONGEST)}: read to its end, but no #input fits any of {number}"

    @property
    def _check(self) -> str:
        return shown(join(["lars2asp", "check", *self.programs, *self._inputs]), LONGEST)

    @property
    def _inputs(self) -> list[str]:
        """The options of a command that reads the same input; standard input is to be a file by then."""
        names = ("FILE" if name == STANDARD else name for name in self.inputs)
        return [word for name in names for word in ("--input", name)]

    @property
    def _without_answers(self) -> Iterator[str]:
        """The lines of a run in which nothing held."""
        first, *_ = self.never_held
        atom = f"{first.name}({','.join('_' * first.arity)})" if first.arity else first.name
        named = shown(", ".join(map(str, self.never_held)), MOST_SHOWN)
        records = counted(sum(one.records for one in self.accounts.values()), "record")
        if not any(one.records for one in self.accounts.values()):
            is_piped = self.inputs == (STANDARD,)
            name = "standard input" if is_piped else shown(", ".join(self.inputs), LONGEST)
            cure = "name the input with --input FILE" if is_piped else "add records, or name another input"
            yield f"{name} contains no record: {cure}"
        file = ", with your input as FILE" if STANDARD in self.inputs else ""
        yield f"no answers: {named} never held ({records} read). To see why, try{file}:"
        yield f"  {self._check}"
        yield "  " + shown(join(["lars2asp", "why-not", *self.programs, atom, *self._inputs]), LONGEST)
