"""L1: variables, rules and heads."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.UNSAFE_VARIABLE,
        "A variable has no values",
        cause="No positive atom of the body gives the variable a value. Comparisons, negated atoms and `at "
        "most` only test values that the variable already has. The rule would hold for all values there "
        "are.",
        cure="Use the variable in a positive atom of the body, or compute it: `Y = X+1`.",
        wrong="""\
            #input temp(room, degrees).
            hot(Room) :- temp(Room, Degrees), Degrees > Limit.
            """,
        right="""\
            #input temp(room, degrees).
            #input limit(room, degrees).
            hot(Room) :- temp(Room, Degrees), limit(Room, Limit), Degrees > Limit.
            """,
    ),
    Entry(
        codes.SINGLE_VARIABLE,
        "A variable is used only once",
        cause="A variable connects the places that use it. A variable with one place connects nothing. Most "
        "often its name is misspelt in one place.",
        cure="Correct the name. If you do not need the value, write `_`.",
        wrong="""\
            #input login(user, address).
            seen(User) :- login(User, Adress).
            """,
        right="""\
            #input login(user, address).
            seen(User) :- login(User, _).
            """,
    ),
    Entry(
        codes.WINDOW_IN_HEAD,
        "A window is in the head of a rule",
        cause="A head says what holds now, or at one tick. Windows look back, so they belong to the body.",
        cure="Move the window to the body. To place an atom at a later tick, write `at @now+5` in the head.",
        wrong="""\
            #input smoke(room).
            { alarm(Room) in [5] } :- smoke(Room).
            """,
        right="""\
            #input smoke(room).
            alarm(Room) :- smoke(Room) in [5].
            """,
    ),
    Entry(
        codes.MISPLACED_AGGREGATE,
        "An aggregate is inside a condition or another aggregate",
        cause="Aggregates such as `#count` are literals of a body or a head. They cannot be nested.",
        cure="Compute the inner aggregate in a rule of its own, and use the atom of that rule.",
        wrong="""\
            #input login(user).
            #input user(name).
            busy :- 2 <= #count { U : user(U), 1 <= #count { 1 : login(U) } }.
            """,
        right="""\
            #input login(user).
            #input user(name).
            active(U) :- user(U), 1 <= #count { 1 : login(U) }.
            busy :- 2 <= #count { U : active(U) }.
            """,
    ),
    Entry(
        codes.POOL_IN_HEAD,
        "The atoms of a pool in a head have different numbers of arguments",
        cause="Before a colon in a head, a pool such as `sent(X; X,1)` means atoms of one predicate. "
        "`sent(X)` and `sent(X,1)` are atoms of two predicates.",
        cure="Derive one atom in the head. Derive the others from it by rules of their own.",
        wrong="""\
            #input order(number).
            sent(X; X,1) : order(X).
            """,
        right="""\
            #input order(number).
            { sent(X) } :- order(X).
            sent(X, 1) :- sent(X).
            """,
    ),
)
