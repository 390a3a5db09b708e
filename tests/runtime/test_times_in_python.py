"""Times and numbers of Python, pandas and numpy where a program hands them over."""

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lars2asp import InputError, Reasoner


def test_times_of_python_pandas_and_numpy() -> None:
    program = '#tick 1 hour. #timezone "Europe/Vienna". h(X) :- p(X).'
    moments: list[Any] = [
        date(2026, 2, 1),
        datetime(2026, 2, 1, 0, 30, tzinfo=UTC),
        pd.Timestamp("2026-02-01 02:59:59.999999999"),
        np.datetime64("2026-02-01T03:00"),
        np.int64(491_650),
    ]
    reasoner = Reasoner.from_text(program, start=date(2026, 2, 1))
    first = 491_639
    assert reasoner.start == first
    answers = [*reasoner.run([(moment, [("p", np.int32(3))]) for moment in moments], emit=None)]
    assert [answer.tick for answer in answers] == [first, first + 4, 491_650]
    assert reasoner.now == 491_650
    later = datetime(2026, 2, 3, tzinfo=UTC)
    assert reasoner.step(
        later, [("p", later), ("p", date(2026, 1, 1))], until=pd.Timestamp("2026-02-04")
    ).holds.texts == (
        'h("2026-01-01")',
        'h("2026-02-03T00:00:00+00:00")',
    )
    with pytest.raises(InputError, match="the tick NaT is no integer and no datetime"):
        reasoner.step(pd.NaT)
    local = datetime(2026, 2, 5)
    with pytest.raises(InputError, match=r"lacks a time zone: add one \(tzinfo=UTC\), pass timezone="):
        Reasoner.from_text("#tick 1 sec. a.").step(local)
    with pytest.raises(InputError, match="needs a tick length"):
        Reasoner.from_text("a.").step(later)
