"""The jobs as queries of polars over the whole file."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

TICK = pl.col("time").dt.epoch("s")
LAST = pl.col("next") - 1


def alarm(source: Path) -> pl.LazyFrame:
    """The last value of a room was above 24.5 for ten minutes."""
    rows = pl.read_csv(source, separator=";", encoding="cp1252", decimal_comma=True).lazy()
    time = pl.col("zeit").str.to_datetime("%d.%m.%Y %H:%M:%S", time_unit="ms")
    readings = rows.select(
        time.dt.replace_time_zone("Europe/Vienna", ambiguous="earliest").dt.epoch("s").alias("tick"),
        pl.col("raum").alias("room"),
        (pl.col("temperatur") > 24.5).alias("hot"),
    ).sort("tick")
    before, following = pl.col("hot").shift().over("room"), pl.col("tick").shift(-1).over("room")
    turns = readings.filter(before.ne_missing(pl.col("hot"))).with_columns(following.alias("next"))
    long = turns.filter(pl.col("hot") & (pl.col("next").is_null() | (pl.col("next") > pl.col("tick") + 600)))
    return long.select(pl.col("tick") + 600, LAST, pl.format('alarm("{}")', "room"))


def counts(source: Path) -> pl.LazyFrame:
    """Sensors with 12 readings and more within 60 seconds, and how many they are."""
    lines = pl.scan_ndjson(source, schema={"time": pl.Int64, "facts": pl.List(pl.String)}).explode("facts")
    sensor = pl.col("facts").str.strip_prefix("reading(").str.split_exact(",", 1).struct.field("field_0")
    readings = lines.select(pl.col("time").alias("tick"), sensor.alias("sensor"))
    changes = (
        pl.concat(
            [
                readings.with_columns(pl.lit(1).alias("change")),
                readings.with_columns(pl.col("tick") + 61, pl.lit(-1).alias("change")),
            ]
        )
        .group_by("sensor", "tick")
        .agg(pl.col("change").sum())
        .filter(pl.col("change") != 0)
        .sort("sensor", "tick")
    )
    numbers = changes.with_columns(
        pl.col("tick").shift(-1).over("sensor").alias("next"),
        pl.col("change").cum_sum().over("sensor").alias("number"),
    )
    busy = numbers.filter(pl.col("number") >= 12)
    return busy.select("tick", LAST, pl.format("busy({},{})", "sensor", "number"))


def logins(source: Path) -> pl.LazyFrame:
    """Three failed logins, and one that succeeds within five minutes."""
    schema = {"ts": pl.String, "user": pl.String, "result": pl.String}
    time = pl.col("ts").str.to_datetime("%Y-%m-%dT%H:%M:%SZ")
    events = pl.scan_ndjson(source, schema=schema).select(time.alias("time"), "user", "result").sort("time")
    failed = (pl.col("result") == "failed").cast(pl.Int64).rolling_sum_by("time", "300s", closed="both")
    guessed = events.with_columns(failed.over("user").alias("failed")).filter(
        (pl.col("result") == "ok") & (pl.col("failed") >= 3)
    )
    return guessed.select(TICK, TICK.alias("last"), pl.format('guessed("{}")', "user"))


def heartbeats(source: Path) -> pl.LazyFrame:
    """Hosts that were heard of, and not within 180 seconds."""
    rows = pl.scan_csv(source)
    time = pl.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%SZ").dt.epoch("s").alias("tick")
    beats = rows.select(time, "host").sort("tick")
    gaps = beats.with_columns(pl.col("tick").shift(-1).over("host").alias("next"))
    lost = gaps.filter(pl.col("next").is_null() | (pl.col("next") > pl.col("tick") + 181))
    return lost.select(pl.col("tick") + 181, LAST, pl.format('lost("{}")', "host"))


def join(source: Path) -> pl.LazyFrame:
    """Orders and payments of one item within 30 seconds."""
    schema = {"ts": pl.String, "order": pl.Int64, "payment": pl.Int64, "item": pl.String}
    time = pl.col("ts").str.to_datetime("%Y-%m-%dT%H:%M:%SZ").dt.epoch("s")
    lines = pl.scan_ndjson(source, schema=schema).with_columns(time.alias("tick"))
    block = pl.col("tick") // 31
    orders = lines.filter(pl.col("order").is_not_null()).select(
        "order", "item", "tick", pl.concat_list(block - 1, block, block + 1).alias("block")
    )
    payments = lines.filter(pl.col("payment").is_not_null()).select(
        "payment", "item", "tick", block.alias("block")
    )
    pairs = orders.explode("block").join(payments, on=["item", "block"])
    near = pairs.filter((pl.col("tick") - pl.col("tick_right")).abs() <= 30)
    return near.select(
        pl.max_horizontal("tick", "tick_right"),
        (pl.min_horizontal("tick", "tick_right") + 30).alias("last"),
        pl.format("match({},{})", "order", "payment"),
    )


def fraud(source: Path) -> pl.LazyFrame:
    """Eight rules about payments of cards."""
    texts = dict.fromkeys(("ts", "card", "merchant", "country", "status", "notice"), pl.String)
    schema = {**texts, "payment": pl.Int64, "cents": pl.Int64}
    time = pl.col("ts").str.to_datetime("%Y-%m-%dT%H:%M:%SZ")
    lines = pl.scan_ndjson(source, schema=schema).with_columns(time.alias("time")).sort("time")
    cents, place = pl.col("cents"), pl.col("place")
    notices = lines.filter(pl.col("notice").is_not_null()).select(
        pl.col("notice").alias("card"), "time", pl.col("time").alias("noticed")
    )
    counted = (
        lines.filter(pl.col("payment").is_not_null())
        .with_columns(
            pl.lit(1).alias("one"),
            (pl.col("status") == "declined").cast(pl.Int64).alias("is_declined"),
            pl.col("country").rank("dense").cast(pl.Int64).alias("place"),
        )
        .with_columns(
            pl.col("one").rolling_sum_by("time", "1h", closed="both").over("card").alias("hourly"),
            place.rolling_min_by("time", "1h", closed="both").over("card").alias("least"),
            place.rolling_max_by("time", "1h", closed="both").over("card").alias("greatest"),
            pl.col("is_declined").rolling_sum_by("time", "10m", closed="both").over("card").alias("declined"),
            pl.col("time").shift().over("card").alias("before"),
            pl.col("one").rolling_sum_by("time", "30d", closed="both").over("card").alias("monthly"),
            cents.rolling_sum_by("time", "30d", closed="both").over("card").alias("total"),
            pl.col("one").rolling_sum_by("time", "5m", closed="both").over("merchant").alias("crowd"),
        )
        .join_asof(notices, on="time", by="card")
    )
    now, noticed, monthly = pl.col("time"), pl.col("noticed"), pl.col("monthly")
    remarks = {
        "velocity": pl.col("hourly") > 5,
        "travel": pl.col("least") != pl.col("greatest"),
        "probing": (pl.col("status") == "ok") & (pl.col("declined") >= 3),
        "dormant": (cents >= 50_000) & (now - pl.col("before") > pl.duration(days=30)),
        "unusual": (monthly >= 5) & (cents * monthly > 5 * pl.col("total")),
        "burst": pl.col("crowd") >= 10,
        "listed": pl.col("merchant").is_in(["m3", "m17", "m40"]),
        "large": (cents >= 100_000) & (noticed.is_null() | (noticed < now - pl.duration(days=7))),
    }
    found = [
        counted.filter(is_remarkable).select(
            TICK, TICK.alias("last"), pl.format("{}({})", pl.lit(remark), "payment").alias("atom")
        )
        for remark, is_remarkable in remarks.items()
    ]
    return pl.concat(found)


def absence(source: Path) -> pl.LazyFrame:
    """Hosts that are known and were not heard of within 180 seconds, or not since the start."""
    beats = _numbers(source, "host")
    since_the_start = beats.select(
        (pl.col("tick").min() - 1).repeat_by(2000).explode().alias("tick"),
        pl.int_range(2000, dtype=pl.Int64).alias("host"),
    )
    gaps = (
        pl.concat([beats, since_the_start])
        .sort("tick")
        .with_columns(pl.col("tick").shift(-1).over("host").alias("next"))
    )
    lost = gaps.filter(pl.col("next").is_null() | (pl.col("next") > pl.col("tick") + 181))
    return lost.select(pl.col("tick") + 181, LAST, pl.format("silent({})", "host"))


def topten(source: Path) -> pl.LazyFrame:
    """The ten items that each shop sold most often within ten minutes."""
    minute = pl.col("tick") // 60
    sales = _numbers(source, "shop", "item").with_columns(pl.int_ranges(minute, minute + 10).alias("tick"))
    totals = sales.explode("tick").group_by("tick", "shop", "item").len("total")
    ranked = totals.sort("total", "item", descending=True).filter(
        pl.int_range(pl.len()).over("tick", "shop") < 10
    )
    return ranked.select("tick", pl.col("tick").alias("last"), pl.format("top({},{})", "shop", "item"))


def sessions(source: Path) -> pl.LazyFrame:
    """Visits that are over: the first and the last click, and how many there were."""
    clicks = _numbers(source, "user").with_columns(pl.col("tick") // 60).sort("tick")
    is_new = (pl.col("tick").diff() > 30).fill_null(value=False)
    visits = (
        clicks.with_columns(is_new.cum_sum().over("user").alias("visit"))
        .group_by("user", "visit")
        .agg(pl.col("tick").min().alias("begin"), pl.col("tick").max().alias("end"), pl.len())
    )
    after = pl.col("end") + 30
    visit = pl.format("visit({},{},{},{})", "user", "begin", "end", "len")
    return visits.select(after, after.alias("last"), visit.alias("atom"))


def _numbers(source: Path, *columns: str) -> pl.LazyFrame:
    schema = {"ts": pl.String, **dict.fromkeys(columns, pl.Int64)}
    time = pl.col("ts").str.to_datetime("%Y-%m-%dT%H:%M:%SZ").dt.epoch("s").alias("tick")
    return pl.scan_ndjson(source, schema=schema).select(time, *columns)


FRAMES: Mapping[str, Callable[[Path], pl.LazyFrame]] = {
    "alarm": alarm,
    "counts": counts,
    "logins": logins,
    "heartbeats": heartbeats,
    "join": join,
    "fraud": fraud,
    "absence": absence,
    "topten": topten,
    "sessions": sessions,
}
"""By jobs: what makes the intervals of the answer."""

if __name__ == "__main__":
    _, name, read_from, written_to = sys.argv
    FRAMES[name](Path(read_from)).collect().write_csv(Path(written_to), include_header=False)
