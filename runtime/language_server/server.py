"""The language server: what the protocol asks for, told by what is known of programs.

Texts come with each key. What can be said of them at once is said at once; a task waits for a pause, has the
whole program checked in a thread, and says all. Only one check runs at a time.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from lars2asp.compiler import check
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.language_server.directives import begun_directive, directive_at
from lars2asp.runtime.language_server.findings import Findings
from lars2asp.runtime.language_server.knowledge import NO_RUN, Knowledge, RunCost, rule_at, run_cost
from lars2asp.runtime.language_server.program_files import ProgramFiles
from lars2asp.runtime.language_server.renaming import (
    RenameError,
    alike,
    occurrence_at,
    occurrences_of,
    renamed,
)
from lars2asp.runtime.language_server.statements import Occurrence, StatementReader
from lars2asp.runtime.language_server.text_places import Place, TextPlaces
from lars2asp.syntax.diagnostics import Diagnostic, Lars2aspError, ProgramError, Severity
from lars2asp.syntax.directives import DIRECTIVES, directive_text
from lars2asp.syntax.formatting.formatter import formatted
from lars2asp.syntax.source import Location, Source
from lars2asp.syntax.values import dataclass

NAME = "lars2asp"

_REQUEST_FAILED = lsp.LSPErrorCodes.RequestFailed.value

PAUSE = 0.2
"""For how many seconds nothing is typed before the whole program is checked."""

MOST_PLACES = 50
"""The number of places at which one finding is shown."""

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}

T = TypeVar("T")


@dataclass
class _Document:
    """An open text: its findings, what is shown of them, and the task that checks the whole program."""

    uri: str
    findings: Findings
    shown: list[Diagnostic] = field(default_factory=list)
    checking: "asyncio.Task[None] | None" = None


class Server:
    """The state of the language server, and what it answers.

    Args:
        pause: for how many seconds nothing is typed before the whole program is checked.
        statistics: a file that a run has written by `--stats-json`.
    """

    def __init__(self, version: str, statistics: Path | None = None, pause: float = PAUSE) -> None:
        self.protocol = LanguageServer(NAME, version)
        for name in ("pygls.protocol.json_rpc", "pygls.server"):
            logging.getLogger(name).addFilter(_is_no_refusal)
        self._pause = pause
        self._statistics = statistics
        self._documentation = ""
        self._files = ProgramFiles()
        self._reader = StatementReader()
        self._documents: dict[Path, _Document] = {}
        self._elsewhere: set[str] = set()  # texts that are not open, of which findings are shown
        self._known: tuple[tuple[Source, ...], Knowledge] | None = None
        self._thread = ThreadPoolExecutor(1)
        self._register()

    def _register(self) -> None:
        features: dict[str, tuple[Callable[..., Any], Any]] = {
            lsp.INITIALIZE: (self._initialize, None),
            lsp.TEXT_DOCUMENT_DID_OPEN: (self._opened, None),
            lsp.TEXT_DOCUMENT_DID_CHANGE: (self._changed, None),
            lsp.TEXT_DOCUMENT_DID_SAVE: (self._saved, None),
            lsp.TEXT_DOCUMENT_DID_CLOSE: (self._closed, None),
            lsp.TEXT_DOCUMENT_HOVER: (self._hover, None),
            lsp.TEXT_DOCUMENT_COMPLETION: (
                self._completions,
                lsp.CompletionOptions(trigger_characters=["#"]),
            ),
            lsp.TEXT_DOCUMENT_DEFINITION: (self._definition, None),
            lsp.TEXT_DOCUMENT_REFERENCES: (self._references, None),
            lsp.TEXT_DOCUMENT_RENAME: (self._rename, lsp.RenameOptions(prepare_provider=True)),
            lsp.TEXT_DOCUMENT_PREPARE_RENAME: (self._prepare_rename, None),
            lsp.TEXT_DOCUMENT_FORMATTING: (self._format, None),
            lsp.TEXT_DOCUMENT_CODE_ACTION: (
                self._fixes,
                lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
            ),
        }
        for name, (answer, options) in features.items():
            self.protocol.feature(name, options)(_named(answer))

    # --- texts come and go

    def _initialize(self, params: lsp.InitializeParams) -> None:
        uris = [one.uri for one in params.workspace_folders or ()]
        if not uris and params.root_uri:
            uris = [params.root_uri]
        self._files.folders = [path for uri in uris if (path := _file_of(uri))]
        options = params.initialization_options
        given = options if isinstance(options, dict) else {}
        self._documentation = str(given.get("documentation") or "")
        statistics = given.get("statistics")
        if statistics:
            folder = self._files.folders[0] if self._files.folders else Path()
            self._statistics = folder / str(statistics)

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        self._documents[_path_of(uri)] = _Document(uri, Findings(self._reader))
        self._files.look_again()
        self._look(uri)

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._look(params.text_document.uri)

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """Other programs may include the file, and background data may have changed with it."""
        self._files.look_again()
        self._known = None
        for path in self._documents:
            self._check_later(path, self._files.open_texts[path], 0)

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = _path_of(params.text_document.uri)
        document = self._documents.pop(path, None)
        self._files.close(path)
        if document is not None:
            if document.checking is not None:
                document.checking.cancel()
            self._publish(document.uri, [], Source("", ""))

    def _look(self, uri: str) -> None:
        """Says what can be said at once of a text that has changed, and checks the whole in a pause."""
        path = _path_of(uri)
        text = self.protocol.workspace.get_text_document(uri).source
        source = self._files.open(path, text.removeprefix("\ufeff"))
        document = self._documents[path]
        self._show(document, document.findings.at_once(source), source)
        self._check_later(path, source, self._pause)

    def _check_later(self, path: Path, source: Source, pause: float) -> None:
        document = self._documents[path]
        if document.checking is not None:
            document.checking.cancel()

        async def checked() -> None:
            await asyncio.sleep(pause)
            await self._check(document, path, source)
            for other in [*self._documents] if pause else ():
                if other != path and source in self._files.program(other):
                    self._check_later(other, self._files.open_texts[other], 0)

        document.checking = asyncio.get_running_loop().create_task(checked())

    async def _check(self, document: _Document, path: Path, source: Source) -> None:
        """Has the whole program checked, and shows what is found unless the text has changed meanwhile."""
        program = self._files.program(path)
        try:
            found = await self._elsewhere_done(lambda: check(*program, informs=True))
        except Exception as error:  # a defect must not end what is shown from here on
            self._log(f"{path} could not be checked: {error!r}")
            return
        if self._files.open_texts.get(path) is not source:
            return
        here = document.findings.settle(source, found)
        if source not in program:  # another text of the name is read
            here = document.findings.at_once(source)
        self._show(document, here, source)
        self._show_others(path, found)

    async def _elsewhere_done(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # --- findings

    def _show(self, document: _Document, found: list[Diagnostic], source: Source) -> None:
        document.shown = found
        self._publish(document.uri, found, source)

    def _show_others(self, path: Path, found: Iterable[Diagnostic]) -> None:
        """Shows what is found in texts that the program includes and that are not open."""
        others: dict[str, list[Diagnostic]] = {uri: [] for uri in self._elsewhere}
        for one in found:
            other = Path(one.location.source.name).absolute()
            is_open = not self._documents.keys().isdisjoint((other, other.resolve()))
            if not is_open and other.is_file():
                others.setdefault(_uri_of(other), []).append(one)
        for uri, diagnostics in others.items():
            self._publish(uri, diagnostics, diagnostics[0].location.source if diagnostics else Source("", ""))
        self._elsewhere = {uri for uri, diagnostics in others.items() if diagnostics}

    def _publish(self, uri: str, found: Iterable[Diagnostic], source: Source) -> None:
        diagnostics = [
            self._as_shown(one, place)
            for one in found
            for place in (one.location, *one.also[:MOST_PLACES])
            if place.source is source
        ]
        self.protocol.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))

    def _as_shown(self, one: Diagnostic, place: Location) -> lsp.Diagnostic:
        message = f"{one.message}\nhint: {one.hint}" if one.hint else one.message
        notes = [
            lsp.DiagnosticRelatedInformation(self._location(note.location), note.message)
            for note in one.notes
            if note.location.source.text
        ]
        page = self._documentation
        address = f"{page}#{one.code.lower()}" if page else ""
        return lsp.Diagnostic(
            range=self._range(place),
            message=message,
            severity=_SEVERITIES[one.severity],
            code=one.code,
            code_description=lsp.CodeDescription(address) if address else None,
            source=NAME,
            related_information=notes or None,
        )

    def _fixes(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """What the hints of findings propose, in the place that is asked for."""
        uri = params.text_document.uri
        path = _path_of(uri)
        source = self._files.source(path)
        document = self._documents.get(path)
        if source is None or document is None:
            return []
        places = self._places(source)
        first, last = (places.offset(_place(one)) for one in (params.range.start, params.range.end))
        actions = []
        for one in document.shown:
            if one.edit is None or one.edit.location.source is not source:
                continue
            reached = (one.location, one.edit.location)
            if all(place.end < first or place.begin > last for place in reached):
                continue
            edit = lsp.TextEdit(self._range(one.edit.location), one.edit.text)
            actions.append(
                lsp.CodeAction(
                    title=one.hint,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[self._as_shown(one, one.location)],
                    is_preferred=True,
                    edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
                )
            )
        return actions

    # --- predicates

    async def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        path = _path_of(params.text_document.uri)
        source = self._files.source(path)
        if source is None:
            return None
        offset = self._places(source).offset(_place(params.position))
        if (directive := directive_at(source, offset)) is not None:
            place, said = directive
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, said), self._range(place))
        knowledge = await self._knowledge(path)
        if knowledge is None:
            return None
        one = occurrence_at(self._reader, source, offset)
        if one is not None:
            said = knowledge.of_predicate(one)
            rule = rule_at(knowledge.written, source, offset)
            if rule is not None and one.is_definition:
                text = source.text[rule.location.begin : rule.location.end]
                said = "\n\n".join(filter(None, (said, knowledge.of_rule(text))))
            place = Location(source, one.begin, one.end)
        else:
            found = knowledge.column_at(source, offset) or knowledge.window_at(source, offset)
            if found is None:
                return None
            place, said = found
        said = said.replace(f"{path.parent}{os.sep}", "")
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, said), self._range(place))

    def _completions(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        """The directives, if you begin one."""
        source = self._files.source(_path_of(params.text_document.uri))
        if source is None:
            return []
        place = begun_directive(source, self._places(source).offset(_place(params.position)))
        if place is None:
            return []
        return [
            lsp.CompletionItem(
                label=one.name,
                kind=lsp.CompletionItemKind.Keyword,
                detail=one.syntax,
                documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, directive_text(one.name) or ""),
                text_edit=lsp.TextEdit(self._range(place), one.name),
            )
            for one in DIRECTIVES.values()
        ]

    async def _knowledge(self, path: Path) -> Knowledge | None:
        """What is known of the program of a file; None where it has mistakes."""
        program = self._files.program(path)
        if self._known is not None and self._known[0] == program:
            return self._known[1]
        cost = self._cost()

        def known() -> Knowledge | None:
            try:
                return Knowledge.of(program, cost)
            except ProgramError:
                return None

        knowledge = await self._elsewhere_done(known)
        if knowledge is not None:
            self._known = program, knowledge
        return knowledge

    def _cost(self) -> RunCost:
        if self._statistics is None:
            return NO_RUN
        try:
            return run_cost(self._statistics)
        except InputError as error:
            self._log(str(error))
            return NO_RUN

    def _log(self, message: str) -> None:
        self.protocol.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, message))

    def _definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        found = self._alike(params.text_document.uri, params.position)
        return [self._location(place) for place, one in found if one.is_definition]

    def _references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = self._alike(params.text_document.uri, params.position)
        with_all = params.context.include_declaration
        return [self._location(place) for place, one in found if with_all or not one.is_definition]

    def _prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        source = self._files.source(_path_of(params.text_document.uri))
        if source is None:
            return None
        offset = self._places(source).offset(_place(params.position))
        one = occurrence_at(self._reader, source, offset)
        return None if one is None else self._range(Location(source, one.begin, one.end))

    def _rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        path = _path_of(params.text_document.uri)
        sources = self._sources(path)
        offset = self._places(sources[0]).offset(_place(params.position))
        try:
            places = renamed(self._reader, sources, offset, params.new_name)
        except RenameError as error:
            raise _refused(str(error)) from error
        changes: dict[str, list[lsp.TextEdit]] = {}
        for place in places:
            edit = lsp.TextEdit(self._range(place), params.new_name)
            changes.setdefault(_uri_of(Path(place.source.name).absolute()), []).append(edit)
        return lsp.WorkspaceEdit(changes={self._as_opened(uri): edits for uri, edits in changes.items()})

    def _alike(self, uri: str, position: lsp.Position) -> list[tuple[Location, Occurrence]]:
        """All places of the predicate at a position, in all files of the program."""
        sources = self._sources(_path_of(uri))
        if not sources:
            return []
        offset = self._places(sources[0]).offset(_place(position))
        one = occurrence_at(self._reader, sources[0], offset)
        if one is None:
            return []
        return [found for source in sources for found in occurrences_of(self._reader, source, alike(one))]

    def _sources(self, path: Path) -> list[Source]:
        found = map(self._files.source, self._files.group(path))
        return [source for source in found if source is not None]

    # --- the text

    def _format(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        source = self._files.source(_path_of(params.text_document.uri))
        if source is None or source.dialect:
            return None
        try:
            text = formatted(Source(source.name, source.text.replace("\r\n", "\n")))
        except Lars2aspError:
            return None  # its mistakes are shown
        end = self._places(source).end
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(*end)), text)]

    # --- places

    def _places(self, source: Source) -> TextPlaces:
        encoding = self.protocol.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
        return TextPlaces(source, lsp.PositionEncodingKind(encoding).value)

    def _range(self, place: Location) -> lsp.Range:
        places = self._places(place.source)
        begin, end = (lsp.Position(*places.place(one)) for one in (place.begin, max(place.begin, place.end)))
        return lsp.Range(begin, end)

    def _location(self, place: Location) -> lsp.Location:
        return lsp.Location(self._as_opened(_uri_of(Path(place.source.name).absolute())), self._range(place))

    def _as_opened(self, uri: str) -> str:
        """The address of a file as the editor writes it."""
        document = self._documents.get(_path_of(uri))
        return uri if document is None else document.uri


def _named(answer: Callable[..., Any]) -> Callable[..., Any]:
    """A function of its own, as features are marked by their functions' attributes."""
    if asyncio.iscoroutinefunction(answer):

        async def later(params: Any) -> Any:
            return await answer(params)

        return later

    def at_once(params: Any) -> Any:
        return answer(params)

    return at_once


def _refused(reason: str) -> Exception:
    return JsonRpcException(reason, _REQUEST_FAILED)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    """Whether there is something to log: the editor is told what is refused, and why."""
    known = [record.exc_info[1]] if record.exc_info else list(record.args or ())
    return not any(isinstance(one, JsonRpcException) and one.code == _REQUEST_FAILED for one in known)


def _place(position: lsp.Position) -> Place:
    return Place(position.line, position.character)


def _file_of(uri: str) -> Path | None:
    found = to_fs_path(uri) if urlsplit(uri).scheme in ("", "file") else None
    return None if found is None else Path(found)


def _path_of(uri: str) -> Path:
    """The path of a text; of one without a file its address."""
    return _file_of(uri) or Path(uri)


def _uri_of(path: Path) -> str:
    return from_fs_path(str(path)) or path.as_uri()
