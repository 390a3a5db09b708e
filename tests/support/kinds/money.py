"""Banks, markets, shops."""

from datetime import datetime, timedelta
from decimal import Decimal

from tests.support.kinds.kind import (
    START,
    cents,
    day,
    german,
    hour,
    minute,
    refused,
    second,
    some,
    table,
    tenths,
)


def epoch(at: datetime, per_second: int = 1) -> int:
    return round(at.timestamp()) * per_second


def sign(n: int) -> int:
    return -1 if n % 3 else 1


def backwards(n: int) -> datetime:
    return day(-n)


def shortly(n: int) -> datetime:
    return START + timedelta(milliseconds=137 * n)


SHOPS = ("Spar", "Billa", "M\u00fcller")

MONEY = [
    table(
        "sparkasse.csv",
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Betrag";"Waehrung"',
        lambda n: (
            f'"AT12";"{day(n * n // 9):%d.%m.%y}";"{day(n * n // 9 + 1):%d.%m.%y}";"KARTE";"Einkauf; '
            f'{SHOPS[n % 3]}";'
            f'"{german(sign(n) * cents(n))}";"EUR"'
        ),
        "Auftragskonto|Valutadatum|Buchungstext|Verwendungszweck|Betrag|Waehrung",
        lambda n: (
            "AT12",
            f"{day(n * n // 9 + 1):%d.%m.%y}",
            "KARTE",
            f"Einkauf; {SHOPS[n % 3]}",
            sign(n) * cents(n),
            "EUR",
        ),
        at=lambda n: day(n * n // 9),
        encoding="cp1252",
    ),
    table(
        "dkb.csv",
        '"Girokonto";"AT12"\n"Zeitraum:";"09.01.2026 - 17.02.2026"\n"Kontostand vom 17.02.2026:";'
        '"1.234,50 EUR"\n""\n'
        '"Buchungsdatum";"Wertstellung";"Status";"Empf\u00e4nger";"Betrag (\u20ac)"',
        lambda n: (
            f'"{day(n):%d.%m.%y}";"{day(n):%d.%m.%y}";"Gebucht";"{SHOPS[some(n, 3)]}";'
            f'"{german(sign(n) * cents(n))} \u20ac"'
        ),
        "Wertstellung|Status|Empf\u00e4nger|Betrag (\u20ac)",
        lambda n: (f"{day(n):%d.%m.%y}", "Gebucht", SHOPS[some(n, 3)], sign(n) * cents(n)),
        at=day,
        held="all",
    ),
    table(
        "debit_credit.csv",
        "Txn Date,Value Date,Description,Ref No.,Debit,Credit,Balance",
        lambda n: (
            f"{day(n):%d/%m/%Y},{day(n):%d/%m/%Y},UPI {n},{n + 7:010},"
            f'{"" if n % 3 else cents(n)},{cents(n) if n % 3 else ""},"{10**6 + cents(n):,}"'
        ),
        "Value Date|Description|Ref No.|Debit|Credit|Balance",
        lambda n: (
            f"{day(n):%d/%m/%Y}",
            f"UPI {n}",
            f"{n + 7:010}",
            None if n % 3 else cents(n),
            cents(n) if n % 3 else None,
            10**6 + cents(n),
        ),
        at=day,
        held="all",
    ),
    table(
        "dr_cr.csv",
        "Posted,Account,Amount",
        lambda n: f'{day(n):%m/%d/%Y},{n % 4:05},"{cents(n):,} {"DR" if n % 3 else "CR"}"',
        "Account|Amount",
        lambda n: (f"{n % 4:05}", sign(n) * cents(n)),
        at=day,
        held="Account",
    ),
    table(
        "sap.txt",
        "|Beleg     |Buch.dat. |Betrag        |W\u00e4hrg|",
        lambda n: (
            f"|{4900000000 + n}|{day(n):%d.%m.%Y}|{german(cents(n)) + ('-' if n % 3 else ' '):>14}|EUR  |"
        ),
        "Beleg|Betrag|W\u00e4hrg",
        lambda n: (4900000000 + n, sign(n) * cents(n), "EUR  "),
        at=day,
        held="W\u00e4hrg",
    ),
    table(
        "revolut.csv",
        "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
        lambda n: (
            f"CARD_PAYMENT,Current,{minute(97 * n):%Y-%m-%d %H:%M:%S},"
            f"{'' if n % 8 == 7 else f'{minute(97 * n + 60):%Y-%m-%d %H:%M:%S}'},Shop {n},"
            f"{-tenths(n)},0.00,EUR,"
            f"{'PENDING' if n % 8 == 7 else 'COMPLETED'},{'' if n % 8 == 7 else cents(n)}"
        ),
        "Type|Product|Completed Date|Description|Amount|Fee|Currency|State|Balance",
        lambda n: (
            "CARD_PAYMENT",
            "Current",
            None if n % 8 == 7 else minute(97 * n + 60),
            f"Shop {n}",
            -tenths(n),
            0,
            "EUR",
            "PENDING" if n % 8 == 7 else "COMPLETED",
            None if n % 8 == 7 else cents(n),
        ),
        at=lambda n: minute(97 * n),
        held="all",
    ),
    table(
        "paypal.csv",
        '"Date","Time","TimeZone","Name","Type","Gross","Balance"',
        lambda n: (
            f'"{hour(n + 1):%d/%m/%Y}","{hour(n + 1):%H:%M:%S}","CET","{SHOPS[some(n, 3)]}","Payment",'
            f'"{german(sign(n) * cents(n))}","{german(cents(n + 1))}"'
        ),
        "Name|Type|Gross|Balance",
        lambda n: (SHOPS[some(n, 3)], "Payment", sign(n) * cents(n), cents(n + 1)),
        at=hour,
        held="all",
    ),
    table(
        "stripe.csv",
        "id,Created date (UTC),Amount,Currency,Captured,Description",
        "{0},{at:%Y-%m-%d %H:%M:%S},{1},{2},{3},{4}",
        "id|Amount|Currency|Captured|Description",
        lambda n: (f"ch_{n}", cents(n), "eur", "true", None if n % 4 else f"Order {n}"),
        at=lambda n: minute(n * n),
        zone="Europe/Vienna",
    ),
    table(
        "nasdaq.csv",
        "Date,Close/Last,Volume,Open,High,Low",
        lambda n: (
            f"{backwards(n):%m/%d/%Y},${cents(n)},{10**6 + 7919 * n},${cents(n + 1)},${cents(n + 2)},"
            f"${cents(n + 3)}"
        ),
        "Close/Last|Volume|Open|High|Low",
        lambda n: (cents(n), 10**6 + 7919 * n, cents(n + 1), cents(n + 2), cents(n + 3)),
        at=backwards,
    ),
    table(
        "binance.csv",
        "",
        lambda n: (
            f"{epoch(minute(n), 10**6)},{cents(n)},{cents(n + 1)},{tenths(n)}000,"
            f"{epoch(minute(n), 10**6) + 59_999_999},{n},0"
        ),
        "column2|column3|column4|column5|column6|column7",
        lambda n: (cents(n), cents(n + 1), tenths(n), minute(n) + timedelta(microseconds=59_999_999), n, 0),
        held="all",
    ),
    table(
        "kraken.csv",
        "",
        lambda n: f"{epoch(START)}.{1000 + 137 * n:04},{cents(n)},0.{n + 1:08}",
        "column2|column3",
        lambda n: (cents(n), Decimal(n + 1) / 10**8),
        at=lambda n: START + timedelta(microseconds=100 * (1000 + 137 * n)),
        held="all",
    ),
    table(
        "databento.csv",
        "ts_event,symbol,price,size",
        lambda n: f"{epoch(second(n * n), 10**9)},ES{n % 2},{cents(n)},{n + 1}",
        "symbol|price|size",
        lambda n: (f"ES{n % 2}", cents(n), n + 1),
        at=lambda n: second(n * n),
    ),
    table(
        "dukascopy.csv",
        "Gmt time,Open,High,Low,Close,Volume",
        "{at:%d.%m.%Y %H:%M:%S}.000,{},{},{},{},{}",
        "Open|High|Low|Close|Volume",
        lambda n: (cents(n), cents(n + 2), cents(n + 3), cents(n + 1), n * 7),
        held="all",
        zone="Europe/Vienna",
    ),
    table(
        "metatrader.csv",
        "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<TICKVOL>\t<SPREAD>",
        "{at:%Y.%m.%d}\t{at:%H:%M:%S}\t{}\t{}\t{}\t{}",
        "<OPEN>|<HIGH>|<TICKVOL>|<SPREAD>",
        lambda n: (cents(n), cents(n + 2), n * 7, 3),
        held="all",
    ),
    table(
        "kraken_ledger.csv",
        '"txid","refid","time","type","asset","amount","fee"',
        '"{}","{}","{at:%Y-%m-%d %H:%M:%S}.1234","{}","{}",{},{}',
        "txid|refid|type|asset|amount|fee",
        lambda n: (f"L{n}", f"T{n // 2}", "trade", "ZEUR", sign(n) * cents(n), tenths(n)),
        at=lambda n: hour(n * n) + timedelta(microseconds=123400),
    ),
    table(
        "ecb.csv",
        "Date, USD, JPY, BGN, ",
        lambda n: f"{day(n):%d %B %Y}, {cents(n)}, {tenths(n)}, {'N/A' if n % 9 == 2 else cents(n + 1)}, ",
        "USD|JPY|BGN",
        lambda n: (cents(n), tenths(n), None if n % 9 == 2 else cents(n + 1)),
        at=day,
        held="all",
    ),
    table(
        "totals.csv",
        "Date,Shop,Amount",
        '{at:%Y-%m-%d %H:%M},{},"{:,}"',
        "Shop|Amount",
        lambda n: (SHOPS[n % 3], cents(n)),
        at=lambda n: minute(n * n),
        end='Total,,"12,345.50"\n',
    ),
    table(
        "orders.csv",
        "order_id;created_at;updated_at;customer;total;coupon;status",
        "{0};{at:%Y-%m-%dT%H:%M:%S}.000Z;{1:%Y-%m-%dT%H:%M:%S}.000Z;{2};{3};{4};{5}",
        "order_id|updated_at|customer|total|coupon|status",
        lambda n: (
            f"A-{n:05}",
            minute(n * n + 90),
            f"c{n % 9}",
            cents(n),
            None if n % 5 else "SALE",
            "paid" if n % 4 else "open",
        ),
        at=lambda n: minute(n * n),
    ),
    table(
        "clicks.csv",
        "timestamp,visitorid,event,itemid,transactionid",
        lambda n: (
            f"{epoch(minute(n // 3), 1000)},{n // 4},{'view' if n % 5 else 'transaction'},{n // 3},"
            f"{'' if n % 5 else n}"
        ),
        "visitorid|event|itemid|transactionid",
        lambda n: (n // 4, "view" if n % 5 else "transaction", n // 3, None if n % 5 else n),
        at=lambda n: minute(n // 3),
    ),
    table(
        "receipts.csv",
        "Datum;Uhrzeit;Artikel;Menge;Preis;MwSt",
        lambda n: (
            f"{minute(n // 3):%d.%m.%Y};{minute(n // 3):%H:%M};{n % 2:04};{1 + n % 4};\u20ac "
            f"{german(cents(n))};20 %"
        ),
        "Artikel|Menge|Preis|MwSt",
        lambda n: (f"{n % 2:04}", 1 + n % 4, cents(n), 20),
        at=lambda n: minute(n // 3),
    ),
    table(
        "swiss.csv",
        "Valuta;Text;Betrag",
        lambda n: f"{day(n):%d.%m.%Y};Text {n};{sign(n) * cents(n):,}".replace(",", "'"),
        "Text|Betrag",
        lambda n: (f"Text {n}", sign(n) * cents(n)),
        at=day,
        held="all",
    ),
    refused(
        "ambiguous.csv",
        "Timestamp,Guests,Name",
        lambda n: f"1/2/2026 {minute(n):%H:%M:%S},{n},g{n}",
        "%m/%d/%Y",
    ),
    table(
        "forms.csv",
        "Timestamp,How many?,Name",
        lambda n: (
            f"{hour(6 * n).month}/{hour(6 * n).day}/2026 {hour(6 * n).hour}:{hour(6 * n):%M:%S},{n},g{n}"
        ),
        "How many?|Name",
        lambda n: (n, f"g{n}"),
        at=lambda n: hour(6 * n),
        held="all",
    ),
    refused("serial_dates.csv", "Date,Amount", lambda n: f"{46037 + n},{cents(n)}", "1899-12-30"),
    refused(
        "serial_times.csv", "Date,Amount", lambda n: f"{46037 + Decimal(n) / 4},{cents(n)}", "1899-12-30"
    ),
]
