"""Four more jobs, after the documentation: absence from the start, top ten by key, sessions, closure."""

from collections.abc import Mapping

from experiments.jobs import four_streams
from experiments.jobs.job import Job

FOUR: Mapping[str, Job] = {
    "absence": Job(
        f"{four_streams.HOSTS:,} known hosts without a message for 180 s, or since the start",
        f"""
#tick 1 sec.
#complete_windows.
#input beat(host) at ts.
host(0..{four_streams.HOSTS - 1}).
silent(H) :- host(H), not beat(H) in [3 min].
""",
        200_000,
        ".jsonl",
        four_streams.beats_of_some,
    ),
    "topten": Job(
        f"the ten best of {four_streams.ITEMS} items, by sales within 10 min, in {four_streams.SHOPS} shops",
        """
#tick 1 min.
#input sale(sale, shop, item) at ts.
total(S,I,N) :- sale(_,S,I) in [9 min], N = #count { O : sale(O,S,I) in [9 min] }.
top(S,I) :- total(S,I,N), #count { J : total(S,J,M), (M,J) > (N,I) } < 10.
#show top/2.
""",
        50_000,
        ".jsonl",
        four_streams.sales,
    ),
    "sessions": Job(
        f"{four_streams.VISITORS:,} users and the clicks of their visits; 30 min without a click end a visit",
        """
#tick 1 min.
#input click(user) at ts.
visit(U,B,E,N)   :- open(U,B,E,N) in {1}, not visiting(U).
visiting(U)      :- click(U) in [29 min].
open(U,T,T,1)    :- click(U) at T in [0], not visiting(U) in {1}.
open(U,B,T,N+1)  :- click(U) at T in [0], open(U,B,_,N) in {1}.
open(U,B,E,N)    :- not click(U), open(U,B,E,N) in {1}, visiting(U).
#show visit/4.
""",
        100_000,
        ".jsonl",
        four_streams.clicks,
    ),
    "closure": Job(
        f"{four_streams.NODES} nodes that are reachable over the links of the last 40 s",
        """
#tick 1 sec.
#input link(from, to) at ts.
path(X,Y) :- link(X,Y) in [39 sec].
path(X,Z) :- path(X,Y), link(Y,Z) in [39 sec].
""",
        4000,
        ".jsonl",
        four_streams.links,
    ),
}
"""By their names."""
