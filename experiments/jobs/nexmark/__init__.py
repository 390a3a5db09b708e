"""Nexmark: persons open auctions, and others bid; queries over these three streams as LARS programs.

Tucker, Tufte, Papadimos, Maier: NEXMark, a benchmark for queries over data streams (2008); queries 9 and more
are those of Beam and Flink. The events are by a generator of ours. Each query is held to a plain loop.
"""
