"""Brokers from which messages are read on from a position: a module for each client."""
