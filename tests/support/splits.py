"""Programs in parts, and the parts as text."""

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import checked_program
from lars2asp.splitting.parts import Part, Split
from lars2asp.splitting.split import split
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source


def split_of(program: str, *, by_key: bool = True, pipelined: bool = False) -> Split:
    checked = checked_program(Source("p.lars", program))
    return split(checked.program, checked.semantics, by_key=by_key, pipelined=pipelined)


def key_text(part: Part, signature: Signature) -> str:
    """The position of a key, counted from 1, and the tables after it with the positions in and out."""
    key = part.keys.get(signature)
    if key is None:
        return ""
    return f"{key.position + 1}" + "".join(f">{n.table.name}{n.given + 1}{n.found + 1}" for n in key.lookups)


def described(part: Part) -> str:
    """A part in a line: what it derives, by which keys, from which input and lower parts."""

    def names(signatures: object) -> str:
        assert isinstance(signatures, frozenset)
        return " ".join(f"{s.name}{key_text(part, s)}" for s in sorted(signatures))

    heads = frozenset(ProgramAnalysis(part.program).derived)
    reads = "everything" if part.reads_all else names(part.reads - heads)
    heard = f" and {names(part.listens)}" if part.listens else ""
    return f"{names(heads)} from {reads}{heard}"


def described_parts(program: str, *, pipelined: bool = False) -> list[str]:
    return [described(part) for part in split_of(program, pipelined=pipelined).parts]


def reasons(program: str) -> list[str]:
    return [str(remark) for remark in split_of(program).remarks if " meets " not in str(remark)]
