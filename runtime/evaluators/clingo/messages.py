"""clingo's messages about generated text, translated to the user's text."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TypeVar

from clingo import Control, MessageCode

from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.costs.meter import Meter, MeteredSearch
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.reports import MESSAGE_LIMIT
from lars2asp.syntax.source import NOWHERE, Location, visible
from lars2asp.syntax.values import dataclass

T = TypeVar("T")

OnMessage = Callable[[Location, str], None]
"""Takes a message of clingo about a place in the user's text."""

_STEP = re.compile(r"\[#inc_[^\]]*\];?")  # what clingo adds to the bodies of a part with parameters
_PARAMETER = "#Inc0"  # how clingo names a part's parameter in messages
_PLACE = re.compile(r"^<[a-z]+>:(\d+):[\d:-]+: (?:info|warning|error): (.*)", re.DOTALL)


NO_MEMORY = "the program needs more memory than there is: its rules have too many instances"


@dataclass
class Messages:
    """Makes Controls, has them work, and hands on clingo's messages.

    Attributes:
        origins: for each line of the generated text the place in the user's text that it comes from.
        on_message: takes clingo's remarks, each once for a place.
        meter: measures the time of Controls.
        limit: how long clingo may take, if there is a limit.
        quiet: the lines of which nothing is said that is undefined; the first one is 1.
    """

    origins: Sequence[Location]
    on_message: OnMessage
    meter: Meter
    limit: TickLimit | None
    quiet: Collection[int] = ()
    _errors: list[str] = field(default_factory=list, init=False)

    def control(
        self, text: str, part: str = "base", parameters: Sequence[str] = (), arguments: Sequence[str] = ()
    ) -> Control:
        """A Control with a text in one program part, whose messages come here."""
        with self.meter.grounding:
            control = Control(list(arguments), logger=self._log, message_limit=MESSAGE_LIMIT)
            control.add(part, list(parameters), text)
        return control

    def ground(self, work: Callable[[], None], *, is_limited: bool = True) -> None:
        """Has a Control of `control` ground, under the limit if need be. Raises TickTimeoutError."""
        self.meter.groundings += 1
        with self.meter.grounding:
            if is_limited:
                self.limited(work)
            else:
                work()

    def search(self, control: Control) -> MeteredSearch:
        """Begins to solve with a Control of `control`."""
        return MeteredSearch(self.meter, control)

    def limited(self, work: Callable[[], T], interrupt: Callable[[], None] | None = None) -> T:
        """The result of some work of clingo, under the limit; see TickLimit. Raises TickTimeoutError."""
        return work() if self.limit is None else self.limit.run(work, interrupt)

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Errors of clingo within are raised as EvaluationErrors that speak of the user's text."""
        self._errors.clear()
        try:
            yield
        except RuntimeError as error:
            raise EvaluationError("\n".join(self._errors) or str(error)) from error
        except MemoryError as error:
            raise EvaluationError(NO_MEMORY) from error

    def _log(self, code: MessageCode, message: str) -> None:
        if code is MessageCode.RuntimeError:
            location, text = self._place(message)
            self._errors.append(f"{location}: error: {text}")
        elif code is MessageCode.OperationUndefined:
            found = _PLACE.match(message.strip())
            if found is None or int(found[1]) not in self.quiet or "operation undefined" not in found[2]:
                self.on_message(*self._place(message))

    def _place(self, message: str) -> tuple[Location, str]:
        match = _PLACE.match(message.strip())
        if match is None or not 0 < int(match[1]) <= len(self.origins):
            return NOWHERE, visible(message.strip())
        text = _STEP.sub("", match[2].strip()).replace(_PARAMETER, "@now")
        return self.origins[int(match[1]) - 1], visible(text)
