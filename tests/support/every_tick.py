"""Sessions that evaluate every tick, and the answers of others that are held to them."""

from collections.abc import Iterable

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.sources.records import Record


class EveryTick(Session):
    """Evaluates every tick, whether anything is due or not."""

    def next_change(self) -> int | None:
        return super().next_change() if self.now is None else self.now + 1


def changes(session: Session, told: list[Record], until: int, *, in_blocks: bool) -> list[object]:
    """The ticks at which the answer changes, and what holds."""
    found: list[tuple[int, frozenset[str]]] = []

    def write(answer: Answer) -> None:
        holds = frozenset(answer.holds.texts)
        if not found or found[-1][1] != holds:
            found.append((answer.tick, holds))

    def write_all(answers: Iterable[Answer]) -> None:
        for answer in answers:
            write(answer)

    blocks = write_all if in_blocks else None
    DataTimeRun(session, None, write, lambda _: None, in_blocks=blocks).over(iter(told), until)
    return [*found]
