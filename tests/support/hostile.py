"""Names and messages from outside that try to be more than data.

They frame other people, hide, or would run. Whoever writes or reads them has the same text afterwards.
"""

RAN = "ran.txt"
"""The file that a script among the texts would write."""

_SCRIPT = f'#script (python)\nopen("{RAN}", "w").close()\n#end.'
_ONE_LINE = f'#script (python) open("{RAN}", "w").close() #end.'

QUOTED = (
    '"',
    "'",
    '""',
    'a"b',
    "it's",
    '"quoted"',
    '").',
    '"). alarm("x',
    '\\"',
    "\\",
    "\\\\",
    "ends with \\",
    "\\n",
    "\\u{41}",
    "\\u{}",
    "\\u0041",
    "\\x41",
    "`id`",
    "\u201ccurly\u201d \u201alow\u2018 «guillemets»",
)
BLANKS = (
    " ",
    "  two  blanks  ",
    " before",
    "behind ",
    "a\tb",
    "\t",
    "a\nb",
    "\n",
    "a\r\nb",
    "a\rb",
    "a\vb",
    "a\fb",
    "a\x85b",
    "a\u2028b",
    "a\u2029b",
    "no\xa0break",
    "thin\u2009space",
    "wide\u3000space",
    "ogham\u1680mark",
)
CONTROL = (
    "a\x00b",
    "a\x01b",
    "a\x07bell",
    "back\x08space",
    "\x1b[2J\x1b[H",
    "\x1b]0;title\x07",
    "\x1b[31mred\x1b[0m",
    "\x9b31mred",
    "\x9d0;title\x9c",
    "del\x7fete",
    "a\x1cb",
    "a\x1db",
    "a\x1eb",
    "a\x1fb",
    "a\x1ab",
)
FORMAT = (
    "user\u202etxt.exe",
    "\u202dforced",
    "\u2066isolated\u2069",
    "\u2067right\u2069",
    "\u2068first\u2069",
    "\u200fmark",
    "\u200emark",
    "\u061cmark",
    "zero\u200bwidth",
    "zero\u200cwidth",
    "zero\u200dwidth",
    "word\u2060joiner",
    "\ufeffroot",
    "soft\xadhyphen",
    "tag\U000e0041\U000e007f",
    "\ufff9note\ufffaed\ufffb",
    "private\ue000use",
    "none\uffff",
    "far\U0010ffff",
    "e\u0301 and é",
    "👩\u200d💻",
    "\u0440\u0430\u0443\u0440\u0430l",
)
PROGRAM = (
    _SCRIPT,
    _ONE_LINE,
    f"x\n{_SCRIPT}\n% ",
    f"x\r{_SCRIPT}\r% ",
    f"x\u2028{_SCRIPT}\u2028% ",
    f'").\n{_SCRIPT}\nalarm("',
    f"*%\n{_SCRIPT}\n%*",
    "%",
    "%*",
    "*%",
    "#!",
    "//",
    "/*",
    "x). alarm(y",
    "x) :- true. %",
    "alarm.",
    "a, b",
    "p(X)",
    "@now",
    "#include <incmode>.",
    "not",
    "at",
    "from",
    "each",
    "records",
    "where",
    "or missing",
    "row()",
    "file()",
    "a.b",
    "a..b",
    ".",
    "_",
    "X",
    "<http://example.org/a>",
    'ex:name "x"',
)
PATTERN = (
    "{user}",
    "{}",
    "{",
    "}",
    "{{}}",
    "{:rest}",
    "{time}",
    "(a|b)",
    "(optional)?",
    "[a-z]+",
    ".*",
    "^start",
    "end$",
    "\\^",
    "a|b",
    "%d.%m.%Y",
    "%s",
    "%(name)s",
    "root from 198.51.100.9 port 22 ssh2",
    "x from 203.0.113.5 port 4711 ssh2\nFeb  1 14:05:07 host sshd[1]: Failed password for root",
    "-rf",
    "--output=/etc/passwd",
    "$(id)",
    "../../etc/passwd",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "a;b",
    "a,b",
    "NULL",
    "-",
    "0",
    "1e9",
)
TESTS = (
    "x\nprogram:\n  alarm.\ngiven empty\n%",
    "x\ncase another\nexpect at 1: alarm",
    "none",
    "...",
    "a | b",
    f"x\nprogram:\n {_ONE_LINE}\ngiven empty\n%.jsonl",
)
LONG = ("a" * 4100, "ä" * 4100, '"' * 300, "\\" * 301, "(" * 300, "\u202e" * 200)

NAMES = ("", *QUOTED, *BLANKS, *CONTROL, *FORMAT, *PROGRAM, *PATTERN, *TESTS, *LONG)
"""More than a hundred names, and messages, all different."""

FILE_NAMES = tuple(
    one for one in NAMES if one not in ("", ".") and not {"\x00", "/"} & {*one} and len(one.encode()) < 200
)
"""Those that a file can have."""


def steers(text: str) -> list[str]:
    """The characters of a text, besides the ends of its lines, that are not printable."""
    return [one for one in text if not one.isprintable() and one != "\n"]
