"""Who may ask for the page: requests by another name, from another page, or without the token are refused."""

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lars2asp.runtime.live_page.messages import PageOf

LARGEST_FORM = 10_000
"""In bytes."""

ALWAYS = frozenset({"/healthz", "/readyz"})
"""What has a place however many others ask."""

OPEN = ALWAYS | frozenset({"/icon.svg", "/live.css", "/style.css"})
"""What is there without the token."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Those of each response."""

_FORM = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>lars2asp</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/live.css"></head>
<body><form class="enter" method="post" action="/enter"><label>Token
<input type="password" name="token" autocomplete="current-password" autofocus required></label>
<button>Enter</button><p>{words}</p></form></body></html>
"""


class Access:
    """Lets requests through that come by the right name, from the page itself, and with the token.

    A browser that has given the token is known by a cookie, which requests from other sites do not have
    and scripts cannot read. Programs send the token as `Authorization: Bearer`.

    Args:
        app: the application.
        page: which token and names there are.
        port: that of the page, which is part of the cookie's name.
    """

    def __init__(self, app: ASGIApp, page: PageOf, port: int) -> None:
        self._app = app
        self._page = page
        self._cookie = f"lars2asp-{port}"
        self._pass = secrets.token_hex(32)
        """What the cookie of a browser is that has given the token."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request."""
        if scope["type"] != "http":
            return
        headers, path = Headers(scope=scope), scope["path"]
        refused = self._refusal(headers)
        if refused is not None:
            await PlainTextResponse(refused, 403, HEADERS)(scope, receive, send)
        elif path == "/enter" and scope["method"] == "POST":
            await (await self._entered(receive))(scope, receive, send)
        elif self._page.token is None or path in OPEN or self._is_known(headers):
            await self._app(scope, receive, send)
        elif path == "/" and scope["method"] == "GET":
            await self._form("")(scope, receive, send)
        else:
            words = "the token is missing: Authorization: Bearer TOKEN\n"
            await PlainTextResponse(words, 401, HEADERS | {"WWW-Authenticate": "Bearer"})(
                scope, receive, send
            )

    def _refusal(self, headers: Headers) -> str | None:
        """Why a request is refused, whatever token it has."""
        host = headers.get("host", "").lower()
        if not self._is_ours(_name_of(host)):
            return "no page is served under this name\n"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return "other pages may not read this page\n"
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return "other pages may not read this page\n"
        return None

    def _is_ours(self, name: str) -> bool:
        """Whether the page may be asked for by a name. An address is not one that others can point here."""
        return name in self._page.hosts or (self._page.any_address and _is_address(name))

    def _is_known(self, headers: Headers) -> bool:
        token = self._page.token
        assert token is not None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _is_same(given.strip(), token):
            return True
        return _is_same(_cookies(headers).get(self._cookie, ""), self._pass)

    async def _entered(self, receive: Receive) -> Response:
        """What comes of the form with the token."""
        body, has_more = b"", True
        while has_more and len(body) <= LARGEST_FORM:
            message = await receive()
            body += message.get("body", b"")
            has_more = message.get("more_body", False)
        given = parse_qs(body.decode(errors="replace")).get("token", [""])[0]
        if self._page.token is None or not _is_same(given, self._page.token):
            return self._form("This is not the token.")
        response = RedirectResponse("/", 303, HEADERS)
        response.set_cookie(self._cookie, self._pass, httponly=True, samesite="strict", path="/")
        return response

    def _form(self, words: str) -> Response:
        return Response(_FORM.replace("{words}", words), 401, HEADERS, "text/html; charset=utf-8")


def _is_same(given: str, token: str) -> bool:
    """Compares in a time that tells nothing."""
    return hmac.compare_digest(sha256(given.encode()).digest(), sha256(token.encode()).digest())


def _name_of(host: str) -> str:
    """A host without its port."""
    if host.startswith("["):
        return host[1 : host.find("]")]
    return host.rpartition(":")[0] if ":" in host else host


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _cookies(headers: Headers) -> Mapping[str, Any]:
    found = {}
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        found[name] = value
    return found
