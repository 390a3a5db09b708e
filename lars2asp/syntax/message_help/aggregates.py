"""L8: aggregates and cycles."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.AGGREGATE_WINDOW,
        "The window of an aggregate is outside the braces",
        cause="A window belongs to an atom. Inside its braces an aggregate lists atoms.",
        cure="Put the window inside the braces, after the atom.",
        wrong="""\
            #input login(user, address).
            many :- #count { U : login(U, _) } >= 3 in [10].
            """,
        right="""\
            #input login(user, address).
            many :- #count { U : login(U, _) in [10] } >= 3.
            """,
    ),
    Entry(
        codes.COUNT_OF_TICKS,
        "The ticks of an atom are counted in another way",
        cause="`at least`, `at most` and `count` count the ticks of a window at which an atom holds. "
        "`count` needs a number or a variable.",
        cure="Write for example `smoke(R) at least 3 in [10]`.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R) count >= 3 in [10].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R) at least 3 in [10].
            """,
    ),
    Entry(
        codes.COUNT_CYCLE,
        "An atom depends on its own count",
        cause="A rule counts the ticks of an atom, and the atom depends on that count at the same tick. The "
        "meaning of such a cycle is not clear.",
        cure="Count over the past alone, as in `{1,2}`, or ask for `at least`.",
        wrong="""\
            #input smoke(room).
            alarm(R) :- smoke(R), alarm(R) count 2 in [5].
            """,
        right="""\
            #input smoke(room).
            alarm(R) :- smoke(R), alarm(R) count 2 in {1..5}.
            """,
    ),
    Entry(
        codes.ENDLESS_GROWTH,
        "A rule derives larger and larger terms without end",
        cause="The atom depends on itself with a new number or term each time. The first tick with such an "
        "atom never ends.",
        cure="Bound the variable with a comparison: `N < 100`.",
        wrong="""\
            #input begin(number).
            number(N) :- begin(N).
            number(N+1) :- number(N).
            """,
        right="""\
            #input begin(number).
            number(N) :- begin(N).
            number(N+1) :- number(N), N < 100.
            """,
    ),
    Entry(
        codes.AGGREGATE_ELEMENT,
        "An element of an aggregate is not written as it should be",
        cause="An element of `#count` consists of terms, a colon, and literals. Semicolons separate "
        "elements, and commas separate literals.",
        cure="Write `#count { U : login(U,A), bad(A) }`.",
        wrong="""\
            #input login(user, address).
            #input bad(address).
            many :- 3 <= #count { U : login(U, A) : bad(A) }.
            """,
        right="""\
            #input login(user, address).
            #input bad(address).
            many :- 3 <= #count { U : login(U, A), bad(A) }.
            """,
    ),
)
