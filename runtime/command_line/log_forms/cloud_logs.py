"""Logs of services of AWS: S3, load balancers and flows in a VPC."""

from collections.abc import Iterable, Sequence

from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_S3 = (
    "^{owner:word} {bucket:word} [{day:word} {zone:word}] {ip:word} {requester:word} {id:word} "
    '{operation:word} {key:word} (-|"{request:quoted}") {status:word} {error:word} {sent:word} {size:word} '
    '{took:word} {:word} (-|"{referer:quoted}") (-|"{agent:quoted}")'
)
_S3_COLUMNS = (
    'bucket, ip, requester, operation, key, request or "", int(status) or missing or 0, error, '
    'int(sent) or missing or 0, int(size) or missing or 0, int(took) or missing or 0, agent or ""'
)

_BALANCER = (
    "^{kind:word} {time:word} {:word} {client:ip}:{:int} {target:word} {:number} {took:number} {:number} "
    '{status:word} {answered:word} {received:int} {sent:int} "{request:quoted}" "{agent:quoted}" '
)
_BALANCER_COLUMNS = (
    "kind, client, target, number(took), int(status) or missing or 0, int(answered) or missing or 0, "
    "received, sent, request, agent"
)

_CLASSIC = (
    "^{balancer:word} {client:ip}:{:int} {target:word} {:number} {took:number} {:number} {status:word} "
    '{answered:word} {received:int} {sent:int} "{request:quoted}" "{agent:quoted}" '
)

_OF_FLOWS = (
    *("version", "account-id", "interface-id", "srcaddr", "dstaddr", "srcport", "dstport", "protocol"),
    *("packets", "bytes", "start", "end", "action", "log-status"),
)
"""The fields of a flow that has the usual ones, in their order."""
_COUNTS = frozenset(
    {*("srcport", "dstport", "protocol", "packets", "bytes", "tcp-flags"), *("traffic-path",)}
)
_MORE_OF_FLOWS = frozenset(
    {
        *("vpc-id", "subnet-id", "instance-id", "tcp-flags", "type", "pkt-srcaddr", "pkt-dstaddr", "region"),
        *("az-id", "sublocation-type", "sublocation-id", "pkt-src-aws-service", "pkt-dst-aws-service"),
        *("flow-direction", "traffic-path", "reject-reason"),
    }
)
_LEFT_OUT = ("version", "end")


def cloud_logs(lines: Sequence[str]) -> Iterable[LineForm]:
    """Access logs of S3 and of application load balancers; flows, with the fields that a header names."""
    said = "took is in milliseconds; numbers that are not known are 0", "the text after the agent is left out"
    s3 = LineKind("request", _S3_COLUMNS, _S3, 'day + zone "%d/%b/%Y:%H:%M:%S %z"')
    yield LineForm("access log of S3", (s3,), said=said)
    times = "took is how long the target took, in seconds", "the text after the agent is left out"
    decimals = "_, _, _, 3, _, _, _, _, _, _"
    balancer = LineKind("request", _BALANCER_COLUMNS, _BALANCER, "time", decimals)
    yield LineForm("access log of an application load balancer", (balancer,), said=times)
    classic = _BALANCER_COLUMNS.replace("kind", "balancer", 1)
    like = r"^\S+Z \S+ \S+:\d+ (?:\S+:\d+|-) -?[\d.]+ "
    kind = LineKind("request", classic, _CLASSIC, "", decimals.replace("3", "6"))
    yield LineForm("access log of a classic load balancer", (kind,), like=like, said=times)
    header = lines[0].split() if lines else []
    is_header = {"start", "end"} <= {*header} <= _MORE_OF_FLOWS | {*_OF_FLOWS}
    names = header if is_header and len({*header}) == len(header) else _OF_FLOWS
    kind = LineKind("flow", ", ".join(_flow_columns(names)), _flows(names), 'end "%s"')
    flows = (
        "a flow counts at its end, start is in seconds since 1970; ports and numbers that are not known are 0"
    )
    like = "" if is_header else r"^\d+ (?:\d{12}|unknown) [a-z]+-"
    yield LineForm("flow log of a VPC", (kind,), like=like, said=(flows,))


def _flow_columns(names: Sequence[str]) -> Iterable[str]:
    for name in names:
        if name not in _LEFT_OUT:
            place = name.replace("-", "_")
            yield f"int({place}) or missing or 0" if name in _COUNTS else place


def _flows(names: Sequence[str]) -> str:
    kinds = {"start": "int", "end": "int"}
    return "^" + " ".join(f"{{{name.replace('-', '_')}:{kinds.get(name, 'word')}}}" for name in names) + "$"
