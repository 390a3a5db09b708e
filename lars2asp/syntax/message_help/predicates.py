"""L3: predicates and `#show`."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.UNKNOWN_PREDICATE,
        "No rule and no input contains this predicate",
        cause="Nothing can make the atom true. Most often the name is misspelt.",
        cure="Correct the name. If the input contains it, declare it: `#input p(x).` or `#defined p/1.`",
        wrong="""\
            #input reading(room).
            seen(R) :- raeding(R).
            """,
        right="""\
            #input reading(room).
            seen(R) :- reading(R).
            """,
    ),
    Entry(
        codes.OTHER_ARITY,
        "The predicate has another number of arguments elsewhere",
        cause="`temp/1` and `temp/2` are two predicates. The number of arguments is a part of the name.",
        cure="Write all arguments, with `_` for arguments that you do not need.",
        wrong="""\
            #input temp(room, degrees).
            seen(R) :- temp(R).
            """,
        right="""\
            #input temp(room, degrees).
            seen(R) :- temp(R, _).
            """,
    ),
    Entry(
        codes.UNKNOWN_SHOWN,
        "`#show` names a predicate that does not exist",
        cause="No predicate of the program uses this name and number of arguments, so nothing is shown.",
        cure="Correct the name or the number.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            #show alarms/1.
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            #show alarm/1.
            """,
    ),
    Entry(
        codes.FOREIGN_PREDICATE,
        "Another system gives this predicate a meaning, lars2asp does not",
        cause="`leq(X,3)`, `time_win(...)` and the like are plain predicates here, and nothing derives them.",
        cure="Write the text of the hint, for example `X <= 3`.",
        wrong="""\
            #input temp(room, degrees).
            cool(R) :- temp(R, D), leq(D, 20).
            """,
        right="""\
            #input temp(room, degrees).
            cool(R) :- temp(R, D), D <= 20.
            """,
    ),
    Entry(
        codes.UNKNOWN_HELD,
        "`#held` names a predicate that does not exist",
        cause="No rule uses this predicate, so the declaration has no effect.",
        cure="Correct the name or the number of arguments.",
        wrong="""\
            #tick 1 sec.
            #input reading(room, degrees).
            #held readings(R, _) by R for 1 min.
            hot(R) :- reading(R, D), D > 25.
            """,
        right="""\
            #tick 1 sec.
            #input reading(room, degrees).
            #held reading(R, _) by R for 1 min.
            hot(R) :- reading(R, D), D > 25.
            """,
    ),
    Entry(
        codes.UNKNOWN_DECLARED,
        "A declaration names a predicate that does not exist",
        cause="`#decimals` or `#types` declares a predicate that the program does not use, so it has no "
        "effect.",
        cure="Correct the name or the number of arguments.",
        wrong="""\
            #input reading(room, number(degrees)).
            #decimals readings(_, 1).
            hot(R) :- reading(R, D), D > 25.
            """,
        right="""\
            #input reading(room, number(degrees)).
            #decimals reading(_, 1).
            hot(R) :- reading(R, D), D > 25.0.
            """,
    ),
    Entry(
        codes.SHOWN_CONSTANT,
        "`#show` shows a constant, not a predicate",
        cause="`#show alarm.` adds the constant `alarm` to every answer. `#show alarm/1.` shows the atoms "
        "of a predicate.",
        cure="Write the number of arguments after a slash.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            #show alarm.
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R).
            #show alarm/1.
            """,
    ),
)
