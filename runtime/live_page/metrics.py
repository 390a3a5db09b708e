"""The metrics of a run for Prometheus."""

from collections.abc import Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from lars2asp.runtime.live_page.board import Board
from lars2asp.runtime.live_page.messages import RuleCost
from lars2asp.runtime.sinks.counters import InputTime
from lars2asp.runtime.sources.account import Account


class _Run(Collector):
    def __init__(self, board: Board) -> None:
        self._board = board

    def collect(self) -> Iterator[Metric]:
        board, counted = self._board, self._board.counted
        yield GaugeMetricFamily("lars2asp_over", "Whether the run is over.", int(board.is_over))
        yield GaugeMetricFamily(
            "lars2asp_satisfiable", "Whether the last tick has an answer stream.", int(board.satisfiable)
        )
        yield GaugeMetricFamily(
            "lars2asp_atoms", "Atoms of the output that hold.", sum(one.holds for one in board.lanes.values())
        )
        yield CounterMetricFamily("lars2asp_changes", "Atoms that began or ended to hold.", board.changes)
        if counted is None:
            return
        counters = counted.counters
        if counters.tick is not None:
            yield GaugeMetricFamily("lars2asp_tick", "The current tick.", counters.tick)
        yield CounterMetricFamily("lars2asp_facts", "Facts of the input.", counters.facts)
        yield CounterMetricFamily(
            "lars2asp_merged", "Facts that were equal to another one of their tick.", counters.merged
        )
        yield CounterMetricFamily("lars2asp_ticks", "Ticks that are over.", counters.ticks)
        yield CounterMetricFamily("lars2asp_rejected", "Records that are not valid.", counters.rejected)
        yield CounterMetricFamily("lars2asp_unfit", "Records that no #input fits.", counters.unfit)
        yield CounterMetricFamily("lars2asp_late", "Records that came too late.", counters.late)
        yield GaugeMetricFamily("lars2asp_waiting", "Records that wait.", counters.waiting)
        yield GaugeMetricFamily(
            "lars2asp_memory_bytes", "Memory of the process that reasons.", counted.memory
        )
        if counters.lag_seconds is not None:
            yield GaugeMetricFamily(
                "lars2asp_lag_seconds", "The time by which the run lags.", counters.lag_seconds
            )
        yield from _of_inputs(counters.inputs)
        yield _records(counters.accounts)
        seconds = CounterMetricFamily(
            "lars2asp_component_seconds", "Time of a component.", labels=["predicates", "evaluator"]
        )
        for one in counted.components:
            seconds.add_metric([one.predicates, one.evaluator], one.seconds)
        yield seconds
        yield from _of_rules(counted.rules)


def _of_inputs(inputs: Sequence[InputTime]) -> Iterator[Metric]:
    """How far several live inputs have come."""
    ticks = GaugeMetricFamily("lars2asp_input_tick", "The latest tick of an input.", labels=["input"])
    waited = GaugeMetricFamily(
        "lars2asp_input_waited_for", "Whether ticks wait for an input.", labels=["input"]
    )
    for name, tick, is_left_out in inputs:
        if tick is not None:
            ticks.add_metric([name], tick)
        waited.add_metric([name], int(not is_left_out))
    if inputs:
        yield ticks
        yield waited


def _records(accounts: Mapping[str, Account]) -> Metric:
    """What became of the records of each input."""
    found = CounterMetricFamily(
        "lars2asp_records",
        "Records of an input, such as read or rejected.",
        labels=["input", "count"],
    )
    for name, account in accounts.items():
        for count, number in account.json.items():
            found.add_metric([name, count], number)
    return found


def _of_rules(rules: Sequence[RuleCost]) -> Iterator[Metric]:
    """What rules have done and cost, by their components, their places and their texts."""
    labels = ["predicates", "place", "rule"]
    evaluations = CounterMetricFamily(
        "lars2asp_rule_evaluations", "Runs of the code of a rule.", labels=labels
    )
    changes = CounterMetricFamily(
        "lars2asp_rule_changes", "Atoms that began or ended by a rule.", labels=labels
    )
    rows = GaugeMetricFamily("lars2asp_rule_rows", "Rows that are kept for a rule.", labels=labels)
    seconds = CounterMetricFamily(
        "lars2asp_rule_seconds", "Time of a rule, estimated from sampled ticks.", labels=labels
    )
    held = GaugeMetricFamily(
        "lars2asp_rule_held", "Intervals that the windows of a rule hold.", labels=labels
    )
    for predicates, rule in rules:
        values = [predicates, rule.place, rule.text]
        held.add_metric(values, rule.held)
        if rule.others is not None:  # its component has the cost
            continue
        evaluations.add_metric(values, rule.evaluations)
        changes.add_metric(values, rule.changes)
        rows.add_metric(values, rule.rows)
        seconds.add_metric(values, rule.seconds)
    yield from (evaluations, changes, rows, held, seconds)


def metrics_of(board: Board) -> bytes:
    """The metrics as text."""
    registry = CollectorRegistry()
    registry.register(_Run(board))
    return generate_latest(registry)
