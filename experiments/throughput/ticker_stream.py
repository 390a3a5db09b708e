"""Ticker's encoding over a stream, from standard input to standard output."""

import sys

import orjson

from experiments.throughput.events import RULE
from experiments.ticker.ticker_engine import TickerEngine
from lars2asp import Source
from lars2asp.compiler import checked_program


def main() -> None:
    """Steps where a tick is over."""
    engine = TickerEngine(checked_program(Source("join", f"#semantics strict.\n{RULE}")))
    facts: list[tuple[object, ...]] = []
    for line in sys.stdin.buffer:
        record = orjson.loads(line)
        if "item" in record:
            kind = "order" if "order" in record else "payment"
            facts.append((kind, record[kind], record["item"]))
        else:
            changes = engine.step(record["time"] - 1, engine.facts(facts))
            sys.stdout.write(f"{' '.join(engine.texts(changes.began))}\n")
            sys.stdout.flush()
            facts = []


if __name__ == "__main__":
    main()
