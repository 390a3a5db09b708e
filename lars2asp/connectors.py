"""Live sources of your own: a Feed calls a function with each Line, and a Clock says when it arrives."""

from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.sources.records import Line

__all__ = ["Clock", "Feed", "Line"]
