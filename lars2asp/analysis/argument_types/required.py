"""What the arguments of the input must be, by the types that a program has."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lars2asp.analysis.argument_types.type_table import PlaceType, Types
from lars2asp.syntax.argument_type import Required
from lars2asp.syntax.nodes import Column, Input, Signature

RequiredTypes = Mapping[Signature, tuple[Required | None, ...]]
"""For each predicate of which something is required, what that is of each of its arguments."""

_READ_AS = {"text": "text", "name": "constant"}


def required_types(types: Types) -> dict[Signature, tuple[Required | None, ...]]:
    """What is required of the arguments of predicates."""
    return {
        signature: tuple(map(_required, places))
        for signature, places in types.items()
        if any(one.is_required for one in places)
    }


def typed_inputs(inputs: Iterable[Input], required: RequiredTypes) -> tuple[Input, ...]:
    """Declarations of input whose columns are read as what is required of them."""
    return tuple(_typed(one, required) for one in inputs)


def _typed(one: Input, required: RequiredTypes) -> Input:
    places = required.get(Signature(one.predicate, len(one.columns)))
    if places is None:
        return one
    columns = tuple(
        column if place is None else _read_as(column, place)
        for column, place in zip(one.columns, places, strict=True)
    )
    return replace(one, columns=columns)


def _read_as(column: Column, required: Required) -> Column:
    """The column as it is read: a plain one as what it must be; one that takes all stays what it is."""
    if column.conversion == "any":
        return column
    conversion = column.conversion
    if not conversion and column.scale is None:
        conversion = _READ_AS.get(required.type.name, "")
    return replace(column, conversion=conversion, required=required)


def _required(one: PlaceType) -> Required | None:
    return Required(one.type, one.taken_at) if one.is_required else None
