"""How many triples a second are read, in N-Triples and in Turtle, on one core?

Each observation has four triples: its class, its sensor, its result and its time, by which all of them hold.
`#input triple(S,P,any(O))` makes a fact of each triple, `#input result(S,V)` of each result:

    python -m experiments triples
"""

import sys
import time
from collections.abc import Iterator, Sized
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from lars2asp import Reading, Reasoner, Timeline
from lars2asp.runtime.sources.files import read_file_blocks

TRIPLES_OF_EACH = 4

PREFIXES = {
    "ex": "http://example.org/",
    "sosa": "http://www.w3.org/ns/sosa/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

DECLARED = {
    "triple(S,P,any(O))": "all",
    "result(S,V) from sosa:hasSimpleResult": "results",
}
"""What triples are facts, and what these are called."""


def observations(number: int) -> Iterator[tuple[str, ...]]:
    """Properties and objects of so many observations, a second apart, as Turtle has them."""
    for one in range(number):
        moment = f"2026-01-{1 + one // 86400:02}T{one // 3600 % 24:02}:{one // 60 % 60:02}:{one % 60:02}Z"
        yield (
            "a sosa:Observation",
            f"sosa:madeBySensor ex:s{one % 100}",
            f"sosa:hasSimpleResult {20 + one % 13}.{one % 10}",
            f'sosa:resultTime "{moment}"^^xsd:dateTime',
        )


def turtle(number: int) -> str:
    """So many observations in Turtle, a statement for each."""
    head = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    told = (f"ex:o{place} {' ; '.join(parts)} .\n" for place, parts in enumerate(observations(number)))
    return head + "".join(told)


def ntriples(text: str) -> bytes:
    """The same in N-Triples."""
    import pyoxigraph  # noqa: PLC0415 - an extra

    found = pyoxigraph.serialize(
        pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE), format=pyoxigraph.RdfFormat.N_TRIPLES
    )
    assert found is not None
    return found


def program(declared: str) -> str:
    """A program that reads triples."""
    head = "".join(f"#prefix {name}: <{iri}>.\n" for name, iri in PREFIXES.items())
    return f"#tick 1 sec.\n{head}#input {declared} at sosa:resultTime.\n#decimals result(_,1).\n"


def seconds(path: Path, declared: str) -> float:
    """The CPU time in which a file is read."""
    plan = Reasoner.from_text(program(declared)).plan
    reading = Reading(timeline=Timeline.of(plan), declarations=plan.inputs, decimals=plan.decimals)
    begun, number = time.process_time(), 0
    for block in read_file_blocks(path, reading):
        number += len(block) if isinstance(block, Sized) else sum(1 for _ in block)
    assert number
    return time.process_time() - begun


@click.command()
@click.option("--triples", default=400_000, help="The number of triples.")
@click.option("--times", default=3, help="The number of runs. The best counts.")
def main(triples: int, times: int) -> None:
    """Measure the speed of reading triples."""
    text = turtle(triples // TRIPLES_OF_EACH)
    with TemporaryDirectory() as folder:
        files = {"Turtle": Path(folder) / "t.ttl", "N-Triples": Path(folder) / "t.nt"}
        files["Turtle"].write_text(text)
        files["N-Triples"].write_bytes(ntriples(text))
        for declared, name in DECLARED.items():
            for form, path in files.items():
                best = min(seconds(path, declared) for _ in range(times))
                sys.stdout.write(f"{form:9}, {name} are facts: {triples / best:9,.0f} triples a second\n")
