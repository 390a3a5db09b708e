"""Random inputs as people have them: mixed formats, skewed clocks, broken rows, missing values."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from tests.runtime.door.plain_reader import Declared, Given

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROOMS = ("hall", "attic", "Küche", 'a "b"', "back\\slash", "com,ma", " blank ", "{x}", "r(1)", "%", "10")
USERS = ("root", "ann", "root from 10.0.0.9", 'x" y', "a  b", "", "ann ssh2", "{ip}", "Ünal", "x\\")
ADDRESSES = ("10.0.0.1", "192.168.1.77", "::1", "2001:db8::7", "256.1.1.1", "nowhere")
OTHER_LINES = (
    "{} host kernel: Failed password for root from 10.0.0.1",
    "{} host sshd: Accepted password for root from 10.0.0.1",
    "host sshd: Failed password for root from 10.0.0.1",
    "{} host sshd: Failed password for root from 10.0.0.1 ",
    "nothing at all",
)


@dataclass(frozen=True)
class Case:
    """A program and its inputs.

    Attributes:
        declared: how tables and JSON records become facts.
        inputs: the inputs.
        lateness: in seconds.
    """

    declared: Declared
    inputs: tuple[Given, ...]
    lateness: int

    @property
    def program(self) -> str:
        """The text of the program."""
        room = "text(room)" + ("" if self.declared.room is None else f' or "{self.declared.room}"')
        temp = "int(temp)" + (" or missing" if self.declared.is_lenient else "")
        temp += "" if self.declared.temp is None else f" or {self.declared.temp}"
        time = "t2 or ts" if self.declared.has_second_time else "ts"
        lines = ["#tick 1 sec.", f"#input reading({room}, {temp}) at {time}."]
        if any(one.form == "log" for one in self.inputs):
            pattern = "^{:word} sshd: Failed password for {user:text} from {ip:ip}$"
            lines.append(f'#input failed(text(user), ip) from "{pattern}".')
            lines.append("f(U,I) :- failed(U,I).")
        lines.append("r(R,T) :- reading(R,T).")
        return "\n".join([*lines, "#show r/2.", *(["#show f/2."] if len(lines) > 4 else []), ""])


def random_case(seed: int) -> Case:
    """The case of a number."""
    random = Random(seed)
    declared = Declared(
        room=random.choice((None, None, "none")),
        temp=random.choice((None, None, 0, -7)),
        is_lenient=random.random() < 0.3,
        has_second_time=random.random() < 0.3,
    )
    makers: dict[str, Callable[[Random, Declared, list[datetime]], str]] = {
        "csv": _csv,
        "jsonl": _jsonl,
        "log": _log,
    }
    inputs = []
    for _ in range(random.choice((1, 1, 2, 3))):
        form = random.choice((*makers,))
        inputs.append(Given(form, makers[form](random, declared, _times(random))))
    return Case(declared, tuple(inputs), random.choice((0, 0, 2, 10)))


def _times(random: Random) -> list[datetime]:
    """The times of the records of an input, whose clock may be wrong."""
    at = START + timedelta(seconds=random.choice((0, 0, 3, -7, 900)))
    times = []
    for _ in range(random.randint(1, 14)):
        at += timedelta(seconds=random.choice((0, 0, 1, 1, 2, 5, 60)))
        wrong = random.random()
        if wrong < 0.08:
            times.append(at - timedelta(seconds=random.choice((1, 3, 30))))
        elif wrong < 0.11:
            times.append(at + timedelta(hours=random.choice((1, 2, 30, 24 * 400))))
        elif wrong < 0.12:
            times.append(datetime(1970, 1, 1, 0, random.randint(0, 59), tzinfo=UTC))
        else:
            times.append(at)
    if random.random() < 0.05:  # a pause
        times = [*times[:3], *(one + timedelta(hours=30) for one in times[3:])]
    return times


def _written(random: Random, at: datetime) -> str:
    text = at.isoformat().replace("+00:00", "Z")
    return random.choice((text, text, text, at.isoformat(), text.replace("Z", ".25Z")))


def _broken_time(random: Random) -> str:
    return random.choice(("", "soon", "2026-13-01T00:00:00Z", "12:00"))


def _cell(random: Random) -> str:
    return random.choice(("20", "-3", " 4 ", "0", "", "  ", "x", "2.5", "31"))


def _csv(random: Random, declared: Declared, times: list[datetime]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)), lineterminator="\n")
    has_more = random.random() < 0.5
    is_first = True  # where all rows have a surplus cell, that is a column
    writer.writerow(["ts", "room", "temp", *(["t2"] if declared.has_second_time else []), *["x"] * has_more])
    for at in times:
        stamp = _broken_time(random) if random.random() < 0.05 else _written(random, at)
        cells = [stamp, random.choice((*ROOMS, "", " ")), _cell(random)]
        if declared.has_second_time:
            cells.append(random.choice(("", "", _written(random, at + timedelta(seconds=1)))))
        cells += ["1"] * has_more
        if random.random() < 0.03:
            cells = [stamp, *[""] * (len(cells) - 1)]
        has_surplus = random.random() < 0.03
        if is_first and cells[1] == "%":  # under the header it may be a unit
            cells[0] = cells[0] or "soon"
        writer.writerow([*cells, *["surplus"] * (has_surplus and not is_first)])
        is_first = False
    return text.getvalue()


def _jsonl(random: Random, declared: Declared, times: list[datetime]) -> str:
    lines = []
    for at in times:
        record: dict[str, object] = {"ts": _written(random, at)}
        record["room"] = random.choice((*ROOMS, "", None))
        record["temp"] = random.choice((20, -3, 0, 4, None, "", "x", 2.5, 31, True))
        if declared.has_second_time and random.random() < 0.5:
            record["t2"] = random.choice((None, "", _written(random, at + timedelta(seconds=1))))
        for name, share in (("room", 0.08), ("temp", 0.08), ("ts", 0.02)):
            if random.random() < share:
                del record[name]
        if random.random() < 0.03:
            record["ts"] = _broken_time(random)
        if random.random() < 0.05:
            record = {"time": _written(random, at)}
        line = json.dumps(record, ensure_ascii=random.random() < 0.5)
        if random.random() < 0.04:
            line = random.choice(("{", "17", '"text"', line + "}", "null"))
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _log(random: Random, _declared: Declared, times: list[datetime]) -> str:
    lines = []
    for at in times:
        stamp = _written(random, at)
        line = (
            f"{stamp} host sshd: Failed password for {random.choice(USERS)} from {random.choice(ADDRESSES)}"
        )
        if random.random() < 0.3:
            line = random.choice(OTHER_LINES).format(stamp)
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)
