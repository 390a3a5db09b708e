"""Triples in all formats of RDF become records: their times, their terms, what is rejected and where."""

import gzip
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.command_line.input_check import proposal, proposals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input, Signature
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from tests.support.records import in_short

PREFIXES = """
#prefix ex: <http://ex.org/>.
#prefix sosa: <http://www.w3.org/ns/sosa/>.
#prefix prov: <http://www.w3.org/ns/prov#>.
#prefix xsd: <http://www.w3.org/2001/XMLSchema#>.
"""
ALL = "#input triple(S,P,any(O)) at ex:t."
SPEED = "#input speed(S,V) from ex:speed at ex:t."
EX, XSD = "http://ex.org/", "http://www.w3.org/2001/XMLSchema#"


def reading(*declared: str, **how: Any) -> Reading:
    program = parse(Source("p", PREFIXES + "\n".join(declared)))
    declarations = [one for one in program.statements if isinstance(one, Input)]
    return Reading(timeline=Timeline(1_000_000, zone=ZoneInfo("UTC")), declarations=declarations, **how)


def read(path: Path, text: str, *declared: str, **how: Any) -> tuple[list[str], list[str]]:
    """The records of a file, and what is said of others: the same in columns, and a line at a time."""
    path.write_text(text)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    told, again = list[Rejected](), list[Rejected]()
    one = reading(*declared, **how)
    found = in_short([*read_file(path, one, told.append)])
    with FileInput(str(path), one, again.append) as source:
        assert in_short(record for block in source.blocks() for record in block) == found
    assert again == told
    if one.format_of(str(path)).is_live and path.suffix != ".gz":
        records, rejected = live(str(path), text, one)
        assert (records, _plain(rejected)) == (found, _plain(told))
    return found, [
        f"{'-' if isinstance(one, PassedOver) else ''}{one.origin.line}: {one.reason}" for one in told
    ]


def _plain(told: list[Rejected]) -> list[tuple[object, ...]]:
    return [(type(one), one.origin.line, one.origin.text, one.reason) for one in told]


def live(name: str, text: str, how: Reading) -> tuple[list[str], list[Rejected]]:
    """The same of a live source, interrupted after each line."""
    told, records, state = list[Rejected](), list[Record](), dict[str, Any]()
    form = how.format_of(name)
    for number, line in enumerate(text.splitlines(), start=1):
        reader = LiveReader(Reading(**{**vars(how), "format": form}), told.append)
        reader.restore(state)
        records += reader.records(Line(name, number, line))
        state = reader.state()
    reader = LiveReader(Reading(**{**vars(how), "format": form}), told.append)
    reader.restore(state)
    records += reader.records(Line(name, number + 1, "", end=None))
    assert not reader.state()
    return in_short(records), told


def nt(*lines: str) -> str:
    """Lines of N-Triples with short names."""
    return "".join(f"{line} .\n" for line in lines).replace("ex:", EX).replace("xsd:", XSD)


# --- times ----------------------------------------------------------------------------------------


def test_the_time_is_that_of_the_subject(tmp_path: Path) -> None:
    """It may stand before or behind the rest, and is one for neighbours that name each other."""
    text = nt(
        '<ex:o1> <ex:t> "3"^^<xsd:integer>',
        '<ex:o1> <ex:speed> "50"^^<xsd:integer>',
        '<ex:o2> <ex:speed> "60"^^<xsd:integer>',
        '<ex:o2> <ex:t> "4"^^<xsd:integer>',
        '_:r <ex:speed> "70"^^<xsd:integer>',
        "<ex:o3> <ex:result> _:r",
        '<ex:o3> <ex:t> "5"^^<xsd:integer>',
        '<ex:o4> <ex:t> "6"^^<xsd:integer>',
        "<ex:o4> <ex:result> <ex:r4>",
        '<ex:r4> <ex:speed> "80"^^<xsd:integer>',
    )
    found, told = read(tmp_path / "a.nt", text, SPEED)
    assert [one for one in found if "speed" in one] == [
        '3: speed("<http://ex.org/o1>",50)',
        '4: speed("<http://ex.org/o2>",60)',
        '5: speed("_:r",70)',
        '6: speed("<http://ex.org/r4>",80)',
    ]
    assert told == []
    assert read(tmp_path / "a.nt.gz", text, SPEED) == (found, [])


def test_a_node_with_a_time_of_its_own_has_that(tmp_path: Path) -> None:
    text = nt(
        '<ex:o1> <ex:t> "3"^^<xsd:integer>',
        "<ex:o1> <ex:next> <ex:o2>",
        '<ex:o2> <ex:speed> "60"^^<xsd:integer>',
        '<ex:o2> <ex:t> "4"^^<xsd:integer>',
    )
    assert read(tmp_path / "a.nt", text, SPEED)[0][-1] == '4: speed("<http://ex.org/o2>",60)'


def test_states_of_one_node(tmp_path: Path) -> None:
    """With the time first each time begins a state; otherwise it is not known what is of which."""
    first, then = ('<ex:s> <ex:t> "3"^^<xsd:integer>', '<ex:s> <ex:t> "4"^^<xsd:integer>')
    text = nt(first, '<ex:s> <ex:speed> "1"^^<xsd:integer>', then, '<ex:s> <ex:speed> "2"^^<xsd:integer>')
    found, told = read(tmp_path / "a.nt", text, SPEED)
    assert (found[-1], told) == ('4: speed("<http://ex.org/s>",2)', [])
    text = nt('<ex:s> <ex:speed> "1"^^<xsd:integer>', first, '<ex:s> <ex:speed> "2"^^<xsd:integer>', then)
    _, told = read(tmp_path / "a.nt", text, SPEED)
    assert told == [
        "4: <http://ex.org/s> already has another time: write the time of each of its states first, "
        "or use a node or a graph of its own for each"
    ]


def test_the_time_of_a_graph(tmp_path: Path) -> None:
    """Without `at` it is what prov:generatedAtTime says, before or behind the graph."""
    text = """@prefix ex: <http://ex.org/> . @prefix prov: <http://www.w3.org/ns/prov#> .
ex:g1 prov:generatedAtTime 3 .
ex:g1 { ex:a ex:speed 50 . ex:b ex:speed 60 . }
ex:g2 { ex:a ex:speed 51 .
        ex:b ex:speed 61 . }
ex:g2 prov:generatedAtTime 4 .
"""
    found, told = read(tmp_path / "a.trig", text, "#input speed(S,V,G) from ex:speed.")
    assert found == [
        "3: ",
        '3: speed("<http://ex.org/a>",50,"<http://ex.org/g1>")',
        '3: speed("<http://ex.org/b>",60,"<http://ex.org/g1>")',
        '4: speed("<http://ex.org/a>",51,"<http://ex.org/g2>")',
        '4: speed("<http://ex.org/b>",61,"<http://ex.org/g2>")',
    ]
    assert told == []


def test_nodes_without_a_time_are_rejected(tmp_path: Path) -> None:
    text = nt(
        "<ex:s> <ex:kind> <ex:Sensor>",
        '<ex:o> <ex:t> "3"^^<xsd:integer>',
        '<ex:p> <ex:t> "soon"',
        '<ex:q> <ex:t> "4"^^<xsd:integer>',
    )
    found, told = read(tmp_path / "a.nt", text, ALL)
    assert [one[:2] for one in found] == ["3:", "4:"]
    assert told[:2] == [
        "1: <http://ex.org/s> has no time: give it, its graph, or a node that points to it the "
        "property <http://ex.org/t>",
        "3: <http://ex.org/t>: the time 'soon' is not a timestamp such as 2026-01-31T14:05:00Z",
    ]


def test_a_batch_a_line(tmp_path: Path) -> None:
    """A time before a colon is that of the triples in the line."""
    text = nt('7: <ex:a> <ex:speed> "1"^^<xsd:integer> . <ex:b> <ex:speed> "x. y: 2"') + "9:\n"
    text += "1970-01-01T00:00:11Z: " + nt('_:a.b <ex:speed> "3"^^<xsd:integer>') + "soon: <a> <b> <c> .\n"
    found, told = read(tmp_path / "a.nq", text, SPEED)
    assert found == [
        '7: speed("<http://ex.org/a>",1)',
        '7: speed("<http://ex.org/b>","x. y: 2")',
        "9: ",
        '11: speed("_:a.b",3)',
    ]
    assert [one[:30] for one in told] == ["4: no line of N-Quads: The sub"]


def test_times_by_a_format(tmp_path: Path) -> None:
    text = nt('<ex:a> <ex:t> "01.01.1970 00:01"', '<ex:a> <ex:speed> "1"^^<xsd:integer>')
    at = '#input speed(S,V) from ex:speed at ex:t "%d.%m.%Y %H:%M".'
    assert read(tmp_path / "a.nt", text, at)[0][-1] == '60: speed("<http://ex.org/a>",1)'


def test_triples_have_the_time_of_their_arrival_by_the_clock(tmp_path: Path) -> None:
    how = reading("#input speed(S,V) from ex:speed.")
    how = Reading(Format.NQUADS, Timeline(1_000_000, arrival=lambda: 5), how.declarations)
    reader = LiveReader(how, lambda one: pytest.fail(str(one)))
    line = nt('<ex:a> <ex:speed> "1"^^<xsd:integer>')
    assert in_short(reader.records(Line("x", 1, line))) == ['5: speed("<http://ex.org/a>",1)']


def test_what_no_declaration_names_moves_time(tmp_path: Path) -> None:
    text = nt('<ex:a> <ex:t> "3"^^<xsd:integer>', "<ex:a> <ex:b> <ex:c>", '<ex:b> <ex:t> "4"^^<xsd:integer>')
    found, told = read(tmp_path / "a.nt", text, SPEED)
    assert found == ["3: ", "4: "]
    assert told == ["-2: no triple at this time is of a property in #input"]


# --- terms ----------------------------------------------------------------------------------------

TERMS = [
    ("<ex:b>", '"<http://ex.org/b>"'),
    ("_:b1", '"_:b1"'),
    ('"Graz"', '"Graz"'),
    ('"42"', '"42"'),
    ('""', '""'),
    ('"Graz"@de-AT', r'"\"Graz\"@de-at"'),
    ('"007"^^<xsd:integer>', "7"),
    ('"+5"^^<xsd:byte>', "5"),
    ('"1.5e3"^^<xsd:double>', "1500"),
    ('"-2.0"^^<xsd:decimal>', "-2"),
    ('"true"^^<xsd:boolean>', r'"\"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>"'),
    ('"abc"^^<xsd:integer>', r'"\"abc\"^^<http://www.w3.org/2001/XMLSchema#integer>"'),
    ('"a\\n\\"b\\"\\\\c\\u00e9"', '"a\\n\\"b\\"\\\\c\u00e9"'),
    ('"<http://x>"', r'"\"<http://x>\""'),
    ('"_:x"', r'"\"_:x\""'),
]


@pytest.mark.parametrize(("written", "expected"), TERMS)
def test_terms_are_values(tmp_path: Path, written: str, expected: str) -> None:
    text = nt(f"0: <ex:a> <ex:speed> {written}")
    found, told = read(tmp_path / "a.nt", text, SPEED)
    assert (found, told) == ([f'0: speed("<http://ex.org/a>",{expected})'], [])


def test_decimals_times_and_texts_by_their_columns(tmp_path: Path) -> None:
    declared = (
        "#input price(S, V) from ex:price.",
        "#input made(S, time(V)) from ex:made.",
        "#input count(S, int(V)) from ex:count.",
        "#input code(S, text(V)) from ex:code.",
        "#input kind(S, constant(V)) from ex:kind.",
    )
    text = nt(
        '1: <ex:a> <ex:price> "0.12345"^^<xsd:double>',
        '1: <ex:a> <ex:price> "1.5e3"^^<xsd:double>',
        '1: <ex:a> <ex:made> "1970-01-01T01:00:09+01:00"^^<xsd:dateTime>',
        '1: <ex:a> <ex:count> "12"',
        '1: <ex:a> <ex:code> "012"^^<xsd:integer>',
        '1: <ex:a> <ex:kind> "road"',
    )
    found, told = read(tmp_path / "a.nt", text, *declared, decimals={Signature("price", 2): (0, 5)})
    assert [one.partition('",')[2] for one in found] == [
        "12345)",
        "150000000)",
        "9)",
        "12)",
        '"012")',
        "road)",
    ]
    assert told == []


def test_a_term_that_is_not_what_is_needed_is_rejected_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(
        f"{PREFIXES} #decimals speed(_,1). {SPEED}\nfast(S) :- speed(S,V), V > 30.\n"
    )
    text = nt(
        '<ex:a> <ex:t> "1"^^<xsd:integer>',
        '<ex:a> <ex:speed> "30.5"^^<xsd:double>',
        '<ex:a> <ex:speed> "30.55"^^<xsd:double>',
        '<ex:a> <ex:speed> "31"',
        "<ex:a> <ex:speed> <ex:b>",
    )
    (tmp_path / "a.nt").write_text(text)
    told = list[Rejected]()
    reasoner = Reasoner.from_file(tmp_path / "p.lars")
    answers = [*reasoner.run(tmp_path / "a.nt", on_reject=told.append)]
    assert answers[-1].holds.texts == ('fast("<http://ex.org/a>")',)
    assert [str(one.origin.line) + one.reason.partition(":")[2] for one in told] == [
        "3 30.55 has more than 1 decimal: declare 2 decimals in #decimals",
        '4 "31" is not a number; number(V) reads its text',
        "5 <http://ex.org/b> is not a number; any(V) accepts all terms",
    ]


def test_durations_are_read(tmp_path: Path) -> None:
    text = nt(
        '1: <ex:a> <ex:took> "PT2M"^^<xsd:dayTimeDuration>',
        '2: <ex:b> <ex:took> "PT9S"^^<xsd:dayTimeDuration>',
    )
    (tmp_path / "a.nt").write_text(text)
    program = (
        f"{PREFIXES} #tick 1 sec. #input took(S, duration(V)) from ex:took. long(S) :- took(S,V), V > 1 min."
    )
    answers = [*Reasoner.from_text(program).run(tmp_path / "a.nt")]
    assert answers[0].holds.texts == ('long("<http://ex.org/a>")',)


def test_quads_have_graphs_and_rows_numbers(tmp_path: Path) -> None:
    text = nt("1: <ex:a> <ex:b> <ex:c> <ex:g>", "2: <ex:a> <ex:b> <ex:c>")
    found, _ = read(tmp_path / "a.nq", text, "#input quad(S,P,any(O),G).")
    assert found == [
        '1: quad("<http://ex.org/a>","<http://ex.org/b>","<http://ex.org/c>","<http://ex.org/g>")',
        "2: ",
    ]
    path = tmp_path / "a.nt"
    path.write_text(nt("1: <ex:a> <ex:b> <ex:c>", "2: <ex:a> <ex:b> <ex:d>"))
    records = [*read_file(path, reading("#input line(row(),S,P,O,file())."))]
    assert in_short(records)[1].startswith(
        '2: line(2,"<http://ex.org/a>","<http://ex.org/b>","<http://ex.org/d>"'
    )


# --- formats, and what is broken in them ----------------------------------------------------------

TURTLE = '''# a comment. with a dot
@prefix ex: <http://ex.org/> .
PREFIX x: <http://ex.org/b#>
ex:o1 ex:t 1 ; ex:speed "a. b" , """c . d
  "e" # no comment
""" , 'f.' ; x:c ex:d.e .
ex:o2 ex:t 2 ; ex:speed "never closed .
ex:o3 ex:t 3 ; ex:speed [ ex:v 4.5 ] . ex:o4 ex:t 4 ; ex:speed 4 .
ex:o5 ex:t 5 ; y:speed 5 .
ex:o6 ex:t 6 ; ex:speed 6'''


@pytest.mark.parametrize("lines_at_once", [1, 2, 1000])
def test_turtle_is_rejected_by_statements(
    tmp_path: Path, lines_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lars2asp.runtime.sources.text.numbered_lines.MOST_AT_ONCE", lines_at_once)
    found, told = read(tmp_path / "a.ttl", TURTLE + " .\n", SPEED)
    assert [one for one in found if "speed" in one] == [
        '1: speed("<http://ex.org/o1>","a. b")',
        r'1: speed("<http://ex.org/o1>","c . d\n  \"e\" # no comment\n")',
        '1: speed("<http://ex.org/o1>","f.")',
        f'3: speed("<http://ex.org/o3>","{blank(found)}")',
        '4: speed("<http://ex.org/o4>",4)',
        '6: speed("<http://ex.org/o6>",6)',
    ]
    assert [one[:13] for one in told] == ["7: no Turtle:", "9: no Turtle:"]
    assert read(tmp_path / "b.ttl", TURTLE, SPEED)[1][-1].startswith("10: no Turtle:")


def blank(found: list[str]) -> str:
    """The name of the only blank node that has none."""
    (name,) = {one.partition('"_:')[2][:-2] for one in found if '"_:' in one}
    return f"_:{name}"


def test_names_of_blank_nodes_are_the_same_in_each_run(tmp_path: Path) -> None:
    found, _ = read(tmp_path / "a.ttl", TURTLE, SPEED)
    assert read(tmp_path / "a.ttl", TURTLE, SPEED)[0] == found
    assert blank(read(tmp_path / "b.ttl", TURTLE, SPEED)[0]) != blank(found)


def test_lines_are_rejected_alone(tmp_path: Path) -> None:
    lines = [f'<ex:o{n}> <ex:t> "{n}"^^<xsd:integer>' for n in range(1000)]
    text = nt(*lines).splitlines()
    text[3:3] = [
        "# a comment",
        "",
        "<http://ex.org/a> <http://ex.org/b> c .",
        "<http://a> <http://b> <<( <http://a> <http://b> <http://c> )>> .",
    ]
    text[900] = text[900].replace("<", "", 1)
    path = tmp_path / "a.nt"
    found, told = read(path, "".join(f"{line}\n" for line in text), ALL)
    assert len(found) == 999
    assert [one.split(":")[0] for one in told] == ["6", "7", "901"]
    path.write_bytes(b'<http://a> <http://ex.org/t> "\xff" .\n1: <http://a> <http://b> "c" .\n')
    rejected = list[Rejected]()
    assert len([*read_file(path, reading(ALL), rejected.append)]) == 1
    assert [one.reason for one in rejected] == ["the line is not UTF-8 text"]


def test_json_ld(tmp_path: Path) -> None:
    """A document a line, one document, or an array of them; nested nodes have the time of what names them."""
    context = '"@context": {"ex": "http://ex.org/"}'
    one = f'{{{context}, "@id": "ex:o1", "ex:t": 1, "ex:speed": {{"@value": "x", "@language": "de"}}}}'
    two = f'{{{context}, "@id": "ex:o2", "ex:t": 2, "ex:result": {{"@id": "ex:r", "ex:speed": 3.5}}}}'
    declared = "#input speed(S,any(V)) from ex:speed at ex:t."
    expected = [r'1: speed("<http://ex.org/o1>","\"x\"@de")', r'"\"3.5E0\"^^<']
    for text in (f"{one}\n{two}\n", f"[{one},\n{two}]\n", f"{one}\n{two}".replace(", ", ",\n ")):
        path = tmp_path / "a.jsonld"
        path.write_text(text)
        found = in_short(one for one in read_file(path, reading(declared)) if one.events.facts)
        assert found[0] == expected[0]
        assert expected[1] in found[1]
        assert len(found) == 2
    graph = '{"@id": "ex:g", "ex:t": 4, "@graph": [{"@id": "ex:a", "ex:speed": 1}], "@context": {"ex": "http://ex.org/"}}'
    found, told = read(
        tmp_path / "b.jsonld", f'{graph}\n{{"@context": "http://x/", "@id": "http://y/"}}\n{{\n', declared
    )
    assert found[-1] == '4: speed("<http://ex.org/a>",1)'
    assert told[0].startswith("2: no JSON-LD: lars2asp does not load a remote @context")
    assert told[1].startswith("3: no JSON-LD: ")


def test_a_run_goes_on_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(TURTLE)
    whole = [*read_file(path, reading(SPEED), lambda _: None)]
    for given in range(1, len(whole)):
        with FileInput(str(path), reading(SPEED), lambda _: None) as source:
            records = source.records()
            begun = [next(records) for _ in range(given)]
            state = source.state()
        with FileInput(str(path), reading(SPEED), lambda _: None) as again:
            again.restore(state)
            assert in_short([*begun, *again.records()]) == in_short(whole)


# --- declarations ---------------------------------------------------------------------------------


def test_what_cannot_be_read_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="the program does not declare how triples become facts: add for example #input"
    ):
        read(tmp_path / "a.nt", nt("<ex:a> <ex:b> <ex:c>"), "#input p(a).")
    with pytest.raises(
        InputError, match=r"#input triple: ts is no property of triples: write for example at <"
    ):
        read(tmp_path / "a.nt", nt("<ex:a> <ex:b> <ex:c>"), "#input triple(S,P,O) at ts.")
    with pytest.raises(InputError, match="files in the format turtle cannot be followed"):
        LiveReader(reading(ALL, format=Format.TURTLE), lambda _: None)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("#input p(S) from ex:p.", "the columns are subject, object and, if you need it, graph"),
        ("#input p(S,O) at ex:t.", "the columns of triples are subject, property, object"),
        ("#input p(S,S) from ex:p.", "two columns have the same name"),
        ("#input p(S,time(O+Q)) from ex:p.", "`at` cannot join several terms of triples"),
        (
            "#input p(S,each O) from ex:p.",
            "`each` works with JSON records only, but this #input reads triples",
        ),
    ],
)
def test_declarations_are_checked(declared: str, message: str) -> None:
    with pytest.raises(Exception, match=message):
        Reasoner.from_text(f"{PREFIXES} {declared} q(X) :- p(X,_). q(X) :- p(X).")


# --- proposals ------------------------------------------------------------------------------------


def test_check_proposes_declarations_that_read_the_file(tmp_path: Path) -> None:
    moment = f'"1970-01-01T00:00:0{{}}Z"^^<{XSD}dateTime>'
    text = nt(
        *(
            f"<ex:o{n}> <{relation}> {term}"
            for n in range(3)
            for relation, term in (
                ("ex:hasSpeed", f'"{n}.25"^^<xsd:decimal>'),
                ("http://www.w3.org/ns/sosa/resultTime", moment.format(n)),
                ("ex:made", moment.format(n + 1)),
                ("ex:of", f"<ex:s{n}>" if n else '"3"^^<xsd:integer>'),
                ("ex:speed/of", f'"{n}"'),
            )
        )
    )
    (tmp_path / "a.nt").write_text(text)
    at = " at <http://www.w3.org/ns/sosa/resultTime>."
    found = proposal(str(tmp_path / "a.nt"))
    assert found.splitlines() == [
        "% a.nt: 15 triples, all of them",
        "% <http://www.w3.org/ns/sosa/resultTime> says the times of 3 nodes",
        "#tick 1 sec.",
        "#decimals has_speed(_,2).",
        f"#input has_speed(S, V) from <http://ex.org/hasSpeed>{at}",
        f"#input made(S, time(V)) from <http://ex.org/made>{at}",
        f"#input of(S, any(V)) from <http://ex.org/of>{at}",
        f"#input of_2(S, V) from <http://ex.org/speed/of>{at}",
    ]
    reasoner = Reasoner.from_text(f"{found}fast(S) :- has_speed(S,V), V > 2.0.")
    answers = [*reasoner.run(tmp_path / "a.nt", emit="every")]
    assert [answer.holds.texts for answer in answers] == [(), (), ('fast("<http://ex.org/o2>")',)]


def test_a_proposal_tells_what_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("@prefix ex: <http://ex.org/> . ex:a ex:b ex:c . ex:a b .\n")
    assert proposal(str(tmp_path / "a.ttl")).splitlines() == [
        "% a.ttl: 1 triples, all of them",
        "% 1 of its lines or statements are not valid: they are rejected",
        "% no property has times: name one after at, or include the file as background",
        "#input b(S, V) from <http://ex.org/b>.",
    ]
    with pytest.raises(InputError, match="check reads one file of triples at a time: name one file"):
        proposals([str(tmp_path / "a.ttl")] * 2, Reading())
