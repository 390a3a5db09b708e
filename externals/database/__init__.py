"""The interval database, in rooms.

`database.py` is what others see. The input of a tick is gathered (`gathering.py`) and goes into the streams
of its predicates (`predicate.py`, `stream.py`). Streams tell forms what begins and ends; each form keeps what
lookups of some kinds need and no more, and views read them (`form.py`, `forms/views.py`):

- `recent.py`: the rows that held lately, for diamonds over sliding windows,
- `runs.py`: the rows that hold now and since when, for the current tick and for boxes over sliding windows,
- `ticks.py`: the ticks at which rows held, for `at T` over sliding windows,
- `counts.py`: at how many ticks they held, for `count` and `at least` over sliding windows,
- `history.py` with `past.py`: whole intervals, for all other windows, and where atoms enter the stream late,
- `arrivals.py`: the last arrivals, for tuple windows.

`answering.py` works answers out anew where no form has them ready; `watching.py` follows their changes and
knows when the next one comes. `schedule.py` is the future log. `invariants.py` checks, in tests, what must
hold.
"""

from lars2asp.externals.database.agenda import Agenda, Inbox, Watched
from lars2asp.externals.database.database import IntervalDatabase

__all__ = ["Agenda", "Inbox", "IntervalDatabase", "Watched"]
