"""How people spell what they know from elsewhere, and how that is written here: a table for syntax errors.

Each entry is a pattern of text with what is wrong with it and what to write in its place. It speaks of a
syntax error if the pattern covers the place at which the text could not go on, and what is to be written can
be read there; the first that does is told.
"""

from typing import NamedTuple

CHARACTERS = {
    **{"\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2190": ":-", "\u2227": ",", "\xac": "not"},
    **dict.fromkeys("\u2212\u2013\u2014", "-"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\xab\xbb", '"'),
    **dict.fromkeys("\xa0\u2009\u202f\u3000\ufeff\u200b", "a plain blank"),
    **{"\u25c7": "in", "\u25a1": "always in", "\u229e": "in"},
}
"""Characters of other alphabets and keyboards, and what is written in their place."""

MOST_NESTED = 4
"""How deep parentheses within parentheses are followed: what is nested deeper is not recognised."""

_STRING = r'"(?:[^"\\\n]|\\.)*+"'
_WITHIN = rf"(?:[^()\"\n]|{_STRING})*+"
for _ in range(MOST_NESTED):
    _WITHIN = rf"(?:[^()\"\n]|{_STRING}|\({_WITHIN}\))*+"
_NAMED = rf"@?(?<![\w'])[\w']+(?:\({_WITHIN}\))?"
_OPERAND = rf"(?:-?(?:{_NAMED}|\({_WITHIN}\)|{_STRING}|\|[^|\n]*\|))"
PARTS = {
    "ATOM": rf"(?<![\w'])(?!(?:in|at|always|not)(?![\w'(]))-?[_']*[a-z][\w']*(?:\({_WITHIN}\))?",
    "TERM": rf"(?:{_NAMED}|{_STRING})",
    "OPERAND": _OPERAND,
    "SUM": rf"(?>{_OPERAND}(?:\s*(?:\*\*|\.\.|[-+*/\\&?^])\s*{_OPERAND})*)",
    "WINDOW": r"(?:\[[^\[\]\n]*\]|\{[^{}\n]*\})",
    "NUMBER": r"(?<![\w'])[\w']+",
    "TEXT": rf"(?:[^.\"]|{_STRING}|\.\.|\.(?=[0-9]))",
    "ARGUMENTS": rf"(?:[^();\"\n]|{_STRING}|\({_WITHIN}\))*",
    "STRING": _STRING,
    "WITHIN": _WITHIN,
}
"""What stands for what in the patterns. An operand may be in parentheses, a sum has operands and operators, a
text is a piece of a statement without its dot."""


class Spelling(NamedTuple):
    """What somebody may write, what is said of it, and what to write.

    Attributes:
        pattern: a regular expression in which `ATOM` and the like stand for `PARTS`; its group `mark` is
            what the message points at, or `whole`, or all of it.
        message: what is wrong.
        written: what takes the place of what the pattern covers, or of its group `whole`; empty where that is
            left to the reader.
        hint: what to do, with `written` as another group; all three have names of groups in braces, and what
            follows from them (`spelling_advice.py`).
    """

    pattern: str
    message: str
    written: str
    hint: str = "write {written}"


_IN = r"\s*(?:in\s*)?"
_UNIT = r"(?:\s*(?P<unit>[A-Za-z]+))?"
_SIZE = r"\s*(?P<number>NUMBER)(?:\s+(?P<unit>[a-z]+))?\s*"
_TICK = r"(?P<tick>[A-Z][\w']*(?:\s*[-+]\s*\d+)?|\d+|\([^()\n]*\))"
_ENCLOSED = r"(?:\(\s*)?(?P<atom>ATOM)(?:\s*\))?"
_OTHER_SYSTEMS = (
    *(
        Spelling(
            rf"{window}\(\s*(?P<number>NUMBER)\s*,{others}\s*{form}\s*\)",
            "windows are not functions here",
            written.replace("WINDOW", size),
        )
        for window, others, size in (
            ("time_win", r"[^,()]*,\s*1\s*,", "[{number}]"),
            ("tuple_win", r"(?:[^,()]*,[^,()]*,)?", "[{number} #]"),
        )
        for form, written in (
            (rf"@\(\s*(?P<tick>SUM)\s*,\s*{_ENCLOSED}\s*\)", "{atom} at {tick} in WINDOW"),
            (rf"diamond\(\s*not\s*\(\s*{_ENCLOSED}\s*\)\s*\)", "not {atom} always in WINDOW"),
            (rf"box\(\s*not\s*\(\s*{_ENCLOSED}\s*\)\s*\)", "not {atom} in WINDOW"),
        )
    ),
    Spelling(
        r"@\(\s*(?P<tick>SUM)\s*,\s*(?P<atom>ATOM)\s*\)",
        "the tick stands behind the atom here",
        "{atom} at {tick}",
    ),
    Spelling(
        r"COMP\(\s*(?P<sign>[<>=!~/\\]+)\s*,\s*(?P<left>SUM)\s*,\s*(?P<right>SUM)\s*\)",
        "comparisons are not functions here",
        "{left} {relation} {right}",
    ),
    Spelling(
        r"MATH\(\s*(?P<sign>[-+*/])\s*,\s*(?P<value>SUM)\s*,\s*(?P<left>SUM)\s*,\s*(?P<right>SUM)\s*\)",
        "arithmetic is not a function here",
        "{value} = {left_operand} {sign} {right_operand}",
    ),
    Spelling(
        rf"\[\s*\$\s*,{_SIZE}\]\s*\[\s*B\s*\]\s*(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "{atom} always in [{size}]",
    ),
    Spelling(
        rf"\[\s*\$\s*,{_SIZE}\]\s*(?:\[\s*D\s*\]\s*)?(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "{atom} in [{size}]",
    ),
    Spelling(
        rf"\[\s*\$\s*,{_SIZE}\]\s*\[\s*@\s*,\s*(?P<tick>SUM)\s*\]\s*(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "{atom} at {tick} in [{size}]",
    ),
    Spelling(
        r"\[\s*#\s*,\s*(?P<number>NUMBER)\s*\]\s*(?:\[\s*[DB]\s*\]\s*)?(?P<atom>ATOM)",
        "windows stand behind the atom here",
        "{atom} in [{number} #]",
    ),
    Spelling(
        r"\[\s*@\s*,\s*(?P<tick>SUM)\s*\]\s*(?P<atom>ATOM)",
        "the tick stands behind the atom here",
        "{atom} at {tick}",
    ),
    Spelling(
        rf"@{_TICK}\s+(?P<atom>ATOM)\s+always{_IN}(?P<window>WINDOW)",
        "the tick stands behind the atom here",
        "{atom} always in {window}",
        "an atom that holds at all ticks of a window names none of them: write {written}, "
        "or {atom} at {tick} in {window}",
    ),
    Spelling(
        rf"@{_TICK}\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "the tick stands behind the atom here",
        "{atom} at {tick} in {window}",
    ),
    Spelling(
        rf"@{_TICK}\s+(?P<atom>ATOM)",
        "the tick stands behind the atom here",
        "{atom} at {tick}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s*@\s*{_TICK}{_IN}(?P<window>WINDOW)",
        "the tick of an atom stands behind `at`",
        "{atom} at {tick} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s*@\s*{_TICK}",
        "the tick of an atom stands behind `at`",
        "{atom} at {tick}",
    ),
    Spelling(
        rf"#trigger_frequency\s*\(\s*(?P<number>\d+){_UNIT}\s*\)\s*(?P<rule>TEXT*?:-TEXT*?)\s*\.(?![.0-9])",
        "there is no #trigger_frequency",
        r"{rule}, @now \ {ticks} = 0.",
        "write {written} {ticks_are}",
    ),
    Spelling(
        rf"(?P<mark>#trigger_frequency)\s*\(\s*(?P<number>\d+){_UNIT}[^)\n]*\)",
        "there is no #trigger_frequency",
        "",
        r"write @now \ {ticks} = 0 in the body, {ticks_are}",
    ),
    Spelling(
        r"(?P<negated>not\s+)?&(?P<name>[a-z][\w']*)\(\s*(?P<given>ARGUMENTS?)\s*;\s*\)",
        "external atoms are functions here",
        "@{name}({given}) = {truth}",
        "write {written}, with a function that gives 1 where it is true, and 0 where not",
    ),
    Spelling(
        r"&(?P<name>[a-z][\w']*)\(\s*(?P<given>ARGUMENTS?)\s*;\s*(?P<found>SUM)\s*\)",
        "external atoms are functions here",
        "{found} = @{name}({given})",
    ),
    Spelling(
        r"&(?P<name>[a-z][\w']*)\(\s*(?P<given>ARGUMENTS?)\s*;\s*(?P<found>SUM(?:\s*,\s*SUM)+)\s*\)",
        "external atoms are functions here",
        "({found}) = @{name}({given})",
        "write {written}, with a function that gives tuples",
    ),
)

_ORDER = (
    Spelling(
        rf"always\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "`always` stands behind the atom",
        "{atom} always in {window}",
    ),
    Spelling(
        rf"(?:always|box|throughout|historically|globally)\s+not\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "what holds at no tick of a window is said by `not`",
        "not {atom} in {window}",
    ),
    Spelling(
        r"(?P<words>always\s+in|always|in)\s*(?P<window>WINDOW)\s*:?\s*(?P<atom>ATOM)",
        "the window stands behind the atom",
        "{atom} {words} {window}",
    ),
    Spelling(
        rf"(?:box|throughout|historically|globally)\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "what holds at every tick of a window is said by `always`",
        "{atom} always in {window}",
    ),
    Spelling(
        rf"(?:diamond|sometimes?|eventually|once|ever|exists)\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "what holds at some tick of a window is said by `in`",
        "{atom} in {window}",
    ),
    Spelling(
        r"(?:diamond|sometimes?|eventually|once|ever)\s+(?P<atom>ATOM)",
        "what held at some tick is said by `at`",
        "{atom} at _",
        "write {written} for any tick up to now, or {atom} in [5] for the last ones",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+not\s+(?P<words>always\s+in|always|in)\s*(?P<window>WINDOW)",
        "`not` stands before the atom",
        "not {atom} {words} {window}",
    ),
    Spelling(
        r"(?P<atom>ATOM)(?:\s+in)?\s*(?P<window>WINDOW)\s*(?P<words>always|at\s+(?:least|most)\s+SUM|at\s+SUM|count\s+SUM)",
        "the window stands at the end",
        "{atom} {words} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?:(?:at_?)?least|atleast)\s+(?P<number>SUM){_IN}(?P<window>WINDOW)",
        "a least number of ticks is said by `at least`",
        "{atom} at least {number} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?:(?:at_?)?most|atmost)\s+(?P<number>SUM){_IN}(?P<window>WINDOW)",
        "a largest number of ticks is said by `at most`",
        "{atom} at most {number} in {window}",
    ),
)

_COUNTS = tuple(
    Spelling(
        rf"(?P<atom>ATOM)\s+count\s*(?P<mark>{sign})\s*(?P<number>{number}){_IN}(?P<window>WINDOW)",
        "behind `count` stands a number or a variable",
        f"{words} in {{window}}",
    )
    for sign, number, words in (
        (">=", "SUM", "{atom} at least {number}"),
        ("<=|=<", "SUM", "{atom} at most {number}"),
        ("!=|<>", "SUM", "not {atom} count {number}"),
        (">", "SUM", "{atom} at least {above}"),
        ("<", r"(?!0+\b)SUM", "{atom} at most {below}"),
        ("==|=", r"0+\b", "not {atom}"),
        ("==|=", "SUM", "{atom} count {number}"),
    )
)
_COUNTED_ATOM = tuple(
    Spelling(
        form.replace("SIGN", sign).replace("FORM", atom),
        "ticks at which an atom holds are counted without #count",
        f"{{atom}} {words} in {{window}}",
        hint,
    )
    for form in (
        r"#count\s*\{\s*(?P<atom>FORM)\s*\}\s*SIGN\s*(?P<number>SUM)\s*(?P<mark>in)\s*(?P<window>WINDOW)",
        r"#count\s*\{\s*(?P<atom>FORM)\s*(?:in\s*)?(?P<window>WINDOW)\s*\}\s*SIGN\s*(?P<number>SUM)",
        r"#count\s*\{\s*(?P<atom>FORM)\s*\}\s*(?:in\s*)?(?P<window>WINDOW)\s*SIGN\s*(?P<number>SUM)",
    )
    for sign, words in (
        (">=", "at least {number}"),
        ("<=", "at most {number}"),
        (">", "at least {above}"),
        (r"<(?!\s*0+\b)", "at most {below}"),
    )
    for atom, hint in (
        (r"ATOM(?<!\))", "write {written}"),
        (
            "ATOM",
            "write {written} for one atom at all these ticks; in brackets, ({atom}), "
            "_ may have other values each time",
        ),
    )
)
_AGGREGATE = r"(?P<function>#(?:count|sum\+?|min|max))\s*\{(?P<elements>[^{}\[\]]*:[^{}\[\]]*)\}"
_AGGREGATES = (
    *_COUNTED_ATOM,
    Spelling(
        rf"{_AGGREGATE}(?P<bound>\s*[<>=!]+\s*SUM)?\s*(?P<mark>in)\s*(?P<window>WINDOW)",
        "the window of an aggregate stands with the atoms in it",
        "{function} {{{windowed} }}{bound}",
    ),
    Spelling(
        rf"{_AGGREGATE}\s*(?:in\s*)?(?P<window>WINDOW)(?P<bound>\s*[<>=!]+\s*SUM)?",
        "the window of an aggregate stands with the atoms in it",
        "{function} {{{windowed} }}{bound}",
    ),
)

_NUMBERED = rf"\s*(?P<number>\d+){_UNIT}\s*"
_STEPPED = r"(?P<step>\d+)(?:\s*(?P<step_unit>[A-Za-z]+))?\s*"
_WINDOWS = (
    Spelling(
        r"\[\s*#\s*(?P<number>NUMBER)\s*\]",
        "the number of arrivals stands before #",
        "[{number} #]",
    ),
    Spelling(
        r"\[\s*(?i:rows|tuples|events|length)\s+(?P<number>\d+)\s*\]",
        "a window of the last arrivals has a number, and # behind it",
        "[{number} #]",
    ),
    Spelling(
        rf"\[\s*(?:(?i:range|size|sliding|hop|hopping|every)\s+)?(?P<number>\d+){_UNIT}\s*,?\s*"
        rf"(?i:slide|slides|hop|every|by|advance(?:\s+by)?)\s+{_STEPPED}\]",
        "a window has its first and its last tick, and a step behind `step`",
        "[{half_open} step {step_size}]",
    ),
    Spelling(
        rf"\[\s*(?i:range|size|sliding|hop|hopping|every)\s+(?P<number>\d+){_UNIT}\s*,?\s*(?i:step)\s+{_STEPPED}\]",
        "a window has its first and its last tick, and a step behind `step`",
        "[{half_open} step {step_size}]",
    ),
    Spelling(
        r"\[\s*(?:(?i:last)\s+)?(?P<number>NUMBER)\s*#?\s*by\s+(?P<group>[A-Z][\w']*(?:\s*,\s*[A-Z][\w']*)*)\s*\]",
        "the last arrivals by a variable have # before `by`",
        "[{number} # by {group}]",
    ),
    Spelling(
        r"\[\s*(?P<number>NUMBER)\s*#\s*(?P<group>[A-Z][\w']*(?:\s*,\s*[A-Z][\w']*)*)\s*\]",
        "the last arrivals by a variable have `by` before it",
        "[{number} # by {group}]",
    ),
    Spelling(
        rf"\[\s*(?:(?i:range)\s+)?(?P<number>\d+){_UNIT}\s+(?i:tumbling)\s*\]",
        "a window of whole blocks begins with `every`",
        "[every {size}]",
    ),
    Spelling(
        rf"\[\s*(?i:tumbling|tumble|fixed|each|per|batch){_NUMBERED}\]",
        "a window of whole blocks begins with `every`",
        "[every {size}]",
    ),
    Spelling(
        rf"\[\s*(?!(?i:every)\b)(?i:[a-z]+)\s+(?P<number>\d+){_UNIT}\s*\]",
        "a window has a size, and a unit behind it",
        "[{size}]",
    ),
    Spelling(r"\[\s*(?:<=|=<|==?)\s*(?P<number>\d+)\s*\]", "a window has a size alone", "[{number}]"),
    Spelling(
        r"\[\s*(?P<number>\d+)\s*,\s*(?P<step>\d+)\s*\]",
        "a window has a size, and a step behind `step`",
        "{stepped}",
        "write {written}, or {{{number},{step}}} for the ticks {number} and {step} ago",
    ),
    Spelling(
        r"\[\s*(?P<number>\d+)\s*,\s*(?P<step>\d+)\s*\]",
        "a window has one size, or the ticks in it",
        "{ago}",
        "write {written} for the ticks from {number} to {step} ago",
    ),
    Spelling(
        r"\[\s*\*\s*\]",
        "the whole timeline is not a window",
        "",
        "write at _ in place of in [*] for any tick up to now, or at T",
    ),
    Spelling(
        r"(?P<left>[A-Z][\w']*)\s+(?P<mark>in)\s+(?P<right>OPERAND\s*\.\.\s*OPERAND)",
        "a window stands behind `in`",
        "{left} = {right}",
    ),
    Spelling(
        rf"(?<![\w'])(?P<words>always\s+in|always|in)\s*\(?\s*(?P<number>\d+){_UNIT}\s*\)?(?![\w'(])",
        "a window stands in brackets",
        "{words} [{size}]",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?P<mark>for)\s+\[?{_NUMBERED}\]?",
        "what holds throughout a window is said by `always in`",
        "{atom} always in [{size}]",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?P<mark>last|within|over|during|for)\s+(?:the\s+)?(?:last\s+)?\[?{_NUMBERED}\]?",
        "a window stands behind `in`",
        "{atom} in [{size}]",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s*(?:#|\.(?:win:)?)time\({_NUMBERED}\)",
        "a window stands behind `in`",
        "{atom} in [{size}]",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s*(?:#|\.(?:win:)?)length\(\s*(?P<number>\d+)\s*\)",
        "a window stands behind `in`",
        "{atom} in [{number} #]",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+(?P<words>at\s+least\s+SUM|at\s+most\s+SUM|count\s+SUM|always)\s*(?=[.,;])",
        "a window is missing here",
        "{atom} {words} in [5]",
        "write {written}, with the size that is meant",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+in\s*(?=[.,;])",
        "a window is missing here",
        "{atom} in [5]",
        "write {written}, with the size that is meant",
    ),
)

_COLUMN = r"(?P<column>(?:[a-z]+\((?:[^()\"\n]|STRING)*\)|STRING|[\w'][\w'.]*))\s*"
_FACTOR = rf"{_COLUMN}(?P<sign>SIGN)\s*(?P<factor>NUMBER)(?![\w.]*\w)"
_SCALED = rf"#input\b(?:[^\"]|STRING)*?(?P<whole>(?<![\w'.]){_FACTOR})"
_DECLARATIONS = (
    *(
        Spelling(
            _SCALED.replace("SIGN", sign).replace("NUMBER", number),
            "a column is multiplied by a whole number",
            written,
            hint,
        )
        for sign, number in (
            (r"\*", r"[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}|[0-9]+\.[0-9]+"),
            ("/", r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?"),
        )
        for written, hint in (
            ("{multiplied}", "write {written}"),
            ("{undivided}", "write {written}, and divide in rules: X/{divisor} for a value X of it"),
        )
    ),
    Spelling(
        r"#decimals\b[^.]*?(?P<whole>(?P<number>[0-9]+\.[0-9]+))",
        "a place has a number of decimals",
        "{digits}",
        "write {written} for numbers such as {number}",
    ),
)

_OPERATORS = (
    Spelling(
        r"\A\s*(?:if\s+)?(?P<body>(?:[^.:\"]|STRING|\.\.)+?)\s*(?P<mark>=>|->)\s*(?P<head>ATOM)\s*\.?\s*\Z",
        "the head of a rule stands first",
        "{head} :- {body}.",
    ),
    Spelling(
        r"\A\s*if\s+(?P<body>(?:[^.:\"]|STRING|\.\.)*?)\s*(?:,|then)\s*(?P<head>ATOM)\s*\.?\s*\Z",
        "the head of a rule stands first",
        "{head} :- {body}.",
    ),
    Spelling(
        r"\A\s*(?P<head>ATOM)\s+(?P<mark>if|when|:=|<-|<=)\s*",
        "a rule has :- behind its head",
        "{head} :- ",
        "write {head} :- ...",
    ),
    Spelling(
        r"\A\s*(?P<whole>(?P<left>ATOM)\s*(?P<mark>\|\||(?<!\w)or(?!\w))\s*(?P<right>ATOM))\s*(?=:-|\.)",
        "the alternatives of a head are separated by ;",
        "{left} ; {right}",
    ),
    Spelling(
        r"\A\s*ATOM\s*(?P<mark>&&?|and\b)[^.]*?(?::-|:=)",
        "a head has one atom, or alternatives",
        "",
        "write a rule for each atom",
    ),
    Spelling(
        r"(?P<left>SUM)\s*(?P<mark>===)\s*(?P<right>SUM)",
        "=== is not a comparison",
        "{left} = {right}",
    ),
    Spelling(
        r"(?P<left>SUM)\s*(?P<mark>=/=|\\==|\\=|~=|/=)\s*(?P<right>SUM)",
        "{mark} is not a comparison",
        "{left} != {right}",
    ),
    Spelling(
        r"(?P<left>SUM)\s*(?P<mark>=>)\s*(?P<right>SUM)",
        "=> is not a comparison",
        "{left} >= {right}",
    ),
    Spelling(
        r"(?P<left>SUM)\s*(?P<mark>=<)\s*(?P<right>SUM)",
        "=< is not a comparison",
        "{left} <= {right}",
    ),
    Spelling(
        r"(?P<left>[A-Z_][\w']*)\s*(?P<mark>:=|\bis\b)\s*(?P<right>(?:[^.,;()\"\n]|STRING|\(WITHIN\)|\.\.)*)",
        "an equation has the sign =",
        "{left} = {calculated}",
    ),
    Spelling(
        r"(?P<left>OPERAND)\s+(?P<mark>mod|rem)\s+(?P<right>OPERAND)",
        "the remainder has the sign \\",
        r"{left} \ {right}",
    ),
    Spelling(
        r"(?P<whole>(?P<left>OPERAND)\s*(?P<mark>%)\s*(?P<right>OPERAND))\s*[.,;)<>=!+*/-][^\n]*(?:\s*%[^\n]*)*\s*",
        "% begins a comment here",
        r"{left} \ {right}",
        "write {written} for the remainder",
    ),
    Spelling(
        r"(?P<left>OPERAND)\s*(?P<mark>//)\s*(?P<right>OPERAND)",
        "// is not an operator",
        "{left} / {right}",
        "a quotient is cut off in any case: write {written}",
    ),
    Spelling(
        r"(?P<left>ATOM|WINDOW|\S+)\s*(?P<mark>&&|(?<!\w)and(?!\w))\s*(?P<right>(?:not\s+)?(?:ATOM|[^\s.]+))",
        "literals are separated by commas",
        "{left}, {right}",
    ),
    Spelling(
        r"(?P<mark>\|\||(?<!\w)or(?!\w))\s*(?:not\s+)?(?:ATOM|[^\s.]+)",
        "a body has no alternatives",
        "",
        "write a rule for each of them, with the same head",
    ),
    Spelling(
        r"(?P<mark>(?<!\|)\|(?!\|))\s*(?=(?:not\s+)?ATOM\s*[.,;|])",
        "a body has no alternatives",
        "",
        "write a rule for each of them, with the same head",
    ),
    Spelling(r"(?P<mark>!)\s*(?P<atom>ATOM)", "! is not a negation", "not {atom}"),
    Spelling(r"(?P<mark>!)\s*\(\s*(?P<atom>ATOM)\s*\)", "! is not a negation", "not {atom}"),
    Spelling(
        r"(?P<left>(?:not\s+)?ATOM)\s+(?P<mark>since)\s+(?P<right>ATOM)",
        "`since` stands within a window, as in p in [since q]",
        "",
        "say it by two rules: {since} :- {right}. and {since} :- {left}, {since} in {{1}}.",
    ),
    Spelling(
        r"(?P<left>ATOM)\s+(?P<mark>after)\s+(?P<right>ATOM)",
        "what holds after another atom is said by a window",
        "{left} in [after {right}]",
    ),
    Spelling(
        r"(?P<left>ATOM)\s+(?P<mark>until)\s+(?P<right>ATOM)",
        "there is no `until`: rules look back",
        "{right}, {left} at @now-1",
        "say when it ended: {written}",
    ),
    Spelling(
        r"(?P<mark>[A-Z][\w']*)\(",
        "{mark} is a variable: names of predicates and functions begin with a small letter",
        "{small}(",
        "write {small}(...)",
    ),
    Spelling(r"(?m:^)[ \t]*(?P<mark>--[^\n]*)\s*", "comments begin with %", "", "write % in place of --"),
    Spelling(
        r"#semantics\s+(?P<mark>\"?(?P<name>[A-Za-z]+)\"?)",
        "{mark} is not a semantics",
        "",
        "write #semantics recorded. or #semantics strict., in small letters and without quotes",
    ),
)

SPELLINGS = (*_OTHER_SYSTEMS, *_ORDER, *_COUNTS, *_AGGREGATES, *_WINDOWS, *_DECLARATIONS, *_OPERATORS)
"""The table."""
