"""How long after its time does an answer come out that nothing but time makes true?

A run by the clock gets the begin of one atom after the other; a box over each comes to hold a second later,
with no input at that time. Measured is when the line with the answer can be read from the run's standard
output, against the beginning of the tick that it bears:

    python -m experiments firings --firings 100
"""

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

PROGRAM = "#tick {tick} msec.\nfires(X) :- on(X) always in [{size}], on(X) in {{{size}}}.\n"
HOLD = 1.0
"""In seconds: the length of the box."""


@click.command()
@click.option("--firings", default=100, help="The number of answers.")
@click.option("--tick", default=20, help="The tick length in milliseconds.")
def main(firings: int, tick: int) -> None:
    """Measure the delay of answers that time alone makes true."""
    origin = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "program.lars"
        program.write_text(PROGRAM.format(tick=tick, size=round(HOLD * 1000) // tick))
        command = [
            *(sys.executable, "-m", "lars2asp", "run", str(program), "--clock", "wall", "--changes"),
            *("--origin", origin.isoformat()),
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
            threading.Thread(target=begin, args=(run, firings), daemon=True).start()
            delays = []
            for line in run.stdout or ():
                read = time.time()
                answer = json.loads(line)
                due = origin.timestamp() + answer["time"] * tick / 1000
                delays += [(read - due) * 1000] * len(answer["began"])
    delays.sort()
    sys.stdout.write(
        f"{len(delays)} firings, ticks of {tick} ms: median {statistics.median(delays):.1f} ms, "
        f"worst {delays[-1]:.1f} ms after the tick began\n"
    )


def begin(run: "subprocess.Popen[str]", number: int) -> None:
    """Sends the begin of one atom after the other, and ends when all have fired."""
    if run.stdin is None:
        return
    for atom in range(number):
        run.stdin.write(json.dumps({"begin": [f"on({atom})"]}) + "\n")
        run.stdin.flush()
        time.sleep(0.037)
    time.sleep(HOLD + 0.5)
    run.stdin.close()
