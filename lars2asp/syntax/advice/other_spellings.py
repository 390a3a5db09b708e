"""How people spell what they know from elsewhere, and how that is written here: a table for syntax errors.

Each entry is a pattern of text with what is wrong with it and what to write in its place. It speaks of a
syntax error if the pattern covers the place at which the text could not go on, and what is to be written can
be read there; the first that does is told.
"""

from typing import NamedTuple

from lars2asp.syntax import codes
from lars2asp.syntax.codes import Code

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
_NAMED = rf"(?:(?<![\w'.])\d+\.\d+|@?(?<![\w'])[\w']+(?:\({_WITHIN}\))?)"
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
    code: Code = codes.UNEXPECTED_TEXT


_IN = r"\s*(?:in\s*)?"
_UNIT = r"(?:\s*(?P<unit>[A-Za-z]+))?"
_SIZE = r"\s*(?P<number>NUMBER)(?:\s+(?P<unit>[a-z]+))?\s*"
_TICK = r"(?P<tick>[A-Z][\w']*(?:\s*[-+]\s*\d+)?|\d+|\([^()\n]*\))"
_ENCLOSED = r"(?:\(\s*)?(?P<atom>ATOM)(?:\s*\))?"
_OTHER_SYSTEMS = (
    *(
        Spelling(
            rf"{window}\(\s*(?P<number>NUMBER)\s*,{others}\s*{form}\s*\)",
            "write the window after the atom, not as a function",
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
        "write the tick after the atom",
        "{atom} at {tick}",
    ),
    Spelling(
        r"COMP\(\s*(?P<sign>[<>=!~/\\]+)\s*,\s*(?P<left>SUM)\s*,\s*(?P<right>SUM)\s*\)",
        "write comparisons with a sign",
        "{left} {relation} {right}",
    ),
    Spelling(
        r"MATH\(\s*(?P<sign>[-+*/])\s*,\s*(?P<value>SUM)\s*,\s*(?P<left>SUM)\s*,\s*(?P<right>SUM)\s*\)",
        "write arithmetic with a sign",
        "{value} = {left_operand} {sign} {right_operand}",
    ),
    Spelling(
        rf"\[\s*\$\s*,{_SIZE}\]\s*\[\s*B\s*\]\s*(?P<atom>ATOM)",
        "write the window after the atom",
        "{atom} always in [{size}]",
    ),
    Spelling(
        rf"\[\s*\$\s*,{_SIZE}\]\s*(?:\[\s*D\s*\]\s*)?(?P<atom>ATOM)",
        "write the window after the atom",
        "{atom} in [{size}]",
    ),
    Spelling(
        rf"\[\s*\$\s*,{_SIZE}\]\s*\[\s*@\s*,\s*(?P<tick>SUM)\s*\]\s*(?P<atom>ATOM)",
        "write the window after the atom",
        "{atom} at {tick} in [{size}]",
    ),
    Spelling(
        r"\[\s*#\s*,\s*(?P<number>NUMBER)\s*\]\s*(?:\[\s*[DB]\s*\]\s*)?(?P<atom>ATOM)",
        "write the window after the atom",
        "{atom} in [{number} #]",
    ),
    Spelling(
        r"\[\s*@\s*,\s*(?P<tick>SUM)\s*\]\s*(?P<atom>ATOM)",
        "write the tick after the atom",
        "{atom} at {tick}",
    ),
    Spelling(
        rf"@{_TICK}\s+(?P<atom>ATOM)\s+always{_IN}(?P<window>WINDOW)",
        "write the tick after the atom",
        "{atom} always in {window}",
        "for all ticks write {written}, or {atom} at {tick} in {window}",
    ),
    Spelling(
        rf"@{_TICK}\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "write the tick after the atom",
        "{atom} at {tick} in {window}",
    ),
    Spelling(
        rf"@{_TICK}\s+(?P<atom>ATOM)",
        "write the tick after the atom",
        "{atom} at {tick}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s*@\s*{_TICK}{_IN}(?P<window>WINDOW)",
        "write the tick after `at`",
        "{atom} at {tick} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s*@\s*{_TICK}",
        "write the tick after `at`",
        "{atom} at {tick}",
    ),
    Spelling(
        rf"#trigger_frequency\s*\(\s*(?P<number>\d+){_UNIT}\s*\)\s*(?P<rule>TEXT*?:-TEXT*?)\s*\.(?![.0-9])",
        "lars2asp has no #trigger_frequency",
        r"{rule}, @now \ {ticks} = 0.",
        "write {written} {ticks_are}",
    ),
    Spelling(
        rf"(?P<mark>#trigger_frequency)\s*\(\s*(?P<number>\d+){_UNIT}[^)\n]*\)",
        "lars2asp has no #trigger_frequency",
        "",
        r"write @now \ {ticks} = 0 in the body, {ticks_are}",
    ),
    Spelling(
        r"(?P<negated>not\s+)?&(?P<name>[a-z][\w']*)\(\s*(?P<given>ARGUMENTS?)\s*;\s*\)",
        "an external atom is an @-function here",
        "@{name}({given}) = {truth}",
        "write {written}, and let the function return 1 for true and 0 for false",
    ),
    Spelling(
        r"&(?P<name>[a-z][\w']*)\(\s*(?P<given>ARGUMENTS?)\s*;\s*(?P<found>SUM)\s*\)",
        "an external atom is an @-function here",
        "{found} = @{name}({given})",
    ),
    Spelling(
        r"&(?P<name>[a-z][\w']*)\(\s*(?P<given>ARGUMENTS?)\s*;\s*(?P<found>SUM(?:\s*,\s*SUM)+)\s*\)",
        "an external atom is an @-function here",
        "({found}) = @{name}({given})",
        "write {written}, and let the function return tuples",
    ),
)

_ORDER = (
    Spelling(
        rf"always\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "write `always` after the atom",
        "{atom} always in {window}",
    ),
    Spelling(
        rf"(?:always|box|throughout|historically|globally)\s+not\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "use `not` for an atom that holds at no tick of a window",
        "not {atom} in {window}",
    ),
    Spelling(
        r"(?P<words>always\s+in|always|in)\s*(?P<window>WINDOW)\s*:?\s*(?P<atom>ATOM)",
        "write the window after the atom",
        "{atom} {words} {window}",
    ),
    Spelling(
        rf"(?:box|throughout|historically|globally)\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "use `always` for an atom that holds at every tick of a window",
        "{atom} always in {window}",
    ),
    Spelling(
        rf"(?:diamond|sometimes?|eventually|once|ever|exists)\s+(?P<atom>ATOM){_IN}(?P<window>WINDOW)",
        "use `in` for an atom that holds at some tick of a window",
        "{atom} in {window}",
    ),
    Spelling(
        r"(?:diamond|sometimes?|eventually|once|ever)\s+(?P<atom>ATOM)",
        "use `at` for an atom that held at some tick",
        "{atom} at _",
        "write {written} for any tick up to now, or {atom} in [5] for the last ones",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+not\s+(?P<words>always\s+in|always|in)\s*(?P<window>WINDOW)",
        "write `not` in front of the atom",
        "not {atom} {words} {window}",
    ),
    Spelling(
        r"(?P<atom>ATOM)(?:\s+in)?\s*(?P<window>WINDOW)\s*(?P<words>always|at\s+(?:least|most)\s+SUM|at\s+SUM|count\s+SUM)",
        "write the window last",
        "{atom} {words} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?:(?:at_?)?least|atleast)\s+(?P<number>SUM){_IN}(?P<window>WINDOW)",
        "use `at least` for the smallest number of ticks",
        "{atom} at least {number} in {window}",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?:(?:at_?)?most|atmost)\s+(?P<number>SUM){_IN}(?P<window>WINDOW)",
        "use `at most` for the largest number of ticks",
        "{atom} at most {number} in {window}",
    ),
)

_LINK = r"(?:in|within|over|during|for)\s*"
_LAST = rf"\s+(?:times?\s+)?(?:{_LINK})?(?:the\s+)?(?:last\s+)?"
_THE_LAST = rf"\s+(?:times?\s+(?:{_LINK})?(?:the\s+)?(?:last\s+)?|(?:{_LINK})?(?:the\s+last|the|last)\s+)"
_NUMBERS_OF_TIMES = tuple(
    Spelling(
        rf"(?P<atom>ATOM)\s+(?P<mark>{words})\s+(?P<number>{number}){link}"
        r"(?:(?P<window>WINDOW)|(?P<span>\d+)\s*(?P<span_unit>[A-Za-z]+))",
        "write a number of ticks with `at least`, `at most` or `count`",
        f"{written} in {{spanned}}",
    )
    for words, number, link, written in (
        (r"at\s+least", "SUM", _THE_LAST, "{atom} at least {number}"),
        (r"at\s+most", "SUM", _THE_LAST, "{atom} at most {number}"),
        ("count", "SUM", _THE_LAST, "{atom} count {number}"),
        (r"more\s+than|over|above", "SUM", _LAST, "{atom} at least {above}"),
        (r"(?:fewer|less)\s+than|under|below", r"(?!0+\b)SUM", _LAST, "{atom} at most {below}"),
        ("exactly", r"0+\b", _LAST, "not {atom}"),
        ("exactly", "SUM", _LAST, "{atom} count {number}"),
    )
)
_COUNTS = tuple(
    Spelling(
        rf"(?P<atom>ATOM)\s+count\s*(?P<mark>{sign})\s*(?P<number>{number}){_IN}(?P<window>WINDOW)",
        "`count` needs a number or a variable",
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
        "count the ticks of an atom without #count",
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
    Spelling(
        rf"{_AGGREGATE}(?P<bound>\s*[<>=!]+\s*SUM)?\s*(?P<mark>in)\s*(?P<window>WINDOW)",
        "put the window inside the braces, after the atom",
        "{function} {{{windowed} }}{bound}",
    ),
    Spelling(
        rf"{_AGGREGATE}\s*(?:in\s*)?(?P<window>WINDOW)(?P<bound>\s*[<>=!]+\s*SUM)?",
        "put the window inside the braces, after the atom",
        "{function} {{{windowed} }}{bound}",
    ),
)

_NUMBERED = rf"\s*(?P<number>\d+){_UNIT}\s*"
_STEPPED = r"(?P<step>\d+)(?:\s*(?P<step_unit>[A-Za-z]+))?\s*"
_WINDOWS = (
    Spelling(
        rf"\[{_NUMBERED}\)",
        "both ends of a window count: there is no half-open window",
        "[{half_open}]",
        "write {written} to leave out the current tick, or [{size}] for both ends",
    ),
    Spelling(
        rf"\({_NUMBERED}\]",
        "both ends of a window count: there is no half-open window",
        "[{size}]",
        "write {written} for both ends, or one tick less to leave out the oldest tick",
    ),
    Spelling(
        r"\[\s*#\s*(?P<number>NUMBER)\s*\]",
        "write the number in front of #",
        "[{number} #]",
    ),
    Spelling(
        r"\[\s*(?i:rows|tuples|events|length)\s+(?P<number>\d+)\s*\]",
        "for the last arrivals write a number and #",
        "[{number} #]",
    ),
    Spelling(
        rf"\[\s*(?:(?i:range|size|sliding|hop|hopping|every)\s+)?(?P<number>\d+){_UNIT}\s*,?\s*"
        rf"(?i:slide|slides|hop|every|by|advance(?:\s+by)?)\s+{_STEPPED}\]",
        "a window with a step needs its ticks and `step`",
        "[{half_open} step {step_size}]",
    ),
    Spelling(
        rf"\[\s*(?i:range|size|sliding|hop|hopping|every)\s+(?P<number>\d+){_UNIT}\s*,?\s*(?i:step)\s+{_STEPPED}\]",
        "a window with a step needs its ticks and `step`",
        "[{half_open} step {step_size}]",
    ),
    Spelling(
        r"\[\s*(?:(?i:last)\s+)?(?P<number>NUMBER)\s*#?\s*by\s+(?P<group>[A-Z][\w']*(?:\s*,\s*[A-Z][\w']*)*)\s*\]",
        "write # in front of `by`",
        "[{number} # by {group}]",
    ),
    Spelling(
        r"\[\s*(?P<number>NUMBER)\s*#\s*(?P<group>[A-Z][\w']*(?:\s*,\s*[A-Z][\w']*)*)\s*\]",
        "write `by` in front of the variable",
        "[{number} # by {group}]",
    ),
    Spelling(
        rf"\[\s*(?:(?i:range)\s+)?(?P<number>\d+){_UNIT}\s+(?i:tumbling)\s*\]",
        "a tumbling window begins with `every`",
        "[every {size}]",
    ),
    Spelling(
        rf"\[\s*(?i:tumbling|tumble|fixed|each|per|batch){_NUMBERED}\]",
        "a tumbling window begins with `every`",
        "[every {size}]",
    ),
    Spelling(
        rf"\[\s*(?!(?i:every)\b)(?i:[a-z]+)\s+(?P<number>\d+){_UNIT}\s*\]",
        "a window needs a number and a unit",
        "[{size}]",
    ),
    Spelling(r"\[\s*(?:<=|=<|==?)\s*(?P<number>\d+)\s*\]", "a window has one size here", "[{number}]"),
    Spelling(
        r"\[\s*(?P<number>\d+)\s*,\s*(?P<step>\d+)\s*\]",
        "write the step of a window after `step`",
        "{stepped}",
        "write {written}, or {{{number},{step}}} for the ticks {number} and {step} ago",
    ),
    Spelling(
        r"\[\s*(?P<number>\d+)\s*,\s*(?P<step>\d+)\s*\]",
        "a window has one size, or a list of ticks in braces",
        "{ago}",
        "write {written} for the ticks from {number} to {step} ago",
    ),
    Spelling(
        r"\[\s*\*\s*\]",
        "a window needs a size",
        "",
        "for any tick up to now write at _ instead of in [*]",
    ),
    Spelling(
        r"(?P<left>[A-Z][\w']*)\s+(?P<mark>in)\s+(?P<right>OPERAND\s*\.\.\s*OPERAND)",
        "write a window as in [...]",
        "{left} = {right}",
    ),
    Spelling(
        rf"(?<![\w'])(?P<words>always\s+in|always|in)\s*\(?\s*(?P<number>\d+){_UNIT}\s*\)?(?![\w'(])",
        "write the window in brackets",
        "{words} [{size}]",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?P<mark>for)\s+\[?{_NUMBERED}\]?",
        "use `always in` for an atom that holds throughout a window",
        "{atom} always in [{size}]",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s+(?P<mark>(?:in\s+)?(?:the\s+)?last|within|over|during|for)\s+(?:the\s+)?(?:last\s+)?\[?{_NUMBERED}\]?",
        "write a window as in [...]",
        "{atom} in [{size}]",
    ),
    Spelling(
        rf"(?P<atom>ATOM)\s*(?:#|\.(?:win:)?)time\({_NUMBERED}\)",
        "write a window as in [...]",
        "{atom} in [{size}]",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s*(?:#|\.(?:win:)?)length\(\s*(?P<number>\d+)\s*\)",
        "write a window as in [...]",
        "{atom} in [{number} #]",
    ),
)

_WITHOUT_WINDOW = (
    Spelling(
        r"(?P<atom>ATOM)\s+(?P<words>at\s+least\s+SUM|at\s+most\s+SUM|count\s+SUM|always)\s*(?=[.,;])",
        "a window is missing here",
        "{atom} {words} in [5]",
        "write {written}, with the size you need",
    ),
    Spelling(
        r"(?P<atom>ATOM)\s+in\s*(?=[.,;])",
        "a window is missing here",
        "{atom} in [5]",
        "write {written}, with the size you need",
    ),
)

_COLUMN = r"(?P<column>(?:[a-z]+\((?:[^()\"\n]|STRING)*\)|STRING|[\w'][\w'.]*))\s*"
_FACTOR = rf"{_COLUMN}(?P<sign>SIGN)\s*(?P<factor>NUMBER)(?![\w.]*\w)"
_SCALED = rf"#input\b(?:[^\"]|STRING)*?(?P<whole>(?<![\w'.]){_FACTOR})"
_DECLARATIONS = (
    *(
        Spelling(
            _SCALED.replace("SIGN", sign).replace("NUMBER", number),
            "a column can only be multiplied by a whole number",
            written,
            hint,
        )
        for sign, number in (
            (r"\*", r"[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}|[0-9]+\.[0-9]+"),
            ("/", r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?"),
        )
        for written, hint in (
            ("{multiplied}", "write {written}"),
            ("{undivided}", "write {written}, and divide in a rule: X/{divisor} for a value X of it"),
        )
    ),
)

_DECIMALS = (
    Spelling(
        r"#decimals\b[^.]*?(?P<whole>(?P<number>[0-9]+\.[0-9]+))",
        "#decimals needs the number of digits",
        "{digits}",
        "write {written} for numbers such as {number}",
    ),
    Spelling(
        r"#held\s+(?:ATOM)\s+by\s+(?:[A-Z][\w']*\s*,\s*)*(?P<whole>(?P<mark>[a-z]\w*))",
        "write variables of #held after `by`, with a capital letter",
        "{capital}",
        "write by {written}",
    ),
)

_HEADS = (
    Spelling(
        r"\A\s*(?:if\s+)?(?P<body>(?:[^.:\"]|STRING|\.\.)+?)\s*(?P<mark>=>|->)\s*(?P<head>ATOM)\s*\.?\s*\Z",
        "write the head first",
        "{head} :- {body}.",
    ),
    Spelling(
        r"\A\s*if\s+(?P<body>(?:[^.:\"]|STRING|\.\.)*?)\s*(?:,|then)\s*(?P<head>ATOM)\s*\.?\s*\Z",
        "write the head first",
        "{head} :- {body}.",
    ),
    Spelling(
        r"\A\s*(?P<head>ATOM)\s+(?P<mark>if|when|:=|<-|<=)\s*",
        "expected :- after the head",
        "{head} :- ",
        "write {head} :- ...",
    ),
    Spelling(
        r"\A\s*(?P<whole>(?P<left>ATOM)\s*(?P<mark>\|\||(?<!\w)or(?!\w))\s*(?P<right>ATOM))\s*(?=:-|\.)",
        "separate the alternatives of a head by ;",
        "{left} ; {right}",
    ),
    Spelling(
        r"\A\s*ATOM\s*(?P<mark>&&?|and\b)[^.]*?(?::-|:=)",
        "a head has one atom, or alternatives",
        "",
        "write a rule for each atom",
    ),
)

_OPERATORS = (
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
        "write equations with =",
        "{left} = {calculated}",
    ),
    Spelling(
        r"(?P<left>OPERAND)\s+(?P<mark>mod|rem)\s+(?P<right>OPERAND)",
        "the operator for remainders is \\",
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
        "/ already drops the fraction: write {written}",
    ),
)

_CONNECTIVES = (
    Spelling(
        r"(?P<left>ATOM|WINDOW|\S+)\s*(?P<mark>&&|(?<!\w)and(?!\w))\s*(?P<right>(?:not\s+)?(?:ATOM|[^\s.]+))",
        "separate literals by commas",
        "{left}, {right}",
    ),
    Spelling(
        r"(?P<mark>\|\||(?<!\w)or(?!\w))\s*(?:not\s+)?(?:ATOM|[^\s.]+)",
        "a body cannot have alternatives",
        "",
        "write one rule for each alternative, with the same head",
    ),
    Spelling(
        r"(?P<mark>(?<!\|)\|(?!\|))\s*(?=(?:not\s+)?ATOM\s*[.,;|])",
        "a body cannot have alternatives",
        "",
        "write one rule for each alternative, with the same head",
    ),
    Spelling(r"(?P<mark>!)\s*(?P<atom>ATOM)", "write negation as `not`", "not {atom}"),
    Spelling(r"(?P<mark>!)\s*\(\s*(?P<atom>ATOM)\s*\)", "write negation as `not`", "not {atom}"),
)

_TEMPORAL = (
    Spelling(
        r"(?<!not )(?P<left>ATOM)\s+(?P<mark>since)\s+(?P<right>ATOM)",
        "`since` belongs in the window",
        "{left} always in [since {right}]",
    ),
    Spelling(
        r"(?P<left>(?:not\s+)?ATOM)\s+(?P<mark>since)\s+(?P<right>ATOM)",
        "`since` belongs in the window",
        "",
        "say it by two rules: {since} :- {right}. and {since} :- {left}, {since} in {{1}}.",
    ),
    Spelling(
        r"(?P<left>ATOM)\s+(?P<mark>after)\s+(?P<right>ATOM)",
        "use a window for an atom that holds after another one",
        "{left} in [after {right}]",
    ),
    Spelling(
        r"(?P<left>ATOM)\s+(?P<mark>until)\s+(?P<right>ATOM)",
        "lars2asp has no `until`, because rules look back",
        "{right}, {left} at @now-1",
        "ask when it ended: {written}",
    ),
)

_NAMES = (
    Spelling(
        r"(?P<mark>[A-Z][\w']*)\(",
        "{mark} is a variable: names of predicates and functions begin with a small letter",
        "{small}(",
        "write {small}(...)",
    ),
)

_COMMENTS = (
    Spelling(r"(?m:^)[ \t]*(?P<mark>--[^\n]*)\s*", "comments begin with %", "", "write % instead of --"),
)

_SEMANTICS = (
    Spelling(
        r"#semantics\s+(?P<mark>\"?(?P<name>[A-Za-z]+)\"?)",
        "{mark} is not a semantics",
        "",
        "write #semantics recorded. or #semantics strict., in small letters and without quotes",
    ),
)

_GROUPS = (
    (codes.UNSUPPORTED_SYNTAX, _OTHER_SYSTEMS),
    (codes.ORDER_OF_WORDS, _ORDER),
    (codes.COUNT_OF_TICKS, (*_NUMBERS_OF_TIMES, *_COUNTS, *_COUNTED_ATOM)),
    (codes.AGGREGATE_WINDOW, _AGGREGATES),
    (codes.FOREIGN_WINDOW, _WINDOWS),
    (codes.MISSING_WINDOW, _WITHOUT_WINDOW),
    (codes.COLUMN_SYNTAX, _DECLARATIONS),
    (codes.DIRECTIVE_SYNTAX, _DECIMALS),
    (codes.MISPLACED_HEAD, _HEADS),
    (codes.FOREIGN_OPERATOR, _OPERATORS),
    (codes.FOREIGN_CONNECTIVE, _CONNECTIVES),
    (codes.FOREIGN_TEMPORAL_OPERATOR, _TEMPORAL),
    (codes.ATOM_EXPECTED, _NAMES),
    (codes.FOREIGN_COMMENT, _COMMENTS),
    (codes.DIRECTIVE_SYNTAX, _SEMANTICS),
)

SPELLINGS = tuple(one._replace(code=code) for code, group in _GROUPS for one in group)
"""The table."""
