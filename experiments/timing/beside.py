"""What do a choice, a constraint, a function and a head of many rules cost the other rules of a program?

Rules look at readings of sensors through windows over what other rules derive. Then there is more in the
program, about rare events: that should cost the other rules nothing. A run over a file is measured for each
program: the CPU time without the start of the process, and without clingo. The last column is the time of the
same run tick by tick.

    python -m experiments beside
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

RULES = """
    #input temp(sensor, value) at time.
    #input audit(room) at time.
    hot(S) :- temp(S,V), V > 80.
    warm(S) :- hot(S) in [10].
    steady(S) :- hot(S) always in [2].
    often(S) :- hot(S) at least 3 in [30].
    calm(S) :- temp(S,_), not hot(S) in [60].
"""

MORE = {
    "a choice": "1 { visit(R,D) : day(D) } 1 :- audit(R). day(1..3).",
    "a constraint": ":- audit(R), closed(R). closed(9).",
    "a function": """
#script (python)
from lars2asp import pure
@pure
def floor(room: int) -> int:
    return room // 4
#end.
    level(R,F) :- audit(R), F = @floor(R).
    """,
    "a head of 13 rules": "".join(f"note(R,{number}) :- audit(R), R > {number}.\n" for number in range(13)),
}

_RUN = """
import sys
from time import process_time
from lars2asp.__main__ import main
from lars2asp.runtime.evaluators import solving
from lars2asp.runtime.tuning import Tuning

spent = [0.0]

def timed(function):
    def call(*arguments, **keywords):
        begun = process_time()
        try:
            return function(*arguments, **keywords)
        finally:
            spent[0] += process_time() - begun
    return call

for name in ("control", "ground", "ground_counted", "reader", "solve"):
    setattr(solving.Solving, name, timed(getattr(solving.Solving, name)))
size = int(sys.argv.pop(1))
status = main(sys.argv[1:], Tuning(block_bytes=size))
sys.stderr.write(f"{process_time()} {spent[0]} {status}")
"""


def write_stream(folder: Path, rows: int, each: int) -> None:
    """Writes so many readings, 20 at a tick, and an event for each tick with a number that `each` divides."""
    lines = [f"{row // 20},s{row % 20},{row * row % 101}\n" for row in range(rows)]
    (folder / "temp.csv").write_text("time,sensor,value\n" + "".join(lines))
    ticks = range(0, rows // 20, each)
    (folder / "audit.csv").write_text("time,room\n" + "".join(f"{tick},{tick % 9}\n" for tick in ticks))


def seconds(folder: Path, program: str, *, by_ticks: bool) -> tuple[float, float]:
    """The CPU time of a run, and how much of it clingo takes."""
    (folder / "program.lars").write_text(program)
    arguments = [
        "run",
        "program.lars",
        "--input",
        "temp.csv",
        "--input",
        "audit.csv",
        "--output",
        "answers.jsonl",
        "--changes",
    ]
    command = [sys.executable, "-c", _RUN, str(10**15 if by_ticks else 0), *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    whole, clingo, status = found.stderr.splitlines()[-1].split()
    if int(status) not in (0, 1):
        raise click.ClickException(f"the run ended with {status}: {found.stderr}")
    return float(whole), float(clingo)


@click.command()
@click.option("--rows", default=100_000, help="The number of readings.")
@click.option("--each", default=50, help="At one tick of so many there is an event.")
@click.option("--runs", default=3, help="The number of runs, of which the fastest counts.")
def main(rows: int, each: int, runs: int) -> None:
    """Measure what parts of a program cost its other rules."""
    programs = {"the rules alone": RULES} | {name: RULES + more for name, more in MORE.items()}
    programs["all of these"] = RULES + "".join(MORE.values())
    least: dict[tuple[str, bool], tuple[float, float]] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        starts: dict[str, float] = {}
        for _ in range(runs):
            for title, program in programs.items():
                write_stream(folder, 20, 1000)
                whole, clingo = seconds(folder, program, by_ticks=False)
                starts[title] = min(starts.get(title, whole), whole - clingo)
                write_stream(folder, rows, each)
                for by_ticks in (False, True):
                    found = seconds(folder, program, by_ticks=by_ticks)
                    before = least.get((title, by_ticks), found)
                    least[title, by_ticks] = min(before, found, key=lambda one: one[0] - one[1])
    base = least["the rules alone", False][0] - starts["the rules alone"]
    sys.stdout.write("                       seconds without start   clingo    ratio   tick by tick\n")
    for title in programs:
        (whole, clingo), (slow, inside) = least[title, False], least[title, True]
        own, other = whole - clingo - starts[title], slow - inside - starts[title]
        sys.stdout.write(
            f"{title:22} {own:22.2f} {clingo:8.2f} {own / base:8.2f} {other:7.2f} {other / base:6.2f}\n"
        )
