"""What a run over live input says at once: what it waits for, and which options there are for that."""

from lars2asp.runtime.runs.run_settings import RunSettings
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.text_files import STANDARD

_LINES = {
    Format.JSONL: 'JSON lines such as {"time": 3, "facts": ["p(a)"]} (plain facts need --format facts)',
    Format.FACTS: "plain facts such as 3: p(a)",
    Format.ANSWERS: "answers as JSON lines (--delta)",
}


def live_notice(settings: RunSettings, name: str, *, is_terminal: bool) -> str | None:
    """What is said before anything is read; None where there is nothing to say.

    Args:
        settings: those of the run.
        name: that of the source, with the port if it listens at one.
        is_terminal: whether it is standard input, and that a terminal.
    """
    if settings.input == STANDARD and not is_terminal:
        return None
    lines = _LINES.get(settings.reading.format or Format.JSONL, "rows of a table behind its header")
    if settings.is_by_clock:
        ticks = "ticks pass by the clock of this machine"
    else:
        ticks = "ticks pass by the times of the records (--clock wall: by the clock of this machine)"
    if is_terminal:
        return (
            f"waits for {lines} from this terminal; {ticks}; Ctrl-D ends the input, --input FILE reads a file"
        )
    if name.startswith("tcp:"):
        return f"{name}: listens for {lines}; {ticks}"
    return None if settings.is_by_clock else f"{name}: waits for {lines}; {ticks}"
