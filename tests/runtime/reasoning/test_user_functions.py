"""@-functions of the user's: scripts, modules, context objects, and what goes wrong in them."""

from pathlib import Path
from textwrap import dedent

import pytest
from clingo import Number, Symbol

from lars2asp.compiler import Overrides, compile_program
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.user_functions import (
    load_module,
    merged,
    public_names,
    pure,
    pure_by_text,
    pure_names,
    user_functions,
)
from lars2asp.syntax.diagnostics import Lars2aspError, ProgramError
from lars2asp.syntax.source import Source

SCRIPT = dedent("""\
    #script (python)
    from clingo import Number, String
    calls = []
    def twice(x):
        calls.append(x)
        return Number(2 * x.number)
    def both(x): return [x, Number(-x.number)]  % not a comment here. "
    def calls_so_far(): return Number(len(calls))
    #end.
    """).replace('  % not a comment here. "', "")


class Context:
    """Offers one function."""

    def half(self, x: Symbol) -> Symbol:
        """Half of a number."""
        return Number(x.number // 2)


def test_functions_of_scripts() -> None:
    reasoner = Reasoner.from_text(SCRIPT + "a(@twice(X)) :- p(X) in [2]. b(Y) :- p(X), Y = @both(X).")
    assert reasoner.step(0, ["p(3)"]).holds.texts == ("a(6)", "b(-3)", "b(3)")
    assert reasoner.step(1, ["p(1)"]).holds.texts == ("a(2)", "a(6)", "b(-1)", "b(1)")


def test_scripts_are_run_once() -> None:
    """What a script keeps lasts as long as the reasoner."""
    reasoner = Reasoner.from_text(
        SCRIPT + "a(@twice(X)) :- p(X). #show n(@calls_so_far()) : q.", evaluator="oneshot"
    )
    reasoner.step(0, ["p(1)"])
    reasoner.step(1, ["p(2)"])
    assert reasoner.step(2, ["q"]).holds.texts == ("n(2)",)


def test_functions_of_a_context_go_before_those_of_scripts() -> None:
    reasoner = Reasoner.from_text("a(@half(8)) :- p.", functions=Context())
    assert reasoner.step(0, ["p"]).holds.texts == ("a(4)",)
    script = "#script (python)\ndef half(x): return x\n#end.\n"
    assert Reasoner.from_text(f"{script}a(@half(8)).", functions=Context()).step(0).holds.texts == ("a(4)",)


def test_functions_that_are_declared_pure() -> None:
    """A function of the context object that is not pure goes before one of a script that is."""
    program = dedent("""\
        #script (python)
        from clingo import Number
        from lars2asp import pure
        @pure
        def twice(x): return Number(2 * x.number)
        @pure
        def half(x): return x
        def other(x): return x
        #end.
        a(@twice(X), @half(X), @other(X), @third(X)) :- p(X).
        """)

    class Both(Context):
        @pure
        def third(self, x: Symbol) -> Symbol:
            return x

    offered = Overrides(functions=frozenset({"third", "half"}))
    plan = compile_program(Source("program.lars", program), overrides=offered)
    functions = user_functions(plan, Both())
    assert pure_names(functions) == {"twice", "third"}
    assert pure_by_text(plan, Both()) == {"twice", "third"}
    assert functions["twice"](Number(4)) == Number(8)


def test_functions_of_modules(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("from clingo import Number\ndef f(x): return Number(1)\n_hidden = 3\n")
    other.write_text("from clingo import Number\ndef f(x): return Number(2)\ndef g(): return [Number(3)]\n")
    context = merged([load_module(one), load_module(other)])
    assert {"f", "g"} <= public_names(context)
    assert Reasoner.from_text("a(@f(0)). b(@g()).", functions=context).step(0).holds.texts == ("a(1)", "b(3)")


def test_functions_that_are_not_there() -> None:
    with pytest.raises(ProgramError, match="there is no function @half"):
        Reasoner.from_text("a(@half(8)).")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 1 / 0", r"x.*:4:3-8: error: @f\(7\) failed: ZeroDivisionError: division by zero"),
        ("return {}", r"@f\(7\) gave \{\}, which is of the type dict: functions give bool, int"),
        ("return [x, {1}]", r"@f\(7\) gave \{1\}, which is of the type set"),
    ],
)
def test_functions_that_fail(body: str, reason: str) -> None:
    reasoner = Reasoner.from_text(f"#script (python)\ndef f(x): {body}\n#end.\na(@f(7)).")
    with pytest.raises(EvaluationError, match=reason.replace("x.*", "<text>")):
        reasoner.step(0)


def test_scripts_that_fail() -> None:
    with pytest.raises(EvaluationError, match=r"<text>:2:.*the script failed: NameError"):
        Reasoner.from_text("\n#script (python)\nnothing\n#end.")


def test_modules_that_fail(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n")
    with pytest.raises(Lars2aspError, match=r"broken\.py: SyntaxError"):
        load_module(broken)
    with pytest.raises(Lars2aspError, match="cannot read this file"):
        load_module(tmp_path / "missing.py")
    with pytest.raises(Lars2aspError, match="is not a Python file"):
        load_module(tmp_path / "functions.txt")


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "def f(x): raise SystemExit(3)"])
def test_code_that_would_end_the_process_is_an_error(code: str) -> None:
    with pytest.raises(EvaluationError, match="SystemExit: 3"):
        Reasoner.from_text(f"#script (python)\n{code}\ndef f_(x): return x\n#end.\na(@f(7)).").step(0)


@pytest.mark.parametrize(
    "error", ["BaseException('no')", "GeneratorExit('no')", "BaseExceptionGroup('no', [SystemExit()])"]
)
@pytest.mark.parametrize("code", ["raise {}", "def f(x): raise {}"])
def test_exceptions_of_any_kind_are_errors_of_the_code(tmp_path: Path, code: str, error: str) -> None:
    code = code.format(error)
    text = f"#script (python)\n{code}\ndef f_(x): return x\n#end.\na(@f(7))."
    with pytest.raises(EvaluationError, match=f"{error.partition('(')[0]}: no"):
        Reasoner.from_text(text).step(0)
    module = tmp_path / "m.py"
    module.write_text(f"def g(): pass\n{code}\n")
    with pytest.raises(Lars2aspError, match=r"(m\.py:2|@f\(7\) failed): \w+: no"):
        Reasoner.from_text("a(@f(7)).", functions=load_module(module)).step(0)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "class E(Exception):\n  def __str__(self): 1 / 0\ndef f(x): raise E",
            r"E: \(its message cannot be shown\)",
        ),
        ("class R:\n  def __repr__(self): 1 / 0\ndef f(x): return R()", r"gave a R \(it cannot be shown\)"),
        ("class L(list):\n  def __iter__(self): 1 / 0\ndef f(x): return L()", "division by zero"),
        ("def f(x): raise ValueError('1\\n2\\x1b[31m')", r"ValueError: 1\\n2\\x1b\[31m$"),
        ("def f(x): raise ValueError('\\ud800')", r"ValueError: \\ud800$"),
    ],
)
def test_errors_that_cannot_be_shown(code: str, reason: str) -> None:
    reasoner = Reasoner.from_text(f"#script (python)\n{code}\n#end.\na(@f(7)).")
    with pytest.raises(EvaluationError, match=r"@f\(7\) .*" + reason):
        reasoner.step(0)


def test_the_line_of_a_script_or_module_that_fails_is_told(tmp_path: Path) -> None:
    code = "def f(x): return x\n\nopen('/not/there')\n"
    with pytest.raises(
        EvaluationError, match=r"the script failed: FileNotFoundError.*/not/there' \(line 4\)"
    ):
        Reasoner.from_text(f"#script (python)\n{code}#end.\n")
    (tmp_path / "m.py").write_text(code)
    with pytest.raises(Lars2aspError, match=r"m\.py:3: FileNotFoundError: .*'/not/there'"):
        load_module(tmp_path / "m.py")


def test_libraries_that_are_none(tmp_path: Path) -> None:
    for name in ("m.so", "m.pyc"):
        (tmp_path / name).write_bytes(b"xx")
        with pytest.raises(Lars2aspError, match=f"{name}: ImportError"):
            load_module(tmp_path / name)


def test_scripts_that_are_too_deep_for_python() -> None:
    with pytest.raises(
        ProgramError, match=r"<text>:1:17-.*this script is not valid Python: it is nested too deeply"
    ):
        Reasoner.from_text("#script (python)\nx = " + "-" * 100_000 + "1\n#end.\n")


class Odd:
    """Cannot be listed."""

    def __dir__(self) -> list[str]:
        raise RuntimeError("not today")


def test_a_context_that_cannot_be_listed() -> None:
    with pytest.raises(Lars2aspError, match="cannot list the functions of the context"):
        Reasoner.from_text("a.", functions=Odd())


def test_a_script_has_what_a_property_fails_to_give() -> None:
    script = "#script (python)\ndef mood(x): return x\n#end.\n"
    assert Reasoner.from_text(f"{script}a(@mood(8)).", functions=Moody()).step(0).holds.texts == ("a(8)",)


class Moody:
    """Has a property that fails and a static function."""

    @property
    def mood(self) -> str:
        """Raises."""
        raise RuntimeError("not today")

    @staticmethod
    def same(x: Symbol) -> Symbol:
        """What it was."""
        return x


def test_properties_of_a_context_are_left_alone() -> None:
    assert public_names(Moody()) == {"same"}
    assert Reasoner.from_text("a(@same(1)).", functions=Moody()).step(0).holds.texts == ("a(1)",)


class Hidden:
    """Offers one function and keeps one to itself."""

    def shown(self, x: Symbol) -> Symbol:
        """What it was."""
        return self._kept(x)

    def _kept(self, x: Symbol) -> Symbol:
        return x


def test_a_program_that_is_not_trusted_calls_the_context_only(tmp_path: Path) -> None:
    """The context is the caller's own code; not what is hidden in it."""
    program = tmp_path / "p.lars"
    program.write_text("a(@shown(1)).")
    reasoner = Reasoner.from_file(program, functions=Hidden(), trusted=False)
    assert reasoner.step(0).holds.texts == ("a(1)",)
    for text in ("a(@_kept(1)).", "a(@__init__(1)).", SCRIPT):
        program.write_text(text)
        with pytest.raises(ProgramError):
            Reasoner.from_file(program, functions=Hidden(), trusted=False)
        with pytest.raises(ProgramError):
            Reasoner.from_text(text, functions=Hidden(), trusted=False)
    assert Reasoner.from_text("a(@_kept(1)).", functions=Hidden()).step(0).holds.texts == ("a(1)",)


def test_a_program_that_is_not_trusted_includes_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text('#include "q.lars".')
    (tmp_path / "q.lars").write_text("q.")
    assert Reasoner.from_file(tmp_path / "p.lars", trusted=False).step(0).holds.texts == ()
    with pytest.raises(ProgramError, match="this program cannot include files"):
        Reasoner.from_text(f'#include "{tmp_path / "q.lars"}".', trusted=False)
