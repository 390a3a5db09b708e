"""Sustainable throughput: events by the clock at growing rates, until answers come later than a tick.

Orders and payments of one item within 30 ticks. Events of a tick are written to a process at once when the
tick is due, and what is waited for is the answer to the last two of them. Its latency counts from when the
tick was due: where a process cannot follow, it grows.
"""
