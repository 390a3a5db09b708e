"""Live sources for asyncio: answers are asked for one by one."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from threading import Event, Semaphore, Thread

from lars2asp.runtime.answer import Answer


async def answers_of(
    follow: Callable[[Callable[[Answer], None], Event], None],
) -> AsyncGenerator[Answer, None]:
    """The answers of a run on a live source; see `Reasoner.run_live_async`.

    Args:
        follow: runs on the source, calls a function with each answer, and ends when an event is set.
    """
    loop, stop, is_taken = asyncio.get_running_loop(), Event(), Semaphore(0)
    given = asyncio.Queue[Answer | None]()
    """The answer that is given next; None when the run has ended."""
    errors: list[BaseException] = []

    def give(answer: Answer) -> None:
        loop.call_soon_threadsafe(given.put_nowait, answer)
        is_taken.acquire()  # an answer must be looked at before the reasoner goes on

    def run() -> None:
        try:
            follow(give, stop)
        except BaseException as error:  # it is raised where answers are asked for
            errors.append(error)
        with suppress(RuntimeError):  # the loop may be closed
            loop.call_soon_threadsafe(given.put_nowait, None)

    thread = Thread(target=run, name="run_live_async", daemon=True)
    thread.start()
    has_ended = False
    try:
        while (answer := await given.get()) is not None:
            yield answer
            is_taken.release()
        has_ended = True
    finally:
        stop.set()
        is_taken.release()
        while not has_ended:
            has_ended = await given.get() is None
        thread.join()  # it has nothing left to do
    if errors:
        raise errors[0]
