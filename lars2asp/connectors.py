"""Live input and output of your own: connectors for other systems, and feeds in a program.

See the page "Write a connector". Another package serves a scheme by an entry point `lars2asp.inputs` or
`lars2asp.outputs` with the name of the scheme, such as `sqlite = "my_package:SqliteInput"`; the address is
its argument. A Feed calls a function with each Line, and a Clock says when it arrives.
"""

from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.connectors.conformance import check_input, check_output
from lars2asp.runtime.connectors.connector import InputConnector, Message, OutputConnector
from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.sources.records import Line

__all__ = [
    "Clock",
    "Feed",
    "InputConnector",
    "Line",
    "Message",
    "OutputConnector",
    "check_input",
    "check_output",
]
