"""A live page of a run that a Python program makes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.live_page.page_settings import KEPT_TICKS, LivePageSettings, PageAddress
from lars2asp.runtime.live_page.serving import Serving
from lars2asp.runtime.live_page.telling import Telling
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.paged_run import PagedRun, telling_page
from lars2asp.runtime.runs.run import Run
from lars2asp.runtime.sinks.counters import Counters
from lars2asp.runtime.sources.records import OnReject, PassedOver, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline


class FollowedPage:
    """The page of a run of `follow`, served as long as the context lasts.

    Questions are answered between two ticks, or a moment later while the run waits for lines.

    Args:
        session: that of the reasoner.
        source: the name of the source.
        timeline: how ticks become times.
        serve: where the page is served: `PORT` or `HOST:PORT`.
        token: what a browser must give.

    Raises InputError where it cannot be served.
    """

    def __init__(
        self, session: Session, source: str, timeline: Timeline, serve: int | str, token: str | None
    ) -> None:
        address = PageAddress.of(serve, token)
        explains = session.history is not None
        settings = LivePageSettings(address, KEPT_TICKS, explains)
        programs = ", ".join(Path(one.name).name for one in session.plan.program.sources)
        self._timeline, self._decimals = timeline, session.plan.decimals
        self._serving = Serving(address, settings.page_of(f"{programs} on {source}", timeline))

    def __enter__(self) -> "FollowedPage":
        self._serving.__enter__()
        self._telling = Telling(self._serving.connection, self._decimals, moments=self._timeline.late)
        return self

    def __exit__(self, *error: object) -> None:
        self._serving.__exit__(*error)

    def take(self, answer: Answer) -> None:
        """Takes an answer."""
        self._telling.take(answer)

    def also_refuses(self, on_reject: OnReject) -> OnReject:
        """What takes rejected records, for the page and for another one."""

        def both(rejected: Rejected) -> None:
            if not isinstance(rejected, PassedOver):
                self._telling.refused(rejected)
            on_reject(rejected)

        return both

    @contextmanager
    def of(self, run: Run) -> Iterator[None]:
        """Within, the page is told of a run."""
        run.on_input = self._telling.told

        def counters() -> Counters:
            evaluated, passed_over, facts = run.session.counts
            total = run.session.accounts.total
            return Counters(
                run.tick,
                facts,
                evaluated + passed_over,
                total.rejected,
                total.late,
                waiting=len(run.records),
                merged=sum(run.session.merged.values()),
                unfit=total.passed_over,
                accounts=run.session.accounts.by_name,
            )

        subject = PagedRun(run, counters, self._timeline)
        with telling_page(self._telling, subject, run.stop, wakes=False):
            try:
                yield
            finally:
                self._telling.over()
