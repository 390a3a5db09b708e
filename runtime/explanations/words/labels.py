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
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from lars2asp.analysis.passes.decimals import write_decimals
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.order import compare
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.explanations.past.terms import Terms, is_multiple, is_number
from lars2asp.runtime.explanations.words.instances import Bound, ClaimedAtom, Numbers
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.nodes import Decimals, Program, Sign, Signature
from lars2asp.syntax.parser import parse
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.string_escapes import unquoted
from lars2asp.syntax.traversal import variable_names, walk
from lars2asp.syntax.values import dataclass

_STRING = r'"(?:[^"\\\n]|\\.)*+"'
_COMMENT = re.compile(r"%\*|%[^\n]*|#![^\n]*|\S")
_BLOCK_COMMENT_MARK = re.compile(r"%\*|\*%|%[^\n]*")
_LABEL = re.compile(rf'%!trace(_rule)?(?!\w)\s*(?:\{{((?:[^{{}}"]|{_STRING})*+)\}}(.*))?', re.DOTALL)
_TOKEN = re.compile(rf"{_STRING}|[\w']+|[(){{}}\[\],]|<=|>=|!=|==|[<>=]|\s+|.", re.DOTALL)
_VARIABLE = re.compile(r"[_']*[A-Z][\w']*|_")
_ATOM = re.compile(r"-?[_']*[a-z][\w']*(?:\(.*\))?", re.DOTALL)
_QUOTED = re.compile(_STRING)
_HINT = (
    'write %!trace_rule {"text with %", X}. in front of a rule, or %!trace {"text with %", X} atom : X > 3.'
)


_TERMS = Terms({}, {}, {})
"""What terms of labels stand for: no constants, and no functions of the user's."""


def _filled(text: str, bound: Bound) -> str:
    """A term of a label for the values of variables, as text; what cannot be evaluated stays as it is."""
    texts = bound.texts
    if text in texts:
        return texts[text]
    term = _term(text)
    names = set() if term is None else variable_names(term)
    is_plain = not names and _ATOM.fullmatch(text)
    decimals = bound.numbers.variables
    has_points = any(type(bound.values.get(one)) is int and decimals.get(one) for one in names)
    if term is not None and not (is_plain or has_points or _has_calls(term)):
        value = _TERMS.value(term, bound.values, 0)
        if value is not None:
            return text_of(value)
    return _replaced(text, texts)


class _Words(NamedTuple):
    """The text of a label, cut at each `%`, and the terms for these."""

    parts: tuple[str, ...]
    terms: tuple[str, ...]

    def filled(self, bound: Bound) -> str:
        """The label for the values of variables."""
        values = [_plain(_filled(one, bound)) for one in self.terms[: len(self.parts) - 1]]
        values += ["%"] * (len(self.parts) - 1 - len(values))
        return self.parts[0] + "".join(
            value + part for value, part in zip(values, self.parts[1:], strict=True)
        )


@dataclass(frozen=True)
class _AtomLabel:
    """What is said of the atoms that a pattern matches, if comparisons hold."""

    words: _Words
    pattern: nodes.Atom
    conditions: tuple[nodes.Comparison, ...]

    def said(self, atom: ClaimedAtom) -> str | None:
        """The label of an atom; None for an atom that is not meant."""
        arguments = self.pattern.arguments
        values = None if atom.row is None else _TERMS.match_all(arguments, atom.row, {}, 0)
        if values is None:
            return None
        for one in self.conditions:
            left, right = (_TERMS.value(side, values, 0) for side in (one.term, one.guards[0].term))
            if left is None or right is None or not compare(one.guards[0].comparison, left, right):
                return None
        decimals = {
            term.name: places
            for term, places in zip(arguments, atom.decimals, strict=False)
            if isinstance(term, nodes.Variable) and places
        }
        return self.words.filled(Bound(values, Numbers(None, decimals)))


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
        self._atoms: dict[Signature, list[_AtomLabel]] = {}
        self._decimals = [*program.every(Decimals)]
        for source in program.sources:
            if "%!trace" in source.text:
                self._read(source)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._rules or self._atoms)

    def label_of_rule(self, location: Location, bound: Bound) -> str:
        """What is said of an instance of a rule, or of another statement; empty where it has no label.

        Args:
            location: where the statement stands.
            bound: the values of its variables.
        """
        rules = self._rules.get(location.source)
        if rules is None:
            return ""
        place = bisect_right(rules.begins, location.begin) - 1
        if place < 0 or location.begin >= rules.ends[place]:
            return ""
        return _joined(words.filled(bound) for words in rules.labels[place])

    def label_of_atom(self, atom: ClaimedAtom) -> str:
        """What is said of an atom; empty where it has no label."""
        labels = self._atoms.get(atom.signature, ())
        return _joined(said for label in labels if (said := label.said(atom)) is not None)

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
        self._atoms.setdefault(made.pattern.signature, []).append(made)
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
    literals = _read(head, condition, tuple(decimals))
    if literals is None:
        return None
    match literals[0]:
        case nodes.Literal(nodes.Atom() as pattern, Sign.POSITIVE) if all(
            map(_is_matched, pattern.arguments)
        ):
            others = [one for one in literals[1:] if one != literals[0]]
            known = [one for one in map(_compared, others) if one is not None]
            return _AtomLabel(words, pattern, tuple(known)) if len(known) == len(others) else None
        case _:
            return None


def _compared(literal: nodes.Literal) -> nodes.Comparison | None:
    """The comparison of two terms that a literal is; None for other literals: the stream is not looked at."""
    match literal:
        case nodes.Literal(nodes.Comparison(_, (_,)) as comparison, Sign.POSITIVE):
            return comparison
        case _:
            return None


def _has_calls(term: nodes.Term) -> bool:
    """Whether a term has calls or intervals, which are not worked out."""
    return any(is_multiple(one) or one == nodes.NOW for one in walk(term))


def _is_matched(term: nodes.Term) -> bool:
    """Whether a term of a pattern is matched without arithmetic."""
    numbers = (one for one in walk(term) if isinstance(one, nodes.Term) and is_number(one))
    return not _has_calls(term) and not any(variable_names(one) for one in numbers)


@lru_cache(10_000)
def _read(head: str, condition: str, decimals: tuple[Decimals, ...]) -> tuple[nodes.Literal, ...] | None:
    """An atom and the literals of a condition, numbers with points as the integers that stand for them."""
    condition = "".join("=" if token == "==" else token for token in _TOKEN.findall(condition.strip()))
    text = f":- {head}, {condition}." if condition else f":- {head}."
    diagnostics = Diagnostics()
    try:
        program = parse(Source("<label>", text))
        if decimals:
            program = Program((*decimals, *program.statements))
            program = write_decimals(ProgramAnalysis(program), diagnostics) or program
            diagnostics.raise_errors()
    except (ProgramError, ValueError):
        return None
    match program.statements[-1]:
        case nodes.Rule(None, body) if all(isinstance(one, nodes.Literal) for one in body):
            return tuple(one for one in body if isinstance(one, nodes.Literal))
        case _:
            return None


def _words(terms: Sequence[str]) -> _Words | None:
    if not terms or not _QUOTED.fullmatch(terms[0]) or not all(terms):
        return None
    return _Words(tuple(unquoted(terms[0]).split("%")), tuple(terms[1:]))


@lru_cache(10_000)
def _term(text: str) -> nodes.Term | None:
    """The term that a text is; None for one that cannot be read."""
    try:
        statements = parse(Source("<label>", f"p({text}).")).statements
    except (ProgramError, ValueError):
        return None
    match statements:
        case (nodes.Rule(nodes.Atom(_, (term,)), ()),):
            return term
        case _:
            return None


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


def _replaced(text: str, values: Mapping[str, str]) -> str:
    """A text with the values of variables in brackets in place of them."""
    return "".join(
        f"({values[token]})" if _VARIABLE.fullmatch(token) and token in values else token
        for token in _TOKEN.findall(text)
    )


# --- values -----------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """A value without the quotes of strings."""
    return _QUOTED.sub(lambda found: unquoted(found[0]), text)


def _joined(labels: Iterator[str]) -> str:
    return "; ".join(dict.fromkeys(labels))
