"""Windows as ticks."""

from lars2asp.analysis.windows import Offsets, Sliding


#   start                now
#     3   4   5   6   7   8
#             |-----------|     sliding 3
def test_sliding_windows_are_clipped_at_the_start() -> None:
    assert Sliding(3).span(8, 3) == (5, 8)
    assert Sliding(9).span(8, 3) == (3, 8)
    assert Sliding(5).is_whole(8, 3)
    assert not Sliding(6).is_whole(8, 3)


def test_offsets_leave_out_what_lies_before_the_start() -> None:
    assert Offsets((0, 2, 5)).ticks(8, 3) == (8, 6, 3)
    assert Offsets((1, 6)).ticks(8, 3) == (7,)
    assert not Offsets((1, 6)).is_whole(8, 3)
    assert Offsets((0, 2)).includes_now
    assert not Offsets((1,)).includes_now
