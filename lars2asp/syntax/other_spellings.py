"""How people spell what they know from elsewhere, and how that is written here: a table for syntax errors.

Each entry is a pattern of text with what is wrong with it and what to write in its place. It speaks of a
syntax error if the pattern covers the place at which the text could not go on; the first that does is told.
"""

from typing import NamedTuple

UNITS = {
    **dict.fromkeys(("ms", "msecs", "millisecond", "milliseconds", "millis"), "msec"),
    **dict.fromkeys(("s", "secs", "second", "seconds"), "sec"),
    **dict.fromkeys(("m", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hours"), "hour"),
    **dict.fromkeys(("d", "days"), "day"),
    **{unit: unit for unit in ("msec", "sec", "min", "hour", "day")},
    **dict.fromkeys(("t", "tick", "ticks", "step", "steps"), ""),
}
"""Names of units, in small letters, and the unit that is meant; ticks have none."""

CHARACTERS = {
    **{"\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2190": ":-", "\u2227": ",", "\xac": "not"},
    **dict.fromkeys("\u2212\u2013\u2014", "-"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\xab\xbb", '"'),
    **dict.fromkeys("\xa0\u2009\u202f\u3000\ufeff\u200b", "a plain blank"),
    **{"\u25c7": "in", "\u25a1": "always in", "\u229e": "in"},
}
"""Characters of other alphabets and keyboards, and what is written in their place."""


_WITHIN = r"(?:[^()\n]|\([^()\n]*\))*"
PARTS = {
    "ATOM": rf"(?<![\w'])(?!(?:in|at|always|not)(?![\w'(]))-?[_']*[a-z][\w']*(?:\({_WITHIN}\))?",
    "TERM": rf"(?:@?(?<![\w'])[\w']+(?:\({_WITHIN}\))?)",
    "WINDOW": r"(?:\[[^\[\]\n]*\]|\{[^{}\n]*\})",
    "NUMBER": r"(?<![\w'])[\w']+",
}
"""What stands for what in the patterns."""


class Spelling(NamedTuple):
    """What somebody may write, what is said of it, and what to write.

    Attributes:
        pattern: a regular expression in which `ATOM` and the like stand for `PARTS`; its group `mark` is
            what the message points at, or all of it.
        message: what is wrong.
        hint: what to write; both have names of groups in braces, and what follows from them.
    """

    pattern: str
    message: str
    hint: str


_IN = r"\s*(?:in\s*)?"
_OTHER_SYSTEMS = (
    Spelling(
        r"time_win\(\s*(?P<number>NUMBER)\s*,[^,()]*,[^,()]*,\s*@\(\s*(?P<tick>TERM)\s*,\s*(?P<atom>ATOM)\s*\)\s*\)",
        "windows are no functions here",
        "write {atom} at {tick} in [{number}]",
    ),
    Spelling(
        r"@\(\s*(?P<tick>TERM)\s*,\s*(?P<atom>ATOM)\s*\)",
        "the tick stands behind the atom here",
        "write {atom} at {tick}",
    ),
    Spelling(
        r"COMP\(\s*(?P<sign>[<>=!]+)\s*,\s*(?P<left>TERM)\s*,\s*(?P<right>TERM)\s*\)",
        "comparisons are no functions here",
        "write {left} {sign} {right}",
    ),
    Spelling(
        r"MATH\(\s*(?P<sign>[-+*/])\s*,\s*(?P<value>TERM)\s*,\s*(?P<left>TERM)\s*,\s*(?P<right>TERM)\s*\)",
        "arithmetic is no function here",
        "write {value} = {left} {sign} {right}",
    ),
    Spelling(
        r"\[\s*\$\s*,\s*(?P<number>NUMBER)\s*\]\s*\[\s*B\s*\]\s*(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "write {atom} always in [{number}]",
    ),
    Spelling(
        r"\[\s*\$\s*,\s*(?P<number>NUMBER)\s*\]\s*(?:\[\s*D\s*\]\s*)?(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "write {atom} in [{number}]",
    ),
    Spelling(
        r"\[\s*#\s*,\s*(?P<number>NUMBER)\s*\]\s*(?:\[\s*[DB]\s*\]\s*)?(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "write {atom} in [{number} #]",
    ),
    Spelling(
        r"\[\s*@\s*,\s*(?P<tick>TERM)\s*\]\s*(?P<atom>ATOM)",
        "the tick stands behind the atom here",
        "write {atom} at {tick}",
    ),
    Spelling(
        r"@(?P<tick>[A-Z][\w']*|\d+)\s+(?P<atom>ATOM)" + _IN + r"(?P<window>WINDOW)",
        "the tick stands behind the atom here",
        "write {atom} at {tick} in {window}",
    ),
    Spelling(
        r"@(?P<tick>[A-Z][\w']*|\d+)\s+(?P<atom>ATOM)",
        "the tick stands behind the atom here",
        "write {atom} at {tick}",
    ),
    Spelling(
        r"#trigger_frequency\s*\(\s*(?P<number>\d+)\s*\w*\s*\)\s*(?P<rule>ATOM\s*:-[^.\n]*?)\s*\.",
        "there is no #trigger_frequency",
        r"write {rule}, @now \ {number} = 0. where {number} is in ticks",
    ),
    Spelling(
        r"(?P<mark>#trigger_frequency)\s*\(\s*(?P<number>\d+)[^)\n]*\)",
        "there is no #trigger_frequency",
        r"write @now \ {number} = 0 in the body, where {number} is in ticks",
    ),
    Spelling(
        r"&(?P<name>[a-z][\w']*)\(\s*(?P<given>[^;()]*?)\s*;\s*(?P<found>[^;()]*?)\s*\)",
        "external atoms are functions here",
        "write {found} = @{name}({given})",
    ),
)

_ORDER = (
    Spelling(
        rf"always\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "`always` stands behind the atom",
        "write {atom} always in {window}",
    ),
    Spelling(
        rf"(?:box|throughout|historically|globally)\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "what holds at every tick of a window is said by `always`",
        "write {atom} always in {window}",
    ),
    Spelling(
        rf"(?:diamond|sometimes?|eventually|once|ever|exists)\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "what holds at some tick of a window is said by `in`",
        "write {atom} in {window}",
    ),
    Spelling(
        r"(?:diamond|sometimes?|eventually|once|ever)\s+(?P<atom>ATOM)",
        "what held at some tick is said by `at`",
        "write {atom} at _ for any tick up to now, or {atom} in [5] for the last ones",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+not\s+(?P<words>always\s+in|always|in)\s*(?P<window>WINDOW)",
        "`not` stands before the atom",
        "write not {atom} {words} {window}",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+in\s*(?P<window>WINDOW)\s*(?P<words>always|at\s+(?:least|most)\s+TERM|at\s+TERM|count\s+TERM)",
        "the window stands at the end",
        "write {atom} {words} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?:(?:at_?)?least|atleast)\s+(?P<number>TERM){_IN}(?P<window>WINDOW)",
        "a least number of ticks is said by `at least`",
        "write {atom} at least {number} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?:(?:at_?)?most|atmost)\s+(?P<number>TERM){_IN}(?P<window>WINDOW)",
        "a largest number of ticks is said by `at most`",
        "write {atom} at most {number} in {window}",
    ),
)

_COUNTS = tuple(
    Spelling(
        rf"(?P<atom>ATOM)\s+count\s*(?P<mark>{sign})\s*(?P<number>TERM){_IN}(?P<window>WINDOW)",
        "behind `count` stands a number or a variable",
        f"write {{atom}} {words} in {{window}}",
    )
    for sign, words in (
        (">=", "at least {number}"),
        ("<=|=<", "at most {number}"),
        (">", "at least {above}"),
        ("<", "at most {below}"),
        ("==|=", "count {number}"),
    )
)
_AGGREGATES = (
    *(
        Spelling(
            rf"#count\s*\{{\s*(?P<atom>ATOM)\s*\}}\s*{sign}\s*(?P<number>TERM)\s*(?P<mark>in)\s*(?P<window>WINDOW)",
            "ticks at which an atom holds are counted without #count",
            f"write {{atom}} {words} in {{window}}",
        )
        for sign, words in ((">=", "at least {number}"), (">", "at least {above}"), ("<", "at most {below}"))
    ),
    Spelling(
        r"(?P<function>#(?:count|sum\+?|min|max))\s*\{(?P<terms>[^{}:]*):\s*(?P<atom>[^{};]*?)\s*\}"
        r"(?P<bound>\s*[<>=!]+\s*TERM)?\s*(?P<mark>in)\s*(?P<window>WINDOW)",
        "the window of an aggregate stands with the atoms in it",
        "write {function} {{{terms}: {atom} in {window} }}{bound}",
    ),
)

_WINDOWS = (
    Spelling(
        r"\[\s*#\s*(?P<number>NUMBER)\s*\]",
        "the number of arrivals stands before #",
        "write [{number} #]",
    ),
    Spelling(
        r"\[\s*[a-z]+\s+(?P<number>\d+)\s*\]", "a window has a size, and a unit behind it", "write [{number}]"
    ),
    Spelling(r"\[\s*[=<>]+\s*(?P<number>\d+)\s*\]", "a window has a size alone", "write [{number}]"),
    Spelling(
        r"\[\s*(?P<number>\d+)\s*,\s*(?P<step>\d+)\s*\]",
        "a window has a size, and a step behind `step`",
        "write [{number} step {step}], or {{{number},{step}}} for the ticks {number} and {step} ago",
    ),
    Spelling(
        r"\[\s*\*\s*\]",
        "the whole timeline is no window",
        "write at _ in place of in [*] for any tick up to now, or at T",
    ),
    Spelling(
        r"(?<![\w'])(?P<words>always\s+in|always|in)\s*\(?\s*(?P<number>\d+)\s*(?P<unit>[A-Za-z]+)?\s*\)?(?![\w'(])",
        "a window stands in brackets",
        "write {words} [{number} {unit}]",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+(?P<mark>last|within|over|during|for)\s+"
        r"(?:the\s+)?(?:last\s+)?\[?\s*(?P<number>\d+)\s*(?P<unit>[A-Za-z]+)?\s*\]?",
        "a window stands behind `in`",
        "write {atom} in [{number} {unit}]",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+(?P<words>at\s+least\s+TERM|at\s+most\s+TERM|count\s+TERM|always)\s*(?=[.,;])",
        "a window is missing here",
        "write {atom} {words} in [5], with the size that is meant",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+in\s*(?=[.,;])",
        "a window is missing here",
        "write {atom} in [5], with the size that is meant",
    ),
)

_OPERATORS = (
    Spelling(
        r"\A\s*(?P<body>(?:if\s+)?ATOM(?:\s*,\s*(?:not\s+)?ATOM)*)\s*(?P<mark>=>|->)\s*(?P<head>ATOM)\s*\.?\s*\Z",
        "the head of a rule stands first",
        "write {head} :- {body}.",
    ),
    Spelling(
        r"\A\s*if\s+(?P<body>[^.]*?)\s*(?:,|then)\s*(?P<head>ATOM)\s*\.?\s*\Z",
        "the head of a rule stands first",
        "write {head} :- {body}.",
    ),
    Spelling(
        r"\A\s*(?P<head>ATOM)\s+(?P<mark>if|when|:=|<-|<=)\s*",
        "a rule has :- behind its head",
        "write {head} :- ...",
    ),
    Spelling(
        r"\A\s*ATOM\s*(?P<mark>&&?|and\b)[^.]*?(?::-|:=)",
        "a head has one atom, or alternatives",
        "write a rule for each atom",
    ),
    Spelling(
        r"(?P<left>TERM)\s*(?P<mark>===)\s*(?P<right>TERM)",
        "=== is no comparison",
        "write {left} = {right}",
    ),
    Spelling(
        r"(?P<left>TERM)\s*(?P<mark>=/=|\\==|\\=|~=|/=)\s*(?P<right>TERM)",
        "{mark} is no comparison",
        "write {left} != {right}",
    ),
    Spelling(
        r"(?P<left>TERM)\s*(?P<mark>=>)\s*(?P<right>TERM)",
        "=> is no comparison",
        "write {left} >= {right}",
    ),
    Spelling(
        r"(?P<left>TERM)\s*(?P<mark>=<)\s*(?P<right>TERM)",
        "=< is no comparison",
        "write {left} <= {right}",
    ),
    Spelling(
        r"(?P<left>[A-Z_][\w']*)\s*(?P<mark>:=|\bis\b)\s*(?P<right>[^.,;\n]*)",
        "an equation has the sign =",
        "write {left} = {right}",
    ),
    Spelling(
        r"(?P<left>TERM)\s+(?P<mark>mod|rem)\s+(?P<right>TERM)",
        "the remainder has the sign \\",
        r"write {left} \ {right}",
    ),
    Spelling(
        r"(?P<left>TERM)\s*(?P<mark>%)\s*(?P<right>TERM)\s*[.,;)][^\n]*(?:\s*%[^\n]*)*\s*",
        "% begins a comment here",
        r"write {left} \ {right} for the remainder",
    ),
    Spelling(
        r"(?P<left>TERM)\s*(?P<mark>//)\s*(?P<right>TERM)",
        "// is no operator",
        "a quotient is cut off in any case: write {left} / {right}",
    ),
    Spelling(
        r"(?P<left>ATOM|WINDOW|\S+)\s*(?P<mark>&&|(?<!\w)and(?!\w))\s*(?P<right>(?:not\s+)?(?:ATOM|[^\s.]+))",
        "literals are separated by commas",
        "write {left}, {right}",
    ),
    Spelling(
        r"(?P<mark>\|\||(?<!\w)or(?!\w))\s*(?:not\s+)?(?:ATOM|[^\s.]+)",
        "a body has no alternatives",
        "write a rule for each of them, with the same head",
    ),
    Spelling(r"(?P<mark>!)\s*(?P<atom>ATOM)", "! is no negation", "write not {atom}"),
    Spelling(
        r"(?P<left>ATOM)\s+(?P<mark>since)\s+(?P<right>ATOM)",
        "there is no `since`",
        "say it by two rules: since :- {right}. and since :- {left}, since in {{1}}.",
    ),
    Spelling(
        r"(?P<left>ATOM)\s+(?P<mark>until)\s+(?P<right>ATOM)",
        "there is no `until`: rules look back",
        "say when it ended: {right}, {left} at @now-1",
    ),
    Spelling(
        r"(?P<mark>[A-Z][\w']*)\(",
        "{mark} is a variable: names of predicates and functions begin with a small letter",
        "write {small}(...)",
    ),
    Spelling(r"(?m:^)[ \t]*--[^\n]*", "comments begin with %", "write % in place of --"),
    Spelling(
        r"#semantics\s+(?P<mark>\"?(?P<name>[A-Za-z]+)\"?)",
        "{mark} is no semantics",
        "write #semantics recorded. or #semantics strict., in small letters and without quotes",
    ),
)

SPELLINGS = (*_OTHER_SYSTEMS, *_ORDER, *_COUNTS, *_AGGREGATES, *_WINDOWS, *_OPERATORS)
"""The table."""
