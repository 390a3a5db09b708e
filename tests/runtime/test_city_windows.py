"""Queries in the shape of three of CityBench's: the same answers from triples, graphs and lines.

They are those that SPARQL gives over the triples of each window.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lars2asp import Reading, Reasoner, Timeline, read_file
from lars2asp.runtime.sources.reading import Format
from lars2asp.syntax.rdf_terms import literal_of, string_of
from lars2asp.syntax.rspql.program import program_of
from lars2asp.syntax.rspql.query import read_query

pyoxigraph: Any = pytest.importorskip("pyoxigraph")

TICKS = 600
RANGE = 3
"""Of the windows, in ticks."""

EX, SOSA = "http://example.org/", "http://www.w3.org/ns/sosa/"
XSD = "http://www.w3.org/2001/XMLSchema#"

CITY = """@prefix ex: <http://example.org/> .
ex:flow1 a ex:Congestion ; ex:of ex:road1 .  ex:road1 ex:lat 56.1629 ; ex:lon 10.2039 .
ex:flow2 a ex:Congestion ; ex:of ex:road2 .  ex:road2 ex:lat 56.1510 ; ex:lon 10.6000 .
ex:heat a ex:Temperature . ex:damp a ex:Humidity . ex:wind a ex:WindSpeed .
ex:concert ex:at ex:hall . ex:hall ex:lat 56.1700 ; ex:lon 10.2100 .
ex:market ex:at ex:square . ex:square ex:lat 56.9000 ; ex:lon 10.2100 .
"""
SENSORS = {"t1": ["flow1"], "t2": ["flow2"], "w": ["heat", "damp", "wind"]}

PROGRAM = """
#prefix ex: <http://example.org/>. #prefix sosa: <http://www.w3.org/ns/sosa/>.
#prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>.
#tick 1 sec. #origin "2026-01-01T00:00:00Z". #timezone "UTC".
#include "city.ttl".
#decimals lat(_,4), lon(_,4).
#input type(S,C) from rdf:type. #input of(P,F) from ex:of. #input at_(E,F) from ex:at.
#input lat(F,V) from ex:lat. #input lon(F,V) from ex:lon.
#input property(O,P) from sosa:observedProperty {at}.
#input value(O,V) from sosa:hasSimpleResult {at}.
#input sensor(O,S) from sosa:madeBySensor {at}.
seen(S,O,P,V) :- property(O,P) in [2 sec], value(O,V) in [2 sec], sensor(O,S) in [2 sec].
q1(O1,O2,V1,V2) :- seen(ex:t1,O1,P1,V1), type(P1,ex:Congestion), seen(ex:t2,O2,P2,V2), type(P2,ex:Congestion).
q2(O1,O2,O3,O4) :- seen(ex:w,O1,P1,_), type(P1,ex:Temperature), seen(ex:w,O2,P2,_), type(P2,ex:Humidity),
    seen(ex:w,O3,P3,_), type(P3,ex:WindSpeed), seen(ex:t2,O4,P4,_), type(P4,ex:Congestion).
q5(E,O) :- at_(E,N), lat(N,LA1), lon(N,LO1), seen(_,O,P,_), of(P,F), lat(F,LA2), lon(F,LO2),
    (LA2-LA1)*(LA2-LA1) + (LO2-LO1)*(LO2-LO1) < 0.1.
#show q1/4. #show q2/4. #show q5/2.
"""

SEEN = "?o{n} sosa:observedProperty ?p{n} ; sosa:hasSimpleResult ?v{n} ; sosa:madeBySensor {s} ."
QUERIES = {
    "q1": f"SELECT ?o1 ?o2 ?v1 ?v2 {{ {SEEN.format(n=1, s='ex:t1')} ?p1 a ex:Congestion . "
    f"{SEEN.format(n=2, s='ex:t2')} ?p2 a ex:Congestion }}",
    "q2": f"SELECT ?o1 ?o2 ?o3 ?o4 {{ {SEEN.format(n=1, s='ex:w')} ?p1 a ex:Temperature . "
    f"{SEEN.format(n=2, s='ex:w')} ?p2 a ex:Humidity . {SEEN.format(n=3, s='ex:w')} ?p3 a ex:WindSpeed . "
    f"{SEEN.format(n=4, s='ex:t2')} ?p4 a ex:Congestion }}",
    "q5": f"SELECT ?e ?o1 {{ ?e ex:at ?n . ?n ex:lat ?la1 ; ex:lon ?lo1 . {SEEN.format(n=1, s='?s')} "
    "?p1 ex:of ?f . ?f ex:lat ?la2 ; ex:lon ?lo2 "
    "FILTER((?la2-?la1)*(?la2-?la1) + (?lo2-?lo1)*(?lo2-?lo1) < 0.1) }",
}


class Observation(NamedTuple):
    tick: int
    node: str
    sensor: str
    property: str
    value: int

    def triples(self) -> list[str]:
        return [
            f"<{EX}{self.node}> <{SOSA}observedProperty> <{EX}{self.property}>",
            f'<{EX}{self.node}> <{SOSA}hasSimpleResult> "{self.value}"^^<{XSD}integer>',
            f"<{EX}{self.node}> <{SOSA}madeBySensor> <{EX}{self.sensor}>",
        ]

    def facts(self) -> list[str]:
        node = f'"<{EX}{self.node}>"'
        parts = f'property({node},"<{EX}{self.property}>")', f'sensor({node},"<{EX}{self.sensor}>")'
        return [*parts, f"value({node},{self.value})"]


def observations() -> list[Observation]:
    chance = random.Random(7)
    found: list[Observation] = []
    for tick in range(TICKS):
        for sensor, properties in SENSORS.items():
            for name in properties if chance.random() < 0.35 else ():
                found.append(Observation(tick, f"o{len(found)}", sensor, name, chance.randrange(100)))
    return found


def time_of(tick: int) -> str:
    return f'"2026-01-01T00:{tick // 60:02}:{tick % 60:02}Z"^^<{XSD}dateTime>'


def as_triples(told: Iterable[Observation]) -> str:
    """The time stands in the middle, as it may stand anywhere."""
    lines = []
    for one in told:
        first, *rest = one.triples()
        time = f"<{EX}{one.node}> <{SOSA}resultTime> {time_of(one.tick)}"
        lines += [first, time, *rest]
    return "".join(f"{line} .\n" for line in lines)


def as_graphs(told: Sequence[Observation]) -> str:
    parts = ["@prefix prov: <http://www.w3.org/ns/prov#> .\n"]
    for tick in dict.fromkeys(one.tick for one in told):
        inner = " . ".join(triple for one in told if one.tick == tick for triple in one.triples())
        graph, time = f"<{EX}g{tick}>", f"<{EX}g{tick}> prov:generatedAtTime {time_of(tick)} .\n"
        parts += [f"{graph} {{ {inner} }}\n", time] if tick % 2 else [time, f"{graph} {{ {inner} }}\n"]
    return "".join(parts)


def as_lines(told: Sequence[Observation]) -> str:
    return "".join(f"{one.tick}: {', '.join(one.facts())}\n" for one in told)


def as_log(told: Sequence[Observation]) -> str:
    """As I-DLV-sr has it: a line for each time."""
    lines = []
    for tick in dict.fromkeys(one.tick for one in told):
        atoms = [atom for one in told if one.tick == tick for atom in one.facts()]
        lines.append(f"2026-01-01T00:{tick // 60:02}:{tick % 60:02} {'; '.join(atoms)};\n")
    return "".join(lines)


@dataclass(frozen=True)
class Way:
    name: str
    write: Callable[[Sequence[Observation]], str]
    at: str = ""
    form: Format | None = None


WAYS = [
    Way("a.nt", as_triples, "at sosa:resultTime"),
    Way("a.trig", as_graphs),
    Way("a.facts", as_lines, form=Format.FACTS),
    Way("a.log", as_log, form=Format.IDLVSR),
]

Answers = list[dict[str, set[tuple[Any, ...]]]]


def answers(folder: Path, way: Way, told: Sequence[Observation]) -> Answers:
    (folder / "city.ttl").write_text(CITY)
    (folder / "p.lars").write_text(PROGRAM.replace("{at}", way.at))
    (folder / way.name).write_text(way.write(told))
    reasoner = Reasoner.from_file(folder / "p.lars", start=0)
    plan = reasoner.plan
    how = Reading(way.form, Timeline.of(plan), plan.inputs, decimals=plan.decimals, required=plan.required)
    found: Answers = []
    for answer in reasoner.run(read_file(folder / way.name, how), emit="every", until=TICKS - 1):
        found.append({one.name: {*rows} for one, rows in answer.holds.rows.items() if rows})
    return found


def by_sparql(told: Sequence[Observation]) -> Answers:
    prefixes = f"PREFIX ex: <{EX}> PREFIX sosa: <{SOSA}> "
    found: Answers = []
    for tick in range(TICKS):
        store = pyoxigraph.Store()
        store.load(CITY.encode(), pyoxigraph.RdfFormat.TURTLE)
        window = [one for one in told if tick - RANGE < one.tick <= tick]
        triples = "".join(f"{triple} .\n" for one in window for triple in one.triples())
        store.load(triples.encode(), pyoxigraph.RdfFormat.N_TRIPLES)
        here: dict[str, set[tuple[Any, ...]]] = {}
        for name, query in QUERIES.items():
            rows = {tuple(map(value_of, row)) for row in store.query(prefixes + query)}
            here |= {name: rows} if rows else {}
        found.append(here)
    return found


def test_translated_queries_have_these_answers(tmp_path: Path) -> None:
    told = observations()
    expected = by_sparql(told)
    prefixes = f"PREFIX ex: <{EX}> PREFIX sosa: <{SOSA}> "
    window = f"FROM STREAM <{EX}stream> [RANGE {RANGE}s STEP 1s] WHERE {{"
    (tmp_path / "city.ttl").write_text(CITY)
    (tmp_path / "a.trig").write_text(as_graphs(told))
    more = '#include "city.ttl".\n#origin "2026-01-01T00:00:00Z".\n'
    for name, query in QUERIES.items():
        program = program_of(read_query(prefixes + query.replace(" {", f" {window}", 1)))
        program = program.replace("#input lat(", "#decimals lat(_,4), lon(_,4).\n#input lat(")
        (tmp_path / "p.lars").write_text(f"{program}{more}")
        reasoner = Reasoner.from_file(tmp_path / "p.lars", start=0)
        found = [
            {row for rows in answer.holds.rows.values() for row in rows}
            for answer in reasoner.run(tmp_path / "a.trig", emit="every", until=TICKS - 1)
        ]
        assert found == [here.get(name, set()) for here in expected], name


def value_of(term: Any) -> int | str:
    literal = literal_of(str(term))
    if literal is None:
        return str(term)
    return string_of(literal) if literal.number is None else int(literal.number)


def test_windows_have_the_answers_of_sparql_from_each_format(tmp_path: Path) -> None:
    told = observations()
    expected = by_sparql(told)
    assert min(sum(name in here for here in expected) for name in QUERIES) > 100
    for way in WAYS:
        assert answers(tmp_path, way, told) == expected, way.name
