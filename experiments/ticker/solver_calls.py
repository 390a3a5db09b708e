"""One solver call: a fresh Control, the encoding, the stream, the place on the timeline."""

from collections.abc import Iterator

from clingo import Control, Symbol

from experiments.ticker.encoding import Encoding
from experiments.ticker.stream import SeenStream


def answers(encoding: Encoding, stream: SeenStream, *, start: int, models: int = 1) -> Iterator[set[Symbol]]:
    """The output of a number of answer sets, of all with 0; of ever better ones if the program optimises."""
    common = encoding.common
    separated = stream.tells_now(encoding.separated)
    output = encoding.separated_output if separated else encoding.output
    place = f"{common['now']}({stream.now}). {common['start']}({start})."
    if encoding.arrivals:
        place += f" {common['cnt']}({stream.arrived})."
    control = Control([f"--models={0 if encoding.is_optimising else models}", "--warn=none"])
    control.add("base", [], encoding.text + output + place)
    control.ground([("base", [])], context=stream)
    with control.solve(yield_=True) as found:
        for model in found:
            yield set(model.symbols(shown=True))
