"""Valid lines of input in all their variety, and the words of their formats."""

import csv
import io
import json
from random import Random
from typing import Any

from lars2asp.runtime.sources.reading import Format

HEADER = "time,room,temp,id,kind,n"
STRINGS = ("x", "New York", 'say "hi"', "back\\slash", "two\nlines", "a, b", "a: b", "ä λ 😀", "", "%", "{};")
TIMES = (
    *("2026-01-01T00:00:01Z", "1970-01-01T00:00:05+00:00", "1970-01-01 00:00:06", "1970-01-01T00:00:07.5Z"),
    *(
        "1970-01-01T01:00:08+01:00",
        "1970-W01-4",
        "19700101T000009Z",
        "0001-01-01",
        "9999-12-31T23:59:59.999999",
    ),
    "2026-03-29T02:30:00",
)
WORDS = {
    Format.JSONL: (
        *("time", '"time"', '"facts"', '"begin"', '"end"', '"until"', '"p(a)"', "null", "true", "[]", "{}"),
        *(
            "1.5",
            "-1",
            "1e400",
            "NaN",
            "Infinity",
            '""',
            '" "',
            '"3"',
            '["p"]',
            '"p(X)"',
            '"p(1..3)"',
            '"p;q"',
        ),
        *('"not p"', '"-p(1)"', '"p(\\u0000)"', '"\\ud800"', '"p(\\"\\n\\")"', '"@f"', '"#inf"', '"p(#sup)"'),
        *('"p(\\n"', '"p(\\u001b)"', '"9999-12-31T23:59:59-23:59"', '"0001-01-01T00:00+23:59"', "[[[[]]]]"),
    ),
    Format.FACTS: (
        *(
            "p",
            "X",
            "_",
            "not",
            "1.5",
            "1..3",
            ";",
            "@f",
            "#inf",
            "-",
            "--",
            "+",
            "()",
            "(,)",
            "(1,)",
            '"a: b"',
        ),
        *(
            ":",
            ": :",
            ".",
            "..",
            "%",
            "2026-01-01",
            "1970-01-01 00:00:06:",
            "-5",
            "0x10",
            "0o7",
            "'",
            "a'",
            "_a",
        ),
    ),
    Format.CSV: (
        *(
            '"',
            '""',
            ",",
            ",,",
            '"a""b"',
            '"a,b"',
            '"two\nlines"',
            ";",
            "\t",
            "1.5",
            "1e5",
            "1e999999999",
            "NaN",
        ),
        *(
            "007",
            "-0",
            "+1",
            "",
            " ",
            "noon",
            "X",
            "not",
            "ok",
            "2026-01-01T00:00:00Z",
            "1e-999999999",
            "'a'",
        ),
    ),
}


def valid_line(random: Random, format_: Format, time: int) -> str:
    """A line that is read at about the given tick; of CSV it may be a row of several lines."""
    at = time if random.random() < 0.8 else random.choice(TIMES)
    match format_:
        case Format.JSONL:
            return _object(random, at, time)
        case Format.FACTS:
            atoms = ", ".join(_atom(random).replace("\n", "\\n") for _ in range(random.randrange(4)))
            return f"{at}: {atoms}{random.choice(('', '.', ' '))}"
        case _:
            cells = io.StringIO()
            row = [
                at,
                random.choice(STRINGS),
                random.choice(("21.5", "-0.25", "7", "")),
                random.choice(STRINGS),
            ]
            writer = csv.writer(cells, lineterminator="")
            if random.random() < 0.5:
                writer = csv.writer(cells, quoting=csv.QUOTE_ALL, lineterminator="")
            writer.writerow([*row, random.choice(("ok", "on", "")), random.choice(("1", "-5", ""))])
            return cells.getvalue()


def _object(random: Random, at: int | str, time: int) -> str:
    record: dict[str, Any] = {"time": at}
    for key in ("facts", "begin", "end"):
        if random.random() < (0.8 if key == "facts" else 0.2):
            record[key] = [_atom(random) for _ in range(random.randrange(4))]
    if "facts" in record and random.random() < 0.3:
        record["until"] = time + random.randrange(9)
    return json.dumps(record, ensure_ascii=random.random() < 0.5)


def _atom(random: Random) -> str:
    name = random.choice(("p", "q", "on", "-p", "long_name", "'odd"))
    arguments = [_term(random, 3) for _ in range(random.randrange(4))]
    return f"{name}({','.join(arguments)})" if arguments else name


def _term(random: Random, depth: int) -> str:
    if depth and random.random() < 0.2:
        inner = ",".join(_term(random, depth - 1) for _ in range(random.randint(1, 3)))
        return random.choice((f"f({inner})", f"({inner},)"))
    string = random.choice(STRINGS).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return random.choice(("a", "b", "1", "-3", "2147483647", f'"{string}"', "_x", "#inf"))
