"""JSON of things: sensors, meters, ships and planes."""

import json
from datetime import timedelta

from tests.support.kinds.records import epoch, indented, iso, lines, moment, records, tenths, within

KINDS = [
    records(
        "home_assistant.json",
        lambda n: {
            "entity_id": f"sensor.room{n % 2}",
            "state": "unavailable" if n == 7 else str(tenths(n)),
            "attributes": {"unit_of_measurement": "\u00b0C", "friendly_name": f"Room {n % 2}"},
            "last_changed": iso(n, ".000000+00:00"),
            "last_updated": iso(n, ".000000+00:00"),
        },
        indented,
    ),
    records(
        "ha_history.json",
        lambda n: {
            "entity_id": f"light.l{n // 20}",
            "state": ("on", "off")[n % 2],
            "last_changed": iso(n % 20, "+00:00"),
        },
        lambda found: json.dumps([found[:20], found[20:]]),
        at=lambda n: moment(n % 20),
    ),
    records(
        "zigbee2mqtt.jsonl",
        lambda n: {
            "tst": iso(n, ".123456Z+0000"),
            "topic": f"zigbee2mqtt/room{n % 2}",
            "qos": 0,
            "retain": 0,
            "payloadlen": 70,
            "payload": {
                "battery": 97,
                "humidity": 40 + n % 9,
                "linkquality": 120 - n,
                "temperature": tenths(n),
            },
        },
        at=lambda n: moment(n) + timedelta(microseconds=123_456),
    ),
    records(
        "shelly.jsonl",
        lambda n: {
            "src": f"shellyplus1pm-{n % 2}",
            "dst": "mqtt/events",
            "method": "NotifyStatus",
            "params": {
                "ts": epoch(n) + 0.43,
                "switch:0": {"id": 0, "apower": tenths(n), "output": n % 2 == 0},
            },
        },
        at=lambda n: moment(n) + timedelta(milliseconds=430),
    ),
    records(
        "tasmota.json",
        lambda n: {
            "Time": iso(n, ""),
            "DS18B20": {"Id": "01144A0CB2AA", "Temperature": tenths(n)},
            "AM2301": {"Temperature": tenths(n + 1), "Humidity": 40 + n % 9, "DewPoint": 7.5},
            "TempUnit": "C",
        },
    ),
    records(
        "ttn.jsonl",
        lambda n: {
            "end_device_ids": {
                "device_id": f"dev{n % 3}",
                "application_ids": {"application_id": "app"},
                "dev_eui": f"0004A30B001C053{n % 3}",
            },
            "correlation_ids": ["as:up:01", "gs:conn:02"],
            "received_at": iso(n, ".123456789Z"),
            "uplink_message": {
                "f_port": 1,
                "f_cnt": n,
                "frm_payload": "gkHe",
                "decoded_payload": {"temperature": tenths(n), "battery": 3.3},
                "rx_metadata": [{"gateway_ids": {"gateway_id": "gw1"}, "rssi": -35 - n, "snr": 5.5}],
            },
        },
        at=lambda n: moment(n) + timedelta(microseconds=123_456),
        each="uplink_message.rx_metadata",
    ),
    records(
        "senml.json",
        lambda n: (
            {"n": f"s{n % 2}", "t": -60 * n, "v": tenths(n)}
            | ({"bn": "urn:dev:ow:10e2073a01080063:", "bt": 1.276020076e09, "bu": "Cel"} if n == 0 else {})
        ),
        json.dumps,
        said="SenML",
    ),
    records(
        "sparkplug.jsonl",
        lambda n: {
            "timestamp": epoch(n, 1000),
            "seq": n,
            "metrics": [
                {"name": "Temp", "timestamp": epoch(n, 1000), "dataType": "Float", "value": tenths(n)},
                {"name": "Speed", "timestamp": epoch(n, 1000), "dataType": "Int32", "value": n},
            ],
        },
        each="metrics",
    ),
    records(
        "opcua_pubsub.jsonl",
        lambda n: {
            "MessageId": f"m{n}",
            "MessageType": "ua-data",
            "PublisherId": "plant1",
            "Messages": [
                {
                    "DataSetWriterId": 62541,
                    "SequenceNumber": n,
                    "Timestamp": iso(n, ".1234567Z"),
                    "Payload": {
                        "Temp": {"Value": tenths(n), "SourceTimestamp": iso(n)},
                        "Count": {"Value": n},
                    },
                }
            ],
        },
        each="Messages",
        at=lambda n: moment(n) + timedelta(microseconds=123_456),
    ),
    records(
        "azure_iot.jsonl",
        lambda n: {
            "EnqueuedTimeUtc": iso(n, ".1230000Z"),
            "Properties": {"level": "normal"},
            "SystemProperties": {"connectionDeviceId": f"dev{n % 2}", "contentType": "application/json"},
            "Body": {"temperature": tenths(n), "messageId": n},
        },
        at=lambda n: moment(n) + timedelta(milliseconds=123),
    ),
    records(
        "aws_shadow.jsonl",
        lambda n: {
            "state": {"reported": {"temp": tenths(n), "on": n % 2 == 0}},
            "metadata": {
                "reported": {"temp": {"timestamp": epoch(n)}, "on": {"timestamp": epoch(n - n % 2)}}
            },
            "version": n,
            "timestamp": epoch(n),
            "clientToken": f"t{n}",
        },
    ),
    records(
        "cloudevents.jsonl",
        lambda n: {
            "specversion": "1.0",
            "type": ("com.shop.order", "com.shop.refund")[n % 2],
            "source": f"/shop/{n % 3}",
            "id": f"A234-{n}",
            "time": iso(n),
            "datacontenttype": "application/json",
            "data": {"order": n, "sum": tenths(n)},
        },
    ),
    within(
        "usgs.json",
        "features",
        lambda n: {
            "type": "Feature",
            "properties": {
                "mag": tenths(n) / 10,
                "place": f"{n} km N of X",
                "time": epoch(-n, 1000),
                "updated": epoch(-n // 2, 1000) + 10**6,
                "tz": None,
                "sig": n,
                "net": "us",
                "type": "earthquake",
            },
            "geometry": {"type": "Point", "coordinates": [-116.5 - n, 33.25, 12.5]},
            "id": f"us{n}",
        },
        lists=["geometry.coordinates"],
        metadata={"generated": epoch(5, 1000), "count": 40},
        at=lambda n: moment(-n),
    ),
    within(
        "gtfs_rt.json",
        "entity",
        lambda n: {
            "id": f"v{n}",
            "vehicle": {
                "trip": {"tripId": f"t{n % 5}", "routeId": "7"},
                "position": {"latitude": 47.0 + n / 100, "longitude": 15.5, "bearing": 90 + n},
                "timestamp": str(epoch(n)),
            },
        },
        header={"gtfsRealtimeVersion": "2.0", "timestamp": str(epoch(50))},
    ),
    records(
        "aisstream.jsonl",
        lambda n: {
            "MessageType": "PositionReport",
            "MetaData": {
                "MMSI": 259000420 + n % 2,
                "ShipName": "AUGUSTSON",
                "latitude": 66.02 + n / 1000,
                "longitude": 12.25,
                "time_utc": f"{moment(n):%Y-%m-%d %H:%M:%S}.318353 +0000 UTC",
            },
            "Message": {"PositionReport": {"Cog": 308.5, "Sog": tenths(n), "TrueHeading": 235}},
        },
        at=lambda n: moment(n) + timedelta(microseconds=318_353),
    ),
    records(
        "dump1090.jsonl",
        lambda n: {
            "now": epoch(n) + 0.5,
            "messages": 1000 + n,
            "aircraft": [
                {"hex": f"4ca{k}1f", "lat": 47.0 + n / 100, "lon": 15.5 + k, "seen": 0.5}
                | ({"flight": f"AUA{k}", "altitude": 1000 * n} if k else {})
                for k in range(2)
            ],
        },
        at=lambda n: moment(n) + timedelta(milliseconds=500),
        each="aircraft",
    ),
    records(
        "openweather.jsonl",
        lambda n: {
            "coord": {"lon": 15.45, "lat": 47.07},
            "weather": [{"id": 804, "main": "Clouds", "icon": "04d"}],
            "main": {"temp": tenths(n), "pressure": 1015, "humidity": 60 + n},
            "visibility": 10000,
            "dt": epoch(n),
            "sys": {"country": "AT", "sunrise": epoch(20), "sunset": epoch(500)},
            "timezone": 3600,
            "id": 2778067,
            "name": "Graz",
        },
        each="weather",
    ),
    records(
        "fitbit_heart.json",
        lambda n: {
            "dateTime": f"{moment(n):%m/%d/%y %H:%M:%S}",
            "value": {"bpm": 60 + n % 30, "confidence": n % 4},
        },
        indented,
    ),
    records(
        "geojson_seq.geojsonl",
        lambda n: {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [15.5, 47.0]},
            "properties": {"time": iso(n), "bus": f"b{n % 3}", "speed": tenths(n)},
        },
        lines,
    ),
]
