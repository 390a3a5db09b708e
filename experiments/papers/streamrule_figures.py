"""The figures of StreamRule."""

from experiments.benchmark import EngineName
from experiments.papers.claims import Claim, PaperFigure, Seen, is_faster, memory

STREAMRULE = "Pham, Ali, Mileo 2019 (StreamRule)"

_NO_NUMBERS = "the text that we have gives no numbers"
_COSTS = (
    "in the paper each partition has a clingo; `auto` evaluates these rules without clingo, so that sending "
    "a fact to another process costs about as much as the rules"
)
_C_SPARQL = Claim(
    "simple rules lose no speed, so the system is comparable with C-SPARQL (section 7)",
    reason="C-SPARQL is a system in Java that no package index has",
)
_LUBM = Claim(
    "the same over university data (LUBM), static and streamed",
    reason="the rules are a picture, and the text has neither the rules nor a result",
)
_HEURISTICS = Claim(
    "copies of the events that connect parts make parallel evaluation pay (30,000 events)",
    "streamrule-connected",
    is_faster(EngineName.COPIED, EngineName.AUTO, ["30000 events"], 1),
    f"{_COSTS}; {_NO_NUMBERS}",
    Seen.CARRIES_NOT,
)

FIGURES = tuple(
    PaperFigure(
        STREAMRULE,
        figure,
        place,
        (
            Claim(
                "parallel evaluation of partitions of the input is faster than one reasoner (30,000 events)",
                name,
                is_faster(EngineName.SPLIT, EngineName.AUTO, ["30000 events"], 1),
                f"{_COSTS}; {_NO_NUMBERS}",
                Seen.CARRIES_NOT,
            ),
            Claim("memory consumption", name, memory("30000 events"), _NO_NUMBERS),
            *others,
        ),
    )
    for figure, place, name, others in (
        (
            "latency, memory",
            "section 5, experiment 1, query Q1 of CityBench",
            "streamrule-journey",
            (_C_SPARQL,),
        ),
        ("latency, memory", "section 5, experiment 1, positive rules", "streamrule-positive", ()),
        ("latency, memory", "section 5, recursive rules", "streamrule-recursive", (_LUBM,)),
        ("latency, memory", "section 5, stratified negation", "streamrule-stratified", ()),
        ("connected graphs", "section 3, decomposing process", "streamrule-connected", (_HEURISTICS,)),
    )
)
