"""Ticker's repeated one-shot solving: a static ASP encoding, and a solver call for each tick.

Beck, Eiter, Folie: Ticker: A System for Incremental ASP-based Stream Reasoning. TPLP 2017, section 3.
"""
