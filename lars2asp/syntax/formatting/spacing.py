"""Where blanks stand in a line: `p(X,Y) in [5 min], X + 1 < Y, S = #sum { V,T : q(V+1) at T in {1,2} }`."""

from collections.abc import Sequence
from typing import NamedTuple

from lars2asp.syntax.directives import terminals_with
from lars2asp.syntax.parsing.parse_tables import Token

OPENING = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "_OPEN": "_CLOSE"}
"""The terminals of brackets, and those that close them."""
CLOSING = frozenset(OPENING.values())

_OPERAND_ENDS = {
    *("NUMBER", "DECIMAL", "STRING", "EXTREMUM", "VARIABLE", "ANONYMOUS", "IDENTIFIER", "PATH", "UNIT"),
    *("IRI", "PREFIXED", "LITERAL", "RPAR", "_CLOSE"),
}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "BACKSLASH", "CARET", "QUESTION", "AMPERSAND"}
_TIGHT_OPERATORS = {"POWER", "DOTS"}
_WITH_SIGNATURES = terminals_with("signature")
_WITH_COLUMNS = terminals_with("columns")
_OFFSETS = {
    *("NUMBER", "VARIABLE", "ANONYMOUS", "COMMA", "DOTS", "LPAR", "RPAR", "POWER", "TILDE"),
    *_OPERATORS,
}
_BEFORE_OFFSETS = ("_IN", "_ALWAYS")
_WINDOW_WORDS = ("every", "since", "after")


class _Bracket(NamedTuple):
    """An open bracket: its terminal, and whether no blanks stand next to what is in it."""

    terminal: str
    is_tight: bool


def blanks_before(tokens: Sequence[Token]) -> list[bool]:
    """For each token of a statement, whether a blank is between it and the one before it."""
    return _Spacing(tokens).blanks()


class _Spacing:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._directive = tokens[0].terminal
        self._open: list[_Bracket] = []
        self._behind_colon = False  # within the element of the innermost braces, or within the body
        self._glued = False  # no blank behind the token before, whatever comes

    def blanks(self) -> list[bool]:
        found = []
        for place, token in enumerate(self._tokens):
            found.append(place > 0 and self._next(place, token))
        return found

    def _next(self, place: int, token: Token) -> bool:
        """Whether a blank stands before a token, and what follows from the token for the next one."""
        before = self._tokens[place - 1]
        if place == 1:
            self._take(0, before, None)
        is_blank = self._blank(place, token, before)
        self._take(place, token, before)
        return is_blank

    @property
    def _is_tight(self) -> bool:
        """Whether commas, semicolons and operators have no blanks here."""
        return bool(self._open) and self._open[-1].is_tight

    def _blank(self, place: int, token: Token, before: Token) -> bool:
        kind = token.terminal
        if self._glued or kind in ("COMMA", "SEMICOLON", "_DOT", "RPAR", "RSQB", "_CLOSE"):
            return False
        if kind == "LPAR" and before.terminal in ("IDENTIFIER", "_FIXED"):
            return False
        if kind == "COLON" and self._directive == "_PREFIX":
            return False
        if kind == "RBRACE":
            return not self._is_tight and before.terminal != "LBRACE"
        if kind == "VBAR" and self._is_absolute and self._is_operand_end(place - 1):
            return False
        if kind == "AT" and self._is_operand_end(place - 1):
            return False
        if before.terminal == "COMMA":
            if self._open and self._open[-1].terminal == "LBRACE":
                return self._behind_colon and not self._is_tight
            return not self._is_tight or (self._directive in _WITH_COLUMNS and len(self._open) == 1)
        if before.terminal == "SEMICOLON":
            return not self._is_tight
        if self._is_binary(place):
            return self._is_loose_operator(place)
        if self._is_binary(place - 1):
            return self._is_loose_operator(place - 1)
        if kind == "_HASH":
            return before not in _WINDOW_WORDS
        return True

    def _is_binary(self, place: int) -> bool:
        """Whether an operator between two operands stands at a place."""
        kind = self._tokens[place].terminal
        if kind in _TIGHT_OPERATORS:
            return True
        return kind in _OPERATORS and (kind != "MINUS" or (place > 0 and self._is_operand_end(place - 1)))

    def _is_loose_operator(self, place: int) -> bool:
        kind = self._tokens[place].terminal
        if kind == "DOTS":
            return self._tokens[place - 1].terminal == "UNIT"
        is_signature = kind == "SLASH" and self._directive in _WITH_SIGNATURES
        return kind != "POWER" and not is_signature and not self._is_tight

    def _is_operand_end(self, place: int) -> bool:
        kind = self._tokens[place].terminal
        return kind in _OPERAND_ENDS or (kind == "VBAR" and self._closed_absolute)

    @property
    def _is_absolute(self) -> bool:
        return bool(self._open) and self._open[-1].terminal == "VBAR"

    def _take(self, place: int, token: Token, before: Token | None) -> None:
        kind = token.terminal
        is_unary = kind == "TILDE" or (kind == "MINUS" and not self._is_binary(place))
        self._glued = is_unary or kind in ("LPAR", "LSQB", "_OPEN", "AT")
        is_behind_operand = before is not None and self._is_operand_end(place - 1)
        self._closed_absolute = False
        if kind == "VBAR":
            if self._is_absolute and is_behind_operand:
                self._open.pop()
                self._closed_absolute = True
            elif not is_behind_operand:
                self._open.append(_Bracket("VBAR", True))
                self._glued = True
        elif kind == "LBRACE":
            is_tight = self._has_offsets(place, before)
            self._open.append(_Bracket(kind, is_tight))
            self._glued = is_tight
            self._behind_colon = False
        elif kind in OPENING:
            self._open.append(_Bracket(kind, kind != "_OPEN"))
        elif kind in CLOSING and self._open:
            self._open.pop()
        elif kind in ("COLON", "SEMICOLON"):
            self._behind_colon = kind == "COLON"

    _closed_absolute = False

    def _has_offsets(self, place: int, before: Token | None) -> bool:
        """Whether the braces that open at a place are a window, as `{1,3..5}` is."""
        if before is None or before.terminal == "AGGREGATE":
            return False
        if before.terminal in _BEFORE_OFFSETS:
            return True
        inner = []
        for token in self._tokens[place + 1 :]:
            if token.terminal == "RBRACE":
                break
            inner.append(token.terminal)
        return bool(inner) and _OFFSETS.issuperset(inner)
