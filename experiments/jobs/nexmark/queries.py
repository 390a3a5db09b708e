"""The queries as LARS programs, and why some are none."""

from collections.abc import Mapping

from experiments.jobs.job import Job
from experiments.jobs.nexmark import events

INPUT = """#tick 1 sec.
#input person(person, name, city, state) at ts.
#input auction(auction, seller, category, expires) at ts.
#input bid(bid, on, bidder, price, channel) at ts.
"""
ROWS = 50_000
LARGE, SMALL = 1_000_000, 10_000
"""The bounds between the three ranks of prices."""

_RANKS = f"""rank(N,1) :- bid(N,_,_,P,_), P < {SMALL}.
rank(N,2) :- bid(N,_,_,P,_), P >= {SMALL}, P < {LARGE}.
rank(N,3) :- bid(N,_,_,P,_), P >= {LARGE}.
"""
_MINUTE = "[every 1 min]"

_PROGRAMS: Mapping[str, tuple[str, str]] = {
    "q0": ("all bids", "q0(N,A,B,P) :- bid(N,A,B,P,_)."),
    "q1": ("prices in euros", "q1(N,A,B,P*908/1000) :- bid(N,A,B,P,_)."),
    "q2": ("bids on some auctions", "q2(N,A,P) :- bid(N,A,_,P,_), A \\ 123 = 0."),
    "q3": (
        "auctions of a category by persons of three states, whenever these came",
        """q3(P,N,C,S,A) :- auction(A,P,10,_), person(P,N,C,S) in [1 # by P], near(S).
near("OR"; "ID"; "CA").
""",
    ),
    "q4": (
        "average price by category, of auctions that were over within a minute",
        """sold(A,C,P) :- auction(A,_,C,E) in [20 sec], E = @now, bid(_,A,_,_,_) in [20 sec],
  P = #max { Q : bid(_,A,_,Q,_) in [20 sec] }.
q4(C,S/N) :- sold(_,C,_) in [1 min], S = #sum { P,A : sold(A,C,P) in [1 min] },
  N = #count { A : sold(A,C,_) in [1 min] }.
#show q4/2.
""",
    ),
    "q5": (
        "auctions with the most bids of ten seconds, every two seconds",
        """bids(A,N) :- bid(_,A,_,_,_) in [1..10 sec step 2 sec],
  N = #count { M : bid(M,A,_,_,_) in [1..10 sec step 2 sec] }.
q5(A,N) :- bids(A,N), N = #max { M : bids(_,M) }.
#show q5/2.
""",
    ),
    "q7": (
        "the highest bids of ten seconds",
        """q7(N,A,P) :- bid(N,A,_,P,_) in [every 10 sec],
  P = #max { Q : bid(_,_,_,Q,_) in [every 10 sec] }.
""",
    ),
    "q8": (
        "new persons who opened auctions in the same ten seconds",
        "q8(P,N) :- person(P,N,_,_) in [every 10 sec], auction(_,P,_,_) in [every 10 sec].",
    ),
    "q9": (
        "the bids that win",
        """highest(A,P) :- auction(A,_,_,E) in [20 sec], E = @now, bid(_,A,_,_,_) in [20 sec],
  P = #max { Q : bid(_,A,_,Q,_) in [20 sec] }.
q9(A,N,B,P) :- highest(A,P), bid(N,A,B,P,_) in [20 sec], N = #min { M : bid(M,A,_,P,_) in [20 sec] }.
#show q9/4.
""",
    ),
    "q11": (
        "how often somebody bids before ten seconds without a bid",
        """q11(B,F,L,N)      :- open(B,F,L,N) in {1}, not bidding(B).
bidding(B)        :- bid(_,_,B,_,_) in [9 sec].
some(B,N)         :- bid(_,_,B,_,_), N = #count { M : bid(M,_,B,_,_) }.
open(B,@now,@now,N) :- some(B,N), not bidding(B) in {1}.
open(B,F,@now,N+M) :- some(B,M), open(B,F,_,N) in {1}.
open(B,F,L,N)     :- not some(B,_), open(B,F,L,N) in {1}, bidding(B).
#show q11/4.
""",
    ),
    "q13": (
        "bids with what a table says",
        "q13(N,A,B,P,V) :- bid(N,A,B,P,_), side(A \\ 20,V).\n"
        + " ".join(f'side({number},"s{number}").' for number in range(10)),
    ),
    "q15": (
        "bids, bidders and auctions of a minute, by ranks of prices",
        _RANKS
        + f"""q15(N,R1,R2,R3,B,A) :- bid(_,_,_,_,_) in {_MINUTE},
  N = #count {{ M : bid(M,_,_,_,_) in {_MINUTE} }},
  R1 = #count {{ M : rank(M,1) in {_MINUTE} }}, R2 = #count {{ M : rank(M,2) in {_MINUTE} }},
  R3 = #count {{ M : rank(M,3) in {_MINUTE} }},
  B = #count {{ X : bid(_,_,X,_,_) in {_MINUTE} }}, A = #count {{ X : bid(_,X,_,_,_) in {_MINUTE} }}.
#show q15/6.
""",
    ),
    "q16": (
        "bids, bidders and auctions of a minute, by channels",
        f"""q16(C,N,B,A) :- bid(_,_,_,_,C) in {_MINUTE}, N = #count {{ M : bid(M,_,_,_,C) in {_MINUTE} }},
  B = #count {{ X : bid(_,_,X,_,C) in {_MINUTE} }}, A = #count {{ X : bid(_,X,_,_,C) in {_MINUTE} }}.
""",
    ),
    "q17": (
        "bids of a minute, by auctions: number, least, greatest, average and sum of prices",
        f"""q17(A,N,L,G,S/N,S) :- bid(_,A,_,_,_) in {_MINUTE},
  N = #count {{ M : bid(M,A,_,_,_) in {_MINUTE} }},
  L = #min {{ P : bid(_,A,_,P,_) in {_MINUTE} }}, G = #max {{ P : bid(_,A,_,P,_) in {_MINUTE} }},
  S = #sum {{ P,M : bid(M,A,_,P,_) in {_MINUTE} }}.
""",
    ),
    "q18": ("the last bid of each bidder on each auction", "q18(N,A,B,P) :- bid(N,A,B,P,_) in [1 # by A,B]."),
    "q19": (
        "the ten highest bids on each auction, of twenty seconds",
        """q19(A,N,P) :- bid(N,A,_,P,_) in [20 sec],
  #count { M : bid(M,A,_,Q,_) in [20 sec], (Q,M) > (P,N) } < 10.
""",
    ),
    "q20": (
        "bids with their auctions, of a category",
        "q20(N,A,B,P,S) :- bid(N,A,B,P,_), auction(A,S,10,_) in [1 # by A].",
    ),
}

QUERIES: Mapping[str, Job] = {
    name: Job(f"Nexmark, {what}", INPUT + text, ROWS, ".jsonl", events.write)
    for name, (what, text) in _PROGRAMS.items()
}
"""By their names. q4 is of a minute, where Nexmark has no bound; q15 to q17 are of a minute, not of a day."""

NONE: Mapping[str, str] = {
    "q6": "needs the last ten finished auctions: rules derive these, windows of arrivals cover input",
    "q10": "concerns the place for answers only",
    "q12": "goes by the clock of the machine, so no two runs find the same answers",
    "q14": "counts letters in a text, with a function in Python and not a rule",
    "q21": "takes texts to pieces, with a function in Python and not a rule",
    "q22": "takes texts to pieces, with a function in Python and not a rule",
}
"""The queries that are no programs here, and why."""
