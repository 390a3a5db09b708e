"""The five jobs: their programs, as the patterns of the documentation write them, and their streams."""

from collections.abc import Mapping

from experiments.jobs import streams
from experiments.jobs.job import Job

FIVE: Mapping[str, Job] = {
    "alarm": Job(
        "four rooms whose last value is above 24.5 for ten minutes (German CSV, out of order)",
        """
#tick 1 sec.
#timezone "Europe/Vienna".
#lateness 1 min.
#complete_windows.
#decimals reading(_,1).
#input reading(raum, number(temperatur, ",")) at zeit "%d.%m.%Y %H:%M:%S".
hot(R) :- reading(R,T) in [1 # by R], T > 24.5.
alarm(R) :- hot(R) always in [10 min].
#show alarm/1.
""",
        298_455,
        ".csv",
        streams.german_readings,
    ),
    "counts": Job(
        "1,000 sensors with at least 12 readings within 60 s, and their number",
        """
#tick 1 sec.
busy(S,N) :- reading(S,_) in [1 min], N = #count { T : reading(S,_) at T in [1 min] }, N >= 12.
""",
        500_000,
        ".jsonl",
        streams.sensor_readings,
    ),
    "logins": Job(
        "three failed logins and then a successful login within 5 min",
        """
#tick 1 sec.
#input login(user, result) at ts.
guessed(U) :- login(U,"ok"), login(U,"failed") at least 3 in [5 min].
""",
        200_000,
        ".jsonl",
        streams.logins,
    ),
    "heartbeats": Job(
        "2,000 hosts without a heartbeat for 180 s",
        """
#tick 1 sec.
#input beat(host).
lost(H) :- beat(H) in [1 # by H], not beat(H) in [3 min].
""",
        200_000,
        ".csv",
        streams.heartbeats,
    ),
    "join": Job(
        "orders and payments of one item within 30 s",
        """
#tick 1 sec.
#input order(order, item) at ts.
#input payment(payment, item) at ts.
match(O,P) :- order(O,I) in [30 sec], payment(P,I) in [30 sec].
""",
        200_000,
        ".jsonl",
        streams.orders_and_payments,
    ),
}
"""By their names."""
