"""From text to tree: statements, the grammar and its tables, errors."""
