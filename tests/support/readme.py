"""README's code blocks, which tests run as they stand."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks_after(text: str) -> list[str]:
    """The code blocks that follow a sentence."""
    return re.findall(r"```[a-z]*\n(.*?)```", README[README.index(text) :], re.DOTALL)


def block_after(text: str, number: int = 0) -> str:
    """A code block that follows a sentence: by default the next one."""
    return blocks_after(text)[number]


def own_data() -> list[str]:
    """The code blocks of the section on own data."""
    section = README[README.index("## Your own data") : README.index("## From Python")]
    return blocks_after("## Your own data")[: section.count("```") // 2]


def write_own_data(folder: Path) -> None:
    """Writes the table and the program of that section to a folder."""
    (folder / "readings.csv").write_text(block_after("wrote `readings.csv`"))
    (folder / "rooms.lars").write_text(block_after("Write `rooms.lars`"))
