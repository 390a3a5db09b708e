"""What a key costs the language server, and how long an editor waits for mistakes, in a long program.

Somebody writes a rule in the middle of a program of so many, a character at a time. At each key the CPU time
of what is said at once is taken, in process. Then a server is started, and the wall time taken from a key
that makes a mistake to its message, while the whole program is checked at the same time. It takes a minute:

    python -m experiments editor-keys
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import click
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from rich.console import Console
from rich.table import Table

from lars2asp.compiler import check
from lars2asp.runtime.language_server.findings import Findings
from lars2asp.runtime.language_server.statements import StatementReader
from lars2asp.syntax.source import Source

NEW_RULE = "new(X,Y) :- p7(X,Z) in [5 min], r3(Z,Y), X < Y.\n"
WRONG_RULE = "new(X,Y,W) :- p7(X,Z) in [5 min], r3(Z,Y), X < Y.\n"


class KeyCosts(NamedTuple):
    """CPU seconds: of the first reading, of each key, and of the check of the whole program."""

    first: float
    keys: list[float]
    whole: float


def program_of(rules: int) -> tuple[str, str]:
    """A program of so many rules, in two halves."""
    lines = ["#tick 1 sec.\n"] + [
        f"r{number}(X,Y) :- p{number % 50}(X,Y) in [{number % 60 + 1} sec], "
        f"not q{number % 30}(Y) in [5 min], X > {number}, r{number // 2}(Y,X).\n"
        for number in range(1, rules)
    ]
    middle = len(lines) // 2
    return "".join(lines[:middle]), "".join(lines[middle:])


def key_costs(rules: int) -> KeyCosts:
    """What is said at once costs, at each key of a new rule in the middle."""
    before, behind = program_of(rules)
    findings = Findings(StatementReader())
    source = Source("long.lars", before + behind)
    began = process_time()
    findings.at_once(source)
    first = process_time() - began
    began = process_time()
    found = check(source, informs=True)
    whole = process_time() - began
    findings.settle(source, found)
    keys = []
    for size in range(1, len(NEW_RULE) + 1):
        began = process_time()
        findings.at_once(Source("long.lars", f"{before}{NEW_RULE[:size]}{behind}"))
        keys.append(process_time() - began)
    return KeyCosts(first, keys, whole)


async def delays(rules: int, times: int, between: float) -> list[float]:
    """The wall seconds from keys with mistakes to their messages, at so many keys a while apart."""
    before, behind = program_of(rules)
    news = asyncio.Event()
    client = LanguageClient("experiments", "1")
    wanted, arrived = "", 0.0

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def take(params: lsp.PublishDiagnosticsParams) -> None:
        nonlocal arrived
        if wanted and any(one.message.startswith(wanted) for one in params.diagnostics):
            arrived = perf_counter()
            news.set()

    with tempfile.TemporaryDirectory() as name:
        uri = (Path(name) / "long.lars").as_uri()
        await client.start_io(sys.executable, "-m", "lars2asp", "language-server")
        capabilities = lsp.ClientCapabilities()
        await client.initialize_async(lsp.InitializeParams(capabilities, root_uri=Path(name).as_uri()))
        client.initialized(lsp.InitializedParams())
        text = lsp.TextDocumentItem(uri, "lars2asp", 0, before + behind)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(text))
        hover = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(5, 0))
        await client.text_document_hover_async(hover)  # all is read
        found = []
        line = before.count("\n")
        for number in range(times):
            new = WRONG_RULE.replace("W)", f"W{number})")
            wanted = f"unsafe variable W{number}: nothing gives it a value"
            news.clear()
            began = perf_counter()
            end = lsp.Position(line + (number > 0), 0)
            change = lsp.TextDocumentContentChangePartial(lsp.Range(lsp.Position(line, 0), end), new)
            document = lsp.VersionedTextDocumentIdentifier(version=number + 1, uri=uri)
            client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
            await news.wait()
            found.append(arrived - began)
            await asyncio.sleep(between)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
    return found


@click.command()
@click.option("--rules", multiple=True, default=[100, 1000, 3000], help="The numbers of rules.")
@click.option("--keys", default=40, help="The number of keys whose delays are measured.")
def main(rules: Sequence[int], keys: int) -> None:
    """Print the delay of keys in the language server."""
    table = Table(title="milliseconds: CPU time, and wall time from a key to its mistake")
    for heading in ("rules", "first", "a key", "at most", "whole check", "delay", "at most"):
        table.add_column(heading, justify="right")
    for number in rules:
        costs = key_costs(number)
        waited = asyncio.run(delays(number, keys, 0.4))  # so that a whole check goes on at most keys
        seconds = (costs.first, median(costs.keys), max(costs.keys), costs.whole, median(waited), max(waited))
        table.add_row(str(number), *(f"{1000 * one:.0f}" for one in seconds))
    Console().print(table)
