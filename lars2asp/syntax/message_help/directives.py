"""L5: directives, constants, files and options."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.UNKNOWN_DIRECTIVE,
        "This directive does not exist",
        cause="A word with `#` at the start of a statement is a directive. lars2asp does not know this name.",
        cure="Correct the name. The hint lists all directives.",
        wrong="""\
            #ticks 1 sec.
            alarm :- smoke.
            #defined smoke/0.
            """,
        right="""\
            #tick 1 sec.
            alarm :- smoke.
            #defined smoke/0.
            """,
    ),
    Entry(
        codes.DIRECTIVE_SYNTAX,
        "A directive is not written as it should be",
        cause="The name of the directive is right, but its arguments are not.",
        cure="Write it as in the hint. Names of files, zones and times are in quotes.",
        wrong="""\
            #tick 1 sec.
            #timezone Europe/Vienna.
            """,
        right="""\
            #tick 1 sec.
            #timezone "Europe/Vienna".
            """,
    ),
    Entry(
        codes.GIVEN_TWICE,
        "Something is given twice",
        cause="A program accepts one length of a tick, one zone, one origin, and one value for each "
        "constant.",
        cure="Keep one. Options of the command line override the program.",
        wrong="""\
            #tick 1 sec.
            #tick 1 min.
            """,
        right="""\
            #tick 1 sec.
            """,
    ),
    Entry(
        codes.CONSTANT_VALUE,
        "A constant cannot have this value",
        cause="The value of a constant is one term without variables, intervals and @-calls. It cannot "
        "depend on itself.",
        cure="Write a number, a text, a name, or a calculation with other constants.",
        wrong="""\
            #const limit = X.
            #defined temp/1.
            hot :- temp(D), D > limit.
            """,
        right="""\
            #const limit = 25.
            #defined temp/1.
            hot :- temp(D), D > limit.
            """,
    ),
    Entry(
        codes.UNKNOWN_CONSTANT,
        "The program does not use this constant",
        cause="You set a constant with `-c`, but no rule uses it and no `#const` declares it.",
        cure="Correct the name.",
        wrong="""\
            #const limit = 25.
            #defined temp/1.
            hot :- temp(D), D > limit.
            """,
        right="""\
            #const limit = 25.
            #defined temp/1.
            hot :- temp(D), D > limit.
            """,
        options="-c limt=30",
        right_options="-c limit=30",
    ),
    Entry(
        codes.UNKNOWN_OPTION_VALUE,
        "An option names something that does not exist, or gives two values",
        cause="`--show` names a predicate that does not occur in the program, or you gave an option two "
        "values.",
        cure="Correct the value.",
        wrong="""\
            #defined smoke/1.
            alarm(R) :- smoke(R).
            """,
        right="""\
            #defined smoke/1.
            alarm(R) :- smoke(R).
            """,
        options="--show alarms/1",
        right_options="--show alarm/1",
    ),
    Entry(
        codes.UNKNOWN_ZONE,
        "This is not a time zone",
        cause="Zones use the names of the tz database, a region and a city.",
        cure='Write for example `"Europe/Vienna"` or `"UTC"`.',
        wrong="""\
            #timezone "Vienna".
            """,
        right="""\
            #timezone "Europe/Vienna".
            """,
    ),
    Entry(
        codes.WRONG_ORIGIN,
        "This is not a moment for the origin",
        cause="`#origin` says when tick 0 begins. It needs a timestamp of ISO 8601, with an offset if the "
        "program declares no zone.",
        cure='Write for example `#origin "2026-01-01T00:00:00Z".`',
        wrong="""\
            #tick 1 sec.
            #origin "1 January 2026".
            """,
        right="""\
            #tick 1 sec.
            #origin "2026-01-01T00:00:00Z".
            """,
    ),
    Entry(
        codes.WRONG_DURATION,
        "This is not a duration that the directive accepts",
        cause="`#tick` needs a number from 1 and a unit. `#lateness` and `#largest_gap` need ticks, or a "
        "duration.",
        cure="Write for example `#tick 1 sec.` or `#lateness 5 min.`",
        wrong="""\
            #tick 5.
            """,
        right="""\
            #tick 5 sec.
            """,
    ),
    Entry(
        codes.CALENDAR,
        "`#calendar` cannot give this atom",
        cause="The calendar offers a fixed list of atoms such as `hour(H)` and `weekday(D)`. It needs "
        "`#timezone` and `#tick`, and holidays need a file.",
        cure="Write the atoms that the hint lists, with variables.",
        wrong="""\
            #tick 1 hour.
            #timezone "Europe/Vienna".
            #calendar hours(H).
            """,
        right="""\
            #tick 1 hour.
            #timezone "Europe/Vienna".
            #calendar hour(H).
            """,
    ),
    Entry(
        codes.IGNORED_PART,
        "lars2asp ignores this part of the program",
        cause="As in clingo, only the part `base` is used. Statements after `#program step(t).` belong to "
        "another part.",
        cure="Remove the line, or write `#program base.` after the part.",
        wrong="""\
            #defined smoke/1.
            #program step(t).
            alarm(R) :- smoke(R).
            """,
        right="""\
            #defined smoke/1.
            #program base.
            alarm(R) :- smoke(R).
            """,
    ),
    Entry(
        codes.MISSING_FILE,
        "lars2asp cannot find a file",
        cause="The program names a file for `#include`, `#table` or `#calendar`. lars2asp looks in the "
        "working directory, then in the folder of the program.",
        cure="Correct the path.",
        wrong="""\
            #include "rules.lars".
            """,
        right="""\
            #include "more.lars".
            """,
        files={"more.lars": "room(kitchen).\n"},
    ),
    Entry(
        codes.UNREADABLE_FILE,
        "lars2asp cannot read a file",
        cause="The file exists, but the directive cannot use its text.",
        cure="Correct the file. The message names the line.",
        wrong="""\
            #table blocked(card) from "blocked.csv".
            """,
        right="""\
            #table blocked(number) from "blocked.csv".
            """,
        files={"blocked.csv": "number,since\n7,2026\n"},
    ),
    Entry(
        codes.UNTRUSTED,
        "A program that you do not trust cannot do this",
        cause="With `--untrusted` lars2asp runs no scripts, and includes files from the folders of the "
        "program only.",
        cure="Leave `--untrusted` out if you trust the author. Or write the rules without scripts.",
        wrong="""\
            #script (python)
            def twice(x): return x
            #end.
            room(kitchen).
            """,
        right="""\
            room(kitchen).
            """,
        options="--untrusted",
        right_options="--untrusted",
    ),
    Entry(
        codes.PREFIX,
        "A prefix of RDF is not declared, or has two meanings",
        cause="`ex:temp` needs the declaration of `ex`. A prefix means the same in all files of a program.",
        cure="Declare it once: `#prefix ex: <http://example.org/>.`",
        wrong="""\
            #defined seen/1.
            hot :- seen(ex:temp).
            """,
        right="""\
            #prefix ex: <http://example.org/>.
            #defined seen/1.
            hot :- seen(ex:temp).
            """,
    ),
)
