"""Patterns of lines of text, with places."""

import re
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.line_patterns import LinePattern, LinePatternError
from tests.support.examples import number_of_examples
from tests.support.naive_patterns import Hole, Piece, Ways, Words, first_match, is_address

SSHD = (
    "^{} sshd[{:int}]: Failed password for (invalid user )?{user:text} from {ip:ip} port {:int} ssh2$",
    "^{:word} sshd[{:int}]: Failed password for (invalid user )?{user:text} from {ip:ip} port {:int} ssh2$",
)
WEB = '"{request:quoted}" {status:int} {bytes:word} "{referer:quoted}" "{agent:quoted}"$'


def cells(pattern: str, line: str, begin: int = 0) -> dict[str, str] | None:
    """What the places of a pattern have in a line, those of parts that are not used left out."""
    found = LinePattern(pattern)
    told = found.cells(line, begin)
    return (
        None
        if told is None
        else {name: cell for name, cell in zip(found.names, told, strict=True) if cell is not None}
    )


@pytest.mark.parametrize(
    ("pattern", "line", "expected"),
    [
        ("for (invalid user )?{u} from {ip} port", "x for  root from 1.2 port 3", {"u": "root", "ip": "1.2"}),
        (
            "for (invalid user )?{u} from {ip} port",
            "for invalid user a b from 1 port",
            {"u": "a b", "ip": "1"},
        ),
        ("for {u} from", "for from", None),
        ("{a} - {b}", "one two - three four", {"a": "one two", "b": "three"}),
        ("{a}( p {c})? q", "z p y q", {"a": "z", "c": "y"}),
        ("{a}( p {c})? q", "z q", {"a": "z"}),
        ("(user {u}|uid {n}) in", "the uid 7 in", {"n": "7"}),
        ("(user {u}|uid {u}) in", "the uid 7 in", {"u": "7"}),
        ('[{t}] "{r}" {} {n}', '[a b] "GET /" 200 17', {"t": "a b", "r": "GET /", "n": "17"}),
        ("a\\(b\\{ {x}\\|", "a(b{ 1|2", {"x": "1"}),
        ("a.b{x}", "aXb1 a.b2", {"x": "2"}),
        ("for {u} from", "for   x from", {"u": "x"}),
        ("a {x}b", "a   b", {"x": " "}),
        ("(a|ab){x}c", "abxc", {"x": "bx"}),
        ("(a|ab)c{x}", "abcd", {"x": "d"}),
        ("({x:word}a|{y:word})$", "banana", {"x": "banan"}),
        ("{x:word}b{y:word}", "abcbd", {"x": "abc", "y": "d"}),
        ("{x:int}5{y:word}", "x -1255y", {"x": "-125", "y": "y"}),
        ("[{x:int}]", "[007] [-]", {"x": "007"}),
        ("{x:number}{y:word}", "is -12.50e3s", {"x": "-12.50e3", "y": "s"}),
        ("{x:number}.$", "12.", {"x": "12"}),
        ("from {x:ip}", "from 1.2.3.456", {"x": "1.2.3.45"}),
        ("from {x:ip}( |:)", "from 300.1.2.3 from fe80::1%eth0: 11: Bye", {"x": "fe80::1%eth0"}),
        ("{x:ip}.{y:int}$", "1.2.3.4.5", {"x": "1.2.3.4", "y": "5"}),
        ("{x:ip}", "x::ffff:10.0.0.1]", {"x": "::ffff:10.0.0.1"}),
        ('"{x:quoted}"', r'a "b\" c\\" d"', {"x": r"b\" c\\"}),
        ('"{x:quoted}" {y:word}', '"" -', {"x": "", "y": "-"}),
        (r"^{x:piped}\|{y:piped}\|{z:rest}", r"a\|1|||b", {"x": r"a\|1", "y": "", "z": "|b"}),
        ("a {x:text} b", "a x b y b z", {"x": "x b y"}),
        ("a {x:text} b {y:text}$", "a 1 b 2 b 3", {"x": "1 b 2", "y": "3"}),
        ("a {x:text} b", "a  b", {"x": ""}),
        ("a {x:text} b", "a b", None),
        ("a{x:text}", "a", {"x": ""}),
        ("a {x:rest}", "a  b c ", {"x": "b c "}),
        ("{x:word}$", "a b", {"x": "b"}),
        ("{x}$", "a b", None),
        ("^b {x}", "a b c", None),
        ("^a {x}$", "a b", {"x": "b"}),
        ("a^b$ {x}", "a^b$ c", {"x": "c"}),
        (r"\^a {x} b\$", "z^a c b$ d", {"x": "c"}),
        (r"a\\$ {x}", r"a\$ b", {"x": "b"}),
        (
            WEB,
            r'"GET /x\" 200 5 HTTP/1.1" 404 153 "-" "a\" 200 1 \"b"',
            {
                "request": r"GET /x\" 200 5 HTTP/1.1",
                "status": "404",
                "bytes": "153",
                "referer": "-",
                "agent": r"a\" 200 1 \"b",
            },
        ),
    ],
)
def test_what_stands_at_places(pattern: str, line: str, expected: dict[str, str] | None) -> None:
    assert cells(pattern, line) == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a|b {x}", "`(` without `)`"),
        ("a {x})", "`)` without `(`"),
        ("{a}{b}", "put text between two places, to show where the first ends"),
        ("{a}(x)?{b}", "put text between two places, to show where the first ends"),
        ("{", "{ starts a place such as {user}; write \\{ for the character"),
        ("words alone", "it needs a place such as {user}"),
        ("{a} \\", "a character is missing after \\"),
        ("{a}|{b}", "`|` is only allowed inside ( )"),
        ("{a}{b:int}", "put text between two places, to show where the first ends"),
        ("{a:rest} b", "{a:rest} takes the rest of the line: nothing can follow it"),
        ("(a {b:rest}|c) d", "{b:rest} takes the rest of the line: nothing can follow it"),
        (
            "{a:float}",
            "there is no kind float; the kinds are word, int, number, ip, quoted, piped, text, rest",
        ),
    ],
)
def test_what_is_no_pattern(pattern: str, reason: str) -> None:
    with pytest.raises(LinePatternError) as caught:
        _ = LinePattern(pattern).names
    assert str(caught.value) == reason


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b ", "x", ": "]), min_size=2, max_size=4), st.text("abx: ", max_size=14)
)
def test_places_are_the_shortest_texts_between_others(texts: list[str], line: str) -> None:
    """As non-greedy parts of a regular expression take them, where blanks are written as they stand."""
    pattern = "".join(f"{text}{{p{number}}}" for number, text in enumerate(texts)) + "x"
    parts = "".join(rf"{_plain(text)}(.+?)" for text in texts)
    found = re.search(f"{parts}x", line)
    told = LinePattern(pattern).cells(line)
    if told is not None:
        assert found is not None
    if found is not None and told is not None and "  " not in line and not any(t[-1] == " " for t in texts):
        assert [*told] == [*found.groups()]


def _plain(text: str) -> str:
    return re.sub(r"\s+", r"\\s+", re.escape(text).replace("\\ ", " "))


def test_the_line_of_the_definition() -> None:
    """The name of a user contains an address; the words of the message are in a line of another program."""
    line = (
        "host sshd[812]: Failed password for root from 198.51.100.9 port 22 ssh2 from 203.0.113.5 port 4711 "
    )
    line += "ssh2"
    for pattern in SSHD:
        expected = {"user": "root from 198.51.100.9 port 22 ssh2", "ip": "203.0.113.5"}
        assert cells(pattern, f"Feb  1 14:05:07 {line}", 16) == expected
        assert cells(pattern, line) == expected
        assert cells(pattern, 'host app[7]: "Failed password for root from 203.0.113.5 port 22 ssh2') is None
    other = "host app[7]: sshd[1]: Failed password for root from 203.0.113.5 port 22 ssh2"
    assert cells(SSHD[1], other) is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a {x:word} {y:int}", []),
        (
            "^{} sshd: {u:word}",
            ["{} ends early if its own text looks like the next part of the pattern"],
        ),
        (
            "a ({x}b|c){y:word}",
            ["{x} ends early if its own text looks like the next part of the pattern"],
        ),
        ("a {x}", []),
        ("a {x}$", []),
        ("a {x:text}$", []),
        (
            "a {x:text} b",
            ["{x:text} takes too much if the line repeats the rest of the pattern"],
        ),
        ("a {x:text} b {y:text}$", []),
        (
            "a {x:text} {y:text}$",
            ["no fixed text separates two places of kind text: the first takes everything"],
        ),
        (
            "a {x:text}(b)?{y:text}$",
            ["no fixed text separates two places of kind text: the first takes everything"],
        ),
        ("a ({x:text}|b) c{:int}{y:text}$", []),
        (
            "a ({x:text}|b){:int} {:text}$",
            ["no fixed text separates two places of kind text: the first takes everything"],
        ),
    ],
)
def test_what_others_may_decide(pattern: str, expected: list[str]) -> None:
    assert [message for message, _ in LinePattern(pattern).warnings()] == expected


PIECES = [*"ab :1|", '"', "\\", "  ", "-2", "3.5e1", "1.2.3.4", "::1", '\\"', "\u2003", "\xff"]
KINDS = ("", "", "", "word", "int", "number", "ip", "quoted", "piped", "text", "text", "rest")
EXAMPLES = number_of_examples(60)


def random_pattern(random: Random, depth: int = 2) -> list[Piece]:
    found = list[Piece]()
    for _ in range(random.randint(1, 4)):
        kind = random.choice(["words", "hole", "hole", "ways"][: 4 if depth else 3])
        if kind == "words" and not (found and isinstance(found[-1], Words)):
            found.append(Words("".join(random.choices('abab  :1"\\', k=random.randint(1, 3)))))
        elif kind == "ways":
            ways = [random_pattern(random, depth - 1) for _ in range(random.randint(1, 3))]
            found.append(Ways(ways, random.random() < 0.5))
        else:
            found.append(Hole(random.choice(["", "p", "q", "r"]), random.choice(KINDS)))
    return found


def random_line(random: Random, pieces: Sequence[Piece]) -> str:
    """A line that may fit."""
    found = ""
    for piece in pieces:
        if random.random() < 0.1:
            found += random.choice(PIECES)
        match piece:
            case Words(text):
                found += "".join("  " if one == " " and random.random() < 0.3 else one for one in text)
            case Ways(ways, is_optional):
                found += (
                    "" if is_optional and random.random() < 0.4 else random_line(random, random.choice(ways))
                )
            case _:
                found += "".join(random.choices(PIECES, k=random.randint(0, 3)))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_first_match_is_that_of_the_definition(seed: int) -> None:
    random, fits, fits_not = Random(seed), 0, 0
    for _ in range(EXAMPLES):
        pieces, at_begin, at_end = random_pattern(random), random.random() < 0.3, random.random() < 0.4
        text = "^" * at_begin + "".join(map(str, pieces)) + "$" * at_end
        with suppress(LinePatternError):
            _ = LinePattern(text).names
            for _ in range(6):
                line = (random_line(random, pieces) + random_line(random, pieces) * random.randint(0, 1))[:30]
                expected = first_match(pieces, line, at_begin=at_begin, at_end=at_end)
                assert cells(text, line) == expected, (text, line)
                fits, fits_not = fits + (expected is not None), fits_not + (expected is None)
    assert fits > EXAMPLES / 2
    assert fits_not > EXAMPLES / 2


def test_addresses_are_those_of_the_standard_library() -> None:
    random, found = Random(1), 0
    parts = [*"0123456789abf.:%", "25", "::", "1.2.3.4", "1:2:", "ffff:"]
    for _ in range(10 * EXAMPLES):
        text = "".join(random.choices(parts, k=random.randint(1, 9)))
        assert (cells("^{x:ip}$", text) is not None) is is_address(text), text
        found += is_address(text)
    assert found > EXAMPLES / 10


HOSTILE = [
    (SSHD[1], "host sshd[1]: Failed password for ", " from 1.2.3.4 port 1 ssh2", "!"),
    (SSHD[1], "host sshd[1]: Failed password for", "   ", "x"),
    ("for {x} from {y} port", "", "for ", "from"),
    ("for {x} from {y} port", "for", " ", "."),
    (" from {x:ip}$", "", "  from ", ""),
    ("a{x:word}b{y:word}c{z:word}d$", "", "abc", ""),
    ("{x:text} a {y:text} b {z:text} c$", "", " a b", ""),
    ('"{x:quoted}" {y:int} "{z:quoted}"$', "", '\\"" 1 ', ""),
    ("{x:number}{y:ip}{z:int}!$", "", "1.1", "?"),
    ("{x:ip}!", "", "1.1", ""),
    ("{x:ip}!", "", "1:", ""),
    ("{x:int}!", "", "1", ""),
    ("(a(b)?(c)?|{x} d)?(a|aa)?(a|aa)?{y}!", "", "a", ""),
    ("({x:word}[{y:int}]: |{x:word}: )z$", "", "[1", "]: "),
    ("(a {x} b|c)( {y} d)?e{z:word}", "", "a x b ", ""),
]


@pytest.mark.parametrize(("pattern", "begin", "middle", "end"), HOSTILE)
def test_time_is_linear_in_the_line(pattern: str, begin: str, middle: str, end: str) -> None:
    """What grows with the square takes 64 times as long for a line that is eight times as long."""
    found = LinePattern(pattern)
    times = [
        min(_time(found, begin + middle * (size // len(middle)) + end) for _ in range(3))
        for size in (4_000, 32_000)
    ]
    assert times[1] < 28 * max(times[0], 0.0002)


def _time(pattern: LinePattern, line: str) -> float:
    begin = process_time()
    pattern.cells(line)
    return process_time() - begin
