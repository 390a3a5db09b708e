"""Engines by their names."""

from collections.abc import Iterator
from contextlib import contextmanager

from experiments.benchmark import EngineName, Setting
from experiments.engines.engine import Engine, RefusedError
from experiments.engines.product import ProductEngine
from lars2asp import EvaluatorError, Overrides, Source, compile_program
from lars2asp.syntax import Semantics
from runtime.evaluators.choice import EvaluatorName


@contextmanager
def making(setting: Setting, name: EngineName) -> Iterator[Engine]:
    """An engine for a setting, which is closed after use.

    Raises:
        RefusedError: if it cannot evaluate the program.
    """
    yield _made(setting, name)


def _made(setting: Setting, name: EngineName) -> Engine:
    source = Source(setting.name, setting.program)
    overrides = Overrides(semantics=Semantics(setting.semantics))
    match name:
        case EngineName.BY_HAND:
            if setting.by_hand is None:
                raise RefusedError("it was not written by hand")
            return setting.by_hand()
        case EngineName.LASER | EngineName.LASER2 | EngineName.TICKER:
            raise RefusedError("not there yet")
        case _:
            try:
                return ProductEngine(compile_program(source, overrides=overrides), EvaluatorName(name))
            except EvaluatorError as error:
                raise RefusedError(str(error)) from None
