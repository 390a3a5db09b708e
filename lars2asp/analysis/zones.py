"""The time zone that a program declares, and the pass that checks it."""

from zoneinfo import ZoneInfo

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program, TimeZone
from lars2asp.syntax.source import shown


def declared_zone(program: Program) -> ZoneInfo | None:
    """The zone of timestamps that name no offset, None without a (valid) `#timezone`."""
    return next((_zone(zone.name.value) for zone in program.every(TimeZone)), None)


def check_timezone(program: Program, diagnostics: Diagnostics) -> Program:
    """Reports zones that do not exist, and a second `#timezone`; the program is returned as it is."""
    zones = list(program.every(TimeZone))
    for zone in zones[1:]:
        diagnostics.error(zone.location, "the time zone is given twice", "keep one #timezone")
    for zone in zones:
        if _zone(zone.name.value) is None:
            diagnostics.error(
                zone.name.location,
                f"{shown(zone.name.value) or 'the empty string'} is no time zone",
                'zones have the names of the tz database, such as "Europe/Vienna" or "UTC"',
            )
    return program


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
