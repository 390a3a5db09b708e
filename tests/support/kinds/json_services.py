"""JSON that services, clouds and security tools write."""

from datetime import datetime, timedelta

from tests.support.kinds.records import epoch, indented, iso, lines, moment, records, tenths, within


def _micros(n: int) -> datetime:
    return moment(n) + timedelta(microseconds=123_400 + n)


KINDS = [
    records(
        "github.json",
        lambda n: {
            "id": str(22249084964 - n),
            "type": ("PushEvent", "WatchEvent")[n % 2],
            "actor": {"id": 583231 + n % 3, "login": f"octo{n % 3}"},
            "repo": {"id": 1296269, "name": "octocat/Hello-World"},
            "payload": {"push_id": 10115855396 + n, "ref": "refs/heads/main"}
            if n % 2 == 0
            else {"action": "started"},
            "public": True,
            "created_at": iso(-n),
        },
        indented,
        at=lambda n: moment(-n),
    ),
    within(
        "cloudtrail.json",
        "Records",
        lambda n: {
            "eventVersion": "1.08",
            "userIdentity": {"type": "IAMUser", "accountId": "123456789012", "userName": f"u{n % 4}"},
            "eventTime": iso(n),
            "eventSource": "signin.amazonaws.com",
            "eventName": "ConsoleLogin",
            "sourceIPAddress": f"192.0.2.{n}",
            "requestParameters": None,
            "responseElements": {"ConsoleLogin": "Success" if n % 3 else "Failure"},
        },
    ),
    records(
        "azure_activity.json",
        lambda n: {
            "time": f"{_micros(n):%Y-%m-%dT%H:%M:%S.%f}0Z",
            "resourceId": f"/SUBSCRIPTIONS/S/VM/VM{n % 3}",
            "operationName": "MICROSOFT.COMPUTE/VIRTUALMACHINES/START/ACTION",
            "resultType": ("Start", "Success")[n % 2],
            "durationMs": n,
            "level": "Information",
            "identity": {"claims": {"ver": "1.0"}},
        },
        at=_micros,
    ),
    records(
        "gcp_audit.json",
        lambda n: {
            "insertId": f"1a{n}",
            "logName": "projects/p/logs/cloudaudit.googleapis.com%2Factivity",
            "protoPayload": {
                "@type": "type.googleapis.com/google.cloud.audit.AuditLog",
                "methodName": f"v1.set{n % 3}",
            },
            "receiveTimestamp": iso(n + 1),
            "resource": {"labels": {"project_id": "p"}, "type": "project"},
            "severity": "NOTICE",
            "timestamp": iso(n, ".000000Z"),
        },
        indented,
    ),
    within(
        "kubernetes_events.json",
        "items",
        lambda n: {
            "apiVersion": "v1",
            "count": n + 1,
            "eventTime": iso(n, ".000000Z") if n % 5 == 0 else None,
            "firstTimestamp": None if n % 5 == 0 else iso(n - n % 7),
            "lastTimestamp": None if n % 5 == 0 else iso(n),
            "involvedObject": {"kind": "Pod", "name": f"web-{n % 3}", "namespace": "default"},
            "message": f"Started container {n}",
            "metadata": {"name": f"web.{n}", "creationTimestamp": iso(n)},
            "reason": "Started",
            "type": "Normal",
        },
        apiVersion="v1",
        kind="List",
    ),
    records(
        "kubernetes_audit.jsonl",
        lambda n: {
            "kind": "Event",
            "level": "Metadata",
            "auditID": f"0a-{n}",
            "stage": "ResponseComplete",
            "requestURI": f"/api/v1/pods/{n}",
            "verb": ("get", "list")[n % 2],
            "user": {"username": f"u{n % 3}", "groups": ["system:authenticated"]},
            "sourceIPs": [f"192.0.2.{n}"],
            "responseStatus": {"code": 200 + n % 2},
            "requestReceivedTimestamp": f"{_micros(n):%Y-%m-%dT%H:%M:%S.%f}Z",
            "stageTimestamp": f"{_micros(n) + timedelta(microseconds=50):%Y-%m-%dT%H:%M:%S.%f}Z",
        },
        at=_micros,
    ),
    records(
        "docker-json.log",
        lambda n: {
            "log": f'GET /{n} "x"\n',
            "stream": ("stdout", "stderr")[n % 2],
            "time": iso(n, ".123456789Z"),
        },
        at=lambda n: moment(n) + timedelta(microseconds=123_456),
    ),
    records(
        "journal.json",
        lambda n: {
            "__CURSOR": f"s=0;i={n:x}",
            "__REALTIME_TIMESTAMP": str(epoch(n, 10**6) + 123_456),
            "__MONOTONIC_TIMESTAMP": str(10_564_382_000 + n),
            "PRIORITY": str(n % 7),
            "_PID": str(700 + n % 3),
            "_HOSTNAME": "mail",
            "SYSLOG_IDENTIFIER": "sshd",
            "MESSAGE": f"Accepted password for u{n}",
        },
        at=lambda n: moment(n) + timedelta(microseconds=123_456),
    ),
    records(
        "eve.json",
        lambda n: (
            {
                "timestamp": f"{_micros(n):%Y-%m-%dT%H:%M:%S.%f}+0000",
                "flow_id": 1_000_000_007_231_234 + n,
                "event_type": ("alert", "dns", "flow")[n % 3],
                "src_ip": f"192.0.2.{n}",
                "src_port": 1024 + n,
            }
            | (
                {"alert": {"signature_id": 2_100_498, "signature": "GPL ATTACK", "severity": 2}},
                {"dns": {"type": "query", "rrname": f"x{n}.example", "rrtype": "A"}},
                {"flow": {"pkts_toserver": n, "bytes_toserver": 74 * n, "state": "new"}},
            )[n % 3]
        ),
        at=_micros,
    ),
    records(
        "zeek_conn.log",
        lambda n: (
            {
                "ts": epoch(n) + 0.5,
                "uid": f"CMdzit1AMNsmfAIiQ{n}",
                "id.orig_h": f"192.0.2.{n}",
                "id.orig_p": 1024 + n,
                "id.resp_h": "198.51.100.7",
                "id.resp_p": 53,
                "proto": "udp",
            }
            | ({"duration": 0.0005 * n, "orig_bytes": n} if n % 4 else {})
        ),
        at=lambda n: moment(n) + timedelta(milliseconds=500),
    ),
    records(
        "osqueryd.results.log",
        lambda n: {
            "name": "pack_processes",
            "hostIdentifier": f"host{n % 2}",
            "calendarTime": f"{moment(n):%a %b %d %H:%M:%S %Y} UTC",
            "unixTime": epoch(n),
            "epoch": 0,
            "counter": n,
            "columns": {"name": f"proc{n}", "pid": str(n), "path": "/bin/x"},
            "action": ("added", "removed")[n % 2],
        },
    ),
    records(
        "wazuh_alerts.json",
        lambda n: (
            {
                "timestamp": iso(n, ".000+0000"),
                "rule": {
                    "level": 5 + n % 3,
                    "description": "sshd: failed",
                    "id": "5716",
                    "groups": ["syslog", "sshd"],
                },
                "agent": {"id": "001", "name": f"web{n % 2}"},
                "manager": {"name": "wazuh"},
                "id": f"{epoch(n)}.{n}",
                "full_log": f"Jan 15 06:00:00 web sshd[{n}]: Failed password",
                "decoder": {"name": "sshd"},
                "location": "/var/log/auth.log",
            }
            | ({"data": {"srcip": f"192.0.2.{n}", "srcport": str(4000 + n)}} if n % 3 else {})
        ),
        lines,
    ),
    records(
        "okta.json",
        lambda n: {
            "actor": {"id": f"00u{n % 3}", "type": "User", "alternateId": f"u{n % 3}@example.org"},
            "published": iso(n, ".000Z"),
            "eventType": "user.session.start",
            "severity": "INFO",
            "outcome": {"result": ("SUCCESS", "FAILURE")[n % 2], "reason": None},
            "uuid": f"dc-{n}",
            "target": [{"id": f"0oa{n}", "type": "AppInstance"}, {"id": f"0ob{n}", "type": "AppUser"}],
        },
        indented,
        each="target",
    ),
    records(
        "falco.json",
        lambda n: {
            "hostname": "node1",
            "output": f"06:00:00.0: Notice A shell {n}",
            "priority": "Notice",
            "rule": "Terminal shell in container",
            "source": "syscall",
            "tags": ["container", "shell"],
            "time": iso(n, ".000000123Z"),
            "output_fields": {
                "container.id": f"c{n % 3}",
                "evt.time": epoch(n, 10**9) + 123,
                "proc.name": "bash",
            },
        },
    ),
    records(
        "filebeat.ndjson",
        lambda n: {
            "@timestamp": iso(n, ".000Z"),
            "@metadata": {"beat": "filebeat", "version": "8.11.0"},
            "message": f"sold {n}",
            "log": {"offset": 100 * n, "file": {"path": "/var/log/x.log"}},
            "host": {"name": f"web{n % 2}"},
            "ecs": {"version": "8.0.0"},
        },
    ),
    records(
        "ecs_logging.json",
        lambda n: {
            "@timestamp": iso(n, ".000Z"),
            "log.level": ("info", "warn")[n % 2],
            "message": f"sold {n}",
            "ecs.version": "1.2.0",
            "service.name": "shop",
            "event.dataset": "shop.log",
            "process.thread.name": "main",
        },
    ),
    records(
        "otel_records.jsonl",
        lambda n: {
            "timeUnixNano": str(epoch(n, 10**9) + 1000),
            "observedTimeUnixNano": str(epoch(n, 10**9) + 2000),
            "severityNumber": 9 + n % 2,
            "severityText": "INFO",
            "body": {"stringValue": f"sold {n}"},
            "traceId": f"5b8efff798038103d269b633813fc60{n % 7}",
        },
        at=lambda n: moment(n) + timedelta(microseconds=1),
    ),
    within(
        "otlp.json",
        "logRecords",
        lambda n: {
            "timeUnixNano": str(epoch(n, 10**9)),
            "severityNumber": 9 + n % 2,
            "body": {"stringValue": f"sold {n}"},
        },
        lists=["resource.attributes"],
        document=lambda found: {
            "resourceLogs": [
                {
                    "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
                    "scopeLogs": [found],
                }
            ]
        },
        scope={"name": "x"},
    ),
    records(
        "caddy.log",
        lambda n: {
            "level": "info",
            "ts": epoch(n) + 0.25,
            "logger": "http.log.access",
            "msg": "handled request",
            "request": {
                "remote_ip": f"192.0.2.{n}",
                "method": "GET",
                "uri": f"/{n}",
                "headers": {"User-Agent": ["curl/7.82.0"], "Accept": ["*/*"]},
            },
            "duration": 0.001 * n,
            "size": n,
            "status": 200 + n % 2,
        },
        at=lambda n: moment(n) + timedelta(milliseconds=250),
    ),
    records(
        "mongod.log",
        lambda n: {
            "t": {"$date": iso(n, ".000+00:00")},
            "s": "I",
            "c": ("NETWORK", "STORAGE")[n % 2],
            "id": 22943 + n % 2,
            "ctx": "listener",
            "msg": ("Connection accepted", "Checkpoint")[n % 2],
            "attr": ({"remote": f"192.0.2.{n}:4711", "connectionId": n}, {"durationMillis": n})[n % 2],
        },
    ),
    records(
        "pino.log",
        lambda n: (
            {
                "level": 30 + 10 * (n % 2),
                "time": epoch(n, 1000) + n,
                "pid": 657,
                "hostname": "web",
                "msg": f"request {n}",
            }
            | ({"req": {"method": "GET", "url": f"/{n}"}, "responseTime": n} if n % 2 else {})
        ),
        at=lambda n: moment(n) + timedelta(milliseconds=n),
    ),
    records(
        "traefik.json",
        lambda n: {
            "ClientAddr": f"192.0.2.{n}:4711",
            "DownstreamStatus": 200 + n % 2,
            "Duration": 1_000_000 + n,
            "RequestMethod": "GET",
            "RequestPath": f"/{n}",
            "ServiceName": "web@docker",
            "StartLocal": iso(n, ".5Z"),
            "StartUTC": iso(n, ".5Z"),
            "level": "info",
            "msg": "",
            "time": iso(n + 1),
        },
        at=lambda n: moment(n + 1),
    ),
    within(
        "elastic_hits.json",
        "hits.hits",
        lambda n: {
            "_index": "logs-2026.01.15",
            "_id": f"a{n}",
            "_score": 1.0,
            "_source": {"@timestamp": iso(n), "host": f"web{n % 2}", "load": tenths(n)},
        },
        took=5,
        timed_out=False,
    ),
]
