"""L0: text that is no program."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.UNEXPECTED_TEXT,
        "A word or sign is not expected here",
        cause="lars2asp read the statement up to this place. The next word or sign does not fit. Often a "
        "comma, a bracket or a term is missing in front of it.",
        cure="Look at the text in front of the mark. The message lists what may follow.",
        wrong="""\
            #input temp(room, degrees).
            hot(R) :- temp(R,), not cool(R).
            """,
        right="""\
            #input temp(room, degrees).
            #input cool(room).
            hot(R) :- temp(R, _), not cool(R).
            """,
    ),
    Entry(
        codes.MISSING_DOT,
        "A dot is missing at the end of a statement",
        cause="Each statement ends with a dot. Without the dot lars2asp reads the next line as a part of "
        "the same statement, so the message may point at that line.",
        cure="Write a dot at the end of the statement.",
        wrong="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D > 25
            """,
        right="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D > 25.
            """,
    ),
    Entry(
        codes.NEVER_CLOSED,
        "A text, a comment or a script has no end",
        cause="A text in quotes ends on its own line. A comment that begins with `%*` ends with `*%`. A "
        "script ends with `#end.`.",
        cure="Write the missing end.",
        wrong="""\
            #input door(state).
            open :- door("open).
            """,
        right="""\
            #input door(state).
            open :- door("open").
            """,
    ),
    Entry(
        codes.WRONG_ESCAPE,
        "An escape in a text does not exist",
        cause='In a text, a backslash begins an escape. lars2asp knows `\\n`, `\\"`, `\\\\` and `\\u{HEX}`.',
        cure="Write `\\\\` for a backslash, and `\\u{9}` for a tabulator.",
        wrong="""\
            #input read(path).
            seen :- read("C:\\data").
            """,
        right="""\
            #input read(path).
            seen :- read("C:\\\\data").
            """,
    ),
    Entry(
        codes.FOREIGN_COMMENT,
        "A comment begins as in another language",
        cause="Comments begin with `%` and end with the line. `//`, `#` and `--` are comments of other "
        "languages.",
        cure="Write `%`. For a comment of several lines write `%*` and `*%`.",
        wrong="""\
            // all rooms
            room(kitchen).
            """,
        right="""\
            % all rooms
            room(kitchen).
            """,
    ),
    Entry(
        codes.FOREIGN_OPERATOR,
        "A comparison or an operator is written as in another language",
        cause="lars2asp compares with `=`, `!=`, `<`, `<=`, `>` and `>=`. It computes with `+`, `-`, `*`, "
        "`/`, `\\` (the remainder) and `**`.",
        cure="Write the operator that the hint gives.",
        wrong="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D => 25.
            """,
        right="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D >= 25.
            """,
    ),
    Entry(
        codes.FOREIGN_CONNECTIVE,
        "`and`, `or` or `!` connects literals",
        cause="Commas connect the literals of a body, and all of them must be true. A body cannot contain "
        "alternatives. Negation is `not`.",
        cure="Write a comma for and. For or, write two rules with the same head.",
        wrong="""\
            #input smoke(room).
            #input heat(room).
            alarm(R) :- smoke(R) and heat(R).
            """,
        right="""\
            #input smoke(room).
            #input heat(room).
            alarm(R) :- smoke(R), heat(R).
            """,
    ),
    Entry(
        codes.MISPLACED_HEAD,
        "The head and the body of a rule are not connected by `:-`",
        cause="A rule begins with its head, the atom that it derives. The sign `:-` and the body follow. "
        "Arrows and words such as `if` mean nothing here.",
        cure="Write the head, `:-`, and the body. Write one rule for each atom that you derive.",
        wrong="""\
            #input smoke(room).
            smoke(R) => alarm(R).
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            """,
    ),
    Entry(
        codes.NOT_A_PROGRAM,
        "The text is not a program",
        cause="The file looks like records of a stream, or like a binary file.",
        cure="Pass the file as input: `--input FILE`. Name the file of the program first.",
        wrong="""\
            {"time": 1, "facts": ["smoke(kitchen)"]}
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            """,
    ),
    Entry(
        codes.TOO_LARGE,
        "A statement or a file is nested too deep, or too large",
        cause="lars2asp limits how deep terms, includes and divisions are nested, and to how many rules the "
        "pools of a statement expand.",
        cure="Give a name to a part: use a rule or a constant for it.",
        wrong="""\
            #input step(number, length).
            rest(N) :- step(N, X), X/(X/(X/(X/(X/(X/(X/X)))))) > 0.
            """,
        right="""\
            #input step(number, length).
            half(N, Y) :- step(N, X), Y = X/(X/(X/X)).
            rest(N) :- half(N, Y), Y/(Y/Y) > 0.
            """,
    ),
    Entry(
        codes.UNSUPPORTED_SYNTAX,
        "This is the syntax of another system",
        cause="The text is from a program of Laser, Ticker, I-DLV-sr or clingo. lars2asp writes the same in "
        "another way, or does not support it.",
        cure="Write the text of the hint. You can run whole programs of other systems with `--dialect`.",
        wrong="""\
            #input p(x).
            seen(X) :- @(T, p(X)).
            """,
        right="""\
            #input p(x).
            seen(X) :- p(X) at _.
            """,
    ),
    Entry(
        codes.ATOM_EXPECTED,
        "An atom is expected, but there is a term",
        cause="A number, a text, a variable or a calculation is not an atom. Names that begin with a "
        "capital letter are variables.",
        cure="Write the predicate with a small first letter: `alarm(R)`.",
        wrong="""\
            #input smoke(room).
            Alarm(R) :- smoke(R).
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            """,
    ),
    Entry(
        codes.RESERVED_NAME,
        "A name is reserved",
        cause="lars2asp gives names of its own to formulas in brackets. An included file uses such a name "
        "after lars2asp took it.",
        cure="Choose another name, or include the file before the first formula.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- (smoke(R) in [1]) always in [5].
            #include "more.lars".
            """,
        right="""\
            #input smoke(room).
            #complete_windows.
            #include "more.lars".
            alarm(R) :- (smoke(R) in [1]) always in [5].
            """,
        files={"more.lars": "lars_formula_1.\n"},
    ),
    Entry(
        codes.NOT_A_WHOLE_NUMBER,
        "A number is too long, or must be whole",
        cause="Sizes, counts and factors are whole numbers. Numbers have at most 4000 digits, and most "
        "counts fit in 31 bits.",
        cure="Use a smaller number, or a smaller unit: `1500 msec` for a second and a half.",
        wrong="""\
            #input temp(room, degrees*99999999999).
            hot(R) :- temp(R, D), D > 25.
            """,
        right="""\
            #input temp(room, degrees*100).
            hot(R) :- temp(R, D), D > 2500.
            """,
    ),
    Entry(
        codes.FOREIGN_CHARACTER,
        "A character looks like a character of the language, but differs",
        cause="Word processors and web pages replace quotes, dashes and blanks by similar characters. "
        "Mathematical signs such as ≤ are not part of the language.",
        cure="Write the plain character that the hint gives.",
        wrong="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D ≥ 25.
            """,
        right="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D >= 25.
            """,
    ),
    Entry(
        codes.OTHER_DIALECT,
        "The program looks like a program of another system",
        cause="lars2asp can read programs of Laser, Ticker, I-DLV-sr and Distributed-SR. It recognised one "
        "by its name or its text.",
        cure="Read it with `--dialect NAME`, or translate it with `lars2asp compile --target lars2asp`.",
        wrong="""\
            alarm(X) :- smoke(X) at least 2 in [5 sec].
            """,
        right="""\
            alarm(X) :- smoke(X) at least 2 in [5 sec].
            """,
        right_options="--dialect idlvsr",
        file="rooms.idlvsr",
    ),
    Entry(
        codes.DIALECT_RULE,
        "The other system does not accept this rule",
        cause="You read the program as written for Laser, Ticker or I-DLV-sr. The rule breaks a rule of that "
        "language.",
        cure="Correct the rule, or translate the program and use the language of lars2asp.",
        wrong="""\
            :- smoke(X).
            """,
        right="""\
            alarm(X) :- smoke(X).
            """,
        options="--dialect ticker",
        right_options="--dialect ticker",
        file="rooms.txt",
    ),
    Entry(
        codes.DIALECT_DIFFERENCE,
        "lars2asp gives another answer than the other system",
        cause="A tuple window of lars2asp contains exactly the last tuples. Laser takes whole ticks, so its "
        "window may contain more or fewer.",
        cure="Check that the difference does not matter. A time window is the same in both.",
        wrong="""\
            alarm(X) :- tuple_win(5,5,1,diamond(smoke(X)))
            """,
        right="""\
            alarm(X) :- time_win(5,0,1,diamond(smoke(X)))
            """,
        options="--dialect laser",
        right_options="--dialect laser",
        file="rooms.laser",
    ),
)
