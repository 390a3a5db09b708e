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
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
