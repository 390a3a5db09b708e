"""Live sources of your own: a feed gives lines, and a clock the times of their arrival."""

from lars2asp.runtime.feeds.clock import Clock
from lars2asp.runtime.feeds.feed import Feed
from lars2asp.runtime.sources.records import Line

__all__ = ["Clock", "Feed", "Line"]
