"""The codes of diagnostics. A code is a kind of mistake, not a sentence, and never changes its meaning.

The name of a constant is the name of the code: `UNSAFE_VARIABLE` is `unsafe-variable`, L101. What is written
about a code, with an example, is in `lars2asp/syntax/message_help/`, which nothing imports at the start.
"""

from typing import NewType

Code = NewType("Code", str)

# L0: text that is no program
UNEXPECTED_TEXT = Code("L001")
MISSING_DOT = Code("L002")
NEVER_CLOSED = Code("L003")
WRONG_ESCAPE = Code("L004")
FOREIGN_COMMENT = Code("L005")
FOREIGN_OPERATOR = Code("L006")
FOREIGN_CONNECTIVE = Code("L007")
MISPLACED_HEAD = Code("L008")
NOT_A_PROGRAM = Code("L009")
TOO_LARGE = Code("L010")
UNSUPPORTED_SYNTAX = Code("L011")
ATOM_EXPECTED = Code("L012")
RESERVED_NAME = Code("L013")
NOT_A_WHOLE_NUMBER = Code("L014")
FOREIGN_CHARACTER = Code("L015")
OTHER_DIALECT = Code("L016")
DIALECT_RULE = Code("L017")
DIALECT_DIFFERENCE = Code("L018")

# L1: variables, rules and heads
UNSAFE_VARIABLE = Code("L101")
SINGLE_VARIABLE = Code("L102")
WINDOW_IN_HEAD = Code("L103")
MISPLACED_AGGREGATE = Code("L104")
POOL_IN_HEAD = Code("L105")

# L2: windows and time
MISSING_WINDOW = Code("L201")
ORDER_OF_WORDS = Code("L202")
FOREIGN_WINDOW = Code("L203")
UNKNOWN_UNIT = Code("L204")
UNIT_WITHOUT_TICK = Code("L205")
PARTIAL_TICK = Code("L206")
WINDOW_SIZE = Code("L207")
LONG_STEP = Code("L208")
GROUP_NOT_AN_ARGUMENT = Code("L209")
SINCE_ARGUMENT = Code("L210")
DERIVED_IN_TUPLE_WINDOW = Code("L211")
WINDOW_WITHOUT_ZONE = Code("L212")
ELAPSED_TIME = Code("L213")
BORDER_WITHIN_TICK = Code("L214")
NUMBER_OF_TICKS = Code("L215")
MORE_TICKS_THAN_WINDOW = Code("L216")
START_OF_STREAM = Code("L217")
STRICT_FORMULA = Code("L218")
FORGOTTEN_HEAD = Code("L219")
UNIT_OF_OTHER_NUMBER = Code("L220")
FOREIGN_TEMPORAL_OPERATOR = Code("L221")
NOW_IS_NO_TICK = Code("L222")
PLACED_IN_SINCE = Code("L223")
LAST_OF_ANY_VALUE = Code("L224")

# L3: predicates and #show
UNKNOWN_PREDICATE = Code("L301")
OTHER_ARITY = Code("L302")
UNKNOWN_SHOWN = Code("L303")
FOREIGN_PREDICATE = Code("L304")
UNKNOWN_HELD = Code("L305")
UNKNOWN_DECLARED = Code("L306")
SHOWN_CONSTANT = Code("L307")

# L4: values, types and decimals
TYPES_DIFFER = Code("L401")
DECLARED_TYPE = Code("L402")
UNKNOWN_DECIMALS = Code("L403")
DECIMALS_DIFFER = Code("L404")
TOO_MANY_DIGITS = Code("L405")
NO_DECIMALS_HERE = Code("L406")
INTEGER_WITH_DECIMALS = Code("L407")
RAW_VALUE = Code("L408")
SINGLE_QUOTES = Code("L409")
TEXT_OF_DIGITS = Code("L410")
TEXT_AND_NUMBER = Code("L411")
TIME_ARITHMETIC = Code("L412")
LARGE_INTERVAL = Code("L413")
WRONG_TIME = Code("L415")

# L5: directives, constants, files and options
UNKNOWN_DIRECTIVE = Code("L501")
DIRECTIVE_SYNTAX = Code("L502")
GIVEN_TWICE = Code("L503")
CONSTANT_VALUE = Code("L504")
UNKNOWN_CONSTANT = Code("L505")
UNKNOWN_OPTION_VALUE = Code("L506")
UNKNOWN_ZONE = Code("L507")
WRONG_ORIGIN = Code("L508")
WRONG_DURATION = Code("L509")
CALENDAR = Code("L510")
IGNORED_PART = Code("L511")
MISSING_FILE = Code("L512")
UNREADABLE_FILE = Code("L513")
UNTRUSTED = Code("L514")
PREFIX = Code("L515")

# L6: input declarations and tables
COLUMN_SYNTAX = Code("L601")
TIME_FORMAT = Code("L602")
LINE_PATTERN = Code("L603")
PATTERN_PLACE = Code("L604")
TRIPLES_INPUT = Code("L605")
MISPLACED_EACH = Code("L606")
HELD_ARGUMENT = Code("L607")
DERIVED_HELD = Code("L608")
TABLE_ROW = Code("L610")
TEXT_COLUMN = Code("L611")
MISSING_VALUE = Code("L612")
INPUT_CONDITION = Code("L613")
CONVERSION = Code("L614")
NUMBER_MARK = Code("L615")

# L7: programs that mean something else
VALUES_COUNTED_APART = Code("L701")
ONE_VALUE_AT_ALL_TICKS = Code("L702")
DENIES_NOW = Code("L703")
EQUAL_VALUES_IN_SUM = Code("L704")
OTHER_ELEMENTS_IN_MEAN = Code("L705")
HEAD_WITH_CONDITION = Code("L706")
COMMA_IN_HEAD = Code("L707")
COMPARISON_AS_RULE = Code("L708")
CONTRADICTION = Code("L709")
FOREIGN_FUNCTION = Code("L710")
BOUND_OF_SET = Code("L711")

# L8: aggregates, choices, optimisation, cycles
AGGREGATE_WINDOW = Code("L801")
COUNT_OF_TICKS = Code("L802")
COUNT_CYCLE = Code("L803")
ENDLESS_GROWTH = Code("L804")
AGGREGATE_ELEMENT = Code("L805")

# L9: functions and scripts
UNKNOWN_FUNCTION = Code("L901")
SCRIPT_ERROR = Code("L902")
MAIN_NOT_CALLED = Code("L903")
MISSING_IMPORT = Code("L904")
SCRIPT_SYNTAX = Code("L905")


def name_of(code: Code) -> str:
    """The name of a code: `unsafe-variable`."""
    return next(name for name, one in names().items() if one == code)


def names() -> dict[str, Code]:
    """All codes by their names, in their order."""
    return {
        name.lower().replace("_", "-"): value
        for name, value in globals().items()
        if name.isupper() and not name.startswith("_")
    }
