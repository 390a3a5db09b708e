"""JSON of shops, markets and people."""

from datetime import timedelta

from tests.support.kinds.records import epoch, indented, iso, lines, moment, records, tenths, within

KINDS = [
    records(
        "binance.jsonl",
        lambda n: {
            "stream": "bnbbtc@trade",
            "data": {
                "e": "trade",
                "E": epoch(n, 1000) + 2,
                "s": "BNBBTC",
                "t": 12345 + n,
                "p": f"0.00{100 + n}000",
                "q": f"{n}.00000000",
                "T": epoch(n, 1000),
                "m": n % 2 == 0,
                "M": True,
            },
        },
        at=lambda n: moment(n) + timedelta(milliseconds=2),
    ),
    records(
        "coinbase.jsonl",
        lambda n: {
            "type": "match",
            "trade_id": 10 + n,
            "sequence": 50_000_000_000 + n,
            "maker_order_id": f"ac928c66-{n}",
            "time": iso(n, ".028459Z"),
            "product_id": "BTC-USD",
            "size": f"5.23512{n}",
            "price": f"400.{n:02}",
            "side": ("buy", "sell")[n % 2],
        },
        at=lambda n: moment(n) + timedelta(microseconds=28_459),
    ),
    within(
        "stripe.json",
        "data",
        lambda n: {
            "id": f"evt_{n}",
            "object": "event",
            "api_version": "2020-08-27",
            "created": epoch(-n),
            "data": {"object": {"id": f"ch_{n}", "amount": 100 * n, "currency": "eur", "created": epoch(-n)}},
            "livemode": False,
            "pending_webhooks": 1,
            "type": "charge.succeeded",
        },
        url="/v1/events",
        has_more=False,
        at=lambda n: moment(-n),
    ),
    within(
        "shopify.json",
        "orders",
        lambda n: {
            "id": 450789469 + n,
            "created_at": iso(n, "-05:00"),
            "updated_at": iso(n + 9, "-05:00"),
            "currency": "USD",
            "total_price": f"{n}.94",
            "customer": {"id": 207119551 + n % 3, "email": f"u{n % 3}@example.com"},
            "line_items": [{"sku": f"S{k}", "quantity": k + 1, "price": f"{k}.50"} for k in range(1 + n % 3)],
        },
        at=lambda n: moment(n + 300),
        each="line_items",
    ),
    records(
        "segment.jsonl",
        lambda n: {
            "anonymousId": f"23ad{n}",
            "context": {"ip": "192.0.2.7", "library": {"name": "analytics.js", "version": "2.11.1"}},
            "event": ("Product Viewed", "Order Completed")[n % 2],
            "messageId": f"ajs-{n}",
            "properties": {"product_id": f"p{n % 4}"} | ({"revenue": tenths(n)} if n % 2 else {}),
            "receivedAt": iso(n, ".401Z"),
            "sentAt": iso(n, ".312Z"),
            "timestamp": iso(n, ".300Z"),
            "type": "track",
            "userId": None if n % 3 else f"u{n}",
        },
        at=lambda n: moment(n) + timedelta(milliseconds=300),
    ),
    records(
        "slack.json",
        lambda n: (
            {
                "type": "message",
                "user": f"U{n % 3}",
                "text": f"hi <@U{n}> \U0001f600",
                "ts": f"{epoch(n)}.000{n:03}",
            }
            | ({"subtype": "channel_join"} if n % 9 == 0 else {})
            | ({"reactions": [{"name": "tada", "count": 1}]} if n % 5 == 0 else {})
        ),
        indented,
        each="reactions",
        at=lambda n: moment(n) + timedelta(microseconds=n),
    ),
    records(
        "tweets.jsonl",
        lambda n: {
            "created_at": f"{moment(n):%a %b %d %H:%M:%S +0000 %Y}",
            "id": 1050118621198921728 + n,
            "id_str": str(1050118621198921728 + n),
            "text": f"To make room {n}",
            "user": {
                "id": 6253282 + n % 3,
                "screen_name": f"dev{n % 3}",
                "created_at": "Wed May 23 06:01:13 +0000 2007",
            },
            "entities": {"hashtags": [], "urls": [{"url": "x"}]},
            "favorited": False,
        },
        each="entities.urls",
    ),
    records(
        "recentchange.jsonl",
        lambda n: (
            {
                "$schema": "/mediawiki/recentchange/1.0.0",
                "meta": {
                    "uri": f"https://x/{n}",
                    "id": f"m{n}",
                    "dt": iso(n),
                    "domain": "en.wikipedia.org",
                    "partition": 0,
                    "offset": 3_000_000_000 + n,
                },
                "id": 1_300_000_000 + n,
                "type": ("edit", "log")[n % 2],
                "title": f"Page {n}",
                "timestamp": epoch(n),
                "user": f"U{n % 3}",
                "bot": n % 3 == 0,
            }
            | (
                {"length": {"old": 10 + n, "new": 12 + n}, "minor": True}
                if n % 2 == 0
                else {"log_type": "move", "log_id": n}
            )
        ),
    ),
    records(
        "matomo.json",
        lambda n: {
            "idVisit": str(n),
            "visitIp": f"192.0.2.{n}",
            "serverTimestamp": epoch(n),
            "visitDuration": str(n),
            "country": "Austria",
            "actionDetails": [
                {"type": "action", "url": f"/{k}", "timestamp": epoch(n) + k} for k in range(2)
            ],
        },
        indented,
        each="actionDetails",
    ),
    records(
        "reddit.jsonl",
        lambda n: {
            "author": f"u{n % 3}",
            "body": f"so {n}",
            "created_utc": epoch(n),
            "retrieved_on": epoch(n) + 10**6,
            "edited": False if n % 4 else epoch(n + 1),
            "score": n - 7,
            "subreddit": "x",
            "parent_id": f"t1_{n}",
        },
        lines,
    ),
]
