"""Terms with decimals: the integers that stand for their numbers, and what is wrong with them."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError, counted, decimal_text, scaled
from lars2asp.analysis.decimals import Variables, factor_decimals, term_decimals
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE
from lars2asp.syntax.traversal import every, rewrite

Cure = Callable[[str, int], str]
"""The hint to declare, or to declare more, decimals of a place: so many."""


class DecimalTerms:
    """Writes terms of a statement, or of a condition within one, with integers.

    Args:
        variables: the decimals of variables.
        origins: how the decimals of variables would be declared.
        constants: the integers that constants stand for.
        diagnostics: takes what is wrong.
    """

    def __init__(
        self,
        variables: Variables,
        origins: Mapping[str, Cure],
        constants: Mapping[str, int],
        diagnostics: Diagnostics,
    ) -> None:
        self._variables = variables
        self._origins = origins
        self._constants = constants
        self._diagnostics = diagnostics

    def cure(self, terms: Iterable[Term]) -> Cure | None:
        """How the decimals of a variable among terms, or in a sum, would be declared."""
        names = (one.name for one in every(Variable, *terms))
        return next((self._origins[name] for name in names if name in self._origins), None)

    def term(self, term: Term, decimals: int | None, cure: Cure | None = None) -> Term:
        """A term where what stands has so many decimals; None where nothing says so."""
        own = term_decimals(term, self._variables)
        if own is None:
            value = integer_value(term, self._constants)
            if value is not None:
                return number_with_decimals(term, value, decimals or 0, self._diagnostics)
            if decimals:
                self._remark_raw(term, decimals)
        elif decimals is None:
            decimals = own
        elif own != decimals:
            self._report_others(term, own, decimals, cure)
        return self._read(term, decimals, cure)

    def _read(self, term: Term, decimals: int | None, cure: Cure | None) -> Term:
        match term:
            case nodes.Decimal():
                return self._integer(term, decimals, cure)
            case nodes.Number():
                return dataclasses.replace(term, decimals=decimals or 0)
            case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
                return dataclasses.replace(term, argument=self._read(argument, decimals, cure))
            case nodes.BinaryOperation("+" | "-" | "\\" | "..", left, right):
                sides = (self.term(side, decimals, cure) for side in (left, right))
            case nodes.BinaryOperation("*" | "/", left, right):
                if term.operator == "/":
                    self._check_quotient(term)
                sides = (self._factor(side, cure) for side in (left, right))
            case nodes.BinaryOperation(operator, left, right):
                sides = (self.none(side, f"operands of {operator}") for side in (left, right))
            case nodes.UnaryOperation(operator, argument):
                return dataclasses.replace(term, argument=self.none(argument, f"operands of {operator}"))
            case nodes.Function(_, arguments) | nodes.Tuple(arguments) if arguments:
                return dataclasses.replace(term, arguments=self._inside(arguments, term))
            case _:
                return term
        new_left, new_right = sides
        return dataclasses.replace(term, left=new_left, right=new_right)

    def _factor(self, term: Term, cure: Cure | None) -> Term:
        return self._read(term, factor_decimals(term, self._variables), cure)

    def plain(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Terms of which nothing around says how many decimals they have."""
        return tuple(self.term(term, None) for term in terms)

    def none(self, term: Term, what: str, hint: str = "write an integer") -> Term:
        """A term that has no decimals."""
        own = term_decimals(term, self._variables)
        found = next(every(nodes.Decimal, term), None)
        if found is not None or own:
            place = term if found is None else found
            self._diagnostics.error(
                place.location, f"{what} have no decimals", hint, code=codes.NO_DECIMALS_HERE
            )
        return rewrite(term, _without_point)

    def _inside(self, arguments: Iterable[Term], term: Term) -> tuple[Term, ...]:
        """The arguments of functions, tuples and calls, the integers of which are as they are."""
        is_call = isinstance(term, nodes.Function) and term.is_external
        for found in every(nodes.Decimal, *arguments):
            self._diagnostics.error(
                found.location,
                "@-functions receive raw integers, without decimals"
                if is_call
                else "decimals are only possible directly in an atom, not inside a term such as f(...)",
                "write the raw integer: 255 for 25.5 with one decimal",
                code=codes.NO_DECIMALS_HERE,
            )
        return tuple(rewrite(argument, _without_point) for argument in arguments)

    def _integer(self, term: nodes.Decimal, decimals: int | None, cure: Cure | None) -> Term:
        """The integer for a number with a point."""
        needed = max(1, len(term.text.partition(".")[2]))
        if decimals is None:
            hint = (
                cure("declare it", needed)
                if cure is not None
                else "compare it with an argument with decimals, such as T in reading(R,T) after "
                "#decimals reading(_,1)."
            )
            message = f"the number of decimals of {term.text} is unknown here"
            self._diagnostics.error_once(term.location, message, hint, code=codes.UNKNOWN_DECIMALS)
            return nodes.Number(0, location=term.location)
        try:
            return nodes.Number(scaled(term.text, decimals), decimals=decimals, location=term.location)
        except NotScaledError as error:
            hint = ""
            if error.digits is not None and not decimals:
                hint = "write an integer: this is a number of atoms or ticks"
            elif error.digits is not None:
                hint = "round it" if cure is None else cure("declare more", error.digits)
            self._diagnostics.error_once(term.location, str(error), hint, code=codes.TOO_MANY_DIGITS)
            return nodes.Number(0, location=term.location)

    # --- what is wrong --------------------------------------------------------------------------------

    def _remark_raw(self, term: Term, decimals: int) -> None:
        """Warns of a term without decimals where others have some."""
        match term:
            case Variable(name) if not term.is_anonymous:
                cure = self._origins.get(name)
                hint = (
                    cure("declare it", decimals) if cure is not None else f"write {name}*1.{'0' * decimals}"
                )
                self._diagnostics.warning(
                    term.location,
                    f"{name} has no declared decimals, but is used with {counted(decimals)}: "
                    "lars2asp uses its raw integer",
                    hint,
                    code=codes.RAW_VALUE,
                )
            case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
                self._remark_raw(argument, decimals)
            case nodes.BinaryOperation("*" | "/", left, right):
                for side in (left, right):
                    if integer_value(side, self._constants) is None:
                        self._remark_raw(side, decimals)

    def _report_others(self, term: Term, own: int, decimals: int, cure: Cure | None) -> None:
        """Reports a term that has other decimals than what it stands with."""
        factor = f"1.{'0' * abs(own - decimals)}"
        hint = f"write {_factor_text(term)}*{factor}"
        if own > decimals:
            text = _factor_text(term)
            hint = f"multiply the other side by {factor}, or cut off digits with {text}/{factor}"
            if cure is not None:
                hint += f", or {cure('declare more', own)}"
        message = f"{to_text(term)} has {counted(own)}, but this place needs {counted(decimals)}"
        self._diagnostics.error(term.location, message, hint, code=codes.DECIMALS_DIFFER)

    def _check_quotient(self, term: nodes.BinaryOperation) -> None:
        left, right = (factor_decimals(side, self._variables) or 0 for side in (term.left, term.right))
        if left < right:
            factor = f"1.{'0' * (right - left)}"
            self._diagnostics.error(
                term.location,
                f"a number with {counted(left)} cannot be divided by a number with {counted(right)}",
                f"write {_factor_text(term.left)}*{factor}/{_factor_text(term.right)}",
                code=codes.DECIMALS_DIFFER,
            )


def number_with_decimals(term: Term, value: int, decimals: int, diagnostics: Diagnostics) -> Term:
    """An integer where numbers have decimals: 25 is 25.0.

    Args:
        term: as it is written; it is given back where there are no decimals.
        value: its value.
        decimals: those of the place where it stands.
        diagnostics: takes what is to be said of it.
    """
    if not decimals:
        return term
    meant = f"{value}.{'0' * decimals}"
    if value and term.location != NOWHERE:  # else it is of a table
        before = decimal_text(value, decimals)
        message = f"{to_text(term)} means {meant} here (copies made before 0.3.0 read it as {before})"
        diagnostics.warning(
            term.location,
            message,
            f"write {meant}: every copy reads it in the same way",
            code=codes.INTEGER_WITH_DECIMALS,
        )
    try:
        number = nodes.Number(scaled(str(abs(value)), decimals), decimals=decimals, location=term.location)
    except NotScaledError as error:
        diagnostics.error(term.location, str(error), code=codes.TOO_MANY_DIGITS)
        return term
    return number if value >= 0 else nodes.UnaryOperation("-", number, location=term.location)


def _factor_text(term: Term) -> str:
    """A term as text that can be multiplied."""
    text = to_text(term)
    return text if isinstance(term, Variable | nodes.Number | nodes.Decimal) else f"({text})"


def _without_point(node: Node) -> Node:
    """What stands for a number with a point that was reported."""
    return nodes.Number(0, location=node.location) if isinstance(node, nodes.Decimal) else node
