"""Files with tests of rules: what is written, as values."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from lars2asp.runtime.errors import InputError
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import escaped, with_characters
from lars2asp.syntax.values import dataclass

ENDING = ".lars-test"
"""How the names of files with tests end."""

_KEYWORDS = "program, with, case, given, stream, expect, never and why"

_ANSWER = re.compile(r"\s*(\S+(?: [0-9]{1,2}:[0-9:.+Z-]*)?)\s+->(.*)")
"""An answer in a stream, as in `1 -> alarm`."""


@dataclass(frozen=True)
class Given:
    """Input of a case.

    Attributes:
        line: where it stands in the file, counted from 1; of text the line above it.
        path: a file or a folder; None for text.
        text: the text.
    """

    line: int
    path: str | None = None
    text: str = ""


@dataclass(frozen=True)
class Expected:
    """The answer at each tick from a first to a last one is to be so.

    Attributes:
        line: where it stands.
        text: how it is written.
        first: the first tick, as text; None for the first one of the run.
        last: the last tick; None for that of the run.
        atoms: the answer: atoms (with `...` behind them for more), `none`, or `{...} | {...}`.
        before: `last` is not the last tick, but the one behind it.
    """

    line: int
    text: str
    first: str | None
    last: str | None
    atoms: str
    before: bool = False


@dataclass(frozen=True)
class Never:
    """No atom that matches is to hold at a tick from a first to a last one; see Expected."""

    line: int
    text: str
    atom: str
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True)
class Why:
    """An atom is to hold at a tick, or not to, and the explanation is to have some words.

    Attributes:
        line: where it stands.
        text: how it is written.
        atom: the atom.
        at: the tick.
        holds: whether it is to hold.
        words: each stands in the explanation, but for blanks.
    """

    line: int
    text: str
    atom: str
    at: str
    holds: bool
    words: tuple[str, ...]


Claim = Expected | Never | Why


@dataclass(frozen=True)
class RuleCase:
    """A case of a file: a stream, and claims about the answers to it.

    Attributes:
        name: what it is called.
        line: where it begins.
        options: those of the command line with which it runs, of the file and its own.
        given: its input, that of the file first.
        claims: what is to be so.
    """

    name: str
    line: int
    options: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class RuleFile:
    """A file with tests of rules.

    Attributes:
        path: the file.
        programs: the files of the program, beside which this one lies.
        program: what of the program stands in the file itself; blank lines come first, so that its places
            are those of the file.
        cases: the cases.
    """

    path: Path
    programs: tuple[Path, ...]
    program: str
    cases: tuple[RuleCase, ...]


def read_rule_file(path: Path) -> RuleFile:
    """The tests in a file. Raises InputError."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError.of(str(path), f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError.of(str(path), "is not UTF-8 text") from error
    return _Reader(path).read(f"{text}\n")


class _Reader:
    """Makes values of the text of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._programs: list[Path] = []
        self._program: list[str] = []
        self._head = RuleCase("", 1)
        self._cases: list[RuleCase] = []

    def read(self, text: str) -> RuleFile:
        """The tests in the text. Raises InputError."""
        lines = text.split("\n")
        try:
            tree = _parser().parse(text)
        except UnexpectedInput as error:
            line = getattr(error, "line", len(lines))
            if self._path.suffix == ".lars":
                reason = "this is a program, not a test: name a file that ends with .lars-test"
                raise self._wrong(1, reason) from error
            written = lines[line - 1].strip()
            cure = f"write {written}:" if written in ("given", "stream") else _CURE
            raise self._wrong(line, f"{shown(written)} is not understood: {cure}") from error
        for statement in tree.children:
            assert isinstance(statement, Tree)
            self._take(statement, lines[statement.meta.line - 1].strip())
        if not self._programs and not self._program:
            raise self._wrong(1, "a file with tests says what it tests: write program rooms.lars")
        if not self._cases:
            if not self._head.claims:
                raise self._wrong(
                    1, "the file contains no test: write for instance expect at 3: alarm(kitchen)"
                )
            self._cases = [replace(self._head, name=self._path.name)]
        return RuleFile(self._path, tuple(self._programs), "".join(self._program), tuple(self._cases))

    def _take(self, statement: "Tree[Token]", text: str) -> None:
        line = statement.meta.line
        parts = [*statement.scan_values(lambda one: isinstance(one, Token))]
        block = next((_inside(one) for one in parts if one.type == "BLOCK"), None)
        rest = next((one.strip() for one in parts if one.type == "REST"), "")
        times = [str(one) for one in parts if one.type == "TIME"]
        atom = next((one.strip() for one in parts if one.type == "ATOM"), "")
        match statement.data:
            case "program" if block is None:
                self._programs += [self._path.parent / name for name in self._words(line, rest)]
            case "program":
                before = "".join(self._program).count("\n")
                self._program += ["\n" * (line - before), block or ""]
            case "case":
                self._cases.append(replace(self._head, name=rest, line=line))
            case "options":
                self._put(options=self._words(line, rest))
            case "given":
                self._put(given=(Given(line, self._path_in(line, rest), block or ""),))
            case "stream":
                given, answers = _stream(block or "", line)
                self._put(given=(Given(line, None, given),), claims=tuple(answers))
            case "expect":
                atoms = " ".join(filter(None, map(str.strip, (block or rest).split("\n"))))
                self._put(claims=(Expected(line, text, times[0], times[-1], atoms),))
            case "never":
                self._put(claims=(Never(line, text, atom, *(times[:1] + times[-1:])),))
            case _:
                is_negated = any(one.type == "NOT" for one in parts)
                words = tuple(filter(None, map(str.strip, (block or rest).split("\n"))))
                self._put(claims=(Why(line, text, atom, times[0], not is_negated, words),))

    def _put(
        self,
        *,
        options: tuple[str, ...] = (),
        given: tuple[Given, ...] = (),
        claims: tuple[Claim, ...] = (),
    ) -> None:
        """Adds to the case that has begun; before the first to what all have."""
        case = self._cases.pop() if self._cases else self._head
        case = replace(
            case,
            options=case.options + options,
            given=case.given + given,
            claims=case.claims + claims,
        )
        if case.line == 1 and not case.name:
            self._head = case
        else:
            self._cases.append(case)

    def _words(self, line: int, text: str) -> tuple[str, ...]:
        try:
            return tuple(with_characters(one) for one in shlex.split(text, comments=False))
        except ValueError as error:
            raise self._wrong(line, f"{shown(text)}: {error}") from error

    def _path_in(self, line: int, text: str) -> str | None:
        """The file or folder that is given: in quotes, or as it stands."""
        words = self._words(line, text) if text[:1] in ("'", '"') else ()
        return words[0] if len(words) == 1 else with_characters(text) or None

    def _wrong(self, line: int, reason: str) -> InputError:
        return InputError(f"{self._path}:{line}: error: {reason}")


def words_text(words: Sequence[str]) -> str:
    """Words as a line of a file has them, which are read as they are: names of files, options."""
    return " ".join(map(_word_text, words))


def _word_text(word: str) -> str:
    safe = escaped(word.replace("\\u{", "\\u{5c}u{"))
    written = shlex.quote(safe)
    return f"'{safe}'" if written[0] in ":%" else written


_CURE = (
    f"lines begin with {_KEYWORDS}, as in expect at 3: alarm(kitchen); what belongs to given:, stream: and "
    "program: is indented"
)


def _inside(block: Token) -> str:
    """The lines of a block, without the one that begins it."""
    return block.partition("\n")[2]


def _stream(block: str, line: int) -> tuple[str, Iterator[Expected]]:
    """The input of a stream, and what it says of all ticks. Answers leave blank lines in the input."""
    lines = block.split("\n")
    answers = [(number, match) for number, one in enumerate(lines) if (match := _ANSWER.fullmatch(one))]
    told = ["" if _ANSWER.fullmatch(one) else one for one in lines]
    return "\n".join(told), _answers([(line + 1 + number, one[1], one[2]) for number, one in answers])


def _answers(found: Sequence[tuple[int, str, str]]) -> Iterator[Expected]:
    """A tick without an answer has that of the tick before, the empty one at first."""
    known: list[tuple[int, str | None, str]] = [(found[0][0] if found else 1, None, ""), *found]
    for (line, first, atoms), following in zip(known, [*known[1:], None], strict=True):
        text = f"{first or 'at first'} -> {atoms.strip()}"
        last = None if following is None else following[1]
        yield Expected(line, text, first, last, atoms.strip(), before=last is not None)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("notation.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False
    )
