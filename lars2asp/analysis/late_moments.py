"""Ticks shorter than a second whose origin no program says: it is that of the day of the first record."""

from lars2asp.analysis.tick_moments import EPOCH, LARGEST_TICK, MICROSECOND, TickMoments


class LateMoments(TickMoments):
    """The moments of ticks whose origin is found with the first time that is read as a tick.

    It is the first moment of the day of that time by the clock of the zone, or of an earlier day, if records
    of that may still come. Until then ticks count from 1970, as they do if no record has a time.

    Attributes:
        reach: in microseconds, by how much records may come late.
        is_known: whether the origin was found.
    """

    reach: int = 0
    is_known: bool = False

    def wait_for(self, lateness: int) -> None:
        """Records may come late by so many ticks; where all are waited for, the least time is looked for."""
        self.__dict__["reach"] = lateness * self.tick_length if lateness < LARGEST_TICK else 0

    def begin_with(self, moment: int) -> None:
        """The origin is the one for a first time, unless it is known."""
        if not self.is_known:
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
        self._set(origin=EPOCH, is_known=False)

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
        """How many ticks lie between 1970 and tick 0."""
        return self.begin // self.tick_length
