"""The table of directives: what each one says, once, for messages, editors, help and the reference page."""

from collections.abc import Mapping
from dataclasses import field

from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Directive:
    """One directive.

    Attributes:
        name: its name, with `#`.
        group: the heading above it on the reference page.
        syntax: how you write it; brackets enclose optional parts.
        text: what it says, in a few sentences.
        example: a program with it.
        files: the files that the example reads, by name.
        default: what holds without it.
        option: the setting with the same meaning.
        is_added: whether values of the option join those of the program; other options override them.
        hint: what to write if lars2asp cannot read it.
        also: other spellings.
        parts: the parts that tools look for: `body` (a body after a colon), `columns` (columns of a record),
            `file` (the name of a file), `list` (a list in brackets), `signature` (`p/1`).
    """

    name: str
    group: str
    syntax: str
    text: str
    example: str
    files: Mapping[str, str] = field(default_factory=dict)
    default: str = ""
    option: str = ""
    is_added: bool = False
    hint: str = ""
    also: tuple[str, ...] = ()
    parts: str = ""

    @property
    def terminal(self) -> str:
        """The token of its name in the grammar, if it has no value of its own."""
        return f"_{self.name[1:].upper()}"


_PROGRAM, _OUTPUT, _TIME, _INPUT, _CLINGO = "Programs", "Output", "Time and windows", "Input", "As in clingo"

_TABLE = (
    Directive(
        "#const",
        _PROGRAM,
        "#const name = term.",
        "It names a term. You can use the name wherever a term can be, also as the size of a window.",
        "#const limit = 30.\nhot(R) :- temp(R,T), T > limit.",
        option="const",
    ),
    Directive(
        "#show",
        _OUTPUT,
        "#show [-]name/arity.  #show term : body.  #show.",
        "It chooses the output: lars2asp then writes only the predicates that a #show names. A term with a "
        "body adds the term to the output. `#show.` alone hides all atoms.",
        "hot(R) :- temp(R,T), T > 30.\nalarm(R) :- hot(R) always in [5].\n#show alarm/1.",
        default="all predicates that rules derive",
        option="show",
        parts="body signature",
    ),
    Directive(
        "#defined",
        _CLINGO,
        "#defined [-]name/arity.",
        "It says that you mean a predicate that no rule derives. lars2asp then gives no warning about it.",
        "#defined door/1.\nopen(D) :- door(D).",
        parts="signature",
    ),
    Directive(
        "#external",
        _CLINGO,
        "#external atom [: body]. [value]",
        "It declares an atom that rules need not decide. The value is `false`, `true` or `free`.",
        "#external override. [true]\ngo :- override.",
        default="the value false",
        parts="body",
    ),
    Directive(
        "#minimize",
        _CLINGO,
        "#minimize { weight@priority, terms : condition; ... }.",
        "It prefers answers with the least sum of weights. lars2asp compares the answers of one tick.",
        "1 { take(X) : offer(X,_) } 1 :- offer(_,_).\n#minimize { P,X : take(X), offer(X,P) }.",
        also=("#minimise",),
    ),
    Directive(
        "#maximize",
        _CLINGO,
        "#maximize { weight@priority, terms : condition; ... }.",
        "It prefers answers with the largest sum of weights. lars2asp compares the answers of one tick.",
        "1 { take(X) : offer(X,_) } 1 :- offer(_,_).\n#maximize { V,X : take(X), offer(X,V) }.",
        also=("#maximise",),
    ),
    Directive(
        "#project",
        _CLINGO,
        "#project name/arity.  #project atom [: body].",
        "It names atoms for `--clingo --project`: clingo then lists answers that differ in these atoms.",
        "#project a/0.\n{ a; b } = 1 :- start.",
        parts="body signature",
    ),
    Directive(
        "#heuristic",
        _CLINGO,
        "#heuristic atom [: body]. [weight@priority, modifier]",
        "It tells clingo which atoms to try first.",
        "1 { go(X) : way(X) } 1 :- start.\nway(1..3).\n#heuristic go(3). [1,true]",
        parts="body",
    ),
    Directive(
        "#edge",
        _CLINGO,
        "#edge (from, to) [: body].",
        "It forbids cycles among the edges whose bodies hold.",
        "{ link(X,Y) : wire(X,Y) } :- go.\n#edge (X,Y) : link(X,Y).\nwire(a,b). wire(b,a).",
        parts="body",
    ),
    Directive(
        "#include",
        _PROGRAM,
        '#include "file.lars".',
        "It puts the statements of another file here, each file once. lars2asp looks in the working "
        "directory, then in the folder of the including file.",
        '#include "rooms.lars".\ndark(R) :- room(R), not lit(R).',
        files={"rooms.lars": "room(hall). room(attic)."},
        hint='put the name of the file in quotes: #include "file.lars".',
        parts="file",
    ),
    Directive(
        "#prefix",
        _PROGRAM,
        "#prefix name: <IRI>.",
        "It declares a prefix of RDF: `ex:hall` is then short for `<http://example.org/hall>`. The prefix "
        "holds from here on, for all files of the program.",
        "#prefix ex: <http://example.org/>.\nhot(R) :- temp(R,T), T > 30, R != ex:oven.",
        hint="write for instance #prefix ex: <http://example.org/>.",
    ),
    Directive(
        "#program",
        _PROGRAM,
        "#program name[(parameters)].",
        "It begins a part of the program, as in clingo. lars2asp uses the part `base` only, and warns of "
        "others.",
        "a :- p.\n#program base.\nb :- p.",
        default="the part base",
        parts="list",
    ),
    Directive(
        "#script",
        _PROGRAM,
        "#script (python) code #end.",
        "It defines @-functions in Python. Programs of others may not contain it: see `--untrusted`.",
        "#script (python)\ndef double(n):\n    return n * 2\n#end.\nout(@double(X)) :- p(X).",
    ),
    Directive(
        "#temp",
        _TIME,
        "#temp rule.",
        "Windows see the atoms of this rule at the current tick only. Later ticks forget them.",
        "#temp a :- p.\nb :- a in [5].",
    ),
    Directive(
        "#tick",
        _TIME,
        "#tick duration.",
        "It sets the length of a tick. You need it for durations such as `[10 min]` and for timestamps in "
        "the input.",
        "#tick 1 sec.\nhot(R) :- temp(R,T) in [10 min], T > 30.",
        default="times count ticks, which have no length",
        option="tick",
    ),
    Directive(
        "#timezone",
        _TIME,
        '#timezone "zone".',
        "It sets the zone of timestamps without an offset, and of hours and days by the clock.",
        '#tick 1 hour.\n#timezone "Europe/Vienna".\na :- p in [2 hour].',
        option="timezone",
        hint='put the name of the zone in quotes: #timezone "Europe/Vienna".',
    ),
    Directive(
        "#origin",
        _TIME,
        '#origin "timestamp".',
        "It says when tick 0 begins.",
        '#tick 5 min.\n#origin "2026-01-01T00:00:00Z".\na :- p in [10 min].',
        default="1970-01-01T00:00:00Z; for ticks shorter than a second, midnight of the first record's day",
        option="origin",
        hint='put the time in quotes: #origin "2026-01-01T00:00:00Z".',
    ),
    Directive(
        "#lateness",
        _TIME,
        "#lateness duration.",
        "lars2asp waits this long for records that come late, and sorts them in.",
        "#tick 1 sec.\n#lateness 30 sec.\nhot(R) :- temp(R,T), T > 30.",
        default="0: records may not come late",
        option="lateness",
    ),
    Directive(
        "#largest_gap",
        _TIME,
        "#largest_gap duration.",
        "A record may lie this far after the latest record. A record further ahead waits until others "
        "confirm or contradict it.",
        "#tick 1 sec.\n#largest_gap 1 hour.\nhot(R) :- temp(R,T), T > 30.",
        default="1 hour for timestamps of files; no limit for live input",
        option="largest_gap",
    ),
    Directive(
        "#semantics",
        _TIME,
        "#semantics recorded.  #semantics strict.",
        "It says what windows over derived atoms see. With `recorded` they see the atoms of earlier answers. "
        "With `strict` rules decide all atoms of a window at each tick.",
        "#semantics strict.\nhot(R) :- temp(R,T), T > 30.\nalarm :- hot(_) in [5].",
        default="recorded",
        option="semantics",
    ),
    Directive(
        "#complete_windows",
        _TIME,
        "#complete_windows.",
        "With it, `always`, `not` and `at most` hold only if the whole window lies on the timeline.",
        "#complete_windows.\nquiet :- not noise in [10].",
        default="windows may reach back before the start",
        option="complete_windows",
    ),
    Directive(
        "#input",
        _INPUT,
        '#input name(columns) [from "pattern"] [at time] [each key, value of S] [records each list] '
        "[where conditions].",
        "It says how a row of a table, a JSON record, a log line or a triple becomes a fact. If you give "
        "`--declare`, it replaces every #input of the program.",
        "#tick 1 min.\n#decimals reading(_,1).\n#input reading(room, number(temp)) at time.\n"
        "hot(R) :- reading(R,T), T > 25.0.",
        default="records contain facts",
        option="declare",
        parts="columns list",
    ),
    Directive(
        "#decimals",
        _INPUT,
        "#decimals name(places), ...",
        "It says how many decimals the arguments of a predicate have. `_` is for arguments that you do not "
        "declare.",
        "#decimals reading(_,1).\nhot(R) :- reading(R,T), T > 25.5.",
        default="numbers are integers",
        option="declare",
        is_added=True,
        parts="list",
    ),
    Directive(
        "#types",
        _INPUT,
        "#types name(types), ...",
        "It declares the types of arguments: lars2asp rejects records with other values. `_` is for "
        "arguments that you do not declare.",
        "#types reading(text,decimal(1)).\nhot(R) :- reading(R,T), T > 25.5.",
        default="lars2asp infers types from the rules",
        option="declare",
        is_added=True,
        parts="list",
    ),
    Directive(
        "#held",
        _INPUT,
        "#held atom [by variables] [for duration].",
        "A fact of the input holds until the next fact with the same variables after `by`. It ends earlier "
        "if you limit it with `for`.",
        "#held reading(R,_) by R for 5.\nhot(R) :- reading(R,T), T > 25.",
        default="a fact holds at its tick only",
        option="declare",
        is_added=True,
        hint="write for instance #held reading(R,_) by R for 10 min.",
    ),
    Directive(
        "#calendar",
        _INPUT,
        '#calendar atom [from "file"], ...',
        "It gives atoms that follow the clock of the zone: `minute_of_day(M)`, `hour(H)`, `weekday(D)`, "
        "`date(Y,M,D)`, `week(W)`, and `holiday(N)` from a file.",
        '#tick 1 hour.\n#timezone "Europe/Vienna".\n#calendar hour(H), holiday(N) from "holidays.csv".\n'
        "early(X) :- call(X), hour(H), H < 6, not holiday(_).",
        files={"holidays.csv": "2026-12-25,Christmas Day"},
        option="declare",
        is_added=True,
        hint='write for instance #calendar hour(H), weekday(D), holiday(N) from "holidays.csv".',
        parts="file list",
    ),
    Directive(
        "#table",
        _INPUT,
        '#table name(columns) from "file" [each key, value of columns "pattern"] [where conditions].',
        "It reads background facts from the rows of a file. They hold at every tick.",
        '#table blocked(card) from "blocked.csv".\nalarm(C) :- used(C), blocked(C).',
        files={"blocked.csv": "card\nC17"},
        option="declare",
        is_added=True,
        hint='write for instance #table blocked(card) from "blocked.csv".',
        parts="columns file list",
    ),
)

DIRECTIVES: Mapping[str, Directive] = {one.name: one for one in _TABLE}
"""The directives by name, in the order of the grammar."""


def names() -> tuple[str, ...]:
    """All names of directives, other spellings too, without `#`."""
    return tuple(name[1:] for one in _TABLE for name in (one.name, *one.also))


def with_part(part: str) -> tuple[Directive, ...]:
    """The directives that have a part."""
    return tuple(one for one in _TABLE if part in one.parts.split())


def terminals_with(part: str) -> frozenset[str]:
    """The tokens in the grammar of the directives that have a part."""
    return frozenset(one.terminal for one in with_part(part))


def directive_of(text: str) -> Directive | None:
    """The directive with which a statement begins."""
    return DIRECTIVES.get(text.split(maxsplit=1)[0]) if text.startswith("#") else None


def meant(name: str) -> str | None:
    """The directive that a misspelt name is close to."""
    from difflib import get_close_matches  # noqa: PLC0415 - few misspell them

    near = get_close_matches(name, [f"#{one}" for one in names()], 1, 0.7)
    return near[0] if near else None


def overridden_by(option: str) -> str:
    """The directive that a setting overrides; empty for others."""
    return next((one.name for one in _TABLE if one.option == option and not one.is_added), "")


def directive_text(name: str) -> str | None:
    """The text about a directive, in Markdown; None for names that are no directives.

    Args:
        name: its name, with or without `#`.
    """
    one = DIRECTIVES.get(f"#{name.removeprefix('#')}")
    if one is None:
        return None
    lines = [f"`{one.syntax}`", "", one.text]
    if one.option:
        verb = "adds such directives" if one.is_added else "overrides it"
        lines += ["", f"The option `--{one.option.replace('_', '-')}` {verb}."]
    if one.default:
        lines += ["", f"Without it: {one.default}."]
    for file, text in one.files.items():
        lines += ["", f"With a file `{file}`:", "", f"```\n{text}\n```"]
    return "\n".join([*lines, "", f"```lars2asp\n{one.example}\n```"])
