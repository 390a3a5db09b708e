"""Serves a page: `python -m lars2asp.runtime.live_page CONNECTION LISTENING`, two open sockets."""

import socket
import sys

from lars2asp.runtime.live_page.server import serve

if __name__ == "__main__":
    serve(*(socket.socket(fileno=int(number)) for number in sys.argv[1:3]))
