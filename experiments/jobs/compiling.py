"""Compiling programs of many rules: CPU time, and memory."""

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import process_time
from types import CodeType, FunctionType

from experiments.jobs.part import Settings, Table, number
from experiments.jobs.rules import program
from experiments.path.steps import resident

NUMBERS = (10, 100, 1000)


def tables(settings: Settings) -> Iterator[Table]:
    """One table."""
    cells = []
    for rules in NUMBERS:
        many = settings.some(rules, 2)
        found = []
        for _ in range(settings.runs):
            settings.say(f"{many} rules")
            found.append(apart(many))
        names = "compiled", "ready", "code", "memory"
        cells.append([f"{many:,}", *(number(median(one[name] for one in found)) for name in names)])
    headings = [
        "rules",
        "compiled, s",
        "and first tick over, s",
        "generated code, KiB",
        "the process grows by, MiB",
    ]
    yield Table("Rules with three windows each, compiled: CPU seconds", headings, cells)


def apart(rules: int) -> dict[str, float]:
    """What is found in a process of its own."""
    command = [sys.executable, "-m", "experiments.jobs.compiling", str(rules)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measured(rules: int) -> dict[str, float]:
    """CPU seconds until the program is compiled and until its first tick is over, code and memory by then."""
    from lars2asp import Reasoner  # noqa: PLC0415 - imported before it counts

    text = program(rules, by_constant=False)
    Reasoner.from_text("a :- b in [1].").step(0, ["b"])
    gc.collect()
    code, memory, began = generated(), resident(), process_time()
    reasoner = Reasoner.from_text(text)
    compiled = process_time()
    reasoner.step(0, [("a0", 1)])
    ready = process_time()
    gc.collect()
    return {
        "compiled": compiled - began,
        "ready": ready - began,
        "code": (generated() - code) / 2**10,
        "memory": (resident() - memory) / 2**20,
    }


def generated() -> int:
    """The bytes of the code of all functions that no file has."""
    codes = {one.__code__ for one in gc.get_objects() if isinstance(one, FunctionType)}
    made = [code for code in codes if code.co_filename.startswith("<") and "frozen" not in code.co_filename]
    return sum(map(_size, made))


def _size(code: CodeType) -> int:
    inner = sum(_size(one) for one in code.co_consts if isinstance(one, CodeType))
    return (
        sys.getsizeof(code) + sum(map(sys.getsizeof, code.co_consts)) + sys.getsizeof(code.co_names) + inner
    )


if __name__ == "__main__":
    json.dump(measured(int(sys.argv[1])), sys.stdout)
