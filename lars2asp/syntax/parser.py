"""Reads program text: statements, then for each the grammar, then the abstract syntax."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError
from lars2asp.syntax.parsing.background_tables import read_table, rounded
from lars2asp.syntax.parsing.background_triples import (
    FORMATS,
    Background,
    ending_of,
    facts_of,
    read_background,
)
from lars2asp.syntax.parsing.formulas import Formulas, marked
from lars2asp.syntax.parsing.includes import DEEPEST, Confinement, folder_of, included_file
from lars2asp.syntax.parsing.parse_tables import UnexpectedTextError, tables
from lars2asp.syntax.parsing.plain_facts import plain_fact
from lars2asp.syntax.parsing.prefixed_names import with_names
from lars2asp.syntax.parsing.scripts import script
from lars2asp.syntax.parsing.statement_texts import StatementText, cut_statements
from lars2asp.syntax.parsing.tree import Include, Prefix, ProgramPart, SyntaxBuilder
from lars2asp.syntax.source import Location, Source, shown
from lars2asp.syntax.traversal import first_deeper_than

_NO_SCRIPTS_HINT = (
    "a program that is not trusted (--untrusted, in Python trusted=False) has none: a script may do all "
    "that you may"
)


OWN = "lars2asp"
"""The name of the language of lars2asp among dialects."""

OWN_ENDINGS = (".lars", ".lp", ".asp", "")
"""How the names of files end that are in the language of lars2asp, whatever stands in them."""


def read_sources(paths: Iterable[str | Path], dialect: str | None = None) -> tuple[Source, ...]:
    """The program files as sources.

    Args:
        paths: the files.
        dialect: the dialect of all of them, with its settings (see ProgramDialect), or `lars2asp`; None: it
            is found by the ending of a file's name, or by its first lines.

    Raises Lars2aspError naming the file where one cannot be read or is not UTF-8, and for what is no dialect.
    """
    said = None if dialect is None else checked_dialect(dialect)
    sources = []
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
            found = dialect_of_file(Path(path), text) if said is None else said
            is_found = said is None and found != ""
            sources.append(Source(str(path), text, folder_of(Path(path)), found, is_found))
        except OSError as error:
            raise Lars2aspError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Lars2aspError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    return tuple(sources)


def text_source(text: str, dialect: str | None = None, name: str = "<text>") -> Source:
    """A program that is given as text. Raises Lars2aspError for what is no dialect."""
    return Source(name, text, dialect="" if dialect is None else checked_dialect(dialect))


def checked_dialect(dialect: str) -> str:
    """The dialect of a source by its name; empty for that of lars2asp. Raises Lars2aspError if it is none."""
    if dialect == OWN:
        return ""
    from lars2asp.syntax.dialects.registry import check_dialect  # noqa: PLC0415 - most programs are ours

    check_dialect(dialect)
    return dialect


def dialect_of_file(path: Path, text: str) -> str:
    """The dialect of a file, by its name or its first lines."""
    if path.suffix.lower() in OWN_ENDINGS:
        return ""
    from lars2asp.syntax.dialects.registry import found_dialect  # noqa: PLC0415 - most programs are ours

    return found_dialect(path.name, text)


Rewriting = Callable[[Sequence[nodes.Statement], Diagnostics], Sequence[nodes.Statement]]
"""The statements in place of those that one text makes."""

Read = nodes.Statement | Include | Prefix | ProgramPart
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
    if any(column.is_rounded for table in reader.tables for column in table.columns):
        statements = [*rounded(statements, reader.tables)]
    if reader.backgrounds:
        statements += facts_of(reader.backgrounds, statements, collected)
    if any(source.dialect for source in reader.sources):
        statements = [*reader.declarations(statements), *statements]
    if diagnostics is None:
        collected.raise_errors()
    if tables is not None:
        tables += reader.tables
    return nodes.Program(tuple(statements), tuple(reader.sources))


def read_statements(source: Source, diagnostics: Diagnostics) -> Iterator[tuple[StatementText, list[Read]]]:
    """The statements of one text, each with what it says; files that it names are not looked for.

    What cannot be read is reported, and says nothing.
    """
    formulas, prefixes = Formulas(), dict[str, str]()
    for number, text in enumerate(cut_statements(source, diagnostics)):
        if not number and text.text[0] in "{0123456789" and is_stream(source, text, diagnostics):
            return
        found = read_statement(source, text, diagnostics, formulas, prefixes)
        prefixes |= {one.name: one.iri for one in found if isinstance(one, Prefix)}
        yield text, found


def read_statement(
    source: Source,
    text: StatementText,
    diagnostics: Diagnostics,
    formulas: Formulas,
    prefixes: Mapping[str, str],
) -> list[Read]:
    """What one statement of a text says, with rules for its formulas; nothing where it cannot be read."""
    fact = plain_fact(source, text)
    if fact is not None:
        return [fact]
    return _whole(_parse_statement(source, text, formulas, prefixes, diagnostics), formulas, diagnostics)


_HOLIDAYS_HINT = "write a date and a name on each line: 2026-12-25,Christmas Day"

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
        self._prefixes: dict[str, str] = {}
        self.sources: list[Source] = []
        self.tables: list[nodes.Table] = []
        self.backgrounds: list[Background] = []

    def statements(self, source: Source, *, is_base: bool = True) -> Iterator[nodes.Statement]:
        """The statements of a source; those of parts other than `base` are left out."""
        self.sources.append(source)
        self._files.add(Path(source.name).resolve())
        self._check_names(source)
        found_before = len(self._diagnostics)
        for found in self._translated(source) if source.dialect else self._own(source):
            if isinstance(found, ProgramPart):
                is_base = found.name == "base"
                if not is_base:
                    self._diagnostics.warning(
                        found.location,
                        f"#program {found.name} is ignored: only `base` is used",
                        "as in clingo, only the part base is used; write #program base. to go back to it",
                        code=codes.IGNORED_PART,
                    )
            elif isinstance(found, Prefix):
                self._declare(found)
            elif isinstance(found, Include):
                yield from self._included(source, found, is_base)
                is_base = True
            elif isinstance(found, nodes.Calendar) and found.file is not None:
                yield from [self._with_holidays(source, found)] if is_base else ()
            elif isinstance(found, nodes.Table):
                yield from self._of_table(source, found) if is_base else ()
            elif is_base or isinstance(found, _EVERYWHERE):
                yield found
        if not source.dialect and len(self._diagnostics) > found_before and self._diagnostics.has_errors:
            self._propose_dialect(source)

    def _propose_dialect(self, source: Source) -> None:
        """Says of a text with mistakes in which other language it can be read."""
        from lars2asp.syntax.dialects.registry import recognised  # noqa: PLC0415 - most programs are ours

        dialect = recognised(source.text)
        if dialect is not None:
            place = Location(source, 0, len(source.text.partition("\n")[0].rstrip()))
            self._diagnostics.info(
                place,
                f"this looks like a program of {dialect.title}",
                f"read it with --dialect {dialect.name}",
                code=codes.OTHER_DIALECT,
            )

    def _own(self, source: Source) -> Iterator[Read]:
        """What stands in a source in the language of lars2asp."""
        for number, text in enumerate(cut_statements(source, self._diagnostics)):
            if not number and text.text[0] in "{0123456789" and is_stream(source, text, self._diagnostics):
                return
            if self._has_too_many_mistakes(source, text.begin):
                return
            if text.text.startswith("#script") and self._is_refused(source, text.begin):
                continue
            fact = plain_fact(source, text)
            if fact is not None:
                yield fact
            else:
                known = self._formulas, self._prefixes
                yield from self._accepted(_parse_statement(source, text, *known, self._diagnostics))

    def _translated(self, source: Source) -> Iterator[Read]:
        """What stands in a source in another language."""
        from lars2asp.syntax.dialects.registry import dialect_of  # noqa: PLC0415 - most programs are ours

        dialect = dialect_of(source)
        if source.is_dialect_found:
            self._diagnostics.info(
                Location(source, 0, len(source.text.partition("\n")[0].rstrip())),
                f"lars2asp reads this file as a program of {dialect.title}",
                f"--dialect {dialect.name} says the same; lars2asp compile --target lars2asp translates it",
                code=codes.OTHER_DIALECT,
            )
        for found in dialect.translate(source, self._diagnostics, self._formulas):
            if self._has_too_many_mistakes(source, found.location.begin):
                return
            if isinstance(found, nodes.Script) and self._is_refused(source, found.location.begin):
                continue
            if isinstance(found, nodes.Rule) and nodes.is_plain_fact(found):
                yield found
            else:
                yield from self._accepted([found])

    def declarations(self, statements: Sequence[nodes.Statement]) -> Iterator[nodes.Declaration]:
        """What programs in the dialects of the sources have, and these do not say themselves."""
        said = {type(one) for one in statements if isinstance(one, nodes.Declaration)}
        for source in self.sources:
            if source.dialect:
                from lars2asp.syntax.dialects.registry import dialect_of  # noqa: PLC0415

                for one in dialect_of(source).declarations(source):
                    if type(one) not in said:
                        said.add(type(one))
                        yield one

    def _has_too_many_mistakes(self, source: Source, begin: int) -> bool:
        """Whether nothing more is read, which is said at the first place where that is so."""
        if len(self._diagnostics) < MOST_FOUND or not self._diagnostics.has_errors:
            return False
        rest = Location(source, begin, begin + 1)
        self._diagnostics.error(rest, "too many mistakes: lars2asp stops reading here", code=codes.TOO_LARGE)
        return True

    def _is_refused(self, source: Source, begin: int) -> bool:
        """Whether the program has no scripts, which is said of the one there."""
        if self._confinement is None:
            return False
        place = Location(source, begin, begin + len("#script"))
        self._diagnostics.error(place, "scripts are not allowed", _NO_SCRIPTS_HINT, code=codes.UNTRUSTED)
        return True

    def _accepted(self, found: Sequence[Read]) -> Sequence[Read]:
        """What one statement says, rewritten."""
        statements: list[Any] = _whole(found, self._formulas, self._diagnostics)
        if not statements or isinstance(statements[0], Include | Prefix | ProgramPart):
            return statements
        return [*self._rewriting(statements, self._diagnostics)]

    def _check_names(self, source: Source) -> None:
        """Takes names for what stands for formulas that are in no text; a later text with them is refused."""
        formulas = self._formulas
        while formulas.prefix in source.text:
            if len(formulas):
                begin = source.text.index(formulas.prefix)
                self._diagnostics.error(
                    Location(source, begin, begin + len(formulas.prefix)),
                    f"{formulas.prefix} is reserved for formulas in brackets",
                    "choose another name, or include this file before the first formula",
                    code=codes.RESERVED_NAME,
                )
                return
            formulas.prefix = f"_{formulas.prefix}"

    def _declare(self, prefix: Prefix) -> None:
        """A prefix is one and the same in all files, from its declaration on."""
        known = self._prefixes.setdefault(prefix.name, prefix.iri)
        if known != prefix.iri:
            self._diagnostics.error(
                prefix.location,
                f"{prefix.name}: already means <{shown(known)}>",
                "choose another prefix",
                code=codes.PREFIX,
            )

    def _with_holidays(self, source: Source, calendar: nodes.Calendar) -> nodes.Calendar:
        include = Include(calendar.file or "", calendar.location)
        path = included_file(source, include, self._confinement, self._diagnostics)
        if path is None:
            return calendar
        from lars2asp.syntax.parsing.holidays import read_holidays  # noqa: PLC0415 - most programs need none

        try:
            return replace(calendar, holidays=read_holidays(path))
        except Lars2aspError as error:
            self._diagnostics.error(calendar.location, str(error), _HOLIDAYS_HINT, code=codes.UNREADABLE_FILE)
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
            self._diagnostics.error(table.location, str(error), code=codes.UNREADABLE_FILE)

    def _included(self, source: Source, include: Include, is_base: bool) -> Iterator[nodes.Statement]:
        path = included_file(source, include, self._confinement, self._diagnostics)
        if path is None or path.resolve() in self._files:
            return
        if ending_of(path) in FORMATS:
            self._files.add(path.resolve())
            try:
                self.backgrounds += [read_background(path, include.location)] if is_base else []
            except Lars2aspError as error:
                self._diagnostics.error(include.location, str(error), code=codes.UNREADABLE_FILE)
            return
        if self._depth == DEEPEST:
            self._diagnostics.error(
                include.location,
                f"includes are nested more than {DEEPEST} deep",
                "include the files next to each other",
                code=codes.TOO_LARGE,
            )
            return
        try:
            (included,) = read_sources([path])
            if source.dialect and not included.dialect:
                included = replace(included, dialect=source.dialect)
        except Lars2aspError as error:
            self._diagnostics.error(include.location, str(error), code=codes.UNREADABLE_FILE)
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
    program = parse(Source("--declare", f"{keyword}{stripped}."))
    match program.statements:
        case (nodes.Input() as declaration,):
            return declaration
        case _:
            raise Lars2aspError("--declare: expected one declaration such as reading(room, temp*10) at time")


def _parse_statement(
    source: Source,
    statement: StatementText,
    formulas: Formulas,
    prefixes: Mapping[str, str],
    diagnostics: Diagnostics,
) -> Sequence[Read]:
    def located(begin: int, end: int) -> Location:
        return Location(source, statement.begin + begin, statement.begin + end)

    if statement.text.startswith("#script"):
        return script(statement.text, located, diagnostics)
    found_before = len(diagnostics)
    if "<-" in statement.text:
        from lars2asp.syntax.parsing.syntax_errors import report_arrow  # noqa: PLC0415 - most programs need none

        report_arrow(statement.text, located, diagnostics)
        if len(diagnostics) > found_before:
            return ()
    try:
        builder = SyntaxBuilder(located, diagnostics, formulas, prefixes)
        built = tables().parse(marked(with_names(statement.text, prefixes)), builder.made)
    except UnexpectedTextError as error:
        from lars2asp.syntax.parsing.syntax_errors import report_syntax_error  # noqa: PLC0415 - most programs need none
        from lars2asp.syntax.parsing.tried_texts import first_mistake  # noqa: PLC0415 - most programs need none

        tried = partial(first_mistake, prefixes=prefixes)
        report_syntax_error(error, statement.text, located, diagnostics, tried)
    if len(diagnostics) > found_before:
        return ()
    return built if isinstance(built, list) else [built]


def _whole(found: Sequence[Read], formulas: Formulas, diagnostics: Diagnostics) -> list[Read]:
    """What one statement says with the rules of its formulas, unless it is nested too deep."""
    if not found or isinstance(found[0], Include | Prefix | ProgramPart):
        return [*found]
    statements: list[Any] = [*found, *formulas.take_new()]
    for one in statements:
        if first_deeper_than(one, nodes.MOST_NESTED) is not None:
            diagnostics.error(
                one.location,
                f"this is nested more than {nodes.MOST_NESTED} levels deep",
                "give names to parts of it, by rules or constants",
                code=codes.TOO_LARGE,
            )
            return []
    return statements


def is_stream(source: Source, first: StatementText, diagnostics: Diagnostics) -> bool:
    """Whether a source is a stream and no program, which is reported."""
    from lars2asp.syntax.advice.stream_texts import stream_advice  # noqa: PLC0415 - most programs begin otherwise

    line = source.text[first.begin :].partition("\n")[0]
    hint = stream_advice(line)
    if hint is not None:
        place = Location(source, first.begin, first.begin + len(line.rstrip()))
        diagnostics.error(place, "this looks like input data, not a program", hint, code=codes.NOT_A_PROGRAM)
    return hint is not None
