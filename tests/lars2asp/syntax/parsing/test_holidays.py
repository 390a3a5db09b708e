"""The files of holidays that a `#calendar` names."""

from datetime import date
from pathlib import Path

import pytest

from lars2asp.syntax.parsing.holidays import read_holidays


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_dates_and_names_with_a_separator(tmp_path: Path, sign: str, *, header: bool) -> None:
    lines = [f"2026-12-25{sign}Christmas Day", f'2026-01-06{sign}"Epiphany; Three Kings, Austria"']
    path = tmp_path / "holidays.csv"
    path.write_text("\n".join([f"Datum{sign}Name"] * header + lines), encoding="utf-8-sig")
    expected = (date(2026, 1, 6), "Epiphany; Three Kings, Austria"), (date(2026, 12, 25), "Christmas Day")
    assert read_holidays(path) == expected
