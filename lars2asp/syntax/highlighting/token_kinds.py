"""The kinds of tokens that are shown in different colours, by regular expressions.

These are patterns that Python's `re` and the engines of editors read alike. A word such as `in` is a keyword
only where no name can stand, which the parser decides; here it is one unless a bracket follows.
"""

from typing import NamedTuple

from lars2asp.syntax.directives import names
from lars2asp.syntax.time_units import NAMES

CONSTANTS = ("true", "false", "infimum", "inf", "supremum", "sup")
AGGREGATES = ("count", "sum+", "sum", "min", "max")
NEGATION = ("not",)
WORDS = (
    *("in", "always", "at", "least", "most", "count", "step", "from", "every", "each", "records", "since"),
    *("after", "or", "for", "by", "of", "columns", "where"),
)
SHORT_UNITS = ("ms", "s", "m", "h", "d")
UNITS = tuple(name for name in NAMES if name not in SHORT_UNITS)

_NO_WORD_BEFORE = r"(?<![A-Za-z0-9_'])"
_NO_WORD_BEHIND = r"(?![A-Za-z0-9_'])"


class TokenKind(NamedTuple):
    """A kind of tokens.

    Attributes:
        pattern: what they look like; earlier kinds go before later ones.
        token: what Pygments calls them, below its `Token`.
        scope: what editors call them (TextMate's scopes), without the name of the language behind it.
    """

    pattern: str
    token: str
    scope: str


def _words(words: tuple[str, ...], before: str = "") -> str:
    return f"{before}(?:{'|'.join(word.replace('+', '[+]') for word in words)}){_NO_WORD_BEHIND}"


LINE_COMMENT = TokenKind(r"%[^\n]*|#![^\n]*", "Comment.Single", "comment.line.percentage")
BLOCK_COMMENT = TokenKind(r"%\*", "Comment.Multiline", "comment.block")
BLOCK_COMMENT_END = r"\*%"
SCRIPT = r"(#script)(\s*\(\s*[a-z]+\s*\))"
SCRIPT_END = r"(#end)(\s*\.)"
DIRECTIVE = TokenKind(_words(names(), "#"), "Keyword.Declaration", "keyword.other.directive")

KINDS = (
    DIRECTIVE,
    TokenKind(_words(CONSTANTS, "#"), "Keyword.Constant", "constant.language"),
    TokenKind(
        "#(?:count|sum[+]|sum|min|max)(?![A-Za-z0-9_'+])", "Name.Builtin", "support.function.aggregate"
    ),
    TokenKind(
        r'<(?:[A-Za-z][A-Za-z0-9+.\-]*://|urn:|tag:|mailto:|did:)[^\x00-\x20<>"{}|^`\\]*>',
        "Literal.String.Other",
        "constant.other.iri",
    ),
    TokenKind(r'"(?:[^"\\\n]|\\.)*"', "Literal.String.Double", "string.quoted.double"),
    TokenKind(
        f"(?<=[0-9])(?:{'|'.join((*UNITS, *SHORT_UNITS))}){_NO_WORD_BEHIND}"
        f"|(?<=[0-9] )(?:{'|'.join((*UNITS, *SHORT_UNITS))}){_NO_WORD_BEHIND}"
        rf"|(?<=[A-Za-z_)] )(?:{'|'.join(UNITS)})(?=\s*(?:\]|\.\.|step\b|from\b))",
        "Keyword.Type",
        "keyword.other.unit",
    ),
    TokenKind(_words(NEGATION, _NO_WORD_BEFORE), "Operator.Word", "keyword.operator.logical"),
    TokenKind(_words(WORDS, _NO_WORD_BEFORE) + r"(?!\(|/[0-9])", "Keyword", "keyword.control"),
    TokenKind(r"@[_']*[a-z][A-Za-z0-9_']*", "Name.Function", "entity.name.function.external"),
    TokenKind(
        r"0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|(?:0|[1-9][0-9]*)\.[0-9]+|0|[1-9][0-9]*",
        "Literal.Number",
        "constant.numeric",
    ),
    TokenKind(
        rf"[_']*[A-Z][A-Za-z0-9_']*|{_NO_WORD_BEFORE}_{_NO_WORD_BEHIND}", "Name.Variable", "variable.other"
    ),
    TokenKind(r"[_']*[a-z][A-Za-z0-9_']*(?=\()", "Name.Class", "entity.name.function.predicate"),
    TokenKind(r"[_']*[a-z][A-Za-z0-9_']*", "Name", "entity.name.constant"),
    TokenKind(r":-|:~", "Operator", "keyword.operator.rule"),
    TokenKind(r"<=|>=|!=|<>|==|[<>=]|\*\*|\.\.|[-+*/\\^?&~|#@]", "Operator", "keyword.operator"),
    TokenKind(r"[.,;:(){}\[\]]", "Punctuation", "punctuation"),
)
"""All kinds but comments and scripts, which have others within."""
