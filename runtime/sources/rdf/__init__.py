"""Triples and quads of RDF as input."""
