"""The lexer of Pygments, by the name `lars2asp`: for documentation, terminals and papers."""

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers.python import PythonLexer
from pygments.token import Text, Token, string_to_tokentype

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


def _token(kind: TokenKind) -> Any:
    return string_to_tokentype(kind.token)


_COMMENT = _token(BLOCK_COMMENT)
_DIRECTIVE = _token(DIRECTIVE)


class Lars2aspLexer(RegexLexer):
    """Programs of lars2asp."""

    name = "lars2asp"
    aliases: ClassVar = ["lars2asp", "lars"]
    filenames: ClassVar = ["*.lars"]
    mimetypes: ClassVar = ["text/x-lars2asp"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Text.Whitespace),
            (BLOCK_COMMENT.pattern, _COMMENT, "comment"),
            (LINE_COMMENT.pattern, _token(LINE_COMMENT)),
            (
                rf"{SCRIPT}((?:.|\n)*?){SCRIPT_END}",
                bygroups(_DIRECTIVE, Token.Punctuation, using(PythonLexer), _DIRECTIVE, Token.Punctuation),
            ),
            *((kind.pattern, _token(kind)) for kind in KINDS),
        ],
        "comment": [
            (BLOCK_COMMENT.pattern, _COMMENT, "#push"),
            (BLOCK_COMMENT_END, _COMMENT, "#pop"),
            (LINE_COMMENT.pattern, _COMMENT),
            (r"[^%*#]+|.", _COMMENT),
        ],
    }
