"""Makes the tables of grammars, by Lark, for `parse_tables.py`.

Who changes a grammar writes them anew: `python -m lars2asp.syntax.parsing.grammar`. Only this needs Lark.
"""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from re import _parser as pattern_parser
from typing import Any

from lark import Lark
from lark.grammar import Rule, Symbol
from lark.lexer import BasicLexer, ContextualLexer, TerminalDef

from lars2asp.syntax.parsing.parse_tables import HERE, TABLES

DIALECTS = HERE.parent / "dialects"
"""Folders of dialects have grammars of their own."""

EXTENDS = "// extends"
"""Begins a grammar that only says what is different from that of lars2asp, by `%override` and `%extend`."""


def folders() -> list[Path]:
    """The folders that have a grammar."""
    return [HERE, *sorted(path.parent for path in DIALECTS.glob("*/grammar.lark"))]


def whole_grammar(folder: Path = HERE) -> str:
    """The whole grammar in a folder, by default that of lars2asp."""
    own = (folder / "grammar.lark").read_text(encoding="utf-8")
    return f"{whole_grammar(HERE)}\n{own}" if own.startswith(EXTENDS) else own


def lark_parser(folder: Path = HERE) -> Lark:
    """The parser that Lark makes of the grammar in a folder."""
    return Lark(
        whole_grammar(folder),
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=True,
    )


def made_tables(lark: Lark) -> dict[str, Any]:
    """The tables of a parser, as JSON has them: the arguments of Tables."""
    lexer, parsed = lark.parser.lexer, lark.parse_interactive("").parser_state.parse_conf
    assert isinstance(lexer, ContextualLexer)
    start, last = parsed.start_state, parsed.end_state
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    terminals_of = {one.name: index for index, one in enumerate(_terminals(lexer.root_lexer))}
    lexers: dict[tuple[int, ...], int] = {}
    numbers = {start: 0}
    states = []
    for state in _met(numbers):
        terminals: dict[str, int] = {}
        following: dict[str, int] = {}
        for symbol, (_, argument) in sorted(parsed.states[state].items()) if state != last else ():
            if isinstance(argument, Rule):
                terminals[symbol] = ~rules[argument]
            else:
                number = numbers.setdefault(argument, len(numbers))
                (terminals if symbol.isupper() else following)[symbol] = number
        read = tuple(terminals_of[one.name] for one in _terminals(lexer.lexers[state]))
        states.append([lexers.setdefault(read, len(lexers)), terminals, following])
    return {
        "terminals": [_terminal(one) for one in _terminals(lexer.root_lexer)],
        "lexers": [*map(list, lexers), [*terminals_of.values()]],
        "ignored": [*lark.ignore_tokens],
        "states": states,
        "rules": [_rule(rule) for rule in lark.rules],
        "last": numbers[last],
    }


def _met(numbers: dict[int, int]) -> Iterator[int]:
    """The states that have a number, and those that get one meanwhile, in the order of their numbers."""
    done = 0
    while done < len(numbers):
        yield [*numbers][done]
        done += 1


def _terminals(lexer: object) -> list[TerminalDef]:
    """The terminals of a lexer, the words of which are patterns that no others match."""
    assert isinstance(lexer, BasicLexer)
    assert lexer.scanner and not lexer.callback
    return list(lexer.terminals)


def _terminal(terminal: TerminalDef) -> list[str | None]:
    """The name, the pattern, and the characters with which a text of the terminal begins."""
    pattern = terminal.pattern.to_regexp()
    first, _ = _first(pattern_parser.parse(pattern))
    return [terminal.name, pattern, None if first is None else "".join(sorted(first))]


def _first(parts: Any) -> tuple[set[str] | None, bool]:
    """The characters that begin the texts of a pattern, None for any, and whether it matches no text."""
    found: set[str] = set()
    first: set[str] | None
    for operation, argument in parts:
        match str(operation):
            case "LITERAL":
                first, is_empty = {chr(argument)}, False
            case "IN":
                first, is_empty = _characters(argument), False
            case "BRANCH":
                ways = [_first(way) for way in argument[1]]
                is_empty = any(empty for _, empty in ways)
                sets = [way for way, _ in ways if way is not None]
                first = {*chain.from_iterable(sets)} if len(sets) == len(ways) else None
            case "SUBPATTERN":
                first, is_empty = _first(argument[3])
            case "ATOMIC_GROUP":
                first, is_empty = _first(argument)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                first, is_empty = _first(argument[2])
                is_empty = is_empty or argument[0] == 0
            case "ASSERT" | "ASSERT_NOT" | "AT":
                first, is_empty = set(), True
            case _:
                return None, False
        if first is None:
            return None, False
        found |= first
        if not is_empty:
            return found, False
    return found, True


def _characters(members: Any) -> set[str] | None:
    """The characters of a set such as `[a-z_]`, None for any."""
    found: set[str] = set()
    for operation, argument in members:
        if str(operation) == "LITERAL":
            found.add(chr(argument))
        elif str(operation) == "RANGE":
            found |= set(map(chr, range(argument[0], argument[1] + 1)))
        else:
            return None
    return found


def _rule(rule: Rule) -> list[Any]:
    """The arguments of a rule; where Lark puts None for what is left out is in its options."""
    options = rule.options
    marks = "".join("1" if is_left_out else "0" for is_left_out in options.empty_indices or ())
    left_out = [*map(len, marks.split("0"))] if marks else [0] * (len(rule.expansion) + 1)
    kept, waiting = [], 0
    for index, symbol in enumerate(rule.expansion):
        waiting += left_out[index]
        if not getattr(symbol, "filter_out", False):
            kept.append([index, waiting, _is_inlined(symbol)])
            waiting = 0
    name = rule.alias or options.template_source or rule.origin.name
    return [
        str(rule.origin.name),
        len(rule.expansion),
        None if _is_inlined(rule.origin) else str(name),
        bool(options.expand1 and not rule.alias),
        kept,
        waiting + left_out[-1],
    ]


def _is_inlined(symbol: Symbol) -> bool:
    return not symbol.is_term and str(symbol.name).startswith("_")


def write_tables() -> None:
    """Makes the tables, and keeps them."""
    for folder in folders():
        made = made_tables(lark_parser(folder))
        (folder / TABLES).write_text(json.dumps(made, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write_tables()
