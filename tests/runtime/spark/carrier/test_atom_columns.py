"""Predicates and arguments in columns."""

from pyspark.sql import SparkSession

from lars2asp.spark import answers

DEEP = "f(" * 40 + "1" + ")" * 40

ATOMS: dict[str, tuple[str | None, list[str] | None]] = {
    "p": ("p/0", []),
    "-p(x)": ("-p/1", ["x"]),
    'p(1,"a,b",f(1,(2,")")),(1,),())': ("p/5", ["1", "a,b", 'f(1,(2,")"))', "(1,)", "()"]),
    r'p("a\"b(\\\n","","\\n")': ("p/3", ['a"b(\\\n', "", "\\n"]),
    f"p({DEEP},-3)": ("p/2", [DEEP, "-3"]),
    "p(" + ",".join(map(str, range(900))) + ")": ("p/900", [*map(str, range(900))]),
    f'p("{"x" * 100_000}")': ("p/1", ["x" * 100_000]),
}


SHOW = "#show -p/1. " + "".join(f"#show p/{arity}. " for arity in (0, 1, 2, 3, 5, 900))


def test_atoms(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, atom) for atom in ATOMS], "time long, atom string")
    rows = answers(frame, SHOW).collect()
    assert {row.atom: (row.predicate, row.arguments) for row in rows} == ATOMS


def test_what_is_no_atom(spark: SparkSession) -> None:
    """Other terms of `#show`, and records that are rejected."""
    frame = spark.createDataFrame([(1, "p"), (1, "P")], "time long, atom string")
    rows = answers(frame, '#show. #show 3 : p. #show "a" : p. #show (1,2) : p.').collect()
    assert sorted(row.atom for row in rows) == ['"a"', "(1,2)", "1 P", "3"]
    assert {(row.predicate, row.arguments) for row in rows} == {(None, None)}
