"""A server that takes what is posted to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Webhook:
    """A webhook on this machine.

    Attributes:
        address: where it is.
        answer: gives the status with which a body is answered; with 200 it is taken.
        bodies: those that it took.
        headers: those of what it took.
    """

    def __init__(self, port: int, answer: Callable[[bytes], int]) -> None:
        self.address = f"http://127.0.0.1:{port}/alarms"
        self.answer = answer
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []


@contextmanager
def webhook(answer: Callable[[bytes], int] = lambda _: 200) -> Iterator[Webhook]:
    """A webhook that is there within the context."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = hook.answer(body)
            if status == 200:
                hook.bodies.append(body)
                hook.headers.append(dict(self.headers))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def handle(self) -> None:
            with suppress(ConnectionError):  # who sent was killed
                super().handle()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hook = Webhook(server.server_address[1], answer)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield hook
    finally:
        server.shutdown()
        server.server_close()
