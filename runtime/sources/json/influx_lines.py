"""The format `influx`: lines of InfluxDB's line protocol, which are records with fields of their own."""

import json
from collections.abc import Sequence
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.json.json_fields import DeclaredFields, UnfitError, exact_json
from lars2asp.runtime.sources.records import Origin, Record, Rejected

COMMENT = "#"


class InfluxLines:
    """Reads lines such as `weather,place=graz temp=8.2,rain=f 1769954707000000000`.

    A line is the record `{"measurement": "weather", "tags": {"place": "graz"}, "fields": {"temp": 8.2,
    "rain": false}, "time": 1769954707000000000}`; without its time it has no field `time`.

    Args:
        fields: what becomes of records; None if nothing declares that.

    Raises InputError if the package that parses lines is missing.
    """

    def __init__(self, fields: DeclaredFields | None = None) -> None:
        self._parse: Any = needed("line_protocol_parser", "influx", "the format influx").parse_line
        self._fields = fields

    def read(self, line: str, origin: Origin) -> Sequence[Record | Rejected]:
        """The records of a line, one for each time. Raises InputError."""
        found = self.json(line)
        if found is None:
            return ()
        if self._fields is None:
            raise InputError(
                "the program does not declare how lines become facts: add for example #input "
                'weather(tags.place, fields.temp) at time "%n" where measurement = "weather".'
            )
        try:
            return self._fields.records(exact_json(found), origin)
        except UnfitError as error:
            return error.told(origin, str(error))

    def json(self, line: str) -> str | None:
        """The record of a line as JSON; None for a comment. Raises InputError."""
        try:
            found = self._parse(line.rstrip("\r\n"))
        except Exception as error:
            if type(error).__name__ != "LineFormatError":
                raise
            raise InputError(f"this line does not follow the line protocol of InfluxDB: {error}") from error
        if found is None:
            return None
        if found["time"] is None:
            del found["time"]
        return json.dumps(found)
