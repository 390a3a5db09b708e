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
