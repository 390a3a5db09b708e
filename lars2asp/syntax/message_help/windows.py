"""L2: windows and time."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.MISSING_WINDOW,
        "A window is missing",
        cause="`in`, `always`, `at least`, `at most` and `count` ask about the ticks of a window.",
        cure="Write the window after the word: `always in [5]`.",
        wrong="""\
            #input smoke(room).
            #complete_windows.
            alarm(R) :- smoke(R) always.
            """,
        right="""\
            #input smoke(room).
            #complete_windows.
            alarm(R) :- smoke(R) always in [5].
            """,
    ),
    Entry(
        codes.ORDER_OF_WORDS,
        "The words of a streaming atom are in another order",
        cause="The atom comes first, then `always`, `at least 3`, `count N` or `at T`, then `in` and the "
        "window. `not` comes in front of the atom.",
        cure="Write the words in this order.",
        wrong="""\
            #input smoke(room).
            #complete_windows.
            alarm(R) :- always smoke(R) in [5].
            """,
        right="""\
            #input smoke(room).
            #complete_windows.
            alarm(R) :- smoke(R) always in [5].
            """,
    ),
    Entry(
        codes.FOREIGN_WINDOW,
        "A window is written as in another language",
        cause="A window is in brackets: `[5]`, `[10 min]`, `[100 #]` for arrivals, `[every 1 hour]` for "
        "blocks, or `{1,2}` for single ticks.",
        cure="Write the window that the hint gives.",
        wrong="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in last 10 min.
            """,
        right="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in [10 min].
            """,
    ),
    Entry(
        codes.UNKNOWN_UNIT,
        "This is not a unit of time",
        cause="Units are `tick`, `msec`, `sec`, `min`, `hour` and `day`. Windows that begin with `every` "
        "also accept `week`, `month` and `year`.",
        cure="Write one number and one unit.",
        wrong="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in [5 hrs].
            """,
        right="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in [5 hour].
            """,
    ),
    Entry(
        codes.UNIT_WITHOUT_TICK,
        "A unit of time needs the length of a tick",
        cause="lars2asp counts time in ticks. It cannot turn 10 minutes into ticks if it does not know how "
        "long a tick is.",
        cure="Add `#tick 1 sec.` or another length. Or give the number of ticks, without a unit.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [10 min].
            """,
        right="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in [10 min].
            """,
    ),
    Entry(
        codes.PARTIAL_TICK,
        "A duration is not a whole number of ticks",
        cause="A window begins and ends at a tick. With ticks of a minute, no window covers exactly 90 "
        "seconds.",
        cure="Choose a multiple of the tick, or a shorter tick.",
        wrong="""\
            #tick 1 min.
            #input smoke(room).
            alarm(R) :- smoke(R) in [90 sec].
            """,
        right="""\
            #tick 30 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in [90 sec].
            """,
    ),
    Entry(
        codes.WINDOW_SIZE,
        "A window cannot have this size",
        cause="A size is a whole number, 0 or more, and the same at every tick. A window needs at least one "
        "tick or one arrival.",
        cure="Write a number, or a constant with a value: `#const n = 5.`",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [0 #].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [1 #].
            """,
    ),
    Entry(
        codes.LONG_STEP,
        "The step of a window is longer than the window",
        cause="The window moves so far that it skips ticks. What happens at these ticks is never in the "
        "window.",
        cure="Choose a step that is at most as long as the window.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [2 step 5].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R) in [4 step 5].
            """,
    ),
    Entry(
        codes.GROUP_NOT_AN_ARGUMENT,
        "A window groups by a variable that its atom does not have",
        cause="`[5 # by R]` contains the last 5 arrivals for each value of R. R must be an argument of the "
        "atom in front of the window.",
        cure="Use a variable of the atom.",
        wrong="""\
            #input smoke(room).
            #input room(room).
            alarm(R) :- room(R), smoke(_) in [5 # by R].
            """,
        right="""\
            #input smoke(room).
            #input room(room).
            alarm(R) :- room(R), smoke(R) in [5 # by R].
            """,
    ),
    Entry(
        codes.SINCE_ARGUMENT,
        "A window since an atom does not allow this argument",
        cause="In `[since b]`, an argument of `b` is a variable of the atom in front of the window, `_`, or "
        "a value.",
        cure="Derive the beginning by a rule of its own, and use that atom in the window.",
        wrong="""\
            #input click(user).
            #input level(user, number).
            seen(U) :- click(U) in [since level(U, 1..2)].
            """,
        right="""\
            #input click(user).
            #input level(user, number).
            low(U) :- level(U, 1..2).
            seen(U) :- click(U) in [since low(U)].
            """,
    ),
    Entry(
        codes.DERIVED_IN_TUPLE_WINDOW,
        "A tuple window never has derived atoms",
        cause="A window such as `[5 #]` contains the last records of the input. A rule derives this atom, "
        "so the condition is never true.",
        cure="Use a window of ticks, such as `[5]`, for derived atoms.",
        wrong="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D > 25.
            alarm(R) :- hot(R) in [5 #].
            """,
        right="""\
            #input temp(room, degrees).
            hot(R) :- temp(R, D), D > 25.
            alarm(R) :- hot(R) in [5].
            """,
    ),
    Entry(
        codes.WINDOW_WITHOUT_ZONE,
        "Weeks, months and years need a time zone",
        cause="A week, a month and a year begin at midnight of a place. lars2asp needs the zone and the "
        "length of a tick to find these moments.",
        cure='Add `#timezone "Europe/Vienna".` and `#tick`, or write a number of days.',
        wrong="""\
            #tick 1 hour.
            #input sale(item).
            sold(I) :- sale(I) in [every 1 week].
            """,
        right="""\
            #tick 1 hour.
            #timezone "Europe/Vienna".
            #input sale(item).
            sold(I) :- sale(I) in [every 1 week].
            """,
    ),
    Entry(
        codes.ELAPSED_TIME,
        "These hours do not follow the clock of the zone",
        cause="In the zone some days have 23 or 25 hours. Blocks of 48 hours count elapsed time, so their "
        "borders move by an hour when clocks change.",
        cure="Write `day` for days of the clock, or a part of a day such as `6 hour`.",
        wrong="""\
            #tick 1 hour.
            #timezone "Europe/Vienna".
            #input sale(item).
            sold(I) :- sale(I) in [every 48 hour].
            """,
        right="""\
            #tick 1 hour.
            #timezone "Europe/Vienna".
            #input sale(item).
            sold(I) :- sale(I) in [every 2 day].
            """,
    ),
    Entry(
        codes.BORDER_WITHIN_TICK,
        "A block by the clock begins inside a tick",
        cause="The zone has an offset such as 5:30 hours. With ticks of an hour, midnight there is in the "
        "middle of a tick.",
        cure="Choose the shorter tick that the hint gives.",
        wrong="""\
            #tick 1 hour.
            #timezone "Asia/Kolkata".
            #input sale(item).
            sold(I) :- sale(I) in [every 1 day].
            """,
        right="""\
            #tick 30 min.
            #timezone "Asia/Kolkata".
            #input sale(item).
            sold(I) :- sale(I) in [every 1 day].
            """,
    ),
    Entry(
        codes.NUMBER_OF_TICKS,
        "This is not a number of ticks",
        cause="`at least` and `count` need 1 or more ticks, `at most` needs 0 or more. The number is an "
        "integer or a variable.",
        cure="Write a number. For an atom that holds at no tick write `not a in [5]`.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) at least 0 in [5].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R) at least 1 in [5].
            """,
    ),
    Entry(
        codes.MORE_TICKS_THAN_WINDOW,
        "The window covers fewer ticks than the number",
        cause="A window `[n]` covers n+1 ticks: now, and n ticks before. With a larger number the condition "
        "is never true, or always true for `at most`.",
        cure="Choose a smaller number or a larger window.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) at least 9 in [5].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R) at least 3 in [5].
            """,
    ),
    Entry(
        codes.START_OF_STREAM,
        "At the start of the stream this is true after fewer ticks",
        cause="Windows do not reach back before the first tick. At the start, `always in [10]` asks about "
        "the few ticks that there are.",
        cure="Add `#complete_windows.` to wait until the stream is as long as the window.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) always in [10].
            """,
        right="""\
            #input smoke(room).
            #complete_windows.
            alarm(R) :- smoke(R) always in [10].
            """,
    ),
    Entry(
        codes.STRICT_FORMULA,
        "Formulas under windows need recorded semantics",
        cause="With strict semantics windows see the input only. The formula in brackets is derived, so the "
        "window would see nothing of earlier ticks.",
        cure="Write `#semantics recorded.` or leave out `#semantics`.",
        wrong="""\
            #semantics strict.
            #input smoke(room).
            alarm(R) :- (smoke(R) in [1]) in [5].
            """,
        right="""\
            #semantics recorded.
            #input smoke(room).
            alarm(R) :- (smoke(R) in [1]) in [5].
            """,
    ),
    Entry(
        codes.FORGOTTEN_HEAD,
        "lars2asp does not keep this atom for a later tick",
        cause="The head places an atom at a later tick. With `#temp`, or with strict semantics, lars2asp "
        "keeps nothing for later ticks.",
        cure="Leave `#temp` out, or write `#semantics recorded.`",
        wrong="""\
            #input smoke(room).
            #temp check(R) at @now+5 :- smoke(R).
            """,
        right="""\
            #input smoke(room).
            check(R) at @now+5 :- smoke(R).
            """,
    ),
    Entry(
        codes.UNIT_OF_OTHER_NUMBER,
        "The unit of a number is not clear",
        cause="A number without a unit takes the unit of the next number: in `[1..10 sec]` both are seconds. "
        "In `{1 min, 3}` there is no next number, so 3 could be ticks or minutes.",
        cure="Write the unit of each number, for example `[1 tick .. 10 sec]`.",
        wrong="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in {1 min, 3}.
            """,
        right="""\
            #tick 1 sec.
            #input smoke(room).
            alarm(R) :- smoke(R) in {1 min, 3 min}.
            """,
    ),
    Entry(
        codes.FOREIGN_TEMPORAL_OPERATOR,
        "`since`, `after` or `until` is written as in another logic",
        cause="In lars2asp, `since` and `after` belong in the window. Rules look back, so there is no "
        "`until`.",
        cure="Write `p in [since q]` or `p in [after q]`. For until, ask when it ended.",
        wrong="""\
            #input click(user).
            #input login(user).
            seen(U) :- click(U) after login(U).
            """,
        right="""\
            #input click(user).
            #input login(user).
            seen(U) :- click(U) in [after login(U)].
            """,
    ),
    Entry(
        codes.NOW_IS_NO_TICK,
        "`now` is not the current tick",
        cause="`now` is a constant like any other. The current tick is `@now`. It is a number, without "
        "parts such as `@now.hour`.",
        cure="Write `@now`. For hours and weekdays declare `#calendar`.",
        wrong="""\
            #defined deadline/1.
            late :- deadline(T), T != now.
            """,
        right="""\
            #defined deadline/1.
            late :- deadline(T), T != @now.
            """,
    ),
    Entry(
        codes.PLACED_IN_SINCE,
        "A window since an atom does not see atoms that heads place at other ticks",
        cause="`[since b]` looks at the ticks as they pass. A head with `at` adds an atom to another tick, "
        "which this window does not see.",
        cure="Use an atom that rules derive at the current tick.",
        wrong="""\
            #input click(user).
            #input login(user).
            start(U) at @now+1 :- login(U).
            seen(U) :- click(U) in [since start(U)].
            """,
        right="""\
            #input click(user).
            #input login(user).
            start(U) :- login(U).
            seen(U) :- click(U) in [since start(U)].
            """,
    ),
    Entry(
        codes.LAST_OF_ANY_VALUE,
        "The window contains the last arrivals with any value",
        cause="`[1 # by D]` contains the last record of each Dwith any other values. lars2asp looks among "
        "these for a value that you write in the atom.",
        cure="If you want the last arrival with this value, use a variable and group by it too.",
        wrong="""\
            #input message(device, kind).
            alive(D) :- message(D, "beat") in [1 # by D].
            """,
        right="""\
            #input message(device, kind).
            alive(D) :- message(D, K) in [1 # by D,K], K = "beat".
            """,
    ),
)
