"""Runs a process and prints what it took, as JSON: CPU seconds, seconds, KiB of memory, wait status.

    python -I -S launcher.py MOST COMMAND...

It is small: on Linux a process inherits the peak of memory of the one that began it. MOST are the CPU seconds
after which the process is ended; 0 is without end.
"""

import os
import resource
import sys
import time


def main() -> None:
    """Runs the process."""
    most, command = int(sys.argv[1]), sys.argv[2:]
    began = time.perf_counter()
    child = os.fork()
    if not child:
        if most:
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(command[0], command)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - began
    print(
        f"[{used.ru_utime + used.ru_stime}, {wall}, {used.ru_maxrss}, {status}]"
    )  # without a module for JSON


if __name__ == "__main__":
    main()
