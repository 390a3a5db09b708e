"""Ticks shorter than a second whose origin no program says: it is that of the day of the first record."""

from datetime import UTC, datetime

from lars2asp.analysis.tick_moments import DAY, EPOCH, LARGEST_TICK, MICROSECOND, TickMoments

UNSET = [(datetime(year, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND for year in (1970, 1980, 2000)]
"""When clocks begin that were never set."""


class LateMoments(TickMoments):
    """The moments of ticks whose origin is found with the first time that is read as a tick.

    It is the first moment of the day of that time by the clock of the zone, or of an earlier day, if records
    of that may still come. Until then ticks count from 1970, as they do if no record has a time.

    Attributes:
        reach: in microseconds, by how much records may come late.
        is_known: whether the origin was found.
        is_judged: whether clocks that were never set are found among the records: their times decide nothing
            unless another one lies within a year of them.
    """

    reach: int = 0
    is_known: bool = False
    is_judged: bool = False
    _unset: int | None = None
    """The first time of a clock that may never have been set."""

    def wait_for(self, lateness: int) -> None:
        """Records may come late by so many ticks; where all are waited for, the least time is looked for."""
        self.__dict__["reach"] = lateness * self.tick_length if lateness < LARGEST_TICK else 0

    def begin_with(self, moment: int) -> None:
        """The origin is the one for a first time, unless it is known."""
        if not self.is_known:
            if self.is_judged and any(begin <= moment < begin + DAY for begin in UNSET):
                self.__dict__["_unset"] = moment if self._unset is None else min(self._unset, moment)
                return
            if self._unset is not None and moment - self._unset <= 365 * DAY:
                moment = min(moment, self._unset)
            local = self.local_at(moment - self.reach)
            if local is None:  # dates have ended
                self.begin_at(0)
            else:
                midnight = local.replace(
                    tzinfo=EPOCH.tzinfo, fold=0, hour=0, minute=0, second=0, microsecond=0
                )
                self.begin_at(self.first_shown((midnight - EPOCH) // MICROSECOND))

    def begin_at(self, origin: int) -> None:
        """The origin is a moment, in microseconds since the Unix epoch."""
        zone = self.zone or EPOCH.tzinfo
        self._set(origin=(EPOCH + origin * MICROSECOND).astimezone(zone), is_known=True)

    def forget(self) -> None:
        """The origin is not known any more."""
        self._set(origin=EPOCH, is_known=False, _unset=None)

    def _set(self, **values: object) -> None:
        for one in ("begin", "precision"):  # of the origin before
            self.__dict__.pop(one, None)
        self.__dict__.update(values)

    def tick_since_epoch(self, microseconds: int) -> int:
        """See TickMoments."""
        self.begin_with(microseconds)
        return super().tick_since_epoch(microseconds)

    def shift_between(self, first: int, last: int) -> int | None:
        """See TickMoments."""
        self.begin_with(first)
        return super().shift_between(first, last)

    @property
    def tick_of_1970(self) -> int:
        """How many ticks lie between 1970 and tick 0; 0 until that is known."""
        return self.begin // self.tick_length
