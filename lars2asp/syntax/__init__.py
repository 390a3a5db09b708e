"""Text to tree: sources, the grammar, the nodes, the printer, diagnostics.

What programs of users meet here: `Input`, a declaration of the input (`plan.inputs`), `Location`, where a
diagnostic is, and `Edit`, which one proposes.
"""

from lars2asp.syntax.diagnostics import Edit
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import Location

__all__ = ["Edit", "Input", "Location"]
