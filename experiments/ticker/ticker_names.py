"""The names that the encoding makes."""

from lars2asp.analysis.predicates import all_predicates
from lars2asp.syntax.nodes import Node, Program, Signature, Variable
from lars2asp.syntax.traversal import walk


class TickerNames:
    """The generated predicates of one program: each meaning has a name that no other meaning has."""

    def __init__(self, program: Program) -> None:
        self._taken: dict[str, object] = {signature.name: None for signature in all_predicates(program)}

    def of(self, base: str, signature: Signature | None = None) -> str:
        """The name of a predicate, or of what is made of one, such as `p_at`."""
        name = base if signature is None else base.format(_word(signature))
        while self._taken.setdefault(name, (base, signature)) != (base, signature):
            name = f"_{name}"
        return name


def _word(signature: Signature) -> str:
    return signature.name if signature.is_positive else f"not_{signature.name}"


def new_variables(number: int, *nodes: Node) -> list[Variable]:
    """Variables that do not stand in the nodes."""
    used = {node.name for one in nodes for node in walk(one) if isinstance(node, Variable)}
    prefix = "N"
    while any(f"{prefix}{i}" in used for i in range(number)):
        prefix = f"_{prefix}"
    return [Variable(f"{prefix}{i}") for i in range(number)]
