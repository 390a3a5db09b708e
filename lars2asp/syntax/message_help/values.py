"""L4: values, types and decimals."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.TYPES_DIFFER,
        "Two values of different types can never be equal, or cannot be compared",
        cause="Each argument is of one type: a number, a text, a name, a time or a duration. A variable "
        "takes the type of all places that use it. The message names the places.",
        cure='Read the column as the type you mean, or correct the value: `"kitchen"` is a text, '
        "`kitchen` is a name.",
        wrong="""\
            #input temp(text(room), number(degrees)).
            hot(R) :- temp(R, D), R > 25.
            """,
        right="""\
            #input temp(text(room), number(degrees)).
            hot(R) :- temp(R, D), D > 25.
            """,
    ),
    Entry(
        codes.DECLARED_TYPE,
        "A value is not of the declared type",
        cause="`#types` declares the type of an argument. A column or a head gives values of another type.",
        cure="Change the declaration, or read the column as the declared type.",
        wrong="""\
            #types temp(text, integer).
            #input temp(text(room), text(degrees)).
            hot(R) :- temp(R, D), D > 25.
            """,
        right="""\
            #types temp(text, integer).
            #input temp(text(room), int(degrees)).
            hot(R) :- temp(R, D), D > 25.
            """,
    ),
    Entry(
        codes.UNKNOWN_DECIMALS,
        "lars2asp does not know how many decimals a number has here",
        cause="lars2asp stores decimals as integers: with one decimal, 24.1 is 241. It needs to know the "
        "number of decimals of each argument.",
        cure="Declare it: `#decimals temp(_,1).` gives the second argument one decimal.",
        wrong="""\
            #defined temp/2.
            hot(R) :- temp(R, D), D > 24.5.
            """,
        right="""\
            #defined temp/2.
            #decimals temp(_, 1).
            hot(R) :- temp(R, D), D > 24.5.
            """,
    ),
    Entry(
        codes.DECIMALS_DIFFER,
        "Two numbers have different numbers of decimals",
        cause="One number uses one decimal, and the other two. As stored integers they cannot be compared "
        "or added.",
        cure="Declare the same number of decimals for both. Or multiply one by 1.0.",
        wrong="""\
            #defined temp/1.
            #defined limit/1.
            #decimals temp(1), limit(2).
            hot :- temp(T), limit(L), T > L.
            """,
        right="""\
            #defined temp/1.
            #defined limit/1.
            #decimals temp(2), limit(2).
            hot :- temp(T), limit(L), T > L.
            """,
    ),
    Entry(
        codes.TOO_MANY_DIGITS,
        "A number has more decimals than its argument",
        cause="The argument stores one decimal, so it cannot hold 24.55 exactly. lars2asp does not round "
        "numbers of a program.",
        cure="Round the number, or declare more decimals.",
        wrong="""\
            #defined temp/1.
            #decimals temp(1).
            hot :- temp(T), T > 24.55.
            """,
        right="""\
            #defined temp/1.
            #decimals temp(2).
            hot :- temp(T), T > 24.55.
            """,
    ),
    Entry(
        codes.NO_DECIMALS_HERE,
        "There are no decimals here",
        cause="Ticks, durations, counts and the arguments of functions and terms are integers.",
        cure="Write an integer, or a smaller unit: `1500 msec`.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [1.5].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [2].
            """,
    ),
    Entry(
        codes.INTEGER_WITH_DECIMALS,
        "An integer is written among decimals",
        cause="25 means 25.0 here. Copies made between 0.2.0 and 0.3.0 read it as 2.5, the stored integer. "
        "The warning helps you find such places in older programs.",
        cure="Write 25.0: every copy reads it in the same way.",
        wrong="""\
            #defined temp/1.
            #decimals temp(1).
            hot :- temp(T), T > 25.
            """,
        right="""\
            #defined temp/1.
            #decimals temp(1).
            hot :- temp(T), T > 25.0.
            """,
    ),
    Entry(
        codes.RAW_VALUE,
        "A value without declared decimals meets decimals",
        cause="Nothing says how many decimals the value has, so lars2asp uses the stored integer: 241 "
        "instead of 24.1.",
        cure="Declare the decimals of its predicate, or write `X*1.0` for an integer X.",
        wrong="""\
            #defined temp/1.
            #defined limit/1.
            #decimals temp(1).
            hot :- temp(T), limit(L), T > L.
            """,
        right="""\
            #defined temp/1.
            #defined limit/1.
            #decimals temp(1), limit(1).
            hot :- temp(T), limit(L), T > L.
            """,
    ),
    Entry(
        codes.SINGLE_QUOTES,
        "A text is in single quotes",
        cause="A single quote is a letter of names. `'Kitchen'` is the name of a variable, and `'kitchen'` "
        "the name of a constant.",
        cure='Put the text in double quotes: `"Kitchen"`. Write variables without quotes.',
        wrong="""\
            #defined temp/2.
            hot :- temp('kitchen', D), D > 25.
            """,
        right="""\
            #defined temp/2.
            hot :- temp("kitchen", D), D > 25.
            """,
    ),
    Entry(
        codes.TEXT_OF_DIGITS,
        "A text of digits never equals a number",
        cause='lars2asp reads the cell 12 as a number. The program compares it with the text "12". They '
        "are never equal.",
        cure="Write the number without quotes, or read the column as text: `text(id)`.",
        wrong="""\
            #input order(id).
            seen :- order("12").
            """,
        right="""\
            #input order(id).
            seen :- order(12).
            """,
    ),
    Entry(
        codes.TEXT_AND_NUMBER,
        "A text is compared with numbers",
        cause="In the order of clingo every number is below every text. So the comparison is always true, "
        "or never.",
        cure="Write the number without quotes.",
        wrong="""\
            #defined temp/1.
            hot :- temp(D), D > "25".
            """,
        right="""\
            #defined temp/1.
            hot :- temp(D), D > 25.
            """,
    ),
    Entry(
        codes.TIME_ARITHMETIC,
        "This calculation with times or durations has no meaning",
        cause="You can subtract two times, which gives a duration, and add a duration to a time. Two times "
        "cannot be added.",
        cure="Compute with durations: `E-B` is the time from B to E.",
        wrong="""\
            #tick 1 sec.
            #timezone "UTC".
            #input trip(time(begin), time(end)).
            odd(B+E) :- trip(B, E).
            """,
        right="""\
            #tick 1 sec.
            #timezone "UTC".
            #input trip(time(begin), time(end)).
            length(E-B) :- trip(B, E).
            """,
    ),
    Entry(
        codes.LARGE_INTERVAL,
        "An interval has too many values",
        cause="`1..N` means all values from 1 to N. By default, lars2asp allows 1,000,000 values.",
        cure="Choose a smaller interval, or allow more with `--largest-interval`.",
        wrong="""\
            number(1..2000000).
            """,
        right="""\
            number(1..20).
            """,
    ),
    Entry(
        codes.WRONG_TIME,
        "A text is not a time or a duration",
        cause="The argument is a time or a duration, so lars2asp reads the text as one. It cannot read this "
        "text, or the time has no UTC offset.",
        cure='Write a time as `"2026-01-31T12:00:00Z"`, and a duration as `"2 h 05 min"`.',
        wrong="""\
            #tick 1 sec.
            #types due(text, time).
            due("shoes", "soon").
            urgent(Order) :- due(Order, Time), Time <= @now.
            """,
        right="""\
            #tick 1 sec.
            #types due(text, time).
            due("shoes", "2026-01-31T12:00:00Z").
            urgent(Order) :- due(Order, Time), Time <= @now.
            """,
    ),
)
