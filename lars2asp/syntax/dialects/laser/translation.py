"""Rules of Laser in our syntax: `time_win(5,0,1,diamond(a(X)))` is `a(X) in [5]`, and so on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.dialect_statements import Located, places_in
from lars2asp.syntax.dialects.foreign_names import predicate_name, value, variable_name
from lars2asp.syntax.dialects.laser.rule_texts import rule_texts
from lars2asp.syntax.nodes import Atom, AtTick, Box, Diamond, Literal, Sign
from lars2asp.syntax.parsing.parse_tables import Span, Token, UnexpectedTextError, tables
from lars2asp.syntax.source import NOWHERE, Location, Source, shown

WHOLE = nodes.SlidingWindow(nodes.Duration(nodes.Number(nodes.LARGEST_INTEGER)))
"""The window of all ticks so far, as windows end at the start of the stream."""

_SIGNS = {"==": "=", "<>": "!=", "=<": "<=", "=>": ">="}
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_RESERVED = ("and", "or", "not", "box", "diamond", "time_win", "tuple_win", "predicate_win", "@")
_OPERATORS = ("+", "-", "*", "/")


def translated(source: Source, diagnostics: Diagnostics) -> Iterator[nodes.Rule]:
    """The rules of a text. That tuple windows may have other atoms than Laser's is said once."""
    own = tables(Path(__file__).parent)
    for rule in rule_texts(source.text):
        located = places_in(source, rule)
        builder = _RuleBuilder(located, diagnostics)
        try:
            made: nodes.Rule = own.parse(rule.text, builder.made)
        except UnexpectedTextError as error:
            _report(error, rule.text, located, diagnostics)
            continue
        if not builder.has_mistakes:
            yield made


class _Negation(NamedTuple):
    location: Location
    inner: Any


class _Operator(NamedTuple):
    """`box(...)` or `diamond(...)`."""

    location: Location
    is_box: bool
    inner: Any


class _At(NamedTuple):
    location: Location
    tick: nodes.Term
    inner: Any


class _Windowed(NamedTuple):
    location: Location
    window: nodes.SlidingWindow | nodes.TupleWindow
    inner: Any


class _RefusedError(Exception):
    """A formula that has no place here."""

    def __init__(self, location: Location, message: str, hint: str) -> None:
        super().__init__(message)
        self.found = location, message, hint


class _RuleBuilder:
    """Makes a rule of its parts: a method for each rule of the grammar."""

    def __init__(self, located: Located, diagnostics: Diagnostics) -> None:
        self._located = located
        self._diagnostics = diagnostics
        self.has_mistakes = False
        """Whether something was said against the rule."""

    def _error(self, place: Location | Token, message: str, hint: str) -> None:
        self.has_mistakes = True
        where = self._located(place.begin, place.end) if isinstance(place, Token) else place
        self._diagnostics.error(where, message, hint, code=codes.DIALECT_RULE)

    def made(self, rule: str, span: Span | None, children: list[Any]) -> Any:
        """What the method for a rule of the grammar makes of its children."""
        return getattr(self, rule)(NOWHERE if span is None else self._located(*span), *children)

    def start(self, at: Location, head: Any, body: Any) -> nodes.Rule:
        literals: list[Literal] = []
        made: Atom | AtTick = Atom("error", location=at)
        for one in (head, *(body or ())):
            try:
                if one is head:
                    made = _head(head)
                else:
                    literals += _literals(one)
            except _RefusedError as refused:
                self._error(*refused.found)
        return nodes.Rule(made, tuple(literals), location=at)

    def body(self, at: Location, *formulas: Any) -> tuple[Any, ...]:
        return formulas

    def negation(self, at: Location, inner: Any) -> Any:
        return inner.inner if isinstance(inner, _Negation) else _Negation(at, inner)

    def box(self, at: Location, inner: Any) -> _Operator:
        return _Operator(at, True, inner)

    def diamond(self, at: Location, inner: Any) -> _Operator:
        return _Operator(at, False, inner)

    def at_tick(self, at: Location, tick: Token, inner: Any) -> _At:
        return _At(at, self._term(tick), inner)

    def time_window(self, at: Location, *parts: Any) -> _Windowed:
        *said, inner = parts
        size, ahead, length = (self._number(one) for one in said) if len(said) == 3 else (0, 0, 1)
        if len(said) != 3:
            self._error(
                at,
                "time_win has three numbers and a formula",
                "write for instance time_win(5,0,1,diamond(p))",
            )
        if ahead:
            self._error(
                said[1],
                "lars2asp has no windows that look ahead",
                "write 0 in place of this number, as Laser's own programs do",
            )
        number = nodes.Number(size * length, location=self._place(said[0]))
        window = nodes.SlidingWindow(nodes.Duration(number, location=number.location), location=at)
        return _Windowed(at, window, inner)

    def tuple_window(self, at: Location, *parts: Any) -> _Windowed:
        *said, inner = parts
        size = self._number(said[0])
        if not size:
            self._error(said[0], "a window of 0 tuples is always empty", "write 1 or more")
        self._diagnostics.warning(
            at._replace(end=at.begin + len("tuple_win")),
            "a tuple window has exactly the last tuples, in the order of the input",
            "Laser takes whole ticks: all tuples of this one, and the last ticks before it that fit in",
            is_shared=True,
            code=codes.DIALECT_DIFFERENCE,
        )
        number = nodes.Number(size, location=self._place(said[0]))
        return _Windowed(at, nodes.TupleWindow(number, location=at), inner)

    def predicate_window(self, at: Location, *parts: Any) -> _Windowed:
        self._error(
            at._replace(end=at.begin + len("predicate_win")),
            "predicate_win is a word of Laser that it does not evaluate",
            "`in [n # p/1]` is such a window in the language of lars2asp (compile --target lars2asp)",
        )
        return _Windowed(at, WHOLE, parts[-1])

    def comparison(self, at: Location, sign: Token, left: Token, right: Token) -> nodes.Comparison:
        said = _SIGNS.get(sign, str(sign))
        if said not in _COMPARISONS:
            self._error(sign, f"{shown(sign)} is not a comparison", f"they are {', '.join(_COMPARISONS)}")
        guard = nodes.Guard(said, self._term(right), location=self._place(sign))
        return nodes.Comparison(self._term(left), (guard,), location=at)

    def arithmetic(
        self, at: Location, sign: Token, result: Token, left: Token, right: Token
    ) -> nodes.Comparison:
        if sign not in _OPERATORS:
            self._error(sign, f"{shown(sign)} is no operator", f"they are {', '.join(_OPERATORS)}")
        sides = self._term(left), self._term(right)
        operation = nodes.BinaryOperation(str(sign), *sides, location=at)
        return nodes.Comparison(self._term(result), (nodes.Guard("=", operation, location=at),), location=at)

    def atom(self, at: Location, name: Token, arguments: Any) -> Atom:
        text = _text(name)
        if not text:
            self._error(at, "a predicate needs a name", "write a name between the quotes")
            text = "error"
        self._check_word(name)
        return Atom(predicate_name(text), tuple(map(self._term, arguments or ())), location=at)

    def words(self, at: Location, *words: Token) -> tuple[Token, ...]:
        return words

    def word(self, at: Location, word: Token) -> Token:
        return word

    def _term(self, word: Token) -> nodes.Term:
        """A term: a variable, quoted or not, where all letters are capital ones."""
        place, text = self._place(word), _text(word)
        self._check_word(word)
        if text == "_" and word != "'_'":
            self._error(place, "Laser has no variable _", "give it a name of capital letters")
        if text.isupper():
            return nodes.Variable(variable_name(text), location=place)
        return value(text, place)

    def _check_word(self, word: Token) -> None:
        if word in _RESERVED:
            self._error(word, f"{word} is a word of the language", f"write '{word}' where it is a name")

    def _number(self, word: Token) -> int:
        text = _text(word)
        if not (text.isascii() and text.isdecimal()) or len(text) > len(str(nodes.LARGEST_INTEGER)):
            self._error(word, f"{shown(text)} is not a number of ticks or tuples", "write it in digits")
            return 1
        return int(text)

    def _place(self, token: Token) -> Location:
        return self._located(token.begin, token.end)


def _text(word: Token) -> str:
    """The text of a word, without its quotes."""
    return word[1:-1] if word.startswith("'") else str(word)


def _head(formula: Any) -> Atom | AtTick:
    match formula:
        case Atom():
            return formula
        case _At(at, tick, Atom() as atom):
            return AtTick(atom, tick, location=at)
        case _:
            raise _RefusedError(
                formula.location,
                "this is not the head of a rule",
                "a head is an atom, or @(T,a) with an atom in it",
            )


def _literals(formula: Any, window: Any = None, is_negated: bool = False) -> list[Literal]:
    """The literals that say the same as a formula, seen through a window."""
    sign, at = Sign.NOT if is_negated else Sign.POSITIVE, formula.location
    match formula:
        case _Negation(_, inner):
            return _literals(inner, window, not is_negated)
        case _Windowed(_, own, inner):
            if window is not None:
                raise _RefusedError(
                    at, "a window within a window", "write a rule for the inner one, and its head here"
                )
            return _literals(inner, own, is_negated)
        case _Operator(_, is_box, inner):
            atom, is_inner = _atom_of(inner)
            seen: nodes.StreamingAtom
            if is_inner:  # at some tick not is not at every tick
                is_box, sign = not is_box, Sign(1 - sign)
            if is_box:
                seen = Box(atom, window or WHOLE, location=at)
            elif window is None:
                seen = AtTick(atom, nodes.Variable("_", location=at), location=at)
            else:
                seen = Diamond(atom, window, location=at)
            return [Literal(seen, sign, location=at)]
        case _At(_, tick, inner):
            atom, is_inner = _atom_of(inner)
            if not is_inner:
                return [Literal(AtTick(atom, tick, window, location=at), sign, location=at)]
            if is_negated or window is not None:
                raise _RefusedError(
                    inner.location,
                    "a window cannot look for a tick without an atom",
                    f"write not(@(T,{atom.name})), and bind T elsewhere",
                )
            past = nodes.Comparison(tick, (nodes.Guard("<=", nodes.NOW, location=at),), location=at)
            never = Literal(AtTick(atom, tick, location=at), Sign.NOT, location=at)
            return [Literal(past, location=at), never]
        case nodes.Comparison() if window is None:
            return [Literal(formula, sign, location=at)]
        case Atom():
            if isinstance(window, nodes.TupleWindow):
                return [Literal(AtTick(formula, nodes.NOW, window, location=at), sign, location=at)]
            return [Literal(formula, sign, location=at)]
        case _:
            raise _RefusedError(
                at, "a window needs an atom", "write COMP and MATH after `and`, outside of the window"
            )


def _atom_of(formula: Any) -> tuple[Atom, bool]:
    """The atom in an operator, and whether it is negated there."""
    match formula:
        case Atom():
            return formula, False
        case _Negation(_, inner):
            atom, is_negated = _atom_of(inner)
            return atom, not is_negated
        case _:
            raise _RefusedError(formula.location, "an operator needs one atom", "write a rule for this part")


def _report(error: UnexpectedTextError, text: str, located: Located, diagnostics: Diagnostics) -> None:
    """Says where a rule cannot go on, in the words of Laser."""
    begin, found = error.begin, error.found
    if not found:
        is_open = text.count("(") > text.count(")")
        hint = "is a ) missing?" if is_open else "a rule is head :- formula and formula"
        diagnostics.error(
            located(max(0, len(text) - 1), len(text)),
            "the rule ends in the middle of a formula",
            hint,
            code=codes.DIALECT_RULE,
        )
        return
    message, hint = (
        f"unexpected {shown(found)}",
        "a rule is head :- formula and formula, on a line of its own",
    )
    match found:
        case "or":
            message = "Laser reads `or`, and joins both sides as if it were `and`"
            hint = "write a rule for each side, with the same head"
        case ":-":
            message = "a rule begins inside another one"
            hint = "write each rule on its own line"
        case ",":
            hint = "formulas are joined by `and`"
        case "'":
            message, hint = "this quote is never closed", "close the quote on the same line"
        case ")":
            hint = (
                "is a ( missing?" if text.count(")") > text.count("(") else "a formula is missing before it"
            )
    diagnostics.error(located(begin, begin + len(found)), message, hint, code=codes.DIALECT_RULE)
