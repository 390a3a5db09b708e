"""What goes to the output as columns: texts of atoms, predicates and arguments."""

import pytest

from lars2asp.externals.terms.terms import BARE_TERM, AtomRows, Value, constant, tuple_term
from lars2asp.runtime.sharding.blocks import Block, written
from lars2asp.runtime.sharding.changes import changes_in
from lars2asp.runtime.sharding.packets import OUTPUT, REJECTION, PacketSign
from lars2asp.runtime.sources.facts.atoms import parse_atoms

DEEP = "f(" * 40 + "1" + ")" * 40

ATOMS: dict[str, tuple[str, list[str]]] = {
    "p": ("p/0", []),
    "-p(x)": ("-p/1", ["x"]),
    "p(-7)": ("p/1", ["-7"]),
    'p("x y")': ("p/1", ["x y"]),
    'p(1,"a,b",f(1,(2,")")),(1,),())': ("p/5", ["1", "a,b", 'f(1,(2,")"))', "(1,)", "()"]),
    r'p("a\"b(\\\n","","\\n")': ("p/3", ['a"b(\\\n', "", "\\n"]),
    f"p({DEEP},-3)": ("p/2", [DEEP, "-3"]),
    "p(" + ",".join(map(str, range(900))) + ")": ("p/900", [*map(str, range(900))]),
}


@pytest.mark.parametrize("text", ATOMS)
def test_an_atom(text: str) -> None:
    [atoms] = parse_atoms([text])
    block = Block.of(PacketSign.ENDED, atoms, [4])
    [row] = changes_in([(written([block]), 2)]).to_pylist()
    predicate, arguments = ATOMS[text]
    assert row == {
        "time": 4,
        "atom": text,
        "change": "ended",
        "predicate": predicate,
        "arguments": arguments,
        "partition": 2,
        "reason": None,
    }


def test_atoms_of_several_kinds() -> None:
    """In the order of ticks; at one tick what ends comes first, and texts are in order."""
    texts = ['p(1,"a")', "p(a,1)", "p(f(x),b)", 'p("1",())']
    [atoms] = parse_atoms(texts)
    blocks = [Block.of(sign, atoms, [2, 1, 2, 1]) for sign in (PacketSign.BEGAN, PacketSign.ENDED)]
    rows = changes_in([(written(blocks), 0)]).to_pylist()
    ordered = [texts[place] for place in (3, 1, 0, 2)]
    expected = [
        (tick, change, atom)
        for tick, here in ((1, ordered[:2]), (2, ordered[2:]))
        for change in ("ended", "began")
        for atom in sorted(here)
    ]
    assert [(row["time"], row["change"], row["atom"]) for row in rows] == expected
    found = {row["atom"]: row["arguments"] for row in rows}
    assert found == dict(zip(texts, [["1", "a"], ["a", "1"], ["f(x)", "b"], ["1", "()"]], strict=True))


def test_what_is_no_atom() -> None:
    """Other terms of `#show`, records that are rejected, and ticks without answer stream."""
    terms: list[Value] = [3, "a", tuple_term((1, 2)), constant("c")]
    blocks = [
        Block.of(PacketSign.BEGAN, AtomRows(BARE_TERM, [(term,) for term in terms]), [1] * 4),
        Block.of(PacketSign.REJECTED, AtomRows(REJECTION, [("no atom", "P")]), [-1]),
        Block.at(5, PacketSign.UNSATISFIABLE),
    ]
    rows = changes_in([(written(blocks), OUTPUT)]).to_pylist()
    assert {(row["time"], row["change"], row["atom"], row["reason"]) for row in rows} == {
        *((1, "began", text, None) for text in ("3", '"a"', "(1,2)", "c")),
        (None, "rejected", "P", "no atom"),
        (5, "unsatisfiable", None, None),
    }
    assert {(row["predicate"], row["arguments"], row["partition"]) for row in rows} == {(None, None, None)}


def test_nothing() -> None:
    assert changes_in([]).num_rows == 0
