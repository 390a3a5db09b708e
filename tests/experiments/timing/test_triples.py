"""The command that measures reading triples."""

import pyoxigraph
from click.testing import CliRunner

from experiments.timing.triples import main, ntriples, turtle

TRIPLES = 400


def test_both_forms_say_the_same() -> None:
    text = turtle(TRIPLES // 4)
    found = [
        {str(one.triple) for one in pyoxigraph.parse(told, format=form)}
        for told, form in (
            (text, pyoxigraph.RdfFormat.TURTLE),
            (ntriples(text), pyoxigraph.RdfFormat.N_TRIPLES),
        )
    ]
    assert found[0] == found[1]
    assert len(found[0]) == TRIPLES


def test_each_form_and_declaration_is_measured() -> None:
    done = CliRunner().invoke(main, ["--triples", str(TRIPLES), "--times", "1"], catch_exceptions=False)
    assert done.output.count("triples a second") == 4
