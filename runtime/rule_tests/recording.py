"""Tests of rules made from a run: what it answers now is expected from then on."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from lars2asp.externals.terms.order import atom_key
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.rule_tests.case_run import CaseRun
from lars2asp.runtime.rule_tests.notation import Given, RuleCase, RuleFile, words_text
from lars2asp.syntax.string_escapes import escaped, with_escapes


def record(path: Path, programs: Sequence[str], inputs: Sequence[str], options: Sequence[str]) -> int:
    """Writes a file with a case made from a run, and gives the number of answers that it expects.

    Args:
        path: the file, which there must not be yet.
        programs: the files of the program.
        inputs: its input, files or folders.
        options: those with which it runs.

    Raises what the run raises, and InputError where the file is there or cannot be written.
    """
    if path.exists():
        raise InputError(f"{path} is there already: remove it, or give --record another name")
    if not inputs:
        raise InputError("a recorded test needs input: add --input FILE")
    names, given = ([os.path.relpath(one, path.parent) for one in files] for files in (programs, inputs))
    case = RuleCase("", 1, tuple(options), tuple(Given(1, one) for one in given))
    file = RuleFile(path, tuple(path.parent / one for one in names), "", (case,))
    expected = [*_expected(CaseRun(file, case))]
    title = ", ".join(Path(one).name for one in inputs)
    lines = [
        f"program {words_text(names)}",
        *([f"with {words_text(options)}"] if options else []),
        "",
        f"case as recorded from {escaped(title)}",
        *(f"given {words_text([one])}" for one in given),
        *expected,
    ]
    try:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError.of(str(path), f"cannot write this file: {error.strerror}") from error
    return len(expected)


def _expected(run: CaseRun) -> Iterator[str]:
    """What is expected: an answer for each stretch of ticks over which it stays."""
    held, timeline, decimals = run.held(), run.reading.timeline, run.plan.decimals
    intervals = [one for found in held.intervals.values() for one in found] + held.gaps
    borders = {held.first, *(begin for begin, _ in intervals), *(end + 1 for _, end in intervals)}
    begins = sorted(tick for tick in borders if tick <= held.last)
    is_timed = timeline.tick_length is not None and run.has_times

    def written(tick: int) -> str:
        return str(timeline.text(tick) if is_timed else tick)

    for begin, following in zip(begins, [*begins[1:], held.last + 1], strict=True):
        ticks = begin, following - 1
        when = (
            f"at {written(begin)}" if begin == ticks[1] else f"from {written(begin)} to {written(ticks[1])}"
        )
        if any(first <= begin <= last for first, last in held.gaps):
            yield f"expect {when}: none"
            continue
        atoms = sorted((atom for atom, _ in held.during((begin, begin))), key=atom_key)
        texts = ", ".join(atom_text(*atom, decimals) for atom in atoms)
        yield f"expect {when}: {with_escapes(texts)}".rstrip()
