"""JSON lines: facts at times, or records with fields of their own."""
