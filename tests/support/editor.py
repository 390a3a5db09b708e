"""An editor: it starts `lars2asp language-server` and speaks with it on its standard input and output."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.support.processes import LARS2ASP, PATIENCE_SECONDS


class Editor:
    """An editor with a folder that is open.

    Args:
        folder: the folder.
        options: what the server is told at its start.
    """

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.shown: dict[str, list[lsp.Diagnostic]] = {}
        self._options = options
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.client = LanguageClient("editor", "1")

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def take(params: lsp.PublishDiagnosticsParams) -> None:
            self.shown[params.uri] = [*params.diagnostics]
            self._news.set()

    async def __aenter__(self) -> "Editor":
        await self.client.start_io(*map(str, LARS2ASP), "language-server", cwd=str(self.folder))
        await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(),
                root_uri=self.folder.as_uri(),
                initialization_options=self._options or None,
            )
        )
        self.client.initialized(lsp.InitializedParams())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def uri(self, name: str) -> str:
        """The address of a file."""
        return (self.folder / name).as_uri()

    def document(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str) -> str:
        """Opens a file."""
        text = (self.folder / name).read_text()
        self._versions[name] = 1
        item = lsp.TextDocumentItem(self.uri(name), "lars2asp", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return text

    def write(self, name: str, text: str) -> None:
        """Has another text in place of that of a file that is open."""
        self._versions[name] += 1
        document = lsp.VersionedTextDocumentIdentifier(version=self._versions[name], uri=self.uri(name))
        changes: Sequence[Any] = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, changes))

    async def until(self, name: str, wanted: Callable[[list[lsp.Diagnostic]], bool]) -> list[lsp.Diagnostic]:
        """What is shown of a file, as soon as it is as it is wanted."""

        async def waited() -> list[lsp.Diagnostic]:
            while True:
                found = self.shown.get(self.uri(name))
                if found is not None and wanted(found):
                    return found
                self._news.clear()
                await self._news.wait()

        try:
            return await asyncio.wait_for(waited(), PATIENCE_SECONDS)
        except TimeoutError:
            raise AssertionError(self.shown.get(self.uri(name))) from None


def position(text: str, mark: str, more: int = 0) -> lsp.Position:
    """Where a mark stands in a text for the first time."""
    before = text[: text.index(mark) + more]
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)
