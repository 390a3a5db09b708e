"""Text to tree: sources, the grammar, the nodes, the printer, diagnostics."""
