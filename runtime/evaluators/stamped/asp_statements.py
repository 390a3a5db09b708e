"""Generated text as clingo reads it."""

from collections.abc import Iterator
from typing import Any

from clingo import ast

from lars2asp.syntax.nodes import Signature


def parsed(text: str) -> list[Any]:
    """The statements of a text."""
    found: list[Any] = []
    ast.parse_string(text, found.append)
    return [statement for statement in found if statement.ast_type is not ast.ASTType.Program]


def heads(statement: Any) -> Iterator[Signature]:
    """The predicates that a statement may make true."""
    if statement.ast_type is ast.ASTType.Rule:
        collector = _Collector()
        collector.visit(statement.head)
        yield from collector.found
    elif statement.ast_type is ast.ASTType.External:
        yield signature_of_term(statement.atom.symbol)


def signature_of_term(symbol: Any) -> Signature:
    """The predicate of an atom that is given by its term."""
    if symbol.ast_type is ast.ASTType.UnaryOperation:
        return signature_of_term(symbol.argument)._replace(is_positive=False)
    return Signature(symbol.name, len(symbol.arguments))


class _Collector(ast.Transformer):
    """Finds the predicates of the atoms in a head."""

    def __init__(self) -> None:
        self.found: dict[Signature, None] = {}

    def visit_SymbolicAtom(self, node: Any) -> Any:  # noqa: N802 - clingo's name
        self.found[signature_of_term(node.symbol)] = None
        return node

    def visit_ConditionalLiteral(self, node: Any) -> Any:  # noqa: N802 - clingo's name
        self.visit(node.literal)  # the condition derives nothing
        return node
