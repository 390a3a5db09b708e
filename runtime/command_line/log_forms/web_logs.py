"""Access logs of nginx and Apache, and their error logs."""

from collections.abc import Iterable, Sequence

from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_AT = 'day + zone "%d/%b/%Y:%H:%M:%S %z"'
_BEGIN = (
    '^{client:word} {:word} {user:text} [{day:word} {zone:word}] "{request:quoted}" {status:int} {bytes:word}'
)
_BROWSER = ' "{referer:quoted}" "{agent:quoted}"'
_COLUMNS = "client, user, request, status, int(bytes) or missing or 0"
_SAID = "a request that sent no bytes has 0 of them"


def _form(name: str, columns: str, pattern: str) -> LineForm:
    return LineForm(name, (LineKind("request", columns, pattern, _AT),), said=(_SAID,))


def web_logs(_: Sequence[str]) -> Iterable[LineForm]:
    """Combined logs, also with the host or with the address in front of a proxy, and common logs."""
    browsers = f"{_COLUMNS}, referer, agent"
    yield _form("combined log of nginx or Apache", browsers, f"{_BEGIN}{_BROWSER}$")
    forwarded = f'{_BEGIN}{_BROWSER} "{{forwarded:quoted}}"$'
    yield _form("log of nginx with forwarded addresses", f"{browsers}, forwarded", forwarded)
    host = f"^{{host:word}} {_BEGIN[1:]}{_BROWSER}$"
    yield _form("combined log of Apache with hosts", f"host, {browsers}", host)
    yield _form("common log of nginx or Apache", _COLUMNS, f"{_BEGIN}$")
    more = f"{_BEGIN}{_BROWSER} {{more:rest}}"
    yield _form("log of nginx or Apache with fields of its own", f"{browsers}, more", more)
    error = "^[{level:word}] {pid:int}#{:int}: {message:rest}"
    said = LineKind("logged", "level, pid, message", error, '"%Y/%m/%d %H:%M:%S"')
    yield LineForm("error log of nginx", (said,))
    error = (
        "^[{module:word}:{level:word}] [pid {pid:int}(:tid {:int})?] ([client {client:word}] )?{message:rest}"
    )
    columns = 'module, level, pid, client or "", message'
    said = LineKind("logged", columns, error, '"[%a %b %d %H:%M:%S.%f %Y]"')
    yield LineForm("error log of Apache", (said,))
