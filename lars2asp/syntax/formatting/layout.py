"""The lines of a statement: one if it fits, else one a literal; in long braces one an element."""

from collections.abc import Sequence

from lars2asp.syntax.directives import terminals_with
from lars2asp.syntax.formatting.comments import Comment
from lars2asp.syntax.formatting.spacing import CLOSING, OPENING, blanks_before
from lars2asp.syntax.parsing.parse_tables import Token
from lars2asp.syntax.values import dataclass

WIDTH = 100
"""The number of characters that a line has at most, where it can be divided."""

INDENT = 4

_BEFORE_BODY = ("_IF", "_WEAK")
_COLON_BEFORE_BODY = terminals_with("body")
_DIRECTIVES_WITH_LISTS = terminals_with("list")


@dataclass(frozen=True)
class Piece:
    """A token, and the comments before it."""

    text: str
    terminal: str
    has_blank: bool
    comments: tuple[Comment, ...]


def pieces_of(
    tokens: Sequence[Token], texts: Sequence[str], comments: Sequence[tuple[Comment, ...]]
) -> list[Piece]:
    """The pieces of a statement: its tokens with their texts, and the comments before each."""
    blanks = blanks_before(tokens)
    return [
        Piece(text, token.terminal, blank, before)
        for token, text, blank, before in zip(tokens, texts, blanks, comments, strict=True)
    ]


def lines_of(pieces: Sequence[Piece]) -> list[str]:
    """The lines of a statement."""
    layout = _Layout(pieces)
    layout.statement()
    return layout.lines


class _Layout:
    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.lines: list[str] = []
        self._pieces = pieces
        self._partner = _partners(pieces)
        self._indent = 0
        self._begins = True  # the next token or comment begins a line
        self._commented: set[int] = set()  # the tokens whose comments are written

    def statement(self) -> None:
        end = len(self._pieces)
        body = self._begin_of_body()
        if self._is_flat(0, end, 0) or body is None:
            self._part(0, end, 0)
            return
        if body == 1:
            self._flat(0, 1)
        else:
            self._parts(0, body, 0)
        self._parts(body, end, INDENT)

    def _begin_of_body(self) -> int | None:
        """The place behind `:-`, or behind the colon of a directive; None without a body."""
        has_colon = self._pieces[0].terminal in _COLON_BEFORE_BODY
        for place in self._outer(0, len(self._pieces)):
            kind = self._pieces[place].terminal
            if kind in _BEFORE_BODY or (has_colon and kind == "COLON"):
                is_empty = self._pieces[place + 1].terminal == "_DOT"
                return None if is_empty else place + 1
        return None

    def _outer(self, begin: int, end: int) -> list[int]:
        """The places from one to another that stand in no bracket among them."""
        found, place = [], begin
        while place < end:
            found.append(place)
            place = self._partner.get(place, place + 1)
        return found

    def _parts(
        self, begin: int, end: int, indent: int, separators: tuple[str, ...] = ("COMMA", "SEMICOLON")
    ) -> None:
        """Parts with separators between them, each on a line of its own."""
        first, is_behind_colon = begin, False
        for place in self._outer(begin, end):
            kind = self._pieces[place].terminal
            is_behind_colon = kind != "SEMICOLON" and (is_behind_colon or kind == "COLON")
            is_end = place + 1 == end or self._pieces[place + 1].terminal == "_DOT"
            if kind in separators and not (kind == "COMMA" and is_behind_colon) and not is_end:
                self._part_on_line(first, place + 1, indent)
                first = place + 1
        self._part_on_line(first, end, indent)

    def _part_on_line(self, begin: int, end: int, indent: int) -> None:
        self._break(indent, before=begin)
        self._part(begin, end, indent)

    def _part(self, begin: int, end: int, indent: int) -> None:
        """A part in one line, or divided within its braces."""
        group = None if self._is_flat(begin, end, indent) else self._group(begin, end)
        if group is None:
            self._flat(begin, end, indent)
            return
        close = self._partner[group] - 1
        self._flat(begin, group + 1, indent)
        separator = "SEMICOLON" if self._pieces[group].terminal == "LBRACE" else "COMMA"
        self._parts(group + 1, close, indent + INDENT, (separator,))
        self._break(indent, before=close)
        self._flat(close, end, indent)

    def _group(self, begin: int, end: int) -> int | None:
        """The bracket at which a part is divided that is too long, if there is one."""
        kinds = ["LBRACE"]
        if self._pieces[0].terminal in _DIRECTIVES_WITH_LISTS:
            kinds.append("LPAR")
        for place in self._outer(begin, end):
            if self._pieces[place].terminal in kinds and place + 2 < self._partner.get(place, 0) <= end:
                return place
        return None

    def _is_flat(self, begin: int, end: int, indent: int) -> bool:
        """Whether a part is written in one line."""
        width = indent
        for place in range(begin, end):
            piece = self._pieces[place]
            comments = piece.comments if place > begin else ()
            if any(one.ends_of_line or not one.is_inline for one in comments):
                return False
            width += len(piece.text) + sum(len(one.text) + 1 for one in comments)
            width += place > begin and (piece.has_blank or bool(comments))
        return width <= WIDTH

    def _flat(self, begin: int, end: int, indent: int = 0) -> None:
        """Writes tokens; after a comment that ends a line the next one goes on in another line."""
        self._indent = indent
        for place in range(begin, end):
            piece = self._pieces[place]
            is_behind_comment = self._comments(place)
            self._write(piece.text, piece.has_blank or is_behind_comment)
            self._indent = indent + INDENT

    def _break(self, indent: int, before: int) -> None:
        """Begins another line, behind the comments that belong to the line before."""
        self._indent = indent
        self._comments(before)
        self._begins = True

    def _comments(self, place: int) -> bool:
        """Writes the comments before a token unless they are written; whether there were any."""
        comments = () if place in self._commented else self._pieces[place].comments
        self._commented.add(place)
        for comment in comments:
            self._comment(comment)
        return bool(comments)

    def _comment(self, comment: Comment) -> None:
        begins_line = self._begins or comment.ends_of_line > 0
        if begins_line:
            self._begins = True
            self._write(comment.text, False)
        else:
            gap = " " if comment.text.startswith("%*") else "  "
            self.lines[-1] += f"{gap}{comment.text}"
        self._begins = begins_line or not comment.is_inline

    def _write(self, text: str, has_blank: bool) -> None:
        if self._begins:
            self.lines.append(f"{' ' * self._indent}{text}")
        else:
            self.lines[-1] += f" {text}" if has_blank else text
        self._begins = False


def _partners(pieces: Sequence[Piece]) -> dict[int, int]:
    """The places behind the brackets that close those at a place."""
    found, waiting = {}, []
    for place, piece in enumerate(pieces):
        if piece.terminal in OPENING:
            waiting.append(place)
        elif piece.terminal in CLOSING and waiting:
            found[waiting.pop()] = place + 1
    return found
