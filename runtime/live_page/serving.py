"""The process that serves the page, as the run that it belongs to sees it."""

import os
import socket
import subprocess
import sys
from contextlib import suppress

from lars2asp.runtime.live_page.messages import PageOf, packed
from lars2asp.runtime.live_page.page_settings import PageAddress

END_SECONDS = 5.0
"""How long the process may take to end."""


class Serving:
    """A page that is served as long as the context lasts.

    Args:
        address: where it is served.
        page: what must be known of the run.

    Raises InputError where it cannot be served there, or a package is missing.

    Attributes:
        url: how a browser asks for it.
        connection: to the process that serves it; for one `Telling` after the other.
    """

    def __init__(self, address: PageAddress, page: PageOf) -> None:
        self._page = page
        self._listening = address.listening()
        self.url = address.url(self._listening)

    def __enter__(self) -> "Serving":
        self.connection, other = socket.socketpair()
        with self._listening as listening, other:
            numbers = other.fileno(), listening.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "lars2asp.runtime.live_page", *map(str, numbers)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=numbers,
                process_group=0,  # Ctrl-C is not for it: it ends with the run
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        self.connection.sendall(packed(self._page))
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)  # processes that were forked have it as well
        self.connection.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
