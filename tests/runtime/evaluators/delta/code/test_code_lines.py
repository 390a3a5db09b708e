"""Code that is run: in pieces, whose lines are those of the whole."""

import traceback

import pytest

from lars2asp.runtime.evaluators.delta.code.code_lines import run


def test_the_pieces_of_long_code_are_one_module() -> None:
    """They see each other's names, and tracebacks show their lines."""
    functions = [
        f"def f{n}(x):\n    # {n}\n    return x + step if x < {n} else f{n - 1}(x)\n" for n in range(1, 2000)
    ]
    text = "# all\n\ndef f0(x):\n    return 1 // x\n" + "\n".join(functions)
    names = run(text, {"step": 7})
    assert [names[f"f{n}"](1) for n in (2, 1999)] == [8, 8]
    first = {names[f"f{n}"].__code__.co_firstlineno for n in (1, 2, 1999)}
    assert first == {5, 9, 5 + 4 * 1998}
    with pytest.raises(ZeroDivisionError) as raised:
        names["f0"](0)
    last = traceback.extract_tb(raised.tb)[-1]
    assert (last.lineno, last.line) == (4, "return 1 // x")
    with pytest.raises(TypeError) as other:
        names["f1999"](None)
    last = traceback.extract_tb(other.tb)[-1]
    assert last.line == "return x + step if x < 1999 else f1998(x)"
