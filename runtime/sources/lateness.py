"""What is said of records that come too late, and which lateness would have waited for them."""

from dataclasses import dataclass, field

from lars2asp.runtime.sources.timeline import Timeline


def backwards(tick: int, past: int, words: "LatenessWords | None") -> str:
    """What is said of a record that comes after one of a later tick; without words only the ticks."""
    return (
        f"the time goes backwards: tick {tick} after {past}" if words is None else words.backwards(tick, past)
    )


@dataclass
class LatenessWords:
    """Words for late records: times where ticks have some, and the `--lateness` that would do.

    Attributes:
        timeline: the times of ticks.
        needed: in ticks, the lateness that would have taken all records so far.
        is_in_python: whether a Python program gives the lateness, and no option.
    """

    timeline: Timeline = field(default_factory=Timeline)
    needed: int = 0
    is_in_python: bool = False

    def backwards(self, tick: int, past: int) -> str:
        """Of a record that comes after one of a later tick, where nothing is waited for."""
        named = self.timeline.named
        return f"the time goes backwards: tick {named(tick)} after {named(past)}{self._cure(past - tick)}"

    def late(self, tick: int, latest: int, lateness: int) -> str:
        """Of a record that comes after one that lies too far behind it."""
        named, duration = self.timeline.named, self.timeline.duration(lateness).strip("'")
        more = f"{duration} ticks" if duration.isdecimal() else duration
        cure = self._cure(latest - tick)
        return f"tick {named(tick)} came after {named(latest)}, more than {more} before{cure}"

    def over(self, tick: int, missing: int) -> str:
        """Of a record for a tick that was over by the clock; `missing` is the lateness that would do."""
        return f"tick {self.timeline.named(tick)} was over{self._cure(missing)}"

    def _cure(self, needed: int) -> str:
        self.needed = max(self.needed, needed)
        duration = self.timeline.duration(self.needed)
        way = f"--lateness {duration}"
        if self.is_in_python:
            declared = duration.strip("'")
            way = f"lateness={self.needed} (#lateness {declared}.)"
        return f"; {way} would take all so far"
