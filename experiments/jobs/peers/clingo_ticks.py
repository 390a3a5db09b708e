"""Jobs at one tick alone, in plain ASP for clingo: the user picks what each window has, and hands it over.

    python -m experiments.jobs.peers.clingo_ticks JOB INPUT OUTPUT TICK

What is written are the atoms of that tick, a line each. Facts have their tick as the last argument.
"""

import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from clingo import Control, Function, Number, String, Symbol

PROGRAMS: Mapping[str, str] = {
    "logins": """
        guessed(U) :- login(U,"ok",now), #count { T : login(U,"failed",T) } >= 3.
        #show guessed/1.
    """,
    "join": """
        match(O,P) :- order(O,I,_), payment(P,I,_).
        #show match/2.
    """,
    "absence": """
        silent(H) :- H = 0..1999, not beat(H).
        beat(H) :- beat(H,_).
        #show silent/1.
    """,
    "topten": """
        total(S,I,N) :- sale(_,S,I,_), N = #count { O : sale(O,S,I,_) }.
        top(S,I) :- total(S,I,N), #count { J : total(S,J,M), (M,J) > (N,I) } < 10.
        #show top/2.
    """,
    "sessions": """
        follows(U,B,T) :- click(U,B), T = #min { S : click(U,S), S > B }, T - B <= 30.
        latest(U,E) :- click(U,_), E = #max { T : click(U,T) }.
        belongs(U,E) :- latest(U,E), E + 30 = now.
        belongs(U,B) :- belongs(U,T), follows(U,B,T).
        visit(U,B,E,N) :- latest(U,E), belongs(U,E), B = #min { T : belongs(U,T) },
            N = #count { T : belongs(U,T) }.
        #show visit/4.
    """,
    "closure": """
        path(X,Y) :- link(X,Y,_).
        path(X,Z) :- path(X,Y), link(Y,Z,_).
        #show path/2.
    """,
}
"""By jobs."""

REACH: Mapping[str, int | None] = {
    "logins": 300,
    "join": 30,
    "absence": 180,
    "topten": 9,
    "sessions": None,
    "closure": 39,
}
"""How many ticks back facts are looked at, by jobs; None: to the start."""

MINUTES = frozenset({"topten", "sessions"})
"""The jobs whose ticks are minutes."""


def facts(name: str, source: Path) -> Iterator[tuple[int, str, list[Symbol]]]:
    """The facts of a stream: their tick, predicate, arguments."""
    for line in source.read_bytes().splitlines():
        record = orjson.loads(line)
        tick = int(datetime.fromisoformat(record.pop("ts")).timestamp())
        yield (
            tick // 60 if name in MINUTES else tick,
            _predicate(name, record),
            [*map(_term, record.values())],
        )


def _predicate(name: str, record: Mapping[str, Any]) -> str:
    if name == "join":
        return "order" if "order" in record else "payment"
    return {"logins": "login", "absence": "beat", "topten": "sale", "sessions": "click", "closure": "link"}[
        name
    ]


def _term(value: int | str) -> Symbol:
    return Number(value) if isinstance(value, int) else String(value)


def run(name: str, source: Path, tick: int) -> list[str]:
    """The atoms of a tick."""
    reach = REACH[name]
    control = Control(["-Wnone", f"-cnow={tick}"])
    control.add("base", [], PROGRAMS[name])
    with control.backend() as backend:
        for told, predicate, arguments in facts(name, source):
            if told <= tick and (reach is None or told >= tick - reach):
                atom = backend.add_atom(Function(predicate, [*arguments, Number(told)]))
                backend.add_rule([atom])
    control.ground([("base", [])])
    found: list[str] = []
    control.solve(on_model=lambda model: found.extend(map(str, model.symbols(shown=True))))
    return found


if __name__ == "__main__":
    _, job, read_from, written_to, at = sys.argv
    Path(written_to).write_text("".join(f"{atom}\n" for atom in run(job, Path(read_from), int(at))))
