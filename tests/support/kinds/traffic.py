"""Traffic: taxis, bikes, ships, flights, trains."""

from datetime import timedelta
from decimal import Decimal

from tests.support.kinds.kind import german, hour, minute, refused, second, some, table, tenths
from tests.support.kinds.money import epoch

STOPS = ("Graz Hbf", "Wien Meidling", "Sankt P\u00f6lten")

TRAFFIC = [
    refused(
        "stop_times.txt",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence",
        lambda n: f"t{n // 4},{23 + n % 4}:{n % 60:02}:00,{23 + n % 4}:{n % 60:02}:30,s{n % 4},{n % 4 + 1}",
        "no column has times",
    ),
    table(
        "vehicle_positions.csv",
        "vehicle_id,route_id,timestamp,lat,lon,occupancy_status",
        lambda n: (
            f"v{n % 4},{n % 2 + 1:02},{epoch(minute(n // 4))},48.2{n % 10}1,16.3{n % 7}2,"
            f"{'' if n % 3 else 'FULL'}"
        ),
        "vehicle_id|route_id|lat|lon|occupancy_status",
        lambda n: (
            f"v{n % 4}",
            f"{n % 2 + 1:02}",
            Decimal(f"48.2{n % 10}1"),
            Decimal(f"16.3{n % 7}2"),
            None if n % 3 else "FULL",
        ),
        at=lambda n: minute(n // 4),
        held="vehicle_id",
    ),
    table(
        "flights.csv",
        "year,month,day,dep_time,sched_dep_time,dep_delay,carrier,flight,tailnum,origin,hour,time_hour",
        lambda n: (
            f"2026,1,{hour(n // 2).day},{'NA' if n % 12 == 7 else 517 + n},{515 + n},"
            f"{'NA' if n % 12 == 7 else n - 3},UA,"
            f"{1500 + n},N{14228 + n},EWR,{hour(n // 2).hour},{hour(n // 2):%Y-%m-%dT%H:%M:%SZ}"
        ),
        "year|month|day|dep_time|sched_dep_time|dep_delay|carrier|flight|tailnum|origin|hour",
        lambda n: (
            2026,
            1,
            hour(n // 2).day,
            None if n % 12 == 7 else 517 + n,
            515 + n,
            None if n % 12 == 7 else n - 3,
            "UA",
            1500 + n,
            f"N{14228 + n}",
            "EWR",
            hour(n // 2).hour,
        ),
        at=lambda n: hour(n // 2),
    ),
    table(
        "on_time.csv",
        '"FL_DATE","OP_CARRIER","FL_NUM","CRS_DEP_TIME","DEP_DELAY"',
        '"{at:%Y-%m-%d}","{}",{},"{at:%H%M}",{}',
        "OP_CARRIER|FL_NUM|DEP_DELAY",
        lambda n: ("AA", 100 + n, tenths(n)),
        at=lambda n: minute(11 * n),
        held="OP_CARRIER",
    ),
    table(
        "yellow_taxi.csv",
        "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,passenger_count,trip_distance,"
        "RatecodeID,store_and_fwd_flag,fare_amount",
        "{0},{at:%Y-%m-%d %H:%M:%S},{1:%Y-%m-%d %H:%M:%S},{2},{3},{4},{5},{6}",
        "VendorID|tpep_dropoff_datetime|passenger_count|trip_distance|RatecodeID|store_and_fwd_flag|"
        "fare_amount",
        lambda n: (
            1 + n % 2,
            minute(n * n + 9),
            None if n % 10 == 9 else 1 + n % 3,
            tenths(n),
            1,
            "N",
            tenths(n + 1),
        ),
        at=lambda n: minute(n * n),
    ),
    table(
        "citibike.csv",
        "ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,"
        "end_station_name,member_casual",
        lambda n: (
            f"{n * 7919:016X},classic_bike,{minute(n * n):%Y-%m-%d %H:%M:%S}.{n:03},"
            f"{minute(n * n + 5):%Y-%m-%d %H:%M:%S}.500,"
            f"W {n % 3} St,{5329.03 + n % 3:.2f},{'' if n % 7 == 6 else 'E 1 St'},"
            f"{'member' if n % 2 else 'casual'}"
        ),
        "ride_id|rideable_type|ended_at|start_station_name|start_station_id|end_station_name|member_casual",
        lambda n: (
            f"{n * 7919:016X}",
            "classic_bike",
            minute(n * n + 5) + timedelta(milliseconds=500),
            f"W {n % 3} St",
            Decimal(f"{5329.03 + n % 3:.2f}"),
            None if n % 7 == 6 else "E 1 St",
            "member" if n % 2 else "casual",
        ),
        at=lambda n: minute(n * n) + timedelta(milliseconds=n),
    ),
    table(
        "ais.csv",
        "# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,SOG",
        lambda n: (
            f"{second(n // 4 * 10):%d/%m/%Y %H:%M:%S},Class A,{219000000 + n % 4},55.{100 + n},"
            f"12.{200 + n},Under way,{tenths(n)}"
        ),
        "Type of mobile|MMSI|Latitude|Longitude|Navigational status|SOG",
        lambda n: (
            "Class A",
            219000000 + n % 4,
            Decimal(f"55.{100 + n}"),
            Decimal(f"12.{200 + n}"),
            "Under way",
            tenths(n),
        ),
        at=lambda n: second(n // 4 * 10),
        held="MMSI",
    ),
    refused(
        "nmea_log.csv",
        "utc,lat,lon",
        lambda n: f"{second(n):%H%M%S}.00,48.{1000 + n},16.{2000 + n}",
        "no column has times",
    ),
    table(
        "trains.csv",
        "Zug;Bahnhof;Ankunft geplant;Ankunft tats\u00e4chlich;Versp\u00e4tung",
        lambda n: (
            f"RJ {some(n, 5) + 60};{STOPS[some(n, 3)]};{minute(7 * n):%d.%m.%Y %H:%M};"
            f"{'' if n % 8 == 5 else f'{minute(7 * n + n % 4):%d.%m.%Y %H:%M}'};{'' if n % 8 == 5 else n % 4}"
        ),
        "Zug|Bahnhof|Ankunft tats\u00e4chlich|Versp\u00e4tung",
        lambda n: (
            f"RJ {some(n, 5) + 60}",
            STOPS[some(n, 3)],
            None if n % 8 == 5 else minute(7 * n + n % 4),
            None if n % 8 == 5 else n % 4,
        ),
        at=lambda n: minute(7 * n),
        encoding="latin-1",
        held="all",
    ),
    table(
        "base_station.csv",
        "",
        lambda n: (
            f"MSG,3,1,1,A{some(n, 4)}B2C3,1,{second(n):%Y/%m/%d},{second(n):%H:%M:%S}.000,"
            f"{second(n):%Y/%m/%d},"
            f"{second(n + 1):%H:%M:%S}.500,,{12000 + 25 * n}"
        ),
        "column1|column2|column3|column4|column5|column6|column9|column10|column12",
        lambda n: (
            "MSG",
            3,
            1,
            1,
            f"A{some(n, 4)}B2C3",
            1,
            f"{second(n):%Y/%m/%d}",
            f"{second(n + 1):%H:%M:%S}.500",
            12000 + 25 * n,
        ),
        at=second,
        held="all",
    ),
    table(
        "oracle.csv",
        '"GARAGE","FREE","SEEN"',
        '"{}",{},"{at:%d-%b-%y %I.%M.%S}.000000 {at:%p}"',
        "GARAGE|FREE",
        lambda n: (f"G{n % 2}", 100 - n),
        at=lambda n: hour(n // 2),
        held="GARAGE",
    ),
    table(
        "fleet.csv",
        "Fahrzeug;Datum;Uhrzeit;Tempo (km/h)",
        lambda n: f"W-{n % 2}1234;{minute(n // 2):%d.%m.%y};{minute(n // 2):%H.%M};{german(tenths(n))}",
        "Fahrzeug|Tempo (km/h)",
        lambda n: (f"W-{n % 2}1234", tenths(n)),
        at=lambda n: minute(n // 2),
        held="Fahrzeug",
    ),
    table(
        "gps_track.csv",
        "trackpoint,time,ele,hr,latlon",
        '{},{at:%Y-%m-%dT%H:%M:%S}Z,{},{},"{}"',
        "trackpoint|ele|hr|latlon",
        lambda n: (n, tenths(n), None if n % 9 == 8 else 120 + n % 30, f"48.2{n}, 16.4"),
        at=second,
        held="all",
    ),
    table(
        "speed_cameras.csv",
        "Lane;Day;Month;Year;Time;km/h",
        lambda n: (
            f"{n % 3};{minute(n * n).day};{minute(n * n).month};{minute(n * n).year};"
            f"{minute(n * n):%H:%M:%S};{60 + n % 40}"
        ),
        "Lane|km/h",
        lambda n: (n % 3, 60 + n % 40),
        at=lambda n: minute(n * n),
    ),
]
