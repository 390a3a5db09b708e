"""Engines by their names."""

from collections.abc import Iterator
from contextlib import contextmanager

from experiments.benchmark import EngineName, Setting
from experiments.engine import Engine, RefusedError
from experiments.engines.copied_input import parts_by_cliques
from experiments.engines.process_engines import PipelinedEngine, ProcessEngine, SplitEngine
from experiments.engines.product import ProductEngine
from experiments.native import Laser, Laser2
from experiments.ticker.ticker_engine import TickerEngine
from lars2asp import Lars2aspError, Source
from lars2asp.compiler import Overrides, checked_program, compile_plan
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.syntax.nodes import Semantics


@contextmanager
def making(setting: Setting, name: EngineName) -> Iterator[Engine]:
    """An engine for a setting, which is closed after use.

    Raises:
        RefusedError: if it cannot evaluate the program.
    """
    engine = _made(setting, name)
    try:
        yield engine
    finally:
        if isinstance(engine, ProcessEngine):
            engine.close()


def _made(setting: Setting, name: EngineName) -> Engine:
    if name is EngineName.BY_HAND:
        if setting.by_hand is None:
            raise RefusedError("it was not written by hand")
        return setting.by_hand()
    overrides = Overrides(semantics=Semantics(setting.semantics))
    checked = checked_program(Source(setting.name, setting.program), overrides=overrides)
    is_native = name in (EngineName.LASER, EngineName.LASER2, EngineName.LASER_NAIVE)
    if is_native and checked.semantics is not Semantics.STRICT:
        raise RefusedError("it evaluates strict programs only")
    try:
        match name:
            case EngineName.LASER:
                return Laser(checked.program)
            case EngineName.LASER_NAIVE:
                return Laser(checked.program, is_semi_naive=False)
            case EngineName.LASER2:
                return Laser2(checked.program, setting.laser2_threshold)
            case EngineName.TICKER:
                return TickerEngine(checked)
            case EngineName.SPLIT:
                return SplitEngine(checked)
            case EngineName.COPIED:
                return SplitEngine(checked, parts=parts_by_cliques(checked.program, checked.semantics))
            case EngineName.PIPELINED:
                return PipelinedEngine(checked, commits=not setting.is_certain)
            case EngineName.PIPELINED_CLINGO:
                return PipelinedEngine(
                    checked, commits=not setting.is_certain, evaluator=EvaluatorName.ONESHOT
                )
            case _:
                return ProductEngine(compile_plan(checked), EvaluatorName(name))
    except Lars2aspError as error:
        raise RefusedError(str(error)) from None
