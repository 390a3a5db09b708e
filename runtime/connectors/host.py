"""The state of this machine as facts, at regular times.

host:, host:0.5                     each second, or each 0.5 seconds
"""

import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, NamedTuple

from lars2asp.externals.terms.terms import Value
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import Line
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.patterns import pattern

KIB = 1024


_SECONDS = pattern(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")


class Sample(NamedTuple):
    """The state of a machine at one moment.

    Attributes:
        cores: the use of each core since the sample before, in per cent.
        load: the load of the last minute, in processes that want to run.
        memory: its use, in per cent.
        disks: their use, in per cent, by the folders where they are mounted.
        sent: bytes since the machine started, by network interface.
        received: the same.
        processes: their number.
    """

    cores: Sequence[float]
    load: float
    memory: float
    disks: Mapping[str, float]
    sent: Mapping[str, int]
    received: Mapping[str, int]
    processes: int


class HostFeed:
    """The state of this machine: a JSON line of facts, without time, for each period.

    cpu(Core, Percent)              how busy a core was since the line before; cores are counted from 0
    load(Hundredths)                the load of the last minute times 100
    memory(Percent)                 used
    disk(Folder, Percent)           used of the disk that is mounted there
    sent(Interface, KiB)            since the line before
    received(Interface, KiB)        since the line before
    process(Number)                 how many processes there are

    All numbers are integers, rounded. The first line comes after one period. Times are the start and
    multiples of the period from there; those that pass while the reader is busy are left out.
    """

    name = "host"

    def __init__(
        self,
        period_seconds: float = 1.0,
        *,
        sample: Callable[[], Sample] | None = None,
        clock: Callable[[], float] = monotonic,
        wait: Callable[[Event, float], object] = Event.wait,
    ) -> None:
        """A feed; tests give a sampler, a clock (in seconds) and a function that waits of their own.

        Raises InputError for a period that is not positive, or where the package psutil is not installed.
        """
        if not (isfinite(period_seconds) and period_seconds > 0):
            raise InputError(f"{self.name}: a period must be a positive number of seconds, such as host:0.5")
        self.period = period_seconds
        self._sample = sample or _sampler()
        self._clock = clock
        self._wait = wait

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits a line each period until `stop` is set; see `Feed`."""
        start = self._clock()
        before = self._sample()
        period = count = 0
        while True:
            period = max(period + 1, int((self._clock() - start) // self.period) + 1)
            while (left := start + period * self.period - self._clock()) > 0 and not stop.is_set():
                self._wait(stop, left)
            if stop.is_set():
                return
            now = self._sample()
            count += 1
            emit(Line(self.name, count, json.dumps({"facts": _facts(before, now)})))
            before = now


def _facts(before: Sample, now: Sample) -> list[str]:
    """The facts of a sample as text; none of interfaces that are new."""
    return [
        *(_fact("cpu", core, busy) for core, busy in enumerate(now.cores)),
        _fact("load", now.load * 100),
        _fact("memory", now.memory),
        *(_fact("disk", folder, used) for folder, used in now.disks.items()),
        *_traffic("sent", before.sent, now.sent),
        *_traffic("received", before.received, now.received),
        _fact("process", now.processes),
    ]


def _traffic(name: str, before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """The traffic of each interface between two samples, in KiB."""
    return [
        _fact(name, interface, max(0, count - before[interface]) / KIB)
        for interface, count in now.items()
        if interface in before
    ]


def _fact(name: str, *arguments: str | float) -> str:
    return atom_text(Signature(name, len(arguments)), tuple(map(_value, arguments)))


def _value(argument: str | float) -> Value:
    if isinstance(argument, str):
        return argument.encode(errors="replace").decode()
    return round(argument)


def _sampler() -> Callable[[], Sample]:
    """Samples of this machine. Raises MissingPackageError."""
    psutil = needed("psutil", "host", "host")

    def sample() -> Sample:
        traffic = psutil.net_io_counters(pernic=True)
        return Sample(
            cores=psutil.cpu_percent(percpu=True),
            load=psutil.getloadavg()[0],
            memory=psutil.virtual_memory().percent,
            disks=_disks(psutil),
            sent={interface: counts.bytes_sent for interface, counts in traffic.items()},
            received={interface: counts.bytes_recv for interface, counts in traffic.items()},
            processes=len(psutil.pids()),
        )

    return sample


def _disks(psutil: Any) -> dict[str, float]:
    """The use of each writable disk, by the first folder where it is mounted; of the root's where none is."""
    folders: dict[str, str] = {}
    for disk in psutil.disk_partitions():
        if "ro" not in disk.opts.split(",") and Path(disk.mountpoint).is_dir():
            folders.setdefault(disk.device, disk.mountpoint)
    used = {}
    for folder in folders.values() or [Path("/").anchor]:
        try:
            used[folder] = float(psutil.disk_usage(folder).percent)
        except OSError:  # taken out, or nothing that this user may look at
            continue
    return used


def input_at(address: str, _largest_record: int, _encoding: str | None) -> HostFeed:
    """The feed of an address. Raises InputError, and MissingPackageError."""
    period = address.removeprefix("host:")
    if not period:
        return HostFeed()
    if not _SECONDS.fullmatch(period):
        raise InputError(f"{address}: write a period in seconds, such as host:0.5")
    return HostFeed(float(period))
