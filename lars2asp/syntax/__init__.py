"""Text to tree: sources, the grammar, the nodes, the printer, diagnostics.

What programs of users meet here: `Input`, a declaration of the input (`plan.inputs`), and `Location`, where a
diagnostic is.
"""

from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import Location

__all__ = ["Input", "Location"]
