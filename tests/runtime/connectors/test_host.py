"""The state of a machine as facts, with samples and a clock made by the tests."""

import json
import sys
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.connectors.host import HostFeed, Sample
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.atoms import to_atom
from lars2asp.runtime.sources.records import Line

SAMPLE = Sample(
    cores=[37.4, 99.5],
    load=1.25,
    memory=61.2,
    disks={"/": 70.6},
    sent={"eth0": 0},
    received={"eth0": 0},
    processes=12,
)


class Clock:
    """A clock that moves when somebody waits."""

    def __init__(self, start: float = 1000.0) -> None:
        self.now = start

    def __call__(self) -> float:
        return self.now

    def wait(self, stop: Event, seconds: float) -> None:
        """Moves on."""
        assert seconds > 0
        self.now += seconds


def run(
    samples: list[Sample],
    period: float = 1.0,
    clock: Clock | None = None,
    take: Callable[[int], None] | None = None,
) -> list[Line]:
    """The lines for samples; `take` is called with the number of each line."""
    clock = clock or Clock()
    stop = Event()
    given = iter(samples)
    lines: list[Line] = []

    def emit(line: Line) -> None:
        lines.append(line)
        if take is not None:
            take(line.number)
        if len(lines) == len(samples) - 1:
            stop.set()

    HostFeed(period, sample=lambda: next(given), clock=clock, wait=clock.wait).run(emit, stop)
    return lines


def facts(line: Line) -> list[str]:
    """The facts of a line, which has nothing else."""
    record = json.loads(line.text)
    assert list(record) == ["facts"]
    return [atom_text(*to_atom(fact)) for fact in record["facts"]]


def test_facts_are_rounded_to_integers_and_traffic_is_that_of_the_period() -> None:
    later = SAMPLE._replace(sent={"eth0": 10_240}, received={"eth0": 1_263_616})
    first, second = run([SAMPLE, later, later])
    assert (first.source, first.number, second.number) == ("host", 1, 2)
    same = ["cpu(0,37)", "cpu(1,100)", "load(125)", "memory(61)", 'disk("/",71)']
    assert facts(first) == [*same, 'sent("eth0",10)', 'received("eth0",1234)', "process(12)"]
    assert facts(second) == [*same, 'sent("eth0",0)', 'received("eth0",0)', "process(12)"]


def test_an_interface_that_comes_or_counts_anew_has_no_negative_traffic() -> None:
    before = SAMPLE._replace(sent={"a": 5000}, received={})
    now = SAMPLE._replace(sent={"a": 1000, "b": 10**15}, received={})
    told = [fact for fact in facts(run([before, now])[0]) if fact.startswith("sent")]
    assert told == ['sent("a",0)']


def test_names_of_any_kind_and_large_numbers_are_facts() -> None:
    before = SAMPLE._replace(sent={"a": 0})
    now = SAMPLE._replace(sent={"a": 10**15}, disks={'/m "x"\\\n\udce4': 5.0})
    told = facts(run([before, now])[0])
    assert r'disk("/m \"x\"\\\n?",5)' in told
    assert 'sent("a",976562500000)' in told


def test_times_do_not_drift() -> None:
    """Though each line takes 0.3 seconds."""
    clock = Clock()
    times = []

    def take(number: int) -> None:
        times.append(clock.now)
        clock.now += 0.3

    run([SAMPLE] * 6, clock=clock, take=take)
    assert times == pytest.approx([1001, 1002, 1003, 1004, 1005])


def test_times_that_pass_while_the_reader_is_busy_are_left_out() -> None:
    clock = Clock()
    times = []

    def take(number: int) -> None:
        times.append(clock.now)
        clock.now += 2.7 if number == 2 else 0

    run([SAMPLE] * 5, period=0.5, clock=clock, take=take)
    assert times == pytest.approx([1000.5, 1001.0, 1004.0, 1004.5])


def test_it_waits_again_where_it_was_woken_early() -> None:
    clock = Clock()
    times = []

    def wait(stop: Event, seconds: float) -> None:
        clock.now += min(seconds, 0.4)

    stop = Event()

    def emit(line: Line) -> None:
        times.append(clock.now)
        if line.number == 3:
            stop.set()

    HostFeed(sample=lambda: SAMPLE, clock=clock, wait=wait).run(emit, stop)
    assert times == pytest.approx([1001, 1002, 1003])


def test_it_ends_while_it_waits() -> None:
    stop = Event()
    lines: list[Line] = []
    feed = HostFeed(3600, sample=lambda: SAMPLE, wait=lambda stop, seconds: stop.set())
    feed.run(lines.append, stop)
    assert not lines


def first_line() -> Line:
    """What a feed first says of this machine."""
    stop = Event()
    lines: list[Line] = []

    def emit(line: Line) -> None:
        lines.append(line)
        stop.set()

    HostFeed(0.01).run(emit, stop)
    return lines[0]


def test_this_machine() -> None:
    pytest.importorskip("psutil")
    told = [to_atom(fact) for fact in facts(first_line())]
    names = {signature.name for signature, _ in told}
    assert {"cpu", "load", "memory", "disk", "process"} <= names
    for signature, row in told:
        if signature.name in ("cpu", "memory", "disk"):
            assert row[-1] in range(101)


class Disk:
    """A partition as the package for samples tells it."""

    def __init__(self, device: str, mountpoint: str, opts: str = "rw,noatime") -> None:
        self.device, self.mountpoint, self.opts = device, mountpoint, opts


class Usage:
    """How full a disk is."""

    def __init__(self, percent: float) -> None:
        self.percent = percent


def test_disks_are_those_that_can_be_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Each once; not a file that is mounted, as in containers; not one that cannot be looked at."""
    psutil = pytest.importorskip("psutil")
    for name in ("data", "again", "image", "gone"):
        (tmp_path / name).mkdir()
    (tmp_path / "hosts").touch()
    disks = [
        Disk("sda", f"{tmp_path}/data"),
        Disk("sda", f"{tmp_path}/again"),
        Disk("loop0", f"{tmp_path}/image", "ro,nodev"),
        Disk("sdb", f"{tmp_path}/hosts"),
        Disk("sdc", f"{tmp_path}/gone"),
    ]

    def usage(folder: str) -> Usage:
        if folder.endswith("gone"):
            raise PermissionError(13, "Permission denied")
        return Usage(42.5)

    monkeypatch.setattr(psutil, "disk_partitions", lambda: disks)
    monkeypatch.setattr(psutil, "disk_usage", usage)
    assert [fact for fact in facts(first_line()) if fact.startswith("disk")] == [
        f'disk("{tmp_path}/data",42)'
    ]


@pytest.mark.parametrize("period", [0, -1, float("nan"), float("inf")])
def test_a_period_is_positive(period: float) -> None:
    with pytest.raises(InputError, match="host: a period must be a positive number of seconds"):
        HostFeed(period)


def test_a_missing_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    with pytest.raises(InputError, match=r"pip install 'lars2asp\[host\]'"):
        HostFeed()
