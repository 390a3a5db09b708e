"""The figures of StreamRule."""

from experiments.benchmark import EngineName
from experiments.benchmarks.expectations import is_faster, is_flat
from experiments.papers.claims import Claim, PaperFigure, memory

STREAMRULE = "Pham, Ali, Mileo 2019 (StreamRule)"

_C_SPARQL = Claim(
    "it is comparable with C-SPARQL", reason="C-SPARQL is a system in Java that is not published as a package"
)
_LUBM = Claim(
    "the same over university data, static and streamed",
    reason="its rules are a picture, and the text has neither them nor what they are drawn for",
)
_HEURISTICS = Claim(
    "copies of the events that connect parts cost less than to leave the parts together (30000 events)",
    "streamrule-connected",
    is_faster(EngineName.COPIED, EngineName.AUTO, ["30000 events"], 1).holds,
    "to send a fact to another process costs about as much as the rules do here",
)

FIGURES = (
    *(
        PaperFigure(
            STREAMRULE,
            f"experiment {number}" if number.isdigit() else "connected graphs",
            f"{shows}: latency, memory",
            (
                Claim(
                    "partitions of the input, each with a copy of the program, take less time (30000 events)",
                    name,
                    is_faster(EngineName.SPLIT, EngineName.AUTO, ["30000 events"], 1).holds,
                    "to send a fact to another process costs about as much as the rules do here",
                ),
                Claim(
                    "they take no more time for an event when there are more of them",
                    name,
                    is_flat(EngineName.SPLIT, "5000 events", "30000 events", 1.5).holds,
                ),
                Claim("memory", name, says=memory("30000 events")),
                *others,
            ),
        )
        for number, name, shows, others in (
            ("1", "streamrule-journey", "query Q1 of CityBench", (_C_SPARQL,)),
            ("1", "streamrule-positive", "positive rules over traffic", ()),
            ("2", "streamrule-recursive", "recursive rules", (_LUBM,)),
            ("3", "streamrule-stratified", "rules with negation", ()),
            ("graphs", "streamrule-connected", "rules that connect all of the input", (_HEURISTICS,)),
        )
    ),
)
