"""L7: programs that mean something else."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.VALUES_COUNTED_APART,
        "Each value of `_` is counted by itself",
        cause="In `failed(U,_) at least 3 in [10]`, `_` is one value at all three ticks. Three failures "
        "with three values do not count.",
        cure="Put the atom in brackets: `(failed(U,_)) at least 3 in [10]`.",
        wrong="""\
            #input failed(user, address).
            alarm(U) :- failed(U, _) at least 3 in [10].
            """,
        right="""\
            #input failed(user, address).
            alarm(U) :- (failed(U, _)) at least 3 in [10].
            """,
    ),
    Entry(
        codes.ONE_VALUE_AT_ALL_TICKS,
        "The variable keeps one value at all ticks of the window",
        cause="`reading(R,T) always in [10], T > 25` asks for one T at every tick. It fails when the "
        "reading changes.",
        cure="Compare first, in a rule of its own. Then use `always` with that atom.",
        wrong="""\
            #complete_windows.
            #input reading(room, degrees).
            hot(R) :- reading(R, T) always in [10], T > 25.
            """,
        right="""\
            #complete_windows.
            #input reading(room, degrees).
            high(R) :- reading(R, T), T > 25.
            hot(R) :- high(R) always in [10].
            """,
    ),
    Entry(
        codes.DENIES_NOW,
        "The window includes the current tick, so this can never be true",
        cause="`click(U), not click(U) in [10]` asks whether the click of now is missing in a window that "
        "includes now. A rule such as `dry :- rain, not dry.` denies its own atom.",
        cure="Use a window without the current tick: `[1..10]`.",
        wrong="""\
            #input click(user).
            first(U) :- click(U), not click(U) in [10].
            """,
        right="""\
            #input click(user).
            first(U) :- click(U), not click(U) in [1..10].
            """,
    ),
    Entry(
        codes.EQUAL_VALUES_IN_SUM,
        "Equal values count once in a sum",
        cause="The elements of `#sum` are a set. Two sales of 5 add 5, not 10.",
        cure="Add a term that differs, for example the number of the order or the tick.",
        wrong="""\
            #input sale(order, price).
            total(S) :- S = #sum { P : sale(_, P) }.
            """,
        right="""\
            #input sale(order, price).
            total(S) :- S = #sum { P,O : sale(O, P) }.
            """,
    ),
    Entry(
        codes.OTHER_ELEMENTS_IN_MEAN,
        "A mean divides a sum by the count of other elements",
        cause="The sum and the count look at different windows, or count other elements. So their quotient "
        "is not the mean.",
        cure="Write the same element in both: `#sum { V,T : ... }` and `#count { V,T : ... }`.",
        wrong="""\
            #input sale(order, price).
            mean(S/N) :- S = #sum { P,O : sale(O, P) in [9] }, N = #count { P,O : sale(O, P) in [5] }, N > 0.
            """,
        right="""\
            #input sale(order, price).
            mean(S/N) :- S = #sum { P,O : sale(O, P) in [9] }, N = #count { P,O : sale(O, P) in [9] }, N > 0.
            """,
    ),
    Entry(
        codes.HEAD_WITH_CONDITION,
        "A head with a condition says that one instance holds",
        cause="`on(R) : room(R).` chooses one room that is on. It does not say that all are on.",
        cure="If all of them are to hold, write a rule: `on(R) :- room(R).`",
        wrong="""\
            #input room(name).
            on(R) : room(R).
            """,
        right="""\
            #input room(name).
            on(R) :- room(R).
            """,
    ),
    Entry(
        codes.COMMA_IN_HEAD,
        "A comma in a head says that one of the atoms holds",
        cause="`light(R), fan(R) :- hot(R).` derives light or fan, not both.",
        cure="Write one rule for each atom. If you mean that one is enough, write a semicolon.",
        wrong="""\
            #input hot(room).
            light(R), fan(R) :- hot(R).
            """,
        right="""\
            #input hot(room).
            light(R) :- hot(R).
            fan(R) :- hot(R).
            """,
    ),
    Entry(
        codes.COMPARISON_AS_RULE,
        "A comparison derives nothing",
        cause="`alarm <= hot.` compares two names. It is not an arrow.",
        cure="Write `alarm :- hot.`",
        wrong="""\
            #defined hot/0.
            alarm <= hot.
            """,
        right="""\
            #defined hot/0.
            alarm :- hot.
            """,
    ),
    Entry(
        codes.CONTRADICTION,
        "The body can never be true",
        cause="Two literals of the body exclude each other. The message names both.",
        cure="Correct one.",
        wrong="""\
            #input temp(room, degrees).
            odd(R) :- temp(R, D), D > 30, D < 20.
            """,
        right="""\
            #input temp(room, degrees).
            odd(R) :- temp(R, D), D > 20, D < 30.
            """,
    ),
    Entry(
        codes.FOREIGN_FUNCTION,
        "`^` is not a power, and `abs(...)` is not a number",
        cause="In clingo `^` is the exclusive or of bits, and `abs(X)` is a term with a name.",
        cure="Write `X**2` for a power and `|X|` for the absolute value.",
        wrong="""\
            #input side(length).
            area(X^2) :- side(X).
            """,
        right="""\
            #input side(length).
            area(X**2) :- side(X).
            """,
    ),
    Entry(
        codes.BOUND_OF_SET,
        "A name in front of braces is read as a bound",
        cause="In `smoke { p; q }` lars2asp reads `smoke` as the lower bound of a set. A bound is a number.",
        cure="Write the missing dot or comma. A window with ticks is `smoke in {1,2}`.",
        wrong="""\
            #defined p/0.
            #defined q/0.
            alarm :- smoke { p; q }.
            """,
        right="""\
            #defined p/0.
            #defined q/0.
            #defined smoke/0.
            alarm :- smoke, 1 { p; q }.
            """,
    ),
)
