"""Tables and logs as people publish them, read as `check --input` proposes: answers equal Python's."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from tests.support.command_line import lines, run

START = datetime(2026, 1, 5, tzinfo=UTC)

Answers = Mapping[int, frozenset[str]]
"""The atoms at ticks, where there are any."""


def proposal(folder: Path, name: str) -> str:
    """The declarations that `check --input` proposes for a file, but for what would hold readings."""
    done = run(folder, "check", "--input", name, status=0)
    kept = (line for line in done.stdout.splitlines() if line.startswith("#"))
    return "".join(f"{line}\n" for line in kept if not line.startswith("#held"))


def answers(folder: Path, program: str, name: str, *options: str) -> Answers:
    """What a program says of a file."""
    (folder / "program.lars").write_text(program, encoding="utf-8")
    done = run(folder, "run", "program.lars", "--input", name, "--emit", "every", *options)
    found = {line["time"]: frozenset(line["atoms"]) for line in lines(done.stdout)}
    return {tick: atoms for tick, atoms in found.items() if atoms}


def written(path: Path, rows: Sequence[str]) -> None:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def at_ticks(atoms: Iterator[tuple[int, str]]) -> Answers:
    found: dict[int, set[str]] = {}
    for tick, atom in atoms:
        found.setdefault(tick, set()).add(atom)
    return {tick: frozenset(some) for tick, some in found.items()}


def seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def test_smart_meters_with_a_word_among_numbers(tmp_path: Path) -> None:
    choose = random.Random(1)
    used: dict[tuple[str, int], Decimal | None] = {}
    rows = ["LCLid,stdorToU,DateTime,KWH/hh (per half hour) "]
    for hour in range(60):
        for meter in ("MAC000002", "MAC000246"):
            value = None if choose.random() < 0.1 else Decimal(choose.randrange(2000)) / 1000
            moment = START + timedelta(minutes=30 * hour)
            used[meter, seconds(moment) // 1800] = value
            rows.append(
                f"{meter},Std,{moment:%Y-%m-%d %H:%M:%S}.0000000, {'Null' if value is None else value} "
            )
    written(tmp_path / "meters.csv", rows)
    program = proposal(tmp_path, "meters.csv") + (
        "total(M,S) :- reading(M,_,_), S = #sum { V,T : reading(M,_,V) at T in [3] }. #show total/2."
    )

    def expected() -> Iterator[tuple[int, str]]:
        for (meter, tick), value in used.items():
            if value is not None:
                some = [used.get((meter, one)) or Decimal(0) for one in range(tick - 3, tick + 1)]
                yield tick, f'total("{meter}",{sum(some):.3f})'

    assert answers(tmp_path, program, "meters.csv", "--missing", "Null") == at_ticks(expected())


def test_counters_of_64_bits(tmp_path: Path) -> None:
    choose = random.Random(2)
    counts = {"eth0": 9_000_000_000_000, "eth1": 4_294_900_000}
    rows = ["timestamp,interface,rx_bytes,tx_bytes"]
    busy: list[tuple[int, str]] = []
    for minute in range(100):
        moment = START + timedelta(minutes=minute)
        for name, before in counts.items():
            more = choose.randrange(60_000_000)
            counts[name] = before + more
            rows.append(f"{moment:%Y-%m-%dT%H:%M:%SZ},{name},{before + more},{before // 7}")
            if minute and more > 30_000_000:
                busy.append((seconds(moment) // 60, f'busy("{name}",{more})'))
    written(tmp_path / "counters.csv", rows)
    program = proposal(tmp_path, "counters.csv") + (
        "busy(I,B-A) :- reading(I,B,_), reading(I,A,_) in {1}, B-A > 30000000. #show busy/2."
    )
    assert answers(tmp_path, program, "counters.csv") == at_ticks(iter(busy))


def test_failed_logins_within_a_second(tmp_path: Path) -> None:
    choose = random.Random(3)
    moment, rows, events = START, [], []
    for _ in range(200):
        moment += timedelta(seconds=choose.choice([0, 0, 1, 5, 40]))
        user, result = choose.choice(["ada", "bob"]), choose.choice(["Failure", "Failure", "Success"])
        events.append((seconds(moment), user, result))
        rows.append(
            json.dumps(
                {
                    "eventVersion": "1.08",
                    "userIdentity": {"type": "IAMUser", "accountId": "123456789012", "userName": user},
                    "eventTime": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
                    "eventName": "ConsoleLogin",
                    "responseElements": {"ConsoleLogin": result},
                }
            )
        )
    written(tmp_path / "trail.jsonl", rows)
    assert "#input reading(" in proposal(tmp_path, "trail.jsonl")
    program = """
        #tick 1 sec.
        #input login(userIdentity.userName, responseElements.ConsoleLogin, row()) at eventTime.
        burst(U,N) :- login(U,"Failure",_), N = #count { R : login(U,"Failure",R) in [60] }, N >= 5.
        #show burst/2.
    """

    def expected() -> Iterator[tuple[int, str]]:
        for tick, user, result in events:
            number = sum(e[1:] == (user, "Failure") and tick - 60 <= e[0] <= tick for e in events)
            if result == "Failure" and number >= 5:
                yield tick, f'burst("{user}",{number})'

    assert answers(tmp_path, program, "trail.jsonl") == at_ticks(expected())


def held(
    events: Sequence[tuple[int, str, Decimal]], last: int, longest: int
) -> dict[int, dict[str, Decimal]]:
    """The last known values at each tick, by definition."""
    found: dict[int, dict[str, Decimal]] = {}
    known: dict[str, tuple[int, Decimal]] = {}
    coming = [*events]
    for tick in range(events[0][0], last + 1):
        while coming and coming[0][0] == tick:
            _, name, value = coming.pop(0)
            known[name] = tick, value
        found[tick] = {name: value for name, (since, value) in known.items() if tick <= since + longest}
    return found


def alarms(values: Mapping[int, Mapping[str, Decimal]], name: str, length: int) -> Iterator[tuple[int, str]]:
    """What was above 25 for so many ticks, and since the first one where there were fewer."""
    first = min(values)
    for tick in values:
        for key in values[tick]:
            before = range(max(first, tick - length), tick + 1)
            if all(values[one].get(key, Decimal(0)) > 25 for one in before):
                yield tick, f'{name}("{key}")'


def test_home_automation_with_unavailable_sensors(tmp_path: Path) -> None:
    choose = random.Random(4)
    moment, rows, events = START, ["entity_id,state,last_changed"], []
    for _ in range(150):
        moment += timedelta(seconds=choose.randrange(5, 60))
        name = f"sensor.{choose.choice(['kitchen', 'bath'])}_temperature"
        value = Decimal(choose.randrange(245, 280)) / 10
        is_missing = choose.random() < 0.06
        rows.append(f"{name},{'unavailable' if is_missing else value},{moment:%Y-%m-%dT%H:%M:%S}.250Z")
        if not is_missing:
            events.append((seconds(moment), name, value))
    written(tmp_path / "home.csv", rows)
    program = (
        proposal(tmp_path, "home.csv")
        + """
        #held reading(E,_) by E for 2 min.
        hot(E) :- reading(E,T), T > 25.0.
        alarm(E) :- hot(E) always in [1 min].
        #show alarm/1.
    """
    )
    expected = at_ticks(alarms(held(events, seconds(moment), 120), "alarm", 60))
    assert answers(tmp_path, program, "home.csv", "--missing", "unavailable") == expected


def test_positions_of_ships(tmp_path: Path) -> None:
    choose = random.Random(5)
    rows = ["MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,Status"]
    places = {367000000 + n: (Decimal(4000000 + n), Decimal(-7400000)) for n in range(3)}
    fast: list[tuple[int, str]] = []
    for number in range(100):
        moment = START + timedelta(seconds=70 * number)
        for ship, place in places.items():
            moved = Decimal(choose.randrange(-2000, 2000)), Decimal(choose.randrange(-2000, 2000))
            places[ship] = place[0] + moved[0], place[1] + moved[1]
            north, east = (one / 100000 for one in places[ship])
            speed = f"{choose.random() * 20:.1f},{choose.random() * 360:.1f},511.0,SHIP {ship % 10},0.0"
            rows.append(f"{ship},{moment:%Y-%m-%dT%H:%M:%S},{north:.5f},{east:.5f},{speed}")
            if number and sum(one * one for one in moved) > 4_000_000:
                fast.append((seconds(moment) // 10, f"fast({ship})"))
    written(tmp_path / "ships.csv", rows)
    program = (
        proposal(tmp_path, "ships.csv")
        + """
        fast(M) :- reading(M,A,B,_,_,_,_,_), reading(M,C,D,_,_,_,_,_) in {7},
                   (A-C)*(A-C) + (B-D)*(B-D) > 0.0004.
        #show fast/1.
    """
    )
    assert answers(tmp_path, program, "ships.csv") == at_ticks(iter(fast))


def test_microseconds_since_1970(tmp_path: Path) -> None:
    choose = random.Random(6)
    time, rows, events = seconds(START) * 1_000_000, ["ts,device,value"], set()
    for _ in range(300):
        time += choose.randrange(1, 900_000)
        event = time // 1_000_000, f"d{choose.randrange(3)}", choose.randrange(4)
        events.add(event)
        rows.append(f"{time},{event[1]},{event[2]}")
    written(tmp_path / "micros.csv", rows)
    program = proposal(tmp_path, "micros.csv") + (
        "n(D,N) :- reading(D,_), N = #count { V,T : reading(D,V) at T in [5] }. #show n/2."
    )

    def expected() -> Iterator[tuple[int, str]]:
        for tick, device, _ in events:
            yield tick, f'n("{device}",{sum(e[1] == device and tick - 5 <= e[0] <= tick for e in events)})'

    assert answers(tmp_path, program, "micros.csv") == at_ticks(expected())


def test_orders_with_two_times(tmp_path: Path) -> None:
    choose = random.Random(7)
    moment, rows, late = START, ["order_id,ordered,delivered,amount"], []
    for number in range(100):
        moment += timedelta(minutes=choose.randrange(1, 20))
        minutes = choose.randrange(10, 240)
        form = "%Y-%m-%d %H:%M:%S+00:00"
        ordered = moment - timedelta(minutes=minutes)
        rows.append(f"{number},{ordered:{form}},{moment:{form}},{choose.randrange(10**11) / 100:.2f}")
        if minutes > 120:
            rest = f" {minutes % 60:02} min" if minutes % 60 else ""
            late.append((seconds(moment) // 60, f'late({number},"{minutes // 60} h{rest}")'))
    written(tmp_path / "orders.csv", rows)
    program = """
        #tick 1 min.
        #input order(order_id, time(ordered), time(delivered)) at delivered.
        late(O,D) :- order(O,A,B), D = B-A, D > 2 hour.
    """
    assert answers(tmp_path, program, "orders.csv") == at_ticks(iter(late))


def test_a_german_table_of_a_reading_a_minute(tmp_path: Path) -> None:
    choose = random.Random(8)
    rows, events = ["Zeit;Raum;Temperatur"], []
    for minute in range(240):
        moment = START + timedelta(minutes=minute)
        for room in ("Küche", "Bad"):
            value = Decimal(choose.randrange(220, 260) + (35 if minute // 40 % 2 else 0)) / 10
            rows.append(f"{moment:%d.%m.%Y %H:%M};{room};{str(value).replace('.', ',')}")
            events.append((seconds(moment), room, value))
    written(tmp_path / "rooms.csv", rows)
    program = (
        proposal(tmp_path, "rooms.csv").replace("#tick 1 min.", "#tick 1 sec.")
        + """
        #held reading(R,_) by R for 10 min.
        hot(R) :- reading(R,T), T > 25.0.
        alarm(R) :- hot(R) always in [10 min].
        #show alarm/1.
    """
    )
    expected = at_ticks(alarms(held(events, events[-1][0], 600), "alarm", 600))
    assert expected
    assert answers(tmp_path, program, "rooms.csv") == expected


def test_payments_in_cents_beyond_32_bits(tmp_path: Path) -> None:
    choose = random.Random(9)
    moment, rows, events = START, ["id,booked,account,amount"], []
    for _ in range(150):
        moment += timedelta(seconds=choose.randrange(1, 900))
        account, cents = f"DE{choose.randrange(3)}", choose.choice([-1, 1]) * choose.randrange(1, 10**12)
        number = 4 * 10**15 + choose.randrange(10**15)
        events.append((seconds(moment), account, cents))
        rows.append(f"{number},{moment:%Y-%m-%dT%H:%M:%SZ},{account},{Decimal(cents) / 100:.2f}")
    written(tmp_path / "payments.csv", rows)
    program = (
        proposal(tmp_path, "payments.csv")
        + """
        balance(K,S) :- reading(_,K,_), S = #sum { V,I : reading(I,K,V) in [6 hour] }.
        #show balance/2.
    """
    )

    def expected() -> Iterator[tuple[int, str]]:
        for tick, account, _ in events:
            cents = sum(e[2] for e in events if e[1] == account and tick - 21600 <= e[0] <= tick)
            yield tick, f'balance("{account}",{Decimal(cents) / 100:.2f})'

    assert answers(tmp_path, program, "payments.csv") == at_ticks(expected())


def test_posts_with_identifiers_of_19_digits(tmp_path: Path) -> None:
    choose = random.Random(10)
    time, rows, events = seconds(START) * 1000, [], []
    for _ in range(150):
        time += choose.randrange(9000)
        user, number = (
            choose.choice([12, 2**40, 2**40 + 1, 2**53 + 1]),
            14 * 10**17 + choose.randrange(10**15),
        )
        events.append((time // 1000, user, number))
        post = {"id": number, "timestamp_ms": time, "user": {"id": user}, "retweets": choose.randrange(9)}
        rows.append(json.dumps(post))
    written(tmp_path / "posts.jsonl", rows)
    program = (
        proposal(tmp_path, "posts.jsonl")
        + """
        large(I,U) :- reading(I,U,_), U > 1099511627776.
        users(N) :- reading(_,_,_), N = #count { U : reading(_,U,_) in [60] }.
        #show large/2. #show users/1.
    """
    )

    def expected() -> Iterator[tuple[int, str]]:
        for tick, user, number in events:
            if user > 2**40:
                yield tick, f"large({number},{user})"
            yield tick, f"users({len({e[1] for e in events if tick - 60 <= e[0] <= tick})})"

    assert answers(tmp_path, program, "posts.jsonl") == at_ticks(expected())
