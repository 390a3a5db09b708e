"""Changes texts at random: their characters, their bytes, their tokens."""

import re
from collections.abc import Sequence
from random import Random

ODD = (
    *(
        "\0",
        "\x1b[2J",
        "\r",
        "\t",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u202e",
        "\xa0",
        "\x7f",
    ),
    *(
        "ä",
        "ß",
        "λ",
        "٣",
        "²",
        "Ⅷ",
        "\N{MATHEMATICAL DOUBLE-STRUCK DIGIT ONE}",
        "😀",
        "e\u0301",
        "\ud800",
        "\udcff",
        "\U0010ffff",
    ),
    *(
        '"',
        "'",
        "\\",
        '\\"',
        "\\n",
        "\\u0000",
        "\\ud800",
        "\\x",
        "`",
        "$",
        "%",
        "%*",
        "*%",
        "#",
        "@",
        "&",
        "~",
    ),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        ":",
        ".",
        "..",
        "|",
        "-",
        "_",
        "=",
        "<",
        ">",
        "!",
        "?",
        "^",
        "*",
    ),
)
NUMBERS = (
    *("0", "-0", "00", "007", "1", "-1", "+5", "1.5", ".5", "5.", "1e5", "1e999", "-1e-999", "1_000"),
    *("2147483647", "2147483648", "-2147483648", "4294967296", "9223372036854775808", "9" * 40),
    *("9" * 4300, "1" + "0" * 4299, "9" * 5000, "9" * 100_000, "0x7fffffff", "0xffffffff", "0b2", "0o17"),
    *("0x" + "f" * 5000, "NaN", "Infinity", "-Infinity", "null", "true", "1000000", "150", "151"),
)
TOKEN = re.compile(
    r"""\s+ | %[^\n]* | "(?:\\.|[^"\\\n])*" | [#@]?[A-Za-z_'][A-Za-z0-9_']* | \d+
    | :- | :~ | \.\. | [<>!=]=? | .""",
    re.VERBOSE | re.DOTALL,
)
OPERATORS = frozenset((*"+-*/\\&?^<>=", "<=", ">=", "!=", "=="))
BRACKETS = (
    *(
        ("f(", ")"),
        ("(", ")"),
        ("(", ",)"),
        ("[", "]"),
        ("{", "}"),
        ("|", "|"),
        ("-", ""),
        ("~", ""),
        ('"', '"'),
    ),
    *(
        ('{"a":', "}"),
        ("not ", ""),
        ("1+(", ")"),
        ("(1;", ")"),
        ("#sum{1:", "}"),
        ("f(1,", ")"),
        ("%*", "*%"),
    ),
)
"""Brackets in which a piece of text can be nested."""

DEPTHS = (3, 20, 100, 149, 151, 400, 1000, 5000, 30_000)
REPEATS = (2, 3, 10, 100, 1000, 20_000)
LONGEST_REPEAT = 100_000
"""Repeating makes texts hardly longer than this."""


def rarely_large(random: Random, sizes: Sequence[int]) -> int:
    """One of ascending sizes, mostly one of the first."""
    return sizes[min(int(random.expovariate(0.7)), len(sizes) - 1)]


def place(random: Random, text: str) -> int:
    """An offset in a text."""
    return random.randint(0, len(text))


def span(random: Random, text: str) -> tuple[int, int]:
    """A range of a text, mostly a short one."""
    begin = place(random, text)
    length = random.choice((1, 1, 2, 5, len(text) // 4, len(text)))
    return begin, min(len(text), begin + length)


def change_characters(random: Random, text: str, others: Sequence[str]) -> str:
    """A text with one change to its characters or bytes; `others` are texts to take pieces of."""
    begin, end = span(random, text)
    piece = text[begin:end]
    match random.randrange(12):
        case 0:
            return text[:begin] + text[end:]
        case 1:
            return text[:end] + text[begin:]
        case 2:
            return text[:begin]
        case 3:
            return text[:begin] + random.choice(ODD) + text[begin:]
        case 4:
            return text[:begin] + random.choice(ODD) + text[end:]
        case 5:
            other = random.choice(others)
            return text[:begin] + other[place(random, other) :]
        case 6:
            return text[:begin] + random.choice(NUMBERS) + text[end:]
        case 7:
            return text[:begin] + repeated(random, piece or "(") + text[end:]
        case 8:
            return text[:begin] + repeated(random, random.choice(ODD)) + text[begin:]
        case 9:
            return text[:begin] + nested(random, piece or "a") + text[end:]
        case 10:
            code = ord(text[begin]) ^ (1 << random.randrange(8)) if begin < len(text) else 0
            return text[:begin] + chr(code) + text[begin + 1 :]
        case _:
            return flipped(random, text)


def flipped(random: Random, text: str) -> str:
    """A text with a bit of a byte changed, so that it may be no UTF-8 any more."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    if not data:
        return "\udcff"
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return data.decode("utf-8", "surrogateescape")


def repeated(random: Random, piece: str) -> str:
    """A piece of text many times."""
    return piece * min(rarely_large(random, REPEATS), LONGEST_REPEAT // max(1, len(piece)) + 1)


def nested(random: Random, text: str) -> str:
    """A text within many brackets of a kind; sometimes they are not closed."""
    opening, closing = random.choice(BRACKETS)
    depth = rarely_large(random, DEPTHS)
    return opening * depth + text + closing * random.choice((depth, depth, depth - 1, 0))


def kind_of_token(token: str) -> str:
    """The kind of a token; tokens of a kind often stand in the same places."""
    if token[0].isalpha() and token.isalnum():
        return "variable" if token[0].isupper() else "name"
    if token.isdigit():
        return "number"
    return "operator" if token in OPERATORS else "blank" if token.isspace() else token[0]


def replace_token(random: Random, text: str, others: Sequence[str]) -> str:
    """A text in which one token is another of the same kind, so that it may well be valid."""
    tokens = TOKEN.findall(text) or ["."]
    at = random.randrange(len(tokens))
    kind = kind_of_token(tokens[at])
    known = (*tokens, *TOKEN.findall(random.choice(others)))
    tokens[at] = random.choice([token for token in known if kind_of_token(token) == kind])
    return "".join(tokens)


def change_tokens(random: Random, text: str, others: Sequence[str], words: Sequence[str]) -> str:
    """A text with one change to its tokens; others come from `others` and `words`."""
    tokens = TOKEN.findall(text) or ["."]
    first, second = random.randrange(len(tokens)), random.randrange(len(tokens))
    match random.randrange(11):
        case 0:
            del tokens[first]
        case 1:
            tokens.insert(second, tokens[first])
        case 2:
            tokens[first], tokens[second] = tokens[second], tokens[first]
        case 3 | 4:
            tokens[first] = random.choice(words)
        case 5:
            tokens.insert(first, f" {random.choice(words)} ")
        case 6:
            tokens[first] = random.choice(TOKEN.findall(random.choice(others)) or ["."])
        case 7:
            tokens[first] = repeated(random, tokens[first])
        case 8:
            tokens[first] = nested(random, tokens[first])
        case 9:
            numbers = [at for at, token in enumerate(tokens) if token.isdigit()]
            tokens[random.choice(numbers) if numbers else first] = random.choice(NUMBERS)
        case _:
            begin, end = sorted((first, second))
            end = min(end, begin + 20)
            tokens[begin:end] = [repeated(random, "".join(tokens[begin:end]))]
    return "".join(tokens)
