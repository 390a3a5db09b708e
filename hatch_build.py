"""The description of the wheel: README without pictures and links into the repository."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)\n*")
_LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)[^)]+\)")
"""A link that is relative, or to a heading."""


class Description(MetadataHookInterface):
    """Sets the field `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Links become their texts, and pictures go."""
        text = _PICTURE.sub("", (Path(self.root) / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": _LINK.sub(r"\1", text)}
