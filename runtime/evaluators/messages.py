"""clingo's messages about generated text, translated to the user's text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from clingo import Control, MessageCode
from clingo import Model as SolvedModel

from lars2asp.externals.grounding import GroundPart, KeyFunctions, search
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.meter import Meter, MeteredControl, MeteredSearch
from lars2asp.syntax.source import NOWHERE, Location, visible

T = TypeVar("T")

OnMessage = Callable[[Location, str], None]
"""Takes a message of clingo about a place in the user's text."""

_STEP = re.compile(r"\[#inc_[^\]]*\];?")  # what clingo adds to the bodies of a part with parameters
_PARAMETER = "#Inc0"  # how clingo names a part's parameter in messages
_PLACE = re.compile(r"^<[a-z]+>:(\d+):[\d:-]+: (?:info|warning|error): (.*)", re.DOTALL)


MESSAGE_LIMIT = 1000
"""The number of messages of clingo that are looked at."""

NO_MEMORY = "the program needs more memory than there is: its rules have too many instances"


class Messages:
    """Hands on clingo's messages.

    Args:
        origins: for each line of the generated text the place in the user's text that it comes from.
        on_message: takes clingo's remarks, each once for a place.
        meter: measures the time of Controls, if it is measured.
        limit: how long clingo may take, if there is a limit.
    """

    def __init__(
        self,
        origins: Sequence[Location],
        on_message: OnMessage,
        meter: Meter | None = None,
        limit: TickLimit | None = None,
    ) -> None:
        self._origins = origins
        self._on_message = on_message
        self._meter = meter
        self._limit = limit
        self._errors: list[str] = []

    def control(self, arguments: Sequence[str]) -> Control:
        """A Control whose messages come here."""
        if self._meter is not None:
            return MeteredControl(self._meter, arguments, self._log, MESSAGE_LIMIT)
        return Control(list(arguments), logger=self._log, message_limit=MESSAGE_LIMIT)

    def ground(self, control: Control, parts: Sequence[GroundPart], functions: KeyFunctions) -> None:
        """Grounds parts of what a Control of `control` has read, with functions over keys."""
        if self._meter is None:
            self.limited(lambda: functions.ground(control, parts))
            return
        self._meter.groundings += 1
        with self._meter.grounding:
            self.limited(lambda: functions.ground(control, parts))

    def search(self, control: Control) -> AbstractContextManager[Iterable[SolvedModel]]:
        """Begins to solve with a Control of `control`."""
        return search(control) if self._meter is None else MeteredSearch(self._meter, control)

    def limited(self, work: Callable[[], T], interrupt: Callable[[], None] | None = None) -> T:
        """The result of some work of clingo, under the limit; see TickLimit. Raises TickTimeoutError."""
        return work() if self._limit is None else self._limit.run(work, interrupt)

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
            self._on_message(*self._place(message))

    def _place(self, message: str) -> tuple[Location, str]:
        match = _PLACE.match(message.strip())
        if match is None or not 0 < int(match[1]) <= len(self._origins):
            return NOWHERE, visible(message.strip())
        text = _STEP.sub("", match[2].strip()).replace(_PARAMETER, "@now")
        return self._origins[int(match[1]) - 1], visible(text)
