"""The output as it changes: each version knows its atoms, and the changes since any version before it."""

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Changes, RowChanges, Rows
from lars2asp.runtime.answer import Answer, PreviousAnswer
from lars2asp.runtime.output import NOTHING, OutputState, Version, differences
from lars2asp.syntax.nodes import Signature

P, Q = Signature("p", 1), Signature("q", 0)

Sets = dict[Signature, set[Row]]

ATOMS: st.SearchStrategy[Sets] = st.fixed_dictionaries(
    {P: st.sets(st.tuples(st.integers(0, 4))), Q: st.sets(st.just(()))}
)


def applied(changes: RowChanges, rows: Rows) -> Sets:
    """The atoms after changes, which must be changes of these."""
    found = {signature: set(rows.get(signature, ())) for signature in (P, Q)}
    assert len({signature for signature, _ in changes}) == len(changes)
    for signature, (began, ended) in changes:
        assert began or ended
        assert found[signature].isdisjoint(began)
        assert found[signature].issuperset(ended)
        assert len(set(began)) == len(began)
        found[signature] = found[signature].difference(ended).union(began)
    return found


def told(rows: Rows) -> Sets:
    """The atoms, without predicates that have none."""
    return {signature: set(found) for signature, found in rows.items() if found}


@given(st.lists(st.tuples(ATOMS, st.sampled_from(["follow", "fix", "restore"])), max_size=8))
def test_versions(turns: list[tuple[Sets, str]]) -> None:
    held: Sets = {}

    def holding() -> Rows:
        return held

    output = OutputState(holding)
    seen: list[tuple[Version, Sets]] = [(output.version, {})]
    for atoms, turn in turns:
        if turn == "restore":
            before = output.version_of({P: {(7,)}})
            assert before.rows() == {P: {(7,)}}
        changes, held = differences(held, atoms), atoms
        if turn == "fix":
            if output.is_followed:
                output.change(changes)
            version = output.fix({P: {(9,)}})
        elif output.is_followed:
            version = output.change(changes)
        else:
            version = output.follow(holding)
        expected: Sets = {P: {(9,)}} if turn == "fix" else atoms
        assert told(output.now) == told(expected)
        seen.append((version, expected))
    for number, (version, atoms) in enumerate(seen):
        assert version.rows() == told(atoms)
        assert version.size == sum(map(len, atoms.values()))
        for before, atoms_before in seen[: number + 1]:
            assert told(applied(version.since(before), atoms_before)) == told(atoms)
        assert told(applied(version.since(NOTHING), {})) == told(atoms)


def test_a_version_that_changes_nothing_is_the_one_before() -> None:
    def rows() -> Rows:
        return {P: {(1,)}}

    output = OutputState(rows)
    first = output.change([(P, Changes([(1,)]))])
    assert output.change(()) is first
    assert first.since(first) == ()
    assert output.fix({P: {(1,)}}) is first
    assert output.follow(rows) is first


@given(st.lists(ATOMS, max_size=8))
def test_versions_with_hidden_predicates(turns: list[Sets]) -> None:
    held: Sets = {}

    def given_of(atoms: Sets) -> Sets:
        return {one: rows for one, rows in atoms.items() if one != P}

    output = OutputState(lambda: held, hidden=[P])
    seen: list[tuple[Version, Version, Sets]] = [(output.version, output.whole, {})]
    for atoms in turns:
        before = output.version
        changes, held = differences(held, atoms), atoms
        version = output.change(changes)
        assert (version is before) == all(signature == P for signature, _ in changes)
        seen.append((version, output.whole, atoms))
    for number, (version, whole, atoms) in enumerate(seen):
        assert version.rows() == told(given_of(atoms))
        assert version.size == sum(map(len, given_of(atoms).values()))
        for before, whole_before, atoms_before in seen[: number + 1]:
            assert told(applied(version.since(before), given_of(atoms_before))) == told(given_of(atoms))
            assert told(applied(whole.since(whole_before), atoms_before)) == told(atoms)


def test_an_output_that_stays_empty_is_not_worked_out() -> None:
    """Who waits for a first answer asks at each tick whether it has come."""

    def rows() -> Rows:
        raise AssertionError

    output = OutputState(rows, hidden=[Q])
    previous = PreviousAnswer(None, as_models=False)
    for tick in range(3):
        before = output.version
        version = output.change([(Q, Changes([()] * (tick == 0), [()] * (tick == 1)))])
        assert previous.given(Answer(tick, True, version, before)) is None
    assert previous.given(Answer(3, True, output.change([(P, Changes([(1,)]))]), output.version)) is not None


def test_hidden_predicates_make_no_versions() -> None:
    """Else who asks what changed would look at more of them from tick to tick."""
    output = OutputState(dict, hidden=[Q])
    assert output.change([(Q, Changes([()]))]) is output.version is output.change([(Q, Changes((), [()]))])
    assert output.whole is not output.version
