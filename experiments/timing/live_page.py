"""What a live page costs the reasoner, and how soon a change is on the screen.

A run gets so many changes a second from a pipe, without a page and with one that nobody, one browser and five
browsers look at, of which one stands still in its debugger. Processor time is that of the process that
reasons. An answer has come when its line is read; a change is on the screen in the frame after
the one that draws it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from typing import Any, NamedTuple

import click

PROGRAM = """
#tick 100 msec.
high(S) :- value(S,V), V > 50.
sent(M) :- mark(M).
#show high/1.
#show sent/1.
"""

TICKS_A_SECOND = 10

WARM_TICKS = 20

WATCH = """
(epoch) => {
  const seen = new Set(), found = globalThis.larsDelays = [];
  const look = () => {
    const now = Date.now() - epoch;
    for (const group of larsLive.board().groups) {
      if (group.name !== "sent/1") continue;
      for (const lane of group.lanes) {
        if (seen.has(lane.number)) continue;
        seen.add(lane.number);
        found.push(now - Number(lane.text.slice(5, -1)));
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


class Measured(NamedTuple):
    """What was measured of a run, but for its first ticks.

    Attributes:
        used: processor time of the process that reasons, in seconds.
        answers: how long each answer took to be written, in milliseconds.
        delays: how long each change took to be on the screen of the first browser, in milliseconds.
    """

    used: float
    answers: list[float]
    delays: list[float]


@click.command()
@click.option(
    "--seconds", type=click.IntRange(5), default=120, show_default=True, help="The seconds of each run."
)
@click.option(
    "--changes", type=click.IntRange(10), default=1000, show_default=True, help="The changes a second."
)
def main(seconds: int, changes: int) -> None:
    """Measure the cost of a live page, and the delay of its changes."""
    click.echo(f"{changes} changes a second for {seconds} s")
    plain = None
    with tempfile.TemporaryDirectory() as folder:
        for browsers in (None, 0, 1, 5):
            found = _measured(Path(folder), seconds, changes, browsers)
            plain = plain or found
            name = "no page" if browsers is None else f"{browsers} browsers"
            slower = median(found.answers) / median(plain.answers)
            usual, high = median(found.answers), _high(found.answers)
            click.echo(
                f"{name:<11} processor {100 * found.used / seconds:.2f} %, answers after {usual:.2f} ms "
                f"(median; x {slower:.3f}), {high:.2f} ms (99 %)"
            )
            if found.delays:
                words = f"{median(found.delays):.0f} ms (median), {_high(found.delays):.0f} ms (99 %)"
                click.echo(f"{'':<11} on the screen after {words}, {max(found.delays):.0f} ms (most)")


def _high(times: list[float]) -> float:
    return quantiles(times, n=100)[98]


def _measured(folder: Path, seconds: int, changes: int, browsers: int | None) -> Measured:
    program = folder / "program.lars"
    program.write_text(PROGRAM)
    serve = [] if browsers is None else ["--serve", "0"]
    command = [sys.executable, "-m", "lars2asp", "run", str(program), "--changes", *serve]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    sent: dict[int, float] = {}
    answers: list[float] = []
    delays: list[float] = []
    with subprocess.Popen(command, text=True, **pipes) as run:
        assert run.stdin is not None and run.stdout is not None and run.stderr is not None
        url = "" if browsers is None else run.stderr.readline().split()[-1]

        def read(lines: Iterable[str]) -> None:
            for line in lines:
                now, tick = time.perf_counter(), json.loads(line)["time"]
                if WARM_TICKS <= tick in sent:
                    answers.append(1000 * (now - sent[tick]))

        reader = Thread(target=read, args=(run.stdout,))
        reader.start()
        epoch = time.time()
        with _looking(url, browsers or 0, epoch) as first:
            before = 0.0
            begin = time.monotonic()
            for tick in range(seconds * TICKS_A_SECOND):
                if tick == WARM_TICKS:
                    before = _processor_seconds(run.pid)
                line = _line(tick, changes // TICKS_A_SECOND, epoch)
                sent[tick] = time.perf_counter()
                run.stdin.write(line)
                run.stdin.flush()
                time.sleep(max(0.0, begin + (tick + 1) / TICKS_A_SECOND - time.monotonic()))
            used = _processor_seconds(run.pid) - before
            if first is not None:
                delays += first.evaluate("larsDelays")
        run.stdin.close()
        run.terminate()
        reader.join()
    return Measured(used, answers, delays)


def _line(tick: int, changes: int, epoch: float) -> str:
    """Each tick changes what is high of so many sensors, and is marked with the time at which it is sent."""
    facts = [f"value(s{number},{60 if tick % 2 else 40})" for number in range(changes)]
    facts.append(f"mark({round(1000 * (time.time() - epoch))})")
    # A tick is over when the clock goes on, which it does at once here.
    return json.dumps({"time": tick, "facts": facts}) + "\n" + json.dumps({"time": tick + 1}) + "\n"


@contextmanager
def _looking(url: str, browsers: int, epoch: float) -> Iterator[Any]:
    """So many browsers look at a page; of five the last one stands still. Yields the first."""
    if not browsers:
        yield None
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only here

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        pages = [chromium.new_page() for _ in range(browsers)]
        for page in pages:
            page.goto(url)
        pages[0].evaluate(WATCH, round(1000 * epoch))
        if browsers > 1:
            session = pages[-1].context.new_cdp_session(pages[-1])
            session.send("Debugger.enable")
            session.send("Debugger.pause")
        yield pages[0]
        chromium.close()


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
