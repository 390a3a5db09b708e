"""Reads program text: statements, then for each the grammar, then the abstract syntax."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError
from lars2asp.syntax.parsing.background_tables import read_table
from lars2asp.syntax.parsing.formulas import Formulas, marked
from lars2asp.syntax.parsing.includes import DEEPEST, Confinement, folder_of, included_file
from lars2asp.syntax.parsing.parse_tables import UnexpectedTextError, tables
from lars2asp.syntax.parsing.statement_texts import StatementText, cut_statements
from lars2asp.syntax.parsing.tree import Include, ProgramPart, SyntaxBuilder
from lars2asp.syntax.source import Location, Source
from lars2asp.syntax.traversal import first_deeper_than

_SCRIPT = re.compile(r"#script\s*\(\s*([a-z]+)\s*\)(.*)#end\s*\.", re.DOTALL)
_SCRIPT_HINT = "scripts are written #script (python) ... #end."
_NO_SCRIPTS_HINT = (
    "a program that is not trusted (--no-scripts, in Python trusted=False) has none: a script may do all "
    "that you may"
)


def read_sources(paths: Iterable[str | Path]) -> tuple[Source, ...]:
    """The program files as sources.

    Raises Lars2aspError naming the file where one cannot be read or is not UTF-8.
    """
    sources = []
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
            sources.append(Source(str(path), text, folder_of(Path(path))))
        except OSError as error:
            raise Lars2aspError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Lars2aspError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    return tuple(sources)


Rewriting = Callable[[Sequence[nodes.Statement], Diagnostics], Sequence[nodes.Statement]]
"""The statements in place of those that one text makes."""

Read = nodes.Statement | Include | ProgramPart
"""What a statement says: that of a program, or how the program goes on."""


def _as_it_is(statements: Sequence[nodes.Statement], _: Diagnostics) -> Sequence[nodes.Statement]:
    return statements


def parse(
    *sources: Source,
    diagnostics: Diagnostics | None = None,
    trusted: bool = True,
    rewriting: Rewriting = _as_it_is,
    tables: list[nodes.Table] | None = None,
) -> nodes.Program:
    """The program that the sources say together, with the files that they include.

    One that is not trusted has no scripts, and includes files out of the folders of the sources only.

    Syntax errors go to `diagnostics`, and the statements without them are returned; without `diagnostics`,
    ProgramError is raised with all errors. `rewriting` is applied to statements as soon as they are read, so
    that what it reports stands among the syntax errors, in the order of the text. Each `#table` that was read
    goes to `tables`; its facts are at its location.
    """
    collected = Diagnostics() if diagnostics is None else diagnostics
    reader = _SourceReader(collected, None if trusted else Confinement(sources), rewriting)
    statements = [statement for source in sources for statement in reader.statements(source)]
    if diagnostics is None:
        collected.raise_errors()
    if tables is not None:
        tables += reader.tables
    return nodes.Program(tuple(statements), tuple(reader.sources))


def read_statements(source: Source, diagnostics: Diagnostics) -> Iterator[tuple[StatementText, list[Read]]]:
    """The statements of one text, each with what it says; files that it names are not looked for.

    What cannot be read is reported, and says nothing.
    """
    formulas = Formulas()
    for number, text in enumerate(cut_statements(source, diagnostics)):
        if not number and text.text[0] in "{0123456789" and _is_stream(source, text, diagnostics):
            return
        fact = _plain_fact(source, text)
        yield text, [fact] if fact else [*_parse_statement(source, text, _as_it_is, formulas, diagnostics)]


_HOLIDAYS_HINT = "a line has a date and the name of what is kept on it: 2026-12-25,Christmas Day"

_EVERYWHERE = (nodes.Constant, nodes.Show, nodes.Defined, nodes.ProjectSignature)
"""Statements that belong to no part of a program."""

MOST_FOUND = 500
"""The number of findings, one of them an error, from which on the rest of a text is not read."""


class _SourceReader:
    """Reads sources, each file once, however often it is included."""

    def __init__(
        self, diagnostics: Diagnostics, confinement: Confinement | None, rewriting: Rewriting
    ) -> None:
        self._diagnostics = diagnostics
        self._rewriting = rewriting
        self._confinement = confinement
        self._files: set[Path] = set()
        self._depth = 0
        self._formulas = Formulas()
        self.sources: list[Source] = []
        self.tables: list[nodes.Table] = []

    def statements(self, source: Source, *, is_base: bool = True) -> Iterator[nodes.Statement]:
        """The statements of a source; those of parts other than `base` are left out."""
        self.sources.append(source)
        self._files.add(Path(source.name).resolve())
        self._check_names(source)
        for number, text in enumerate(cut_statements(source, self._diagnostics)):
            if not number and text.text[0] in "{0123456789" and _is_stream(source, text, self._diagnostics):
                return
            if len(self._diagnostics) >= MOST_FOUND and self._diagnostics.has_errors:
                rest = Location(source, text.begin, text.begin + 1)
                self._diagnostics.error(rest, "too many mistakes: the text from here on was not read")
                return
            if self._confinement is not None and text.text.startswith("#script"):
                place = Location(source, text.begin, text.begin + len("#script"))
                self._diagnostics.error(place, "scripts are not allowed", _NO_SCRIPTS_HINT)
                continue
            fact = _plain_fact(source, text)
            for found in (
                (fact,)
                if fact
                else _parse_statement(source, text, self._rewriting, self._formulas, self._diagnostics)
            ):
                if isinstance(found, ProgramPart):
                    is_base = found.name == "base"
                    if not is_base:
                        self._diagnostics.warning(
                            found.location,
                            f"the part {found.name} is left out",
                            "as in clingo only the part base is grounded: #program base. goes back to it",
                        )
                elif isinstance(found, Include):
                    yield from self._included(source, found, is_base)
                    is_base = True
                elif isinstance(found, nodes.Calendar) and found.file is not None:
                    yield from [self._with_holidays(source, found)] if is_base else ()
                elif isinstance(found, nodes.Table):
                    yield from self._of_table(source, found) if is_base else ()
                elif is_base or isinstance(found, _EVERYWHERE):
                    yield found

    def _check_names(self, source: Source) -> None:
        """Takes names for what stands for formulas that are in no text; a later text with them is refused."""
        formulas = self._formulas
        while formulas.prefix in source.text:
            if len(formulas):
                begin = source.text.index(formulas.prefix)
                self._diagnostics.error(
                    Location(source, begin, begin + len(formulas.prefix)),
                    f"{formulas.prefix} begins the names of what stands for formulas in brackets",
                    "take another name, or include this file in front of the first formula",
                )
                return
            formulas.prefix = f"_{formulas.prefix}"

    def _with_holidays(self, source: Source, calendar: nodes.Calendar) -> nodes.Calendar:
        include = Include(calendar.file or "", calendar.location)
        path = included_file(source, include, self._confinement, self._diagnostics)
        if path is None:
            return calendar
        from lars2asp.syntax.parsing.holidays import read_holidays  # noqa: PLC0415 - most programs need none

        try:
            return replace(calendar, holidays=read_holidays(path))
        except Lars2aspError as error:
            self._diagnostics.error(calendar.location, str(error), _HOLIDAYS_HINT)
            return calendar

    def _of_table(self, source: Source, table: nodes.Table) -> Iterator[nodes.Statement]:
        """The facts of a table, which are those of the program."""
        include = Include(table.path, table.location)
        path = included_file(source, include, self._confinement, self._diagnostics)
        if path is None:
            return
        self.tables.append(replace(table, file=str(path)))
        try:
            yield from read_table(table, path, self._diagnostics)
        except Lars2aspError as error:
            self._diagnostics.error(table.location, str(error))

    def _included(self, source: Source, include: Include, is_base: bool) -> Iterator[nodes.Statement]:
        path = included_file(source, include, self._confinement, self._diagnostics)
        if path is None or path.resolve() in self._files:
            return
        if self._depth == DEEPEST:
            self._diagnostics.error(
                include.location,
                f"files include one another more than {DEEPEST} deep",
                "include them side by side",
            )
            return
        try:
            (included,) = read_sources([path])
        except Lars2aspError as error:
            self._diagnostics.error(include.location, str(error))
            return
        self._depth += 1
        yield from self.statements(included, is_base=is_base)
        self._depth -= 1


def parse_input_declaration(text: str) -> nodes.Input:
    """An input declaration without `#input` and the dot: `reading(room, temp*10) at time`.

    Raises Lars2aspError.
    """
    keyword = "#input "
    stripped = text.strip().removeprefix(keyword).removesuffix(".")
    program = parse(Source("--map", f"{keyword}{stripped}."))
    match program.statements:
        case (nodes.Input() as declaration,):
            return declaration
        case _:
            raise Lars2aspError("--map: expected one declaration such as reading(room, temp*10) at time")


def _parse_statement(
    source: Source,
    statement: StatementText,
    rewriting: Rewriting,
    formulas: Formulas,
    diagnostics: Diagnostics,
) -> Sequence[Read]:
    def located(begin: int, end: int) -> Location:
        return Location(source, statement.begin + begin, statement.begin + end)

    if statement.text.startswith("#script"):
        return _script(statement.text, located, diagnostics)
    found_before = len(diagnostics)
    if "<-" in statement.text:
        from lars2asp.syntax.parsing.syntax_errors import report_arrow  # noqa: PLC0415 - most programs need none

        report_arrow(statement.text, located, diagnostics)
        if len(diagnostics) > found_before:
            return ()
    try:
        builder = SyntaxBuilder(located, diagnostics, formulas)
        built = tables().parse(marked(statement.text), builder.made)
    except UnexpectedTextError as error:
        from lars2asp.syntax.parsing.syntax_errors import report_syntax_error  # noqa: PLC0415 - most programs need none
        from lars2asp.syntax.parsing.tried_texts import first_mistake  # noqa: PLC0415 - most programs need none

        report_syntax_error(error, statement.text, located, diagnostics, first_mistake)
    if len(diagnostics) > found_before:
        return ()
    if isinstance(built, Include | ProgramPart):
        return (built,)
    statements: list[nodes.Statement] = built if isinstance(built, list) else [built]
    statements += formulas.take_new()
    for one in statements:
        if first_deeper_than(one, nodes.MOST_NESTED) is not None:
            diagnostics.error(
                one.location,
                f"this is nested more than {nodes.MOST_NESTED} levels deep",
                "name parts of it, with rules or constants of their own",
            )
            return ()
    return rewriting(statements, diagnostics)


def _is_stream(source: Source, first: StatementText, diagnostics: Diagnostics) -> bool:
    """Whether a source is a stream and no program, which is reported."""
    from lars2asp.syntax.advice.stream_texts import stream_advice  # noqa: PLC0415 - most programs begin otherwise

    line = source.text[first.begin :].partition("\n")[0]
    hint = stream_advice(line)
    if hint is not None:
        place = Location(source, first.begin, first.begin + len(line.rstrip()))
        diagnostics.error(place, "this is a stream, and no program", hint)
    return hint is not None


def _script(
    text: str, located: Callable[[int, int], Location], diagnostics: Diagnostics
) -> tuple[nodes.Script, ...]:
    match = _SCRIPT.fullmatch(text)
    if match is None:
        diagnostics.error(located(0, len("#script")), "this #script is malformed", _SCRIPT_HINT)
        return ()
    if match[1] != "python":
        diagnostics.error(located(*match.span(1)), f"scripts in {match[1]} are not run", _SCRIPT_HINT)
        return ()
    begin, end = match.span(2)
    return (nodes.Script(match[2], location=located(begin, end)),)


# --- plain facts ----------------------------------------------------------------------------------

_ARGUMENT = r"""\s*(?:[0-9]{1,9}(?:\.[0-9]{1,9})?|[a-z][A-Za-z0-9_]*|"[^"\\\n]*")\s*"""
PLAIN_FACT = re.compile(rf"([a-z][A-Za-z0-9_]*)\(({_ARGUMENT}(?:,{_ARGUMENT})*+)\)\s*\.")
PLAIN_ARGUMENT = re.compile(r'[0-9]+(?:\.[0-9]+)?|[a-z][A-Za-z0-9_]*|"[^"]*"')


def _plain_fact(source: Source, statement: StatementText) -> nodes.Rule | None:
    """The fact that a statement is if its arguments are plain constants, else None.

    Background data comes in many thousands of such facts; a regular expression reads them thirty times
    faster than the grammar, to the same nodes (a test holds the two together).
    """
    match = PLAIN_FACT.fullmatch(statement.text)
    if match is None or match[1] == "not":
        return None
    arguments: list[nodes.Term] = []
    begin = statement.begin
    for found in PLAIN_ARGUMENT.finditer(statement.text, *match.span(2)):
        text = found.group()
        location = Location(source, begin + found.start(), begin + found.end())
        if text[0] == '"':
            arguments.append(nodes.String(text[1:-1], location=location))
        elif text[0].isdigit():
            if text[0] == "0" and text[1:2].isdigit():
                return None
            is_whole = "." not in text
            arguments.append(
                nodes.Number(int(text), location=location)
                if is_whole
                else nodes.Decimal(text, location=location)
            )
        elif text == "not":
            return None
        else:
            arguments.append(nodes.Function(text, location=location))
    atom_end = begin + match.end(2) + 1
    atom = nodes.Atom(match[1], tuple(arguments), location=Location(source, begin, atom_end))
    return nodes.Rule(atom, location=Location(source, begin, begin + len(statement.text)))
