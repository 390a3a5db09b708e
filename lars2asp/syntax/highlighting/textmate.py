"""The TextMate grammar, by which VS Code and other editors colour programs.

`python -m lars2asp.syntax.highlighting.textmate` prints it; `examples/vscode` has it.
"""

import json
from typing import Any

from lars2asp.syntax.highlighting.token_kinds import (
    BLOCK_COMMENT,
    BLOCK_COMMENT_END,
    DIRECTIVE,
    KINDS,
    LINE_COMMENT,
    SCRIPT,
    SCRIPT_END,
    TokenKind,
)

LANGUAGE = "lars2asp"


def textmate_grammar() -> dict[str, Any]:
    """The grammar as JSON has it."""
    directive = {"name": _scope(DIRECTIVE)}
    return {
        "name": LANGUAGE,
        "scopeName": f"source.{LANGUAGE}",
        "fileTypes": ["lars"],
        "patterns": [
            {"include": "#block_comment"},
            _match(LINE_COMMENT),
            {
                "begin": SCRIPT,
                "end": SCRIPT_END,
                "beginCaptures": {"1": directive},
                "endCaptures": {"1": directive},
                "contentName": "meta.embedded.block.python",
                "patterns": [{"include": "source.python"}],
            },
            *map(_match, KINDS),
        ],
        "repository": {
            "block_comment": {
                "name": _scope(BLOCK_COMMENT),
                "begin": BLOCK_COMMENT.pattern,
                "end": BLOCK_COMMENT_END,
                "patterns": [{"include": "#block_comment"}],
            }
        },
    }


def grammar_text() -> str:
    """The text of the grammar's file."""
    return f"{json.dumps(textmate_grammar(), indent=2)}\n"


def _match(kind: TokenKind) -> dict[str, str]:
    return {"name": _scope(kind), "match": kind.pattern}


def _scope(kind: TokenKind) -> str:
    return f"{kind.scope}.{LANGUAGE}"


if __name__ == "__main__":
    print(grammar_text(), end="")
