"""Labels: what rules and atoms say in words, by comments in the syntax of xclingo.

    %!trace_rule {"% is too hot", R}.
    hot(R) :- reading(R, T), T > 250.

    %!trace {"% measured %", R, T} reading(R, T) : T > 250.
    %!trace {reading(R, T), "% measured %", R, T} :- T > 250.

The first is the label of the rule behind it. The other two, the older and the newer spelling of one thing,
are labels of atoms, and stand anywhere between statements. Each `%` stands for the next of the terms. clingo
skips such comments, and so does the parser here.
"""

import logging
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clingo import Symbol, SymbolType, parse_term

from lars2asp.planning.asp.safe_arithmetic import safe_atom
from lars2asp.runtime.explanations.label_conditions import in_integers
from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.nodes import Atom, Decimals, Program
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.statement_texts import cut_statements

_STRING = r'"(?:[^"\\\n]|\\.)*+"'
_COMMENT = re.compile(r"%\*|%[^\n]*|#![^\n]*|\S")
_BLOCK_COMMENT_MARK = re.compile(r"%\*|\*%|%[^\n]*")
_LABEL = re.compile(rf'%!trace(_rule)?(?!\w)\s*(?:\{{((?:[^{{}}"]|{_STRING})*+)\}}(.*))?', re.DOTALL)
_TOKEN = re.compile(rf"{_STRING}|[\w']+|[(){{}}\[\],]|<=|>=|!=|==|[<>=]|\s+|.", re.DOTALL)
_VARIABLE = re.compile(r"[_']*[A-Z][\w']*|_")
_ATOM = re.compile(r"-?[_']*[a-z][\w']*(?:\(.*\))?", re.DOTALL)
_NAME = re.compile(r"[^(\s]+")
_ESCAPES = re.compile(r"\\(.)", re.DOTALL)
_QUOTED = re.compile(_STRING)
_COMPARISONS: Mapping[str, Callable[[Symbol, Symbol], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
_ANY = "any_value__"
"""The name of the term that stands for a variable where clingo reads a pattern."""

_HINT = (
    'write %!trace_rule {"text with %", X}. in front of a rule, or %!trace {"text with %", X} atom : X > 3.'
)


class _Words(NamedTuple):
    """The text of a label, cut at each `%`, and the terms for these."""

    parts: tuple[str, ...]
    terms: tuple[str, ...]

    def filled(self, bindings: Mapping[str, str]) -> str:
        """The label for the values of variables."""
        values = [_plain(_value(term, bindings)) for term in self.terms[: len(self.parts) - 1]]
        values += ["%"] * (len(self.parts) - 1 - len(values))
        return self.parts[0] + "".join(
            value + part for value, part in zip(values, self.parts[1:], strict=True)
        )


class _Comparison(NamedTuple):
    left: str
    holds: Callable[[Symbol, Symbol], bool]
    right: str


@dataclass(frozen=True)
class _AtomLabel:
    """What is said of the atoms that a pattern matches, if comparisons hold."""

    words: _Words
    pattern: Symbol
    conditions: tuple[_Comparison, ...]

    def said(self, atom: Symbol, written: Sequence[str]) -> str | None:
        """The label of an atom with its arguments as they are written; None for an atom that is not meant."""
        bindings = _matched(self.pattern, atom)
        if bindings is None:
            return None
        for left, holds, right in self.conditions:
            sides = _evaluated(left, bindings), _evaluated(right, bindings)
            if sides[0] is None or sides[1] is None or not holds(sides[0], sides[1]):
                return None
        for argument, text in zip(self.pattern.arguments, written, strict=False):
            if argument.type is SymbolType.Function and argument.name == _ANY:
                bindings[argument.arguments[0].string] = text
        return self.words.filled(bindings)


class _Rules(NamedTuple):
    """The labelled statements of a source: where each begins and ends, and its labels."""

    begins: list[int]
    ends: list[int]
    labels: list[list[_Words]]


class Labels:
    """The labels in the sources of a program. Those that cannot be read are left out, each with a warning.

    Where there are several labels for one thing all are said.

    Args:
        program: the program as it was read.
    """

    def __init__(self, program: Program) -> None:
        self._rules: dict[Source, _Rules] = {}
        self._atoms: dict[tuple[str, int], list[_AtomLabel]] = {}
        self._decimals = [*program.every(Decimals)]
        for source in program.sources:
            if "%!trace" in source.text:
                self._read(source)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._rules or self._atoms)

    def label_of_rule(self, location: Location, bindings: Mapping[str, str]) -> str:
        """What is said of an instance of a rule, or of another statement; empty where it has no label.

        Args:
            location: where the statement stands.
            bindings: the values of its variables, as text.
        """
        rules = self._rules.get(location.source)
        if rules is None:
            return ""
        place = bisect_right(rules.begins, location.begin) - 1
        if place < 0 or location.begin >= rules.ends[place]:
            return ""
        return _joined(words.filled(bindings) for words in rules.labels[place])

    def label_of_atom(self, name: str, arguments: Sequence[str] = (), written: Sequence[str] = ()) -> str:
        """What is said of an atom; empty where it has no label.

        Args:
            name: its predicate, `-p` of an atom that is negated classically.
            arguments: its arguments, as text.
            written: the same as people read them, where that is another text.
        """
        labels = self._atoms.get((name, len(arguments)))
        if labels is None:
            return ""
        atom = _symbol(f"{name}({','.join(arguments)})" if arguments else name)
        if atom is None:
            return ""
        return _joined(said for label in labels if (said := label.said(atom, written)) is not None)

    # --- reading --------------------------------------------------------------------------------------

    def _read(self, source: Source) -> None:
        rules = _Rules([], [], [])
        end = 0
        for statement in cut_statements(source, Diagnostics()):
            found = self._between(source, end, statement.begin)
            end = statement.begin + len(statement.text)
            if found:
                rules.begins.append(statement.begin)
                rules.ends.append(end)
                rules.labels.append(found)
        self._between(source, end, len(source.text))
        if rules.begins:
            self._rules[source] = rules

    def _between(self, source: Source, begin: int, end: int) -> list[_Words]:
        """The labels, for the statement that follows, of the comments in a part of a source."""
        found: list[_Words] = []
        for at, comment in _comments(source.text, begin, end):
            label = _LABEL.match(comment)
            if not comment:
                found = []
            elif label is not None and not self._take(label, found):
                line = source.position(at)[0]
                _logger.warning(
                    "%s:%d: this label is left out, as it cannot be read: %s (%s)",
                    shown(source.name),
                    line,
                    shown(comment),
                    _HINT,
                )
        return found

    def _take(self, label: re.Match[str], found: list[_Words]) -> bool:
        """Takes a label; whether it can be read."""
        inside, behind = label[2], (label[3] or "").strip()
        terms = None if inside is None else _split(inside)
        if not terms:
            return False
        if label[1]:
            words = _words(terms) if behind in ("", ".") else None
            if words is not None:
                found.append(words)
            return words is not None
        made = _atom_label(terms, behind, self._decimals)
        if made is None:
            return False
        self._atoms.setdefault((_signed(made.pattern), len(made.pattern.arguments)), []).append(made)
        return True


_logger = logging.getLogger("lars2asp")


def _comments(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    """The comments up to the end of a line between two offsets; an empty one stands for other text."""
    at = begin
    while (mark := _COMMENT.search(text, at, end)) is not None:
        at = mark.end()
        if mark[0] == "%*":
            depth = 0
            for inner in _BLOCK_COMMENT_MARK.finditer(text, mark.start(), end):
                depth += {"%*": 1, "*%": -1}.get(inner[0], 0)
                at = inner.end()
                if depth == 0:
                    break
        elif mark[0].startswith("%") or len(mark[0]) > 1:
            yield mark.start(), mark[0]
        else:
            yield mark.start(), ""


# --- parts of a label -------------------------------------------------------------------------------------


def _atom_label(inside: Sequence[str], behind: str, decimals: Sequence[Decimals]) -> _AtomLabel | None:
    """The label of atoms; None for what is none."""
    if behind.endswith("."):
        behind = behind[:-1].rstrip()
    if inside[0].startswith('"'):
        head, _, condition = _parted(behind, ":")
        words = _words(inside)
    else:
        head, condition = inside[0], behind.removeprefix(":-")
        words = _words(inside[1:])
        if behind and condition == behind:
            return None
    head = head.strip()
    if words is None or not _ATOM.fullmatch(head):
        return None
    parts = _split(condition) if condition.strip() else []
    if parts is None:
        return None
    parts = [part for part in parts if _without_blanks(part) != _without_blanks(head)]
    if decimals:
        literals = in_integers(decimals, [head, *parts])
        if literals is None:
            return None
        head, *parts = literals
    pattern = _symbol(_replaced(head, lambda name: f'{_ANY}("{name}")'))
    if pattern is None or pattern.type is not SymbolType.Function:
        return None
    comparisons = [_comparison(part) for part in parts]
    known = tuple(comparison for comparison in comparisons if comparison is not None)
    return _AtomLabel(words, pattern, known) if len(known) == len(comparisons) else None


def _words(terms: Sequence[str]) -> _Words | None:
    if not terms or not _QUOTED.fullmatch(terms[0]) or not all(terms):
        return None
    return _Words(tuple(_unquoted(terms[0]).split("%")), tuple(terms[1:]))


def _comparison(text: str) -> _Comparison | None:
    """The comparison that a text is; None for other literals: the stream is not looked at."""
    tokens = _TOKEN.findall(text)
    signs = [place for place, token in enumerate(tokens) if token in _COMPARISONS]
    if len(signs) != 1:
        return None
    [sign] = signs
    left, right = "".join(tokens[:sign]).strip(), "".join(tokens[sign + 1 :]).strip()
    return _Comparison(left, _COMPARISONS[tokens[sign]], right) if left and right else None


def _split(text: str) -> list[str] | None:
    """The parts of a text between the commas that no bracket or string holds; None if brackets do not fit."""
    parts, depth = [""], 0
    for token in _TOKEN.findall(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
        if depth < 0 or token == '"':
            return None
        if token == "," and not depth:
            parts.append("")
        else:
            parts[-1] += token
    return None if depth else [part.strip() for part in parts]


def _parted(text: str, sign: str) -> tuple[str, str, str]:
    """A text before and behind the first occurrence of a sign that no string holds."""
    at = 0
    for token in _TOKEN.findall(text):
        if token == sign:
            return text[:at], sign, text[at + 1 :]
        at += len(token)
    return text, "", ""


def _without_blanks(text: str) -> str:
    return "".join(token for token in _TOKEN.findall(text) if not token.isspace())


def _replaced(text: str, value: Callable[[str], str]) -> str:
    """A text with something in place of each variable."""
    return "".join(value(token) if _VARIABLE.fullmatch(token) else token for token in _TOKEN.findall(text))


# --- values -----------------------------------------------------------------------------------------------


def _value(term: str, bindings: Mapping[str, str]) -> str:
    """The value of a term, as text; what cannot be evaluated stays as it is."""
    if term in bindings:
        return bindings[term]
    text = _bound(term, bindings)
    value = None if text == term and _ATOM.fullmatch(term) else _symbol(text)
    return text if value is None else str(value)


def _bound(term: str, bindings: Mapping[str, str]) -> str:
    return _replaced(term, lambda name: f"({bindings[name]})" if name in bindings else name)


def _evaluated(term: str, bindings: Mapping[str, str]) -> Symbol | None:
    return _symbol(_bound(term, bindings))


def _symbol(text: str) -> Symbol | None:
    """A term without variables as a symbol; None for what is none."""
    if "/" in text or "\\" in text:
        try:
            (fact,) = parse(Source("label", f"p({text}).")).rules()
        except (ProgramError, ValueError):
            return None
        assert isinstance(fact.head, Atom)
        text = to_text(safe_atom(fact.head)).removeprefix("p")
    try:
        return parse_term(text, logger=lambda *_: None)
    except RuntimeError:
        return None


def _signed(atom: Symbol) -> str:
    return atom.name if atom.positive else f"-{atom.name}"


def _matched(pattern: Symbol, atom: Symbol) -> dict[str, str] | None:
    """The values of the variables of a pattern; None for an atom that it does not match."""
    bindings: dict[str, str] = {}
    waiting = [(pattern, atom)]
    while waiting:
        here, value = waiting.pop()
        if here.type is SymbolType.Function and here.name == _ANY:
            name, text = here.arguments[0].string, str(value)
            if name != "_" and bindings.setdefault(name, text) != text:
                return None
        elif here.type is not SymbolType.Function or not here.arguments:
            if here != value:
                return None
        elif (
            value.type is SymbolType.Function
            and (here.name, here.positive) == (value.name, value.positive)
            and len(here.arguments) == len(value.arguments)
        ):
            waiting += zip(here.arguments, value.arguments, strict=True)
        else:
            return None
    return bindings


def _plain(text: str) -> str:
    """A value without the quotes of strings."""
    return _QUOTED.sub(lambda found: _unquoted(found[0]), text)


def _unquoted(text: str) -> str:
    return _ESCAPES.sub(lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])


def _joined(labels: Iterator[str]) -> str:
    return "; ".join(dict.fromkeys(labels))
