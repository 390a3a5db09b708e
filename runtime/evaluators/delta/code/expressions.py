"""Python code for terms: computing them, comparing them, and taking them apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from keyword import iskeyword
from typing import Any

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL, are_few, size_of
from lars2asp.analysis.arithmetic.limits import Limit
from lars2asp.analysis.arithmetic.linear_forms import in_messages, linear_form
from lars2asp.externals.terms.arithmetic import negated, power, quotient, remainder
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.order import less, less_rows
from lars2asp.externals.terms.terms import Term as TermValue
from lars2asp.externals.terms.terms import Value, function
from lars2asp.runtime.evaluators.delta.code.steps import Steps, as_row, targets
from lars2asp.runtime.evaluators.delta.rules.bodies import Choice, Equation, Test
from lars2asp.runtime.evaluators.delta.rules.term_forms import variables_in
from lars2asp.runtime.evaluators.reports import Enumeration, FirstReport, Mixed, SettledReport
from lars2asp.syntax.nodes import (
    LARGEST_NUMBER,
    Absolute,
    BinaryOperation,
    Function,
    Term,
    Tuple,
    UnaryOperation,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location

_MOST_PARENTHESES = 40
"""The number of parentheses in one expression, for each argument of a function."""

_BY_FUNCTION = {"/": "quotient", "\\": "remainder", "**": "power"}
_WITHIN_BITS = {"&": "&", "?": "|", "^": "^"}


class Scope:
    """The names that code uses and does not define.

    Args:
        on_message: takes messages about undefined operations.
        functions: the user's functions, by name: each gives the values for a row of arguments.
        has_changes: whether code is made for what begins and for what ends in a tick.
        largest_interval: the number of values that one interval may have.

    Attributes:
        on_message: takes messages.
        is_more: whether code is made for what begins.
        reports: how many places of code may report an operation that is undefined.
        waiting: the reports that `settle` hands on.
        relation_numbers: numbers for relations.
        names: the values of the names.
    """

    def __init__(
        self,
        on_message: Callable[[Location, str], None],
        functions: Mapping[str, Callable[..., Any]],
        *,
        has_changes: bool = False,
        largest_interval: int = LARGEST_INTERVAL,
    ) -> None:
        self.on_message = on_message
        self.is_more, self.reports = True, 0
        self.waiting: list[SettledReport] = []
        self._has_changes = has_changes
        self._largest_interval = largest_interval
        self._enumerations: dict[tuple[Location, str], str] = {}
        self._functions = functions
        self.relation_numbers = count()
        self._constants: dict[tuple[type, Value], str] = {}
        self._undefined: dict[tuple[Location, str], str] = {}
        self._mixed: dict[tuple[Location, str], str] = {}
        self.names: dict[str, Any] = {
            "function": function,
            "less": less,
            "less_rows": less_rows,
            "negated": negated,
            "largest": LARGEST_NUMBER,
            "smallest": -LARGEST_NUMBER,
            "power": power,
            "quotient": quotient,
            "remainder": remainder,
            "term_type": TermValue,
        }

    def constant(self, value: Value) -> str:
        """Code for a value."""
        if isinstance(value, int | str):
            return repr(value) if isinstance(value, str) or value >= 0 else f"({value})"
        key = type(value), value
        if key not in self._constants:
            plain = (
                value.name if not value.arguments and value.is_positive and value.name.isidentifier() else ""
            )
            name = self._constants[key] = f"constant{len(self._constants)}{plain and f'_{plain}'}"
            self.names[name] = value
        return self._constants[key]

    def undefined(self, location: Location, text: str) -> str:
        """Code that reports an operation that is undefined, once; its value is None."""
        self.reports += 1
        key = location, text
        if key not in self._undefined:
            name = self._undefined[key] = f"undefined{len(self._undefined)}"
            self.names[name] = (
                SettledReport(self.on_message, location, text, self.waiting)
                if self._has_changes
                else FirstReport(self.on_message, location, text)
            )
        return f"{self._undefined[key]}{'' if self.is_more else '.less'}()"

    def enumerated(
        self, location: Location, interval: BinaryOperation, around: Iterable[int | None] = ()
    ) -> str:
        """What gives the numbers of an interval of the user's; empty if they are few for certain.

        Args:
            location: the place of the rule.
            interval: the interval.
            around: the sizes of the intervals around it, where they are known.
        """
        if interval.location is NOWHERE or are_few((*around, size_of(interval, {})), self._largest_interval):
            return ""
        key = location, to_text(interval)
        if key not in self._enumerations:
            name = self._enumerations[key] = f"numbers{len(self._enumerations)}"
            self.names[name] = Enumeration(*key, self._largest_interval)
        return self._enumerations[key]

    @property
    def enumerates(self) -> bool:
        """Whether intervals may have too many numbers."""
        return bool(self._enumerations)

    def settle(self) -> None:
        """Hands on reports when all changes of a tick are taken."""
        for report in self.waiting:
            report.settle()
        self.waiting.clear()

    def mixed(self, location: Location, text: str) -> str:
        """The name of what compares values, and says once that one is a number and the other none."""
        key = location, text
        if key not in self._mixed:
            name = self._mixed[key] = f"mixed{len(self._mixed)}"
            self.names[name] = Mixed(self.on_message, location, text)
        return self._mixed[key]

    def call(self, name: str) -> str:
        """The name of the code's function for a user's function."""
        found = "call_" + name.replace("'", "_")
        self.names[found] = self._functions[name]
        return found


class Bindings:
    """Variables that have values, and the steps that have given them these.

    Attributes:
        steps: the steps.
        names: for each variable the name of its value in the code.
        integers: the names whose values are integers.
        stamps: the names of the stamps of rows that depend on each other.
        needed: the names of the indexes that have rows where there is an instance.
        around: the names of the numbers of intervals that are gone through, and how many they are at most, if
            that is known.
    """

    def __init__(self, scope: Scope, location: Location, steps: Steps | None = None) -> None:
        self._scope = scope
        self._location = location
        self.steps = steps or Steps()
        self.names: dict[str, str] = {}
        self.integers: set[str] = set()
        self.stamps: list[str] = []
        self.needed: list[str] = []
        self.around: dict[str, int | None] = {}

    def copy(self, location: Location) -> "Bindings":
        """The same, to be gone on with apart for terms from a place in the user's text."""
        found = Bindings(self._scope, location, self.steps.copy())
        found.names = dict(self.names)
        found.integers = set(self.integers)
        return found

    def has(self, term: Term) -> bool:
        """Whether all variables of a term have values."""
        return all(name in self.names for name in variables_in(term))

    def new_name(self, variable: str) -> str:
        """The name in the code for a variable that gets its value now."""
        name = variable.replace("'", "_")
        while iskeyword(name) or name in self.names.values():
            name += "_"
        self.names[variable] = name
        return name

    def bind(self, variable: str, code: str) -> None:
        """Gives a variable the value that the code stands for, or goes on where it has that."""
        if variable in self.names:
            self.steps.only_if(f"{self.names[variable]} == {code}")
        elif code.isidentifier():
            self.names[variable] = code
        else:
            is_integer = code in self.integers
            name = self.new_name(variable)
            self.steps.let(name, code)
            if is_integer:
                self.integers.add(name)

    # --- computing ------------------------------------------------------------------------------------

    def value(self, term: Term) -> str:
        """Code for the value of a term whose variables are bound; goes on where it is defined."""
        constant = ground_value(term)
        if constant is not None:
            return self._scope.constant(constant)
        form = linear_form(term)
        if form is not None and form.is_as_written:
            name = self.names[form.variable]
            return self._computed(term, form.code(name), [name], may_be_long=True)
        match term:
            case Variable(name):
                return self.names[name]
            case Function(_, arguments) | Tuple(arguments):
                name = term.name if isinstance(term, Function) else ""
                codes = [self._shallow(self.value(argument)) for argument in arguments]
                return f"function({name!r}, {as_row(codes)})"
            case UnaryOperation("-", argument):
                return self._negated(term, self._named(argument))
            case UnaryOperation(_, argument):
                one = self._named(argument)
                return self._computed(term, f"~{one}", [one])
            case Absolute(argument):
                one = self._named(argument)
                return self._computed(term, f"abs({one})", [one])
            case BinaryOperation(operator, left, right):
                one, other = self._named(left), self._named(right)
                if operator in _BY_FUNCTION:
                    code = f"{_BY_FUNCTION[operator]}({one}, {other})"
                    return self._computed(term, code, [one, other], is_partial=True)
                if operator in _WITHIN_BITS:
                    return self._computed(term, f"{one} {_WITHIN_BITS[operator]} {other}", [one, other])
                return self._computed(term, f"{one} {operator} {other}", [one, other], may_be_long=True)
        raise TypeError(f"{term} is not a single value")

    def is_integer(self, code: str) -> bool:
        """Whether code stands for an integer for certain."""
        return code in self.integers or code.strip("(-)").isdecimal()

    def type_test(self, codes: list[str]) -> str:
        """A condition by which codes stand for integers; empty where they do for certain."""
        open_ones = list(dict.fromkeys(code for code in codes if not self.is_integer(code)))
        is_constant = any(not code.isidentifier() for code in open_ones)
        if is_constant:
            return "False"
        return "".join(f"type({code}) is " for code in open_ones) + "int" if open_ones else ""

    def _shallow(self, code: str) -> str:
        """Code for a value, or a name for it where it has many parentheses: Python nests no more than 200."""
        return self._let(code) if code.count("(") > _MOST_PARENTHESES else code

    def _named(self, term: Term) -> str:
        code = self.value(term)
        return code if code.isidentifier() or self.is_integer(code) else self._let(code)

    def _let(self, code: str) -> str:
        name = self.steps.name()
        self.steps.let(name, code)
        return name

    def _computed(
        self,
        term: Term,
        code: str,
        operands: list[str],
        *,
        is_partial: bool = False,
        may_be_long: bool = False,
    ) -> str:
        name = self.steps.name()
        test = self.type_test(operands)
        undefined = self._undefined("operation", term) if test or is_partial or may_be_long else ""
        if may_be_long:  # a number may have more digits than numbers have
            if test:
                self.steps.only_if(f"({test} or {undefined})")
            self.steps.let(name, code)
            self.steps.only_if(f"(smallest <= {name} <= largest or {undefined})")
        else:
            otherwise = undefined if test or is_partial else ""
            self.steps.let(name, f"{code} if {test} else None" if test else code, otherwise)
        self.integers.add(name)
        return name

    def _negated(self, term: Term, operand: str) -> str:
        name = self.steps.name()
        if self.is_integer(operand):
            self.steps.let(name, f"-{operand}")
            self.integers.add(name)
        else:
            self.steps.let(name, f"negated({operand})", self._undefined("operation", term))
        return name

    def _undefined(self, what: str, term: Term) -> str:
        return self._scope.undefined(self._location, f"{what} undefined:\n  {in_messages(term)}")

    def bounds(self, interval: BinaryOperation) -> tuple[str, str]:
        """Code for the ends of an interval; goes on where they are integers."""
        low, high = self._named(interval.left), self._named(interval.right)
        test = self.type_test([low, high])
        if test:
            self.steps.only_if(f"({test} or {self._undefined('interval', interval)})")
        return low, high

    def numbers(self, interval: BinaryOperation, limits: Iterable[Limit] = ()) -> str:
        """Code for the numbers of an interval that keep limits; goes on where its ends are integers."""
        low, high = self.bounds(interval)
        for limit in limits:
            if limit.is_upper:
                high = self._limited("min", high, limit)
            else:
                low = self._limited("max", low, limit)
        end = str(int(high) + 1) if high.isdecimal() else f"{high} + 1"
        given, found = f"range({low}, {end})", self.steps.name()
        name = self._scope.enumerated(self._location, interval, self.around.values())
        if name:
            known = [self.names[one] for one in dict.fromkeys(variables_in(interval))]
            around = " * ".join(map("len({})".format, self.around)) or "1"
            given = f"{name}({', '.join([low, end, around, *known])})"
        if interval.location is not NOWHERE:
            self.around[found] = size_of(interval, {})
        self.steps.let(found, given)
        return found

    def _limited(self, function: str, end: str, limit: Limit) -> str:
        """An end of an interval, or a limit that is closer; the limit holds if all is integers."""
        names = {name: self.names[name] for name in limit.rest.factors}
        if not names and not end.isidentifier() and self.is_integer(end):
            value = limit.rest.constant // limit.factor
            given = int(end.strip("()"))
            return _number(min(given, value) if limit.is_upper else max(given, -value))
        test = self.type_test([*names.values()])
        if test == "False":
            return end
        products = [f"{_number(factor)} * {names[name]}" for name, factor in limit.rest.factors.items()]
        rest = " + ".join([_number(limit.rest.constant), *products])
        code = f"({rest}) // {limit.factor}"
        code = code if limit.is_upper else f"-({code})"
        name = self.steps.name()
        self.steps.let(name, f"{function}({end}, {code})" + (f" if {test} else {end}" if test else ""))
        self.integers.add(name)
        return name

    def called(self, call: Function) -> str:
        """Code for the values of a call of a user's function."""
        arguments = [self.value(argument) for argument in call.arguments]
        return f"{self._scope.call(call.name)}({', '.join(arguments)})"

    # --- comparing ------------------------------------------------------------------------------------

    def comparison(self, left: Term, comparison: str, right: Term) -> str:
        """A condition that compares terms in clingo's order."""
        match left, right:
            case Tuple(ones), Tuple(others) if ones and len(ones) == len(others):
                return self._comparison_of_tuples(ones, comparison, others)
        one, other = self._named(left), self._named(right)
        test = self.type_test([one, other])
        is_open = test and comparison not in ("=", "!=") and not any(map(_is_no_number, (left, right)))
        text = f"{to_text(left)} {comparison} {to_text(right)}"
        by = self._scope.mixed(self._location, text) if is_open else "less"
        return comparison_of(one, comparison, other, test, by)

    def _comparison_of_tuples(self, ones: Sequence[Term], comparison: str, others: Sequence[Term]) -> str:
        """The same for tuples of one length, by their parts: no terms are made for them."""
        one, other = ([self._named(part) for part in parts] for parts in (ones, others))
        test = self.type_test([*one, *other])
        return comparison_of(as_row(one), comparison, as_row(other), test, "less_rows")

    # --- taking apart ---------------------------------------------------------------------------------

    def match(self, term: Term, code: str) -> None:
        """Binds the variables of a term so that it has a value; goes on where it can have it.

        The term is a variable, ground, or a function or tuple of such terms; `_` has any value.
        """
        constant = ground_value(term)
        if constant is not None:
            self.steps.only_if(f"{code} == {self._scope.constant(constant)}")
        elif isinstance(term, Variable):
            if term.name != "_":
                self.bind(term.name, code)
        else:
            assert isinstance(term, Function | Tuple)
            name = term.name if isinstance(term, Function) else ""
            self.steps.only_if(
                f"type({code}) is term_type and {code}.name == {name!r} and {code}.is_positive"
                f" and len({code}.arguments) == {len(term.arguments)}"
            )
            parts = []
            for argument in term.arguments:
                if (
                    isinstance(argument, Variable)
                    and argument.name not in self.names
                    and argument.name != "_"
                ):
                    parts.append(self.new_name(argument.name))
                else:
                    parts.append(self.steps.name())
            if any(argument != Variable("_") for argument in term.arguments):
                self.steps.let(targets(parts), f"{code}.arguments")
            for argument, part in zip(term.arguments, parts, strict=True):
                if not isinstance(argument, Variable) or self.names.get(argument.name) != part:
                    self.match(argument, part)

    def take(self, part: Test | Equation | Choice) -> None:
        """Goes on where a conjunct is true; a choice is of a variable that has a value."""
        steps = self.steps
        match part:
            case Test(comparisons, is_negative):
                condition = " and ".join(self.comparison(*one) for one in comparisons)
                steps.only_if(f"not ({condition})" if is_negative else condition)
            case Equation(variable, term):
                if self.has(term):
                    self.bind(variable, self.value(term))
                else:
                    self.solve(term, self.names[variable])
            case Choice(variable, BinaryOperation() as interval):
                low, high = self.bounds(interval)
                name = self.names[variable]
                test = self.type_test([name])
                within = f"{low} <= {name} <= {high}"
                steps.only_if(f"{test} and {within}" if test else within)
            case Choice(variable, Function() as call):
                steps.only_if(f"{self.names[variable]} in {self.called(call)}")

    def solve(self, term: Term, code: str) -> None:
        """Binds the variables of a term so that it has a value; goes on where there is a way."""
        form = linear_form(term)
        if form is not None:
            self._solve_linear(form.factor, form.variable, form.constant, code)
        elif isinstance(term, UnaryOperation):
            name = self.steps.name()
            self.steps.let(name, f"negated({code})")
            self.steps.only_if(f"{name} is not None")
            self.solve(term.argument, name)
        else:
            self.match(term, code)

    def _solve_linear(self, factor: int, variable: str, constant: int, code: str) -> None:
        test = self.type_test([code])
        if test:
            self.steps.only_if(test)
        if abs(factor) > 1:
            self.steps.only_if(f"not ({code} - {_number(constant)}) % {_number(factor)}")
            solution = f"({code} - {_number(constant)}) // {_number(factor)}"
        else:
            solution = f"{code} - {_number(constant)}" if factor > 0 else f"{_number(constant)} - {code}"
        name = self.new_name(variable)
        self.steps.let(name, solution)
        self.integers.add(name)


def _is_no_number(term: Term) -> bool:
    """Whether a term is written as something else than a number, so that others are compared with that."""
    value = ground_value(term)
    return value is not None and not isinstance(value, int)


def comparison_of(one: str, comparison: str, other: str, test: str, by: str = "less") -> str:
    """A condition that compares values in clingo's order; `test` says whether both are integers.

    An empty test is true, `False` is false. `by` is the name of what compares values that are not integers.
    """
    if comparison in ("=", "!="):
        return f"{one} {'==' if comparison == '=' else '!='} {other}"
    if not test:
        return f"{one} {comparison} {other}"
    by_order = {
        "<": f"{by}({one}, {other})",
        ">": f"{by}({other}, {one})",
        "<=": f"not {by}({other}, {one})",
        ">=": f"not {by}({one}, {other})",
    }[comparison]
    return by_order if test == "False" else f"({one} {comparison} {other} if {test} else {by_order})"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"
