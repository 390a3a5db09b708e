"""How much memory a process takes."""

import resource
import sys
from pathlib import Path

_PAGES = Path("/proc/self/statm")


def memory_in_use() -> int:
    """The bytes of this process that are in memory; where the system does not say it, the most so far."""
    try:
        return int(_PAGES.read_bytes().split()[1]) * resource.getpagesize()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
