"""What the analysis says is always an integer is one in the answers to random programs and streams."""

from collections import Counter

from clingo import SymbolType
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.analysis.argument_columns import argument_columns
from lars2asp.compiler import Overrides, checked_program, compile_plan
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import Source
from tests.oracle import Item
from tests.strategies import ALL_PROGRAMS, Case, cases, splittable_programs
from tests.support.definition import record
from tests.support.examples import number_of_examples


def kinds(records: tuple[Item, ...]) -> dict[Signature, list[bool]]:
    """For each predicate of the input, which of its arguments are always integers."""
    found: dict[Signature, list[bool]] = {}
    for item in records:
        for name, values in (*item.facts, *item.begin, *item.end):
            before = found.setdefault(Signature(name, len(values)), [True] * len(values))
            before[:] = [was and isinstance(value, int) for was, value in zip(before, values, strict=True)]
    return found


def declared(records: tuple[Item, ...]) -> str:
    """`#input` for all that comes in."""
    lines = []
    for signature, are_integers in kinds(records).items():
        columns = [f"int(c{n})" if is_one else f"text(c{n})" for n, is_one in enumerate(are_integers)]
        if columns:
            lines.append(f"#input {signature.name}({','.join(columns)}).")
    return "\n".join(lines)


SEEN: Counter[bool] = Counter()


@settings(max_examples=3 * number_of_examples(25))
@given(st.one_of(cases(ALL_PROGRAMS), cases(splittable_programs())))
def check_case(case: Case) -> None:
    overrides = Overrides(semantics=Semantics(case.semantics))
    try:
        text = f"{case.program}\n{declared(case.records)}"
        program = checked_program(Source("random.lars", text), overrides=overrides)
        answers = list(
            Reasoner(compile_plan(program)).run(map(record, case.records), until=case.last, emit="every")
        )
    except Lars2aspError:
        return
    for symbol in {symbol for answer in answers for symbol in answer.holds.symbols}:
        if symbol.type is not SymbolType.Function or not symbol.name or not symbol.arguments:
            continue
        signature = Signature(symbol.name, len(symbol.arguments), symbol.positive)
        for column, argument in zip(
            argument_columns(program.program, signature, program.types), symbol.arguments, strict=True
        ):
            assert argument.type is SymbolType.Number or not column.is_integer, f"{symbol}: {column}"
            SEEN[column.is_integer] += 1


def test_integers_are_integers() -> None:
    """Of both kinds there are many."""
    check_case()
    assert min(SEEN[True], SEEN[False]) > 30, SEEN
