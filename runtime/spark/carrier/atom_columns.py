"""Atoms in columns: the predicate and the arguments in the text of an atom, by Spark itself."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

DEEPEST = 50
"""How deep arguments may be nested; deeper ones have no columns."""

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_ATOM = r"^-?[_']*[a-z]"
"""How the text of an atom begins, and that of no number, string or tuple."""


def _nested(depth: int) -> str:
    """A regular expression for an argument: all up to a comma that is in no string and no parentheses."""
    inner = ""
    for _ in range(depth):
        inner = rf'(?:[^"()]++|{_STRING}|\({inner}\))*+' if inner else rf'(?:[^"()]++|{_STRING})*+'
    return rf'(?:[^"(),]++|{_STRING}|\({inner}\))++'


_ARGUMENT = _nested(DEEPEST)


def with_predicate_and_arguments(changes: DataFrame, is_atom: Column) -> DataFrame:
    """Rows with the columns `predicate` (such as `alarm/2`) and `arguments` where their `atom` is one.

    Arguments are text: strings without their quotes, all else as programs write it.
    """
    atom = F.col("atom")
    begin = F.instr(atom, "(")
    inner = F.when(begin > 0, atom.substr(begin + F.lit(1), F.length(atom) - begin - F.lit(1))).otherwise("")
    found = F.when(
        is_atom & atom.rlike(_ATOM), F.transform(F.regexp_extract_all(inner, F.lit(_ARGUMENT), 0), _plain)
    )
    arguments = F.col("arguments")
    predicate = F.concat(F.substring_index(atom, "(", 1), F.lit("/"), F.size(arguments).cast("string"))
    return changes.withColumn("arguments", found).withColumn(
        "predicate", F.when(arguments.isNotNull(), predicate)
    )


def _plain(argument: Column) -> Column:
    """An argument without quotes and escapes, if it is a string."""
    text = argument.substr(F.lit(2), F.length(argument) - F.lit(2))
    unescaped = text
    for escaped, sign in (("\\\\", "\0"), ("\\n", "\n"), ('\\"', '"'), ("\0", "\\")):
        unescaped = F.replace(unescaped, F.lit(escaped), F.lit(sign))
    quoted = F.when(F.contains(argument, F.lit("\\")), unescaped).otherwise(text)
    return F.when(argument.startswith('"'), quoted).otherwise(argument)
