"""L6: input declarations and tables."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.COLUMN_SYNTAX,
        "A column is not written as it should be",
        cause="A column is a name, a name in quotes, a conversion such as `number(temp)`, or `temp*10`.",
        cure="Write the column as in the hint.",
        wrong="""\
            #input temp(room, degrees*0.5).
            hot(R) :- temp(R, D), D > 25.
            """,
        right="""\
            #input temp(room, degrees*10).
            hot(R) :- temp(R, D), D > 250.
            """,
    ),
    Entry(
        codes.TIME_FORMAT,
        "This is not a format of times",
        cause="A format uses directives such as `%Y`, `%m`, `%d`, `%H`, `%M` and `%S`. The message names "
        "the wrong part.",
        cure='Write for example `at time "%d.%m.%Y %H:%M"`.',
        wrong="""\
            #input temp(room, degrees) at time "%d.%m.%Y %d".
            hot(R) :- temp(R, D), D > 25.
            """,
        right="""\
            #input temp(room, degrees) at time "%d.%m.%Y %H:%M".
            hot(R) :- temp(R, D), D > 25.
            """,
    ),
    Entry(
        codes.LINE_PATTERN,
        "This is not a pattern for lines of text",
        cause="A pattern consists of fixed text and places in braces, such as `{user}`. Between two places "
        "there must be text.",
        cure='Write for example `from "login of {user} from {ip}"`.',
        wrong="""\
            #input login(user, ip) from "login of {user}{ip}".
            seen(U) :- login(U, _).
            """,
        right="""\
            #input login(user, ip) from "login of {user:word} from {ip:ip}".
            seen(U) :- login(U, _).
            """,
    ),
    Entry(
        codes.PATTERN_PLACE,
        "A column is not a place of the pattern",
        cause='Each column of `#input ... from "..."` is a place in braces of the pattern.',
        cure="Correct the name of the column or of the place.",
        wrong="""\
            #input login(user, address) from "login of {user:word} from {ip:ip}".
            seen(U) :- login(U, _).
            """,
        right="""\
            #input login(user, ip) from "login of {user:word} from {ip:ip}".
            seen(U) :- login(U, _).
            """,
    ),
    Entry(
        codes.TRIPLES_INPUT,
        "A declaration for triples of RDF is not written as it should be",
        cause="A triple consists of a subject, a property and an object, at one time. `where`, `fixed(...)` "
        "and `each` are for records.",
        cure="Write for example `#input speed(S,V) from ex:speed.`",
        wrong="""\
            #prefix ex: <http://example.org/>.
            #input speed(S, V) from ex:speed where V > 30.
            fast(S) :- speed(S, V), V > 30.
            """,
        right="""\
            #prefix ex: <http://example.org/>.
            #input speed(S, V) from ex:speed.
            fast(S) :- speed(S, V), V > 30.
            """,
    ),
    Entry(
        codes.MISPLACED_EACH,
        "`each` cannot be used here",
        cause="`each` reads the elements of a list, or the fields of an object. Lines of text and triples "
        "have none, and a declaration has at most one.",
        cure="Read JSON or a table, and write for example `each K, V of values`.",
        wrong="""\
            #input value(k, x) each k, k of values.
            seen(K) :- value(K, _).
            """,
        right="""\
            #input value(k, x) each k, x of values.
            seen(K) :- value(K, _).
            """,
    ),
    Entry(
        codes.HELD_ARGUMENT,
        "An argument of `#held` is not a variable",
        cause="`#held` is about all facts of a predicate. Its arguments are different variables or `_`. "
        "After `by` there are variables of these.",
        cure="Write for example `#held reading(R,_) by R for 10 min.`",
        wrong="""\
            #tick 1 sec.
            #input reading(room, degrees).
            #held reading(kitchen, _) for 10 min.
            hot(R) :- reading(R, D), D > 25.
            """,
        right="""\
            #tick 1 sec.
            #input reading(room, degrees).
            #held reading(R, _) by R for 10 min.
            hot(R) :- reading(R, D), D > 25.
            """,
    ),
    Entry(
        codes.DERIVED_HELD,
        "`#held` has no effect on derived atoms",
        cause="Facts of the input stay valid with `#held`. A rule also derives this predicate. These atoms "
        "hold at their own tick only.",
        cure="Derive another predicate, or use a window for the atom.",
        wrong="""\
            #tick 1 sec.
            #input reading(room, degrees).
            #input estimate(room, degrees).
            #held reading(R, _) by R for 10 min.
            reading(R, D) :- estimate(R, D).
            """,
        right="""\
            #tick 1 sec.
            #input reading(room, degrees).
            #input estimate(room, degrees).
            #held reading(R, _) by R for 10 min.
            known(R, D) :- estimate(R, D).
            known(R, D) :- reading(R, D).
            """,
    ),
    Entry(
        codes.TABLE_ROW,
        "A value in a file of background facts does not fit",
        cause="A declaration reads a column as a number or a name, and the file contains another value.",
        cure="Correct the file, or read the column as text: `text(x)`.",
        wrong="""\
            #prefix ex: <http://example.org/>.
            #input speed(S, number(V)) from ex:speed.
            #include "cars.ttl".
            fast(S) :- speed(S, V), V > 30.
            """,
        right="""\
            #prefix ex: <http://example.org/>.
            #input speed(S, text(V)) from ex:speed.
            #include "cars.ttl".
            fast(S) :- speed(S, "fast").
            """,
        files={"cars.ttl": '@prefix ex: <http://example.org/> .\nex:car ex:speed "fast" .\n'},
    ),
    Entry(
        codes.TEXT_COLUMN,
        "A cell makes a whole column text",
        cause="Most cells of the column are numbers, but one is not. So lars2asp reads all of them as text, "
        "and comparisons with numbers fail.",
        cure="Correct the cell, or write `text(x)` if you want text. For a decimal comma write `number(x, "
        '",")`.',
        wrong="""\
            #table limit(room, degrees) from "limits.csv".
            known(R) :- limit(R, _).
            """,
        right="""\
            #table limit(room, text(degrees)) from "limits.csv".
            known(R) :- limit(R, _).
            """,
        files={"limits.csv": "room,degrees\nhall,21\nattic,24\ncellar,unknown\n"},
    ),
    Entry(
        codes.MISSING_VALUE,
        "The value for missing cells is not written as it should be",
        cause="After a column, `or 0` gives a value for missing cells, and `or missing` accepts records "
        "without it.",
        cure="Write `or missing` first, then `or` and one value: a number, or a text in quotes.",
        wrong="""\
            #input temp(room or unknown, degrees).
            seen(R) :- temp(R, _).
            """,
        right="""\
            #input temp(room or "unknown", degrees).
            seen(R) :- temp(R, _).
            """,
    ),
    Entry(
        codes.INPUT_CONDITION,
        "A condition of `where` is not written as it should be",
        cause="A condition compares a column with a number or a text in quotes.",
        cure='Write for example `where kind = "login"` or `where number(size) > 100`.',
        wrong="""\
            #input temp(room, degrees) where state = good.
            seen(R) :- temp(R, _).
            """,
        right="""\
            #input temp(room, degrees) where state = "good".
            seen(R) :- temp(R, _).
            """,
    ),
    Entry(
        codes.CONVERSION,
        "A column cannot be converted in this way",
        cause="Conversions are `number`, `int`, `text`, `constant`, `time`, `duration` and others. Each "
        "accepts its own settings.",
        cure="Write the conversion as in the hint.",
        wrong="""\
            #input temp(room, float(degrees)).
            seen(R) :- temp(R, _).
            """,
        right="""\
            #input temp(room, number(degrees)).
            seen(R) :- temp(R, _).
            """,
    ),
    Entry(
        codes.NUMBER_MARK,
        "The signs and marks of numbers are not written as they should be",
        cause='`number(x, ",", unit "EUR")` names the decimal sign, the sign between thousands, and the '
        "marks around the digits.",
        cure='Write for example `number(amount, ",", ".", unit "EUR", plus "CR", minus "DR")`.',
        wrong="""\
            #input paid(who, number(amount, ";")).
            #decimals paid(_, 2).
            seen(W) :- paid(W, _).
            """,
        right="""\
            #input paid(who, number(amount, ",")).
            #decimals paid(_, 2).
            seen(W) :- paid(W, _).
            """,
    ),
)
