"""Queries of RSP-QL and C-SPARQL, and the programs that have their answers."""
