"""A stream in blocks whose answers are asked for one by one, with other uses of the session in between."""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.given_ticks import GivenTicks
from lars2asp.runtime.reasoning.blocks import Blocks, Items
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.account import Account, judging
from lars2asp.runtime.sources.records import OnReject, Record, Rejected
from lars2asp.runtime.sources.reordering import Watermark
from lars2asp.syntax.garbage import collector_paused, count_as_old


class BlocksInTurn:
    """A session on a stream that is there as a whole, as if it went tick by tick.

    A block is evaluated when its first answer is asked for. Who uses the session in between finds it at the
    tick of the answer given last: what was known before the block is taken up, and the ticks up to there are
    evaluated again. From then on it goes tick by tick.

    Args:
        session: the session, which can begin in blocks.
        every: at which ticks answers are given besides those at which they change.
        on_reject: takes records that are not valid, when what was over before them is answered.
        account: has counted the records.
    """

    def __init__(self, session: Session, every: GivenTicks, on_reject: OnReject, account: Account) -> None:
        self._judged = judging(lambda _: account, self.reject)
        self._session = session
        self._every = every
        self._on_reject = on_reject
        self._rejected: list[Rejected] = []
        """Those that wait for that."""
        self._is_in_blocks = True
        self._blocks: Blocks | None = None
        self._left: list[Record] = []
        """The records behind the tick at which the session left a block."""

    def reject(self, rejected: Rejected) -> None:
        """Takes a record that is not valid."""
        if self._is_in_blocks:
            self._rejected.append(rejected)
        else:
            self._on_reject(rejected)

    def answers(
        self,
        items: Items,
        until: int | None,
        each: Callable[[Items], Iterator[Record | Watermark]],
        taken: Callable[[int], None],
    ) -> Iterator[Answer]:
        """The answers at all ticks, as `Session.answers` gives them.

        Args:
            items: the records.
            until: the last tick that is asked for.
            each: gives of records in columns each.
            taken: told how many of them are taken, which `each` gives no more.
        """
        rest = yield from self._in_blocks(items, until, each, taken)
        yield from self._session.answers(rest, until, self._every, self._judged)

    def _in_blocks(
        self,
        items: Items,
        until: int | None,
        each: Callable[[Items], Iterator[Record | Watermark]],
        taken: Callable[[int], None],
    ) -> Generator[Answer, None, Iterable[Record | Watermark]]:
        """Those at the ticks that are in blocks; gives the records that are left for the session."""
        session = self._session
        self._blocks = blocks = Blocks(
            session,
            self._every,
            self._judged,
            lambda _: False,
            each,
            taken,
            is_in_turn=True,
            is_due=lambda: bool(self._rejected),
        )
        over = blocks.over(items, until)
        try:
            while True:
                with collector_paused():
                    answers = next(over, None)
                count_as_old()
                if answers is None:
                    break
                yield from self._given(answers, blocks)
                if blocks.is_left:
                    self._is_in_blocks = False
                    return chain(self._left, each(self._behind(chain([answers], over), blocks)))
                self._tell_rejected()
        finally:
            self._is_in_blocks = False
            if blocks.is_over or not (blocks.is_left or blocks.is_within):
                session.ahead = None
        return () if blocks.is_over else chain(blocks.open, each(blocks.rest))

    def _given(self, answers: Iterator[Answer], blocks: Blocks) -> Iterator[Answer]:
        """Those of a block, as long as the session does not leave it."""
        session = self._session
        while True:
            with collector_paused():
                answer = next(answers, None)
            if answer is None:
                break
            session.now, session.ahead = answer.tick, self._take_up
            yield answer
            if blocks.is_left:
                return
        if blocks.is_within and blocks.reached is not None:
            session.now, session.ahead = blocks.reached.now, self._take_up

    def _tell_rejected(self) -> None:
        """What was over is answered: those that wait are handed on."""
        rejected, self._rejected = self._rejected, []
        for one in rejected:
            self._on_reject(one)

    def _behind(self, over: Iterator[Iterator[Answer]], blocks: Blocks) -> Items:
        """The records behind those that the session has left; raises what reading them has raised."""
        self._tell_rejected()
        for answers in over:  # there are no more, but they say what is left
            for _ in answers:
                pass
        yield from blocks.rest

    def _take_up(self) -> None:
        """The session goes on tick by tick, from the tick of the answer given last."""
        blocks, now = self._blocks, self._session.now
        assert blocks is not None and now is not None
        self._left = blocks.leave(now)
