"""Records, and what is said of rejected ones."""

from lars2asp.runtime.sources.records import Origin, Rejected


def test_the_reason_of_a_rejected_record_is_one_line() -> None:
    assert Rejected(Origin("x", 1), 'p("\ufeff\n")').reason == 'p("\\ufeff\\n")'
    assert len(Rejected(Origin("x", 1), "p" * 10_000).reason) < 1100
