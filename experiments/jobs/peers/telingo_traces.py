"""Jobs as temporal programs of telingo, over a finite trace: ticks count from 0, and windows are counters.

    python -m experiments.jobs.peers.telingo_traces JOB INPUT OUTPUT

Facts are static atoms of the initial state with their tick first. What is written is a table of intervals,
one for each tick at which an atom holds.
"""

import csv
import sys
from collections.abc import Mapping
from pathlib import Path

import telingo
from clingo import Control, Function, Model, SymbolType
from clingo.ast import ProgramBuilder
from telingo import transformers

from experiments.jobs.peers.clingo_ticks import facts

CLOCK = """
    #program initial.
    now(begin).
    #program dynamic.
    now(T+1) :- 'now(T).
"""

PROGRAMS: Mapping[str, str] = {
    "logins": """
        #program always.
        recent(U,T,300) :- now(T), _login(T,U,"failed").
        guessed(U) :- now(T), _login(T,U,"ok"), #count { S : recent(U,S,_) } >= 3.
        #program dynamic.
        recent(U,T,K-1) :- 'recent(U,T,K), K > 0.
        #show guessed/1.
    """,
    "join": """
        #program always.
        ordered(O,I,30) :- now(T), _order(T,O,I).
        paid(P,I,30) :- now(T), _payment(T,P,I).
        match(O,P) :- ordered(O,I,_), paid(P,I,_).
        #program dynamic.
        ordered(O,I,K-1) :- 'ordered(O,I,K), K > 0.
        paid(P,I,K-1) :- 'paid(P,I,K), K > 0.
        #show match/2.
    """,
    "sessions": """
        #program always.
        clicked(U) :- now(T), _click(T,U).
        open(U,T,T,1,30) :- now(T), clicked(U), not before(U).
        #program dynamic.
        before(U) :- 'open(U,_,_,_,K), K > 0.
        open(U,B,T,N+1,30) :- now(T), clicked(U), 'open(U,B,_,N,K), K > 0.
        open(U,B,E,N,K-1) :- not clicked(U), 'open(U,B,E,N,K), K > 0.
        #program always.
        visit(U,B,E,N) :- open(U,B,E,N,0).
        #show visit/4.
    """,
    "closure": """
        #program always.
        seen(X,Y,39) :- now(T), _link(T,X,Y).
        path(X,Y) :- seen(X,Y,_).
        path(X,Z) :- path(X,Y), seen(Y,Z,_).
        #program dynamic.
        seen(X,Y,K-1) :- 'seen(X,Y,K), K > 0.
        #show path/2.
    """,
}
"""By jobs."""


def run(name: str, source: Path) -> list[tuple[int, str]]:
    """The ticks and the atoms that hold at them."""
    told = [*facts(name, source)]
    begin, steps = told[0][0], told[-1][0] - told[0][0] + 1
    texts = [f"{predicate}({','.join(map(str, (tick, *some)))})." for tick, predicate, some in told]
    control = Control(["-Wnone", f"-cbegin={begin}"])
    with ProgramBuilder(control) as builder:
        text = f"{CLOCK}{PROGRAMS[name]}\n#program initial.\n{' '.join(texts)}"
        future, parts = transformers.transform([text], builder.add)
    found: list[tuple[int, str]] = []

    def take(model: Model, step: int) -> None:
        if step == steps - 1:
            for one in model.symbols(shown=True):
                if one.type is SymbolType.Function and not one.name.startswith("__"):
                    *arguments, at = one.arguments
                    found.append((begin + at.number, str(Function(one.name, arguments))))

    telingo.imain(control, future, parts, take, imin=steps, imax=steps)
    return found


if __name__ == "__main__":
    _, job, read_from, written_to = sys.argv
    with Path(written_to).open("w", newline="") as table:
        csv.writer(table).writerows((tick, tick, atom) for tick, atom in run(job, Path(read_from)))
