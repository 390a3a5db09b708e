"""Tables and logs as people publish them, read as `check --input` proposes: answers equal those of pandas."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd

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


def at_ticks(atoms: Iterable[tuple[int, str]]) -> Answers:
    """Atoms with their ticks, of which there are some."""
    found: dict[int, set[str]] = {}
    for tick, atom in atoms:
        found.setdefault(tick, set()).add(atom)
    assert found
    return {tick: frozenset(some) for tick, some in found.items()}


def ticks(times: "pd.Series[Any]", length: int = 1) -> "pd.Series[int]":
    """The ticks of times, by the seconds of a tick."""
    return times.astype("int64") // (
        length * pd.Timedelta("1s").value // pd.Timedelta(1, times.dt.unit).value
    )


def within(rows: pd.DataFrame, length: int, *by: str) -> pd.DataFrame:
    """Each row with each that has the same values and lies at most so many ticks before it."""
    pairs = rows.reset_index().merge(rows.reset_index(), on=[*by], suffixes=("", "_before"))
    return pairs[(pairs.tick_before <= pairs.tick) & (pairs.tick_before >= pairs.tick - length)]


def seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def test_smart_meters_with_a_word_among_numbers(tmp_path: Path) -> None:
    choose = random.Random(1)
    rows = ["LCLid,stdorToU,DateTime,KWH/hh (per half hour) "]
    for hour in range(60):
        for meter in ("MAC000002", "MAC000246"):
            value = None if choose.random() < 0.1 else Decimal(choose.randrange(2000)) / 1000
            moment = START + timedelta(minutes=30 * hour)
            rows.append(
                f"{meter},Std,{moment:%Y-%m-%d %H:%M:%S}.0000000, {'Null' if value is None else value} "
            )
    written(tmp_path / "meters.csv", rows)
    program = proposal(tmp_path, "meters.csv") + (
        """
        total(M,S) :- reading_kwh_hh_per_half_hour(M,_),
            S = #sum { V,T : reading_kwh_hh_per_half_hour(M,V) at T in [3] }.
        #show total/2.
    """
    )

    used = pd.read_csv(tmp_path / "meters.csv")
    used["tick"] = ticks(pd.to_datetime(used.DateTime), 1800)
    used["kWh"] = pd.to_numeric(used["KWH/hh (per half hour) "], errors="coerce")
    totals = used.kWh.fillna(0).groupby(used.LCLid).rolling(4, min_periods=1).sum().droplevel(0)
    told = used.assign(total=totals)[used.kWh.notna()]
    expected = at_ticks((row.tick, f'total("{row.LCLid}",{row.total:.3f})') for row in told.itertuples())
    assert answers(tmp_path, program, "meters.csv", "--missing", "Null") == expected


def test_counters_of_64_bits(tmp_path: Path) -> None:
    choose = random.Random(2)
    counts = {"eth0": 9_000_000_000_000, "eth1": 4_294_900_000}
    rows = ["timestamp,interface,rx_bytes,tx_bytes"]
    for minute in range(100):
        moment = START + timedelta(minutes=minute)
        for name, before in counts.items():
            more = choose.randrange(60_000_000)
            counts[name] = before + more
            rows.append(f"{moment:%Y-%m-%dT%H:%M:%SZ},{name},{before + more},{before // 7}")
    written(tmp_path / "counters.csv", rows)
    program = proposal(tmp_path, "counters.csv") + (
        "busy(I,B-A) :- reading(I,B,_), reading(I,A,_) in {1}, B-A > 30000000. #show busy/2."
    )
    counted = pd.read_csv(tmp_path / "counters.csv", parse_dates=["timestamp"])
    counted["tick"] = ticks(counted.timestamp, 60)
    counted["more"] = counted.groupby("interface").rx_bytes.diff()
    busy = counted[counted.more > 30_000_000]
    expected = at_ticks((row.tick, f'busy("{row.interface}",{row.more:.0f})') for row in busy.itertuples())
    assert answers(tmp_path, program, "counters.csv") == expected


def test_failed_logins_within_a_second(tmp_path: Path) -> None:
    choose = random.Random(3)
    moment, rows = START, []
    for _ in range(200):
        moment += timedelta(seconds=choose.choice([0, 0, 1, 5, 40]))
        user, result = choose.choice(["ada", "bob"]), choose.choice(["Failure", "Failure", "Success"])
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

    logins = pd.json_normalize(list(map(json.loads, rows)))
    logins["user"] = logins["userIdentity.userName"]
    logins["tick"] = ticks(pd.to_datetime(logins.eventTime))
    failed = logins[logins["responseElements.ConsoleLogin"] == "Failure"][["user", "tick"]]
    numbers = within(failed, 60, "user").groupby(["index", "tick", "user"]).size()
    bursts = numbers[numbers >= 5]
    expected = at_ticks((tick, f'burst("{user}",{number})') for (_, tick, user), number in bursts.items())
    assert answers(tmp_path, program, "trail.jsonl") == expected


def alarms(values: pd.DataFrame, longest: int, length: int) -> Answers:
    """What was above 25 for so many ticks, or since the first one, by the last known values of so many ticks.

    The columns of `values` are tick, name and value.
    """
    known = values.pivot_table(index="tick", columns="name", values="value", aggfunc="last")
    known = known.reindex(range(known.index[0], known.index[-1] + 1)).ffill(limit=longest)
    lasting = (known > 25).rolling(length + 1, min_periods=1).min().stack()
    return at_ticks((tick, f'alarm("{name}")') for (tick, name), holds in lasting.items() if holds)


def test_home_automation_with_unavailable_sensors(tmp_path: Path) -> None:
    choose = random.Random(4)
    moment, rows = START, ["entity_id,state,last_changed"]
    for _ in range(150):
        moment += timedelta(seconds=choose.randrange(5, 60))
        name = f"sensor.{choose.choice(['kitchen', 'bath'])}_temperature"
        value = Decimal(choose.randrange(245, 280)) / 10
        is_missing = choose.random() < 0.06
        rows.append(f"{name},{'unavailable' if is_missing else value},{moment:%Y-%m-%dT%H:%M:%S}.250Z")
    written(tmp_path / "home.csv", rows)
    program = (
        proposal(tmp_path, "home.csv")
        + """
        #held reading_state(E,_) by E for 2 min.
        hot(E) :- reading_state(E,T), T > 25.0.
        alarm(E) :- hot(E) always in [1 min].
        #show alarm/1.
    """
    )
    states = pd.read_csv(tmp_path / "home.csv", na_values="unavailable", parse_dates=["last_changed"])
    states["tick"] = ticks(states.last_changed)
    expected = alarms(states.rename(columns={"entity_id": "name", "state": "value"}), 120, 60)
    assert answers(tmp_path, program, "home.csv", "--missing", "unavailable") == expected


def test_positions_of_ships(tmp_path: Path) -> None:
    choose = random.Random(5)
    rows = ["MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,Status"]
    places = {367000000 + n: (Decimal(4000000 + n), Decimal(-7400000)) for n in range(3)}
    for number in range(100):
        moment = START + timedelta(seconds=70 * number)
        for ship, place in places.items():
            moved = Decimal(choose.randrange(-2000, 2000)), Decimal(choose.randrange(-2000, 2000))
            places[ship] = place[0] + moved[0], place[1] + moved[1]
            north, east = (one / 100000 for one in places[ship])
            speed = f"{choose.random() * 20:.1f},{choose.random() * 360:.1f},511.0,SHIP {ship % 10},0.0"
            rows.append(f"{ship},{moment:%Y-%m-%dT%H:%M:%S},{north:.5f},{east:.5f},{speed}")
    written(tmp_path / "ships.csv", rows)
    program = (
        proposal(tmp_path, "ships.csv")
        + """
        fast(M) :- reading(M,A,B,_,_,_,_,_), reading(M,C,D,_,_,_,_,_) in {7},
                   (A-C)*(A-C) + (B-D)*(B-D) > 0.0004.
        #show fast/1.
    """
    )
    ships = pd.read_csv(tmp_path / "ships.csv", parse_dates=["BaseDateTime"])
    moved_by = (ships[["LAT", "LON"]] * 100_000).round().groupby(ships.MMSI).diff()
    fast = ships[(moved_by**2).sum(axis=1) > 4_000_000]
    fast = fast.assign(tick=ticks(fast.BaseDateTime, 10))
    expected = at_ticks((row.tick, f"fast({row.MMSI})") for row in fast.itertuples())
    assert answers(tmp_path, program, "ships.csv") == expected


def test_microseconds_since_1970(tmp_path: Path) -> None:
    choose = random.Random(6)
    time, rows = seconds(START) * 1_000_000, ["ts,device,value"]
    for _ in range(300):
        time += choose.randrange(1, 900_000)
        rows.append(f"{time},d{choose.randrange(3)},{choose.randrange(4)}")
    written(tmp_path / "micros.csv", rows)
    program = proposal(tmp_path, "micros.csv") + (
        "n(D,N) :- reading(_,D,_), N = #count { V,T : reading(_,D,V) at T in [5] }. #show n/2."
    )

    values = pd.read_csv(tmp_path / "micros.csv").assign(tick=lambda read: read.ts // 1_000_000)
    distinct = values[["tick", "device", "value"]].drop_duplicates()
    numbers = within(distinct, 5, "device").groupby(["index", "tick", "device"]).size()
    expected = at_ticks((tick, f'n("{device}",{number})') for (_, tick, device), number in numbers.items())
    assert answers(tmp_path, program, "micros.csv") == expected


def test_orders_with_two_times(tmp_path: Path) -> None:
    choose = random.Random(7)
    moment, rows = START, ["order_id,ordered,delivered,amount"]
    for number in range(100):
        moment += timedelta(minutes=choose.randrange(1, 20))
        form = "%Y-%m-%d %H:%M:%S+00:00"
        ordered = moment - timedelta(minutes=choose.randrange(10, 240))
        rows.append(f"{number},{ordered:{form}},{moment:{form}},{choose.randrange(10**11) / 100:.2f}")
    written(tmp_path / "orders.csv", rows)
    program = """
        #tick 1 min.
        #input order(order_id, time(ordered), time(delivered)) at delivered.
        late(O,D) :- order(O,A,B), D = B-A, D > 2 hour.
    """
    orders = pd.read_csv(tmp_path / "orders.csv", parse_dates=["ordered", "delivered"])
    orders = orders.assign(tick=ticks(orders.delivered, 60), took=orders.delivered - orders.ordered)

    def length(took: pd.Timedelta) -> str:
        parts = took.components
        return f"{parts.hours} h {parts.minutes:02} min" if parts.minutes else f"{parts.hours} h"

    late = orders[orders.took > pd.Timedelta("2h")]
    expected = at_ticks((o.tick, f'late({o.order_id},"{length(o.took)}")') for o in late.itertuples())
    assert answers(tmp_path, program, "orders.csv") == expected


def test_a_german_table_of_a_reading_a_minute(tmp_path: Path) -> None:
    choose = random.Random(8)
    rows = ["Zeit;Raum;Temperatur"]
    for minute in range(240):
        moment = START + timedelta(minutes=minute)
        for room in ("Küche", "Bad"):
            value = Decimal(choose.randrange(220, 260) + (35 if minute // 40 % 2 else 0)) / 10
            rows.append(f"{moment:%d.%m.%Y %H:%M};{room};{str(value).replace('.', ',')}")
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
    rooms = pd.read_csv(
        tmp_path / "rooms.csv", sep=";", decimal=",", names=["time", "name", "value"], header=0
    )
    rooms["tick"] = ticks(pd.to_datetime(rooms.time, format="%d.%m.%Y %H:%M"))
    assert answers(tmp_path, program, "rooms.csv") == alarms(rooms, 600, 600)


def test_payments_in_cents_beyond_32_bits(tmp_path: Path) -> None:
    choose = random.Random(9)
    moment, rows = START, ["id,booked,account,amount"]
    for _ in range(150):
        moment += timedelta(seconds=choose.randrange(1, 900))
        account, cents = f"DE{choose.randrange(3)}", choose.choice([-1, 1]) * choose.randrange(1, 10**12)
        number = 4 * 10**15 + choose.randrange(10**15)
        rows.append(f"{number},{moment:%Y-%m-%dT%H:%M:%SZ},{account},{Decimal(cents) / 100:.2f}")
    written(tmp_path / "payments.csv", rows)
    program = (
        proposal(tmp_path, "payments.csv")
        + """
        balance(K,S) :- reading(_,K,_), S = #sum { V,I : reading(I,K,V) in [6 hour] }.
        #show balance/2.
    """
    )

    booked = pd.read_csv(tmp_path / "payments.csv", parse_dates=["booked"], dtype={"amount": str})
    booked["tick"], booked["cents"] = ticks(booked.booked), booked.amount.str.replace(".", "").astype("int64")
    sums = within(booked, 21600, "account").groupby(["tick", "account"]).cents_before.sum()
    expected = at_ticks(
        (tick, f'balance("{account}",{Decimal(cents) / 100:.2f})') for (tick, account), cents in sums.items()
    )
    assert answers(tmp_path, program, "payments.csv") == expected


def test_posts_with_identifiers_of_19_digits(tmp_path: Path) -> None:
    choose = random.Random(10)
    time, rows = seconds(START) * 1000, []
    for _ in range(150):
        time += choose.randrange(9000)
        user, number = (
            choose.choice([12, 2**40, 2**40 + 1, 2**53 + 1]),
            14 * 10**17 + choose.randrange(10**15),
        )
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

    posts = pd.json_normalize(list(map(json.loads, rows))).rename(columns={"user.id": "user"})
    posts["tick"] = posts.timestamp_ms // 1000
    large = posts[posts.user > 2**40]
    users = within(posts.assign(all=0), 60, "all").groupby("tick").user_before.nunique()
    expected = at_ticks(
        [(row.tick, f"large({row.id},{row.user})") for row in large.itertuples()]
        + [(tick, f"users({number})") for tick, number in users.items()]
    )
    assert answers(tmp_path, program, "posts.jsonl") == expected
