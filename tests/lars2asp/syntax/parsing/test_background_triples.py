"""Files of RDF that a program includes are its background facts."""

import gzip
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.parser import parse, read_sources
from lars2asp.syntax.printer import to_text

CITY = """@prefix ex: <http://ex.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:r1 ex:from ex:a ; ex:to ex:b ; ex:length 1.5 ; ex:name "Ring"@de .
ex:r2 ex:from ex:b ; ex:length 2 ; ex:opened "2026-01-01"^^xsd:date ; ex:code "12" .
ex:r2 ex:at [ ex:lat "48.20"^^xsd:double ] .
"""
PREFIX = "#prefix ex: <http://ex.org/>.\n"


def facts(folder: Path, program: str, text: str = CITY, name: str = "city.ttl") -> list[str]:
    data = text.encode()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (folder / "p.lars").write_text(f'{PREFIX}#include "{name}".\n{program}')
    lines = to_text(parse(*read_sources([folder / "p.lars"]))).splitlines()
    return [line.replace("http://ex.org/", "ex:") for line in lines if not line.startswith("#")]


def test_triples_are_facts_of_what_input_declares(tmp_path: Path) -> None:
    program = (
        "#input length(S,V) from ex:length.\n#input code(S,int(V)) from ex:code.\n#decimals length(_,1).\n"
    )
    expected = ['length("<ex:r1>",1.5).', 'length("<ex:r2>",2.0).', 'code("<ex:r2>",12).']
    assert facts(tmp_path, program) == expected
    assert facts(tmp_path, program, name="city.ttl.gz") == expected


def test_without_declarations_they_are_triples_and_quads(tmp_path: Path) -> None:
    found = facts(tmp_path, "")
    assert len(found) == 10
    assert found[0] == 'triple("<ex:r1>","<ex:from>","<ex:a>").'
    assert r'triple("<ex:r1>","<ex:length>","\"1.5\"^^<http://www.w3.org/2001/XMLSchema#decimal>").' in found
    assert 'triple("<ex:r2>","<ex:length>",2).' in found
    assert facts(tmp_path, "") == found, "blank nodes have the same names each time"
    quads = facts(tmp_path, "", "<http://ex.org/a> <http://ex.org/b> _:c <http://ex.org/g> .", "c.nq")
    assert quads == [
        'triple("<ex:a>","<ex:b>","_:c").',
        'quad("<ex:a>","<ex:b>","_:c","<ex:g>").',
    ]


def test_columns_say_what_terms_are(tmp_path: Path) -> None:
    text = '<http://ex.org/a> <http://ex.org/b> 4.55, "-2", "x", "no name" .'
    program = "#input b(S,V*10 or missing) from ex:b."
    assert facts(tmp_path, program, text) == ['b("<ex:a>",46).', 'b("<ex:a>",-20).']
    assert facts(tmp_path, "#input b(S,constant(V) or missing) from ex:b.", text) == ['b("<ex:a>",x).']
    for column, term in (("V*10", "x"), ("number(V)", "x"), ("int(V)", "x"), ("constant(V)", "4.55")):
        with pytest.raises(ProgramError, match=r"p\.lars:2:1-") as raised:
            facts(tmp_path, f"#decimals b(_,2). #input b(S,{column}) from ex:b.", text)
        assert f"city.ttl: column V: {term} is not a " in str(raised.value)


def test_a_packed_file_that_is_damaged_is_said(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(CITY.encode()))
    packed[40] ^= 255
    (tmp_path / "c.ttl.gz").write_bytes(packed)
    (tmp_path / "p.lars").write_text('#include "c.ttl.gz".')
    with pytest.raises(ProgramError, match=r"c\.ttl\.gz: cannot be read: "):
        parse(*read_sources([tmp_path / "p.lars"]))


def test_background_and_stream_join(tmp_path: Path) -> None:
    (tmp_path / "city.ttl").write_text(CITY)
    (tmp_path / "p.lars").write_text(
        f'{PREFIX}#include "city.ttl".\n#input from_(R,P) from ex:from.\n#input speed(R,V) from ex:speed.\n'
        "slow(P) :- speed(R,V), V < 20, from_(R,P).\n"
    )
    (tmp_path / "s.nq").write_text(
        '3: <http://ex.org/r2> <http://ex.org/speed> "10" .\n'.replace(
            '"10"', '"10"^^<http://www.w3.org/2001/XMLSchema#int>'
        )
    )
    [answer] = [*Reasoner.from_file(tmp_path / "p.lars").run(tmp_path / "s.nq")]
    assert answer.holds.texts == ('slow("<http://ex.org/b>")',)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("ex:a ex:b ex:c .", "c.ttl", "c.ttl:1: "),
        ("@prefix ex: <http://x/> .\nex:a ex:b c .", "c.ttl", "c.ttl:2: "),
        (
            "<http://a> <http://b> <<( <http://a> <http://b> 1 )>> .",
            "c.ttl",
            "a triple within a triple is no value",
        ),
        ('{"@context": "http://elsewhere/", "@id": "http://a"}', "c.jsonld", "c.jsonld:1: "),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str, name: str, message: str) -> None:
    with pytest.raises(ProgramError, match=r"p\.lars:2:1-") as raised:
        facts(tmp_path, "", text, name)
    assert message in str(raised.value)
