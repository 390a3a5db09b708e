"""The program that has the answers of a query of RSP-QL or C-SPARQL."""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from math import gcd

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.rdf_terms import is_iri, literal_of, string_of
from lars2asp.syntax.rspql.query import AGGREGATES, Expression, Pattern, Query, Window
from lars2asp.syntax.string_escapes import escaped, quoted

_COMPARISONS = {"=": "=", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_UNITS = (("day", 86_400_000), ("hour", 3_600_000), ("min", 60_000), ("sec", 1000), ("msec", 1))
_LONGEST = 100


def program_of(query: Query) -> str:
    """The text of the program. Raises Lars2aspError for what is not of the basic form."""
    return _Writer(query).text()


class _Writer:
    def __init__(self, query: Query) -> None:
        self._query = query
        lengths = [length for window in query.windows.values() for length in window]
        self._tick = gcd(*lengths) if lengths else 1000
        self._variables: dict[str, str] = {}
        self._single = _named_once(query)
        self._divides = False
        self._predicates: dict[str, str] = {}

    def text(self) -> str:
        query = self._query
        for name in _without_pattern(query):
            raise Lars2aspError(f"?{name} is in no pattern, so it has no value")
        rules = [*self._rules()]
        lines = [f"#tick {_length(self._tick)}."]
        lines += [f"% #include {quoted(one)}.  % background" for one in query.background]
        for relation, name in self._predicates.items():
            columns = "S, P, any(O)" if not relation else "S, O"
            lines.append(f"#input {name}({columns}){f' from {escaped(relation)}' if relation else ''}.")
        if self._divides:
            lines.append("% SPARQL divides exactly, and / of integers drops the fraction: see #decimals")
        return "".join(f"{line}\n" for line in [*lines, "", *rules])

    # --- rules ----------------------------------------------------------------------------------

    def _rules(self) -> Iterator[str]:
        query = self._query
        bodies = [*self._bodies()]
        aggregates = [one for _, one in query.selected if one is not None and _has_aggregate(one)]
        if aggregates or query.groups or query.having:
            yield from self._aggregated(bodies)
            return
        name = {"RSTREAM": "answer", "ISTREAM": "result", "DSTREAM": "result"}[query.stream]
        if query.form == "CONSTRUCT":
            for one in query.template:
                terms = [self._term(term) for term in one[:3]]
                yield from (
                    _rule(f"{'triple' if name == 'answer' else name}({','.join(terms)})", body)
                    for body in bodies
                )
            yield from self._changes(name, 3, "triple")
            return
        selected = query.selected or [(one, None) for one in self._named_in(query.patterns)]
        if query.form == "ASK":
            selected = []
        arguments, extra = [], []
        for variable, value in selected:
            arguments.append(self._variable(variable))
            if value is not None:
                extra.append(f"{self._variable(variable)} = {self._value(value)}")
        head = f"{name}({','.join(arguments)})" if arguments else name
        yield from (_rule(head, [*body, *extra]) for body in bodies)
        yield from self._changes(name, len(arguments), "answer")

    def _changes(self, name: str, arity: int, shown_name: str) -> Iterator[str]:
        """The rules for what began, or ended, to be a result."""
        if self._query.stream == "RSTREAM":
            return
        arguments = ",".join(f"X{place}" for place in range(1, arity + 1))
        results, answer = (f"{one}({arguments})" if arity else one for one in (name, shown_name))
        before = f"{results} in {{1}}"
        began = [results, f"not {before}"] if self._query.stream == "ISTREAM" else [before, f"not {results}"]
        yield _rule(answer, began)
        yield f"#show {shown_name}/{arity}."

    def _aggregated(self, bodies: list[list[str]]) -> Iterator[str]:
        query = self._query
        if query.form != "SELECT" or query.stream != "RSTREAM":
            raise Lars2aspError("aggregates are translated in SELECT, and without ISTREAM and DSTREAM")
        names = self._named_in(query.patterns)
        groups = [self._variable(one) for one in query.groups]
        others = [self._variable(one) for one in names if one not in query.groups]
        solution = f"solution({','.join([*groups, *others])})"
        yield from (_rule(solution, body) for body in bodies)
        parts: list[str] = []
        known: dict[Expression, str] = {}

        def counted(one: Expression) -> str:
            """The variable of an aggregate."""
            if one not in known:
                known[one] = self._variable(f"A{len(known) + 1} of aggregates")  # no query has such a name
                parts.append(f"{known[one]} = {self._aggregate(one, solution, others)}")
            return known[one]

        arguments = []
        for variable, value in query.selected:
            if value is None:
                if variable not in query.groups:
                    raise Lars2aspError(f"?{variable} is neither in GROUP BY nor in an aggregate")
                arguments.append(self._variable(variable))
            else:
                arguments.append(self._variable(variable))
                parts_before = len(parts)
                text = self._value(value, counted)
                parts.insert(len(parts), f"{self._variable(variable)} = {text}")
                assert parts_before <= len(parts)
        conditions = [
            self._literal(one, counted) for each in query.having for [one] in [[*_conjunction(each)]]
        ]
        bound = [f"solution({','.join([*groups, *('_' for _ in others)])})"] if groups else []
        yield _rule(f"answer({','.join(arguments)})", [*bound, *parts, *conditions])
        yield f"#show answer/{len(arguments)}."

    def _aggregate(self, one: Expression, solution: str, others: list[str]) -> str:
        name, _, distinct = one.operator.partition(" ")
        [argument] = one.operands
        if argument.term != "*" and not argument.term.startswith("?"):
            raise Lars2aspError(f"{name} takes a variable")
        value = [] if argument.term == "*" else [self._variable(argument.term[1:])]
        rest = [] if distinct else [each for each in others if each not in value]
        return f"#{name.lower()} {{ {','.join([*value, *rest])} : {solution} }}"

    def _bodies(self) -> Iterator[list[str]]:
        """The bodies of the rules: one for each way in which the filters are true."""
        atoms = [*dict.fromkeys(map(self._atom, self._query.patterns))]
        if not atoms:
            raise Lars2aspError("the query has no pattern")
        for chosen in product(*map(_alternatives, self._query.filters)):
            yield [*atoms, *(self._literal(one) for part in chosen for one in part)]

    def _atom(self, pattern: Pattern) -> str:
        subject, other = self._term(pattern.subject), self._term(pattern.other)
        if is_iri(pattern.relation):
            atom = f"{self._predicate(pattern.relation)}({subject},{other})"
        else:
            atom = f"{self._predicate('')}({subject},{self._term(pattern.relation)},{other})"
        window = self._window(pattern.window)
        return f"{atom} in {window}" if window else atom

    def _window(self, name: str) -> str:
        query = self._query
        if query.are_named:
            return self._text_of(query.windows[name]) if name else ""
        if len({*query.windows.values()}) > 1:
            raise Lars2aspError("streams have different windows, and patterns do not say which: write WINDOW")
        return next((self._text_of(one) for one in query.windows.values()), "")

    def _text_of(self, window: Window) -> str:
        """A window over the ticks of the last `size`, this one included."""
        back = _length(window.size - self._tick) if window.size > self._tick else "0"
        return f"[{back}]" if window.step == self._tick else f"[{back} step {_length(window.step)}]"

    # --- terms and filters ----------------------------------------------------------------------

    def _literal(self, one: Expression, aggregate: object = None) -> str:
        operator = _COMPARISONS.get(one.operator)
        if operator is None:
            raise Lars2aspError(f"{one.operator} is not a comparison: filters compare terms")
        left, right = (self._value(each, aggregate) for each in one.operands)
        return f"{left} {operator} {right}"

    def _value(self, one: Expression, aggregate: object = None) -> str:
        if one.operator == "term":
            return self._term(one.term)
        if one.operator.partition(" ")[0] in AGGREGATES:
            if not callable(aggregate):
                raise Lars2aspError("aggregates belong to SELECT and HAVING only")
            return str(aggregate(one))
        if one.operator not in ("+", "-", "*", "/"):
            raise Lars2aspError(f"{one.operator} gives no value")
        self._divides = self._divides or one.operator == "/"
        left, right = (self._value(each, aggregate) for each in one.operands)
        return f"({left}{one.operator}{right})"

    def _term(self, term: str) -> str:
        if term.startswith("?"):
            return self._variable(term[1:])
        literal = literal_of(term) if term.startswith('"') else None
        if literal is None:
            return escaped(term)
        if literal.number is not None:
            return literal.number
        return quoted(string_of(literal))

    def _variable(self, name: str) -> str:
        known = self._variables.get(name)
        if known is None:
            word = re.sub(r"[^A-Za-z0-9_]", "_", name.partition(" ")[0])
            known = f"{word[0].upper()}{word[1:]}" if word[0].isalpha() else f"V{word}"
            known = f"_{known}" if name in self._single else known
            while known in self._variables.values():
                known += "_"
            self._variables[name] = known
        return known

    def _named_in(self, patterns: Iterable[Pattern]) -> list[str]:
        return [*dict.fromkeys(term[1:] for one in patterns for term in one[:3] if term.startswith("?"))]

    def _predicate(self, relation: str) -> str:
        """The predicate of a property; of all triples for none."""
        known = self._predicates.get(relation)
        if known is None:
            local = re.search(r"[A-Za-z0-9_]*>$", relation)
            name = (
                re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", local[0][:-1] if local else "triple")
                .lower()
                .strip("_")
            )
            known = name if name[:1].isalpha() and name != "not" else f"of_{name}"
            while known in {*self._predicates.values(), "answer", "result", "solution"}:
                known += "_"
            self._predicates[relation] = known
        return known


def _without_pattern(query: Query) -> Iterator[str]:
    """The variables that are asked for, or looked at, and stand in no pattern."""
    found = {term for one in query.patterns for term in one[:3]}
    called = {f"?{name}" for name, value in query.selected if value is not None}
    asked = [f"?{name}" for name, value in query.selected if value is None]
    asked += [f"?{name}" for name in query.groups]
    asked += [term for one in query.template for term in one[:3]]
    asked += [term for one in query.filters for term in _terms(one)]
    asked += [term for _, value in query.selected if value is not None for term in _terms(value)]
    asked += [term for one in query.having for term in _terms(one) if term not in called]
    for term in asked:
        if term.startswith("?") and term not in found:
            yield term[1:]


def _terms(one: Expression) -> Iterator[str]:
    """The terms of an expression."""
    if one.operator == "term":
        yield one.term
    for operand in one.operands:
        yield from _terms(operand)


def _named_once(query: Query) -> set[str]:
    """The variables that the query has once alone, in a pattern; of aggregates all are in solutions."""
    named = [term[1:] for one in (*query.patterns, *query.template) for term in one[:3] if term[0] == "?"]
    parts = [*query.filters, *query.having, *(value for _, value in query.selected if value is not None)]
    others = {*query.groups, *(name for name, _ in query.selected)}
    while parts:
        part = parts.pop()
        others |= {part.term[1:]} if part.term.startswith("?") else set()
        parts += part.operands
    everything = not query.selected and query.form == "SELECT"
    if everything or query.groups or query.having or any(value for _, value in query.selected):
        return set()
    return {name for name in named if named.count(name) == 1 and name not in others}


def _alternatives(one: Expression) -> list[list[Expression]]:
    """The conjunctions of comparisons one of which is true where an expression is."""
    match one.operator:
        case "||":
            return [part for each in one.operands for part in _alternatives(each)]
        case "&&":
            left, right = map(_alternatives, one.operands)
            return [[*some, *more] for some in left for more in right]
        case "!":
            return _alternatives(_negated(one.operands[0]))
        case _:
            return [[one]]


def _conjunction(one: Expression) -> list[Expression]:
    found = _alternatives(one)
    if len(found) != 1 or len(found[0]) != 1:
        raise Lars2aspError("HAVING is translated with one comparison")
    return found[0]


def _negated(one: Expression) -> Expression:
    match one.operator:
        case "||" | "&&":
            return Expression("&&" if one.operator == "||" else "||", tuple(map(_negated, one.operands)))
        case "!":
            return one.operands[0]
        case _ if one.operator in _OPPOSITE:
            return Expression(_OPPOSITE[one.operator], one.operands)
        case _:
            raise Lars2aspError(f"! negates comparisons only, not {one.operator}")


def _has_aggregate(one: Expression) -> bool:
    return one.operator.partition(" ")[0] in AGGREGATES or any(map(_has_aggregate, one.operands))


def _length(milliseconds: int) -> str:
    unit, size = next((unit, size) for unit, size in _UNITS if milliseconds % size == 0)
    return f"{milliseconds // size} {unit}"


def _rule(head: str, body: list[str]) -> str:
    text = f"{head} :- {', '.join(body)}."
    return text if len(text) <= _LONGEST else f"{head} :-\n    " + ",\n    ".join(body) + "."
