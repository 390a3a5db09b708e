"""Atoms that are taken apart as text go where they go as symbols."""

import pytest
from clingo import Symbol
from hypothesis import example, given
from hypothesis import strategies as st

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.atoms import to_atom
from lars2asp.splitting.parts import Part, Split
from lars2asp.syntax.nodes import Program, Signature

READS = frozenset(Signature(name, arity) for name in ("p", "not", "a1") for arity in range(3))
PART = Part(
    0,
    0,
    Program(()),
    READS,
    False,
    frozenset(),
    {signature: signature.arity - 1 for signature in READS if signature.arity},
    frozenset(),
    frozenset(),
)
ROUTES = Layout(Split((PART,)), (5,)).input_routes(0)

pieces = st.sampled_from(
    ["p", "a1", "not", "(", ")", ",", '"', "\\", "-", "0", "1", "12", "x", "_", " ", "F"]
)
texts = st.lists(pieces, max_size=9).map("".join) | st.builds(
    lambda name, terms: f"{name}({','.join(terms)})",
    st.sampled_from(["p", "a1", "-p", "p "]),
    st.lists(
        st.sampled_from(
            ['"a,b"', '"(x"', '"\\""', "x", "not", "nota", "-1", "-0", "01", "99999999999", "f(x)"]
        ),
        min_size=1,
        max_size=2,
    ),
)


def by_symbol(text: str) -> tuple[list[int], str] | None:
    try:
        atom: Symbol = to_atom(text)
    except InputError:
        return None
    return ROUTES.targets(atom), str(atom)


@given(texts)
@example("p(not)")
@example("not(x)")
@example('p("a,b")')
def test_text_goes_where_its_atom_goes(text: str) -> None:
    router = Router(ROUTES)
    expected = by_symbol(text)
    if expected is None:
        with pytest.raises(InputError):
            router.add_text(1, PacketSign.FACT, text)
        return
    router.add_text(1, PacketSign.FACT, text)
    got = [(packet.target, packet.text) for packet in router.packets() if packet.text]
    assert got == [(target, f"1 f {expected[1]}") for target in expected[0]]
