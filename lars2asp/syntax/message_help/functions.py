"""L9: functions and scripts."""

from lars2asp.syntax import codes
from lars2asp.syntax.message_help.entry import Entry

ENTRIES = (
    Entry(
        codes.UNKNOWN_FUNCTION,
        "This @-function does not exist",
        cause="No script of the program and no file of `--functions` defines it.",
        cure="Define it in a script, pass `--functions FILE`, or correct the name.",
        wrong="""\
            #defined side/1.
            area(@square(X)) :- side(X).
            """,
        right="""\
            #script (python)
            def square(x: int) -> int:
                return x * x
            #end.
            #defined side/1.
            area(@square(X)) :- side(X).
            """,
    ),
    Entry(
        codes.SCRIPT_ERROR,
        "The script is not Python",
        cause="Python cannot read the text between `#script (python)` and `#end.`",
        cure="Correct the script. The message gives Python's reason.",
        wrong="""\
            #script (python)
            def square(x: int) -> int
                return x * x
            #end.
            """,
        right="""\
            #script (python)
            def square(x: int) -> int:
                return x * x
            #end.
            """,
    ),
    Entry(
        codes.MAIN_NOT_CALLED,
        "lars2asp does not call `main`",
        cause="In clingo `main` controls the solver. In lars2asp ticks control it.",
        cure="Remove `main`, or rename the function.",
        wrong="""\
            #script (python)
            def main(control):
                pass
            #end.
            """,
        right="""\
            #script (python)
            def prepare(control):
                pass
            #end.
            """,
    ),
    Entry(
        codes.MISSING_IMPORT,
        "The script imports a module that does not exist",
        cause="Python cannot find the module, or the module does not have this name.",
        cure="Correct the name, or install the package.",
        wrong="""\
            #script (python)
            import not_there
            #end.
            """,
        right="""\
            #script (python)
            import math
            #end.
            """,
    ),
    Entry(
        codes.SCRIPT_SYNTAX,
        "A script is not written as it should be",
        cause="lars2asp runs scripts in Python only. A script begins with `#script (python)` and ends with "
        "`#end.`",
        cure="Write the script in Python.",
        wrong="""\
            #script (lua)
            #end.
            """,
        right="""\
            #script (python)
            #end.
            """,
    ),
)
