"""Python's collector of cycles, paused while much is made that stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Within, Python looks for no cycles: it would go over all that is made, again and again.

    For what makes many objects and few cycles; that takes a third less time. Where the collector is paused
    already it stays so.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def count_as_old() -> None:
    """Python looks for cycles in what there is now only when it looks through all.

    Else it would soon go over all that was made within `collector_paused`, twice. Cycles among what is young
    wait as well, so that this is for what is made once for very many rows. Where other code has objects
    frozen, nothing is done, as they are not to thaw.
    """
    if not others_have_frozen():
        gc.freeze()
        gc.unfreeze()


_FROZEN: list[bool] = []
"""Has an entry once other code has been seen to have objects frozen."""


def others_have_frozen() -> bool:
    """Whether other code has objects frozen; who has is taken to keep them so.

    Python counts such objects one by one, hundreds of thousands of them: it is asked until there are some.
    """
    if not _FROZEN and gc.get_freeze_count():
        _FROZEN.append(True)
    return bool(_FROZEN)
