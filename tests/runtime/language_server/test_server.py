"""An editor and the language server: a program is opened, has mistakes, is put right, is asked about."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from lars2asp.runtime.language_server.program_files import ProgramFiles
from lars2asp.syntax.directives import DIRECTIVES
from lars2asp.syntax.parser import read_sources
from tests.support.command_line import run
from tests.support.editor import Editor, position

PROGRAM = """\
#tick 1 sec.
#input reading(room, number(temp)) at time.
% "Küche" 𝄞
hot(R) :- reading(R,T) in [2 min], T > 25.
alarm("𝄞",R) :- hot(R) always in [10 min], not quiet(R).
quiet("attic").
#show alarm/2.
"""

Session = Callable[[Editor], Coroutine[Any, Any, None]]


@pytest.fixture
def edit(tmp_path: Path) -> Callable[[Session], None]:
    """Does something with an editor that has `rooms.lars`."""
    (tmp_path / "rooms.lars").write_text(PROGRAM)

    def edited(session: Session, **options: Any) -> None:
        async def whole() -> None:
            async with Editor(tmp_path, **options) as editor:
                await session(editor)

        asyncio.run(whole())

    return edited


def messages(found: list[lsp.Diagnostic]) -> list[str]:
    return [one.message for one in found]


def is_clean(found: list[lsp.Diagnostic]) -> bool:
    return all(one.severity is lsp.DiagnosticSeverity.Information for one in found)


def of(text: str, place: lsp.Range) -> str:
    """The text of a range within a line."""
    line = text.splitlines()[place.start.line].encode("utf-16-le")
    return line[2 * place.start.character : 2 * place.end.character].decode("utf-16-le")


def test_mistakes_are_shown_while_a_rule_is_written_and_go_when_it_is_right(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        await editor.until("rooms.lars", is_clean)

        editor.write("rooms.lars", f'{PROGRAM}loud("𝄞",R) :- hot(')
        found = (await editor.until("rooms.lars", lambda found: not is_clean(found)))[-1]
        assert found.severity is lsp.DiagnosticSeverity.Error
        assert (found.code, found.source) == ("L002", "lars2asp")
        assert found.range.start.line == 7

        text = f'{PROGRAM}loud("𝄞",R,X) :- hot(R).\n'
        editor.write("rooms.lars", text)
        found = (await editor.until("rooms.lars", lambda found: "unsafe" in messages(found)[0]))[0]
        assert found.message.startswith("unsafe variable X: nothing gives it a value\nhint: use X")
        assert (of(text, found.range), found.code) == ("X", "L101")

        text = f"{PROGRAM}loud(R) :- hoot(R).\n"
        editor.write("rooms.lars", text)
        every = await editor.until("rooms.lars", lambda found: "hoot" in str(messages(found)))
        [found] = [one for one in every if "hoot" in one.message]
        assert found.severity is lsp.DiagnosticSeverity.Warning
        assert (of(text, found.range), found.code) == ("hoot(R)", "L301")

        editor.write("rooms.lars", PROGRAM)
        await editor.until("rooms.lars", is_clean)

    edit(session)


def test_codes_link_to_the_page_that_is_named(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        editor.write("rooms.lars", f"{PROGRAM}loud(X) :- hot(_).\n")
        found = (await editor.until("rooms.lars", lambda found: not is_clean(found)))[0]
        assert found.code_description is not None
        assert found.code_description.href.endswith("docs.example.org/diagnostics.html#l101")

    edit(session, documentation="https://docs.example.org/diagnostics.html")


FIXES = [
    ("h(R) :- hoot(R).\n", "h(R) :- hot(R).\n"),
    ("h(R) :- hot(R) in [2 hrs].\n", "h(R) :- hot(R) in [2 hour].\n"),
    ("h(R) :- hot(R) && reading(R,_).\n", "h(R) :- hot(R), reading(R,_).\n"),
    ("h(R) :- hot(R)\n\nk(R) :- hot(R).\n", "h(R) :- hot(R).\n\nk(R) :- hot(R).\n"),
    ("h(R) :- hot(R) % all of them\nk.\n", "h(R) :- hot(R). % all of them\nk.\n"),
    ("h(R) <- hot(R).\n", "h(R) :- hot(R).\n"),
    ("h(R) :- time_win(3,0,1, diamond(hot(R))).\n", "h(R) :- hot(R) in [3].\n"),
    ("h(R) :- hot(R)", "h(R) :- hot(R)."),
    (
        "#input k(a or none, b) at t.\nl(A) :- k(A,_).\n",
        '#input k(a or "none", b) at t.\nl(A) :- k(A,_).\n',
    ),
    ("#input k(recrod(), b) at t.\nl(A) :- k(A,_).\n", "#input k(record(), b) at t.\nl(A) :- k(A,_).\n"),
]


def test_fixes_do_what_the_hints_propose(edit: Any) -> None:
    """One after the other with one server."""

    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        everywhere = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
        asked = lsp.CodeActionParams(editor.document("rooms.lars"), everywhere, lsp.CodeActionContext([]))
        for wrong, right in FIXES:
            text = PROGRAM + wrong
            editor.write("rooms.lars", text)
            await editor.until("rooms.lars", lambda found: not is_clean(found))
            actions = await editor.client.text_document_code_action_async(asked) or ()
            assert len(actions) == 1, wrong
            [action] = actions
            assert isinstance(action, lsp.CodeAction)
            assert action.kind == lsp.CodeActionKind.QuickFix
            assert action.edit is not None and action.edit.changes is not None
            fixed = changed(text, action.edit.changes[editor.uri("rooms.lars")])
            assert fixed == PROGRAM + right
            editor.write("rooms.lars", fixed)
            await editor.until("rooms.lars", is_clean)

    edit(session)


def changed(text: str, edits: Any) -> str:
    """A text after edits that do not overlap."""
    lines = text.split("\n")

    def offset(place: lsp.Position) -> int:
        units = lines[place.line].encode("utf-16-le")[: 2 * place.character]
        return sum(len(line) + 1 for line in lines[: place.line]) + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def hovered(editor: Editor, text: str, mark: str, more: int = 0) -> tuple[str, str]:
    """What is said at a mark, and of which piece of the text."""
    asked = lsp.HoverParams(editor.document("rooms.lars"), position(text, mark, more))
    found = await editor.client.text_document_hover_async(asked)
    if found is None:
        return "", ""
    assert isinstance(found.contents, lsp.MarkupContent)
    assert found.range is not None
    return found.contents.value, of(text, found.range)


def test_pointing_at_something_says_what_it_means(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        said, what = await hovered(editor, PROGRAM, "reading(R")
        assert what == "reading"
        assert said.startswith(
            '**reading/2**\n\n1. any: #input: "room" (rooms.lars:2)\n2. integer: #input: number'
        )
        assert "told by the stream" in said
        assert "looked at 120 ticks (2 min) back" in said
        said, what = await hovered(editor, PROGRAM, "hot(R) :-")
        assert what == "hot"
        assert "derived by 1 rule, evaluated by `delta`" in said
        said, _ = await hovered(editor, PROGRAM, "[2 min]", 1)
        assert said == "`in [2 min]` from 120 ticks (2 min) ago to now; 121 ticks"
        said, _ = await hovered(editor, PROGRAM, "always")
        assert said == "`always in [10 min]` from 600 ticks (10 min) ago to now; 601 ticks"
        assert await hovered(editor, PROGRAM, "% ") == ("", "")
        editor.write("rooms.lars", f"{PROGRAM}h(X).")
        assert await hovered(editor, PROGRAM, "hot(R) :-") == ("", "")  # it has mistakes

    edit(session)


def test_constants_and_conditions_are_explained(edit: Any) -> None:
    text = f'{PROGRAM}#input quiet(fixed("attic"), room) at time where temp < 5.\n'

    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        editor.write("rooms.lars", text)
        said, _ = await hovered(editor, text, 'fixed("attic")')
        assert said == '`fixed("attic")` a constant, the same in each fact'
        said, _ = await hovered(editor, text, "temp < 5")
        assert said.startswith("`temp < 5` a cell: ")
        assert said.endswith("records for which this is false, or the value is missing, are left out")

    edit(session)


def test_directives_are_explained_and_completed(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        said, what = await hovered(editor, PROGRAM, "#tick", 2)
        assert what == "#tick"
        assert said.startswith("`#tick duration.`")
        assert "The option `--tick` overrides it." in said
        text = f"{PROGRAM}#held reading(R,_) by R. #la"
        editor.write("rooms.lars", text)
        document = editor.document("rooms.lars")
        for mark, count in (("#la", len(DIRECTIVES)), ("hot(R) :- ", 0), ("% ", 0)):
            asked = lsp.CompletionParams(document, position(text, mark, len(mark)))
            found = await editor.client.text_document_completion_async(asked)
            assert isinstance(found, list | tuple)
            assert len(found) == count
            for one in found:
                assert isinstance(one.text_edit, lsp.TextEdit)
                assert of(text, one.text_edit.range) == mark
                assert one.text_edit.new_text == one.label
                assert one.label in DIRECTIVES

    edit(session)


WINDOWS = {
    "[1 min .. 2 min]": "from 120 ticks (2 min) ago to 60 ticks (1 min) ago; 61 ticks",
    "[every 1 min]": "the last complete block of 60 ticks (1 min)",
    "[2 min step 1 min]": (
        "from 120 ticks (2 min) to 0 ticks before the last tick of a step of 60 ticks (1 min)"
    ),
    "[3 #]": "the last 3 arrivals",
    "[3 # reading/2]": "the last 3 arrivals of reading/2",
    "[3 # by R]": "the last 3 arrivals for each value of its group",
    "[since quiet(R)]": "from when quiet/1 last began, to now",
    "{1,3}": "from 3 ticks (3 sec) ago to 1 tick (1 sec) ago; 2 ticks",
}


def test_every_kind_of_window_is_explained(edit: Any) -> None:
    rules = "".join(f"w{number}(R) :- reading(R,_) in {window}.\n" for number, window in enumerate(WINDOWS))
    text = f"{PROGRAM}{rules}#show w0/1. #show w1/1. #show w2/1. #show w3/1.\n"

    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        editor.write("rooms.lars", text)
        for window, words in WINDOWS.items():
            said, _ = await hovered(editor, text, f"in {window}")
            assert said == f"`in {window}` {words}"

    edit(session)


def test_the_cost_of_the_last_run_is_told(edit: Any, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("time,room,temp\n" + "".join(f"{n},hall,{n}\n" for n in range(50)))
    run(tmp_path, "run", "rooms.lars", "--input", "in.csv", "--output", "out", "--stats-json", "costs.json")

    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        said, _ = await hovered(editor, PROGRAM, "hot(R) :-")
        assert "its component cost 0." in said
        assert "this rule took 0." in said

    edit(session, statistics="costs.json")


def test_without_the_file_of_a_run_the_rest_is_told(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        said, _ = await hovered(editor, PROGRAM, "hot(R) :-")
        assert "derived by 1 rule" in said
        assert "cost" not in said

    edit(session, statistics="missing.json")


def split_program(folder: Path) -> None:
    """The program in three files, of which two include the third."""
    (folder / "rooms.lars").write_text('#include "parts/hot.lars".\nalarm(R) :- hot(R) in [5 min].\n')
    (folder / "parts").mkdir()
    (folder / "parts" / "hot.lars").write_text(
        "#tick 1 sec.\n#const most = 25.\nhot(R) :- temp(R,T), T > most.\n"
    )
    (folder / "others.lars").write_text(
        '#include "parts/hot.lars".\n% hot(R)\nout(R) :- temp(R,_), not hot(R).\n'
    )
    (folder / "apart.lars").write_text("hot(1). cold(X) :- hot(X).\n")


def test_predicates_are_found_and_renamed_in_all_files_of_a_program(
    edit: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    split_program(tmp_path)

    async def session(editor: Editor) -> None:
        text = editor.open("rooms.lars")
        here = editor.document("rooms.lars"), position(text, "hot(R)", 2)
        found = await editor.client.text_document_definition_async(lsp.DefinitionParams(*here))
        assert isinstance(found, list | tuple)
        assert [(one.uri, one.range.start) for one in found if isinstance(one, lsp.Location)] == [
            (editor.uri("parts/hot.lars"), lsp.Position(2, 0))
        ]
        context = lsp.ReferenceContext(include_declaration=True)
        all_places = (
            await editor.client.text_document_references_async(lsp.ReferenceParams(context, *here)) or ()
        )
        assert {(one.uri, one.range.start.line) for one in all_places} == {
            (editor.uri("rooms.lars"), 1),
            (editor.uri("parts/hot.lars"), 2),
            (editor.uri("others.lars"), 2),
        }
        edit = await editor.client.text_document_rename_async(lsp.RenameParams(*here, "warm"))
        assert edit is not None and edit.changes is not None
        files = {
            name: (tmp_path / name).read_text() for name in ("rooms.lars", "others.lars", "parts/hot.lars")
        }
        assert edit.changes.keys() == {editor.uri(name) for name in files}
        renamed = {name: changed(one, edit.changes[editor.uri(name)]) for name, one in files.items()}
        assert renamed["rooms.lars"].endswith("alarm(R) :- warm(R) in [5 min].\n")
        assert renamed["others.lars"].endswith("% hot(R)\nout(R) :- temp(R,_), not warm(R).\n")
        assert "\nwarm(R) :- temp(R,T)" in renamed["parts/hot.lars"]
        for name, refusal in (("Warm", "no name"), ("alarm", "there already"), ("not", "no name")):
            with pytest.raises(JsonRpcException, match=refusal):
                await editor.client.text_document_rename_async(lsp.RenameParams(*here, name))

    edit(session)
    assert capfd.readouterr().err == ""


def test_a_file_that_is_included_is_checked_within_its_program(edit: Any, tmp_path: Path) -> None:
    """What is open, and was not saved, counts; what is found in a file that is not open is shown there."""
    split_program(tmp_path)
    (tmp_path / "rooms.lars").write_text('#const n = 5.\n#include "parts/hot.lars".\nalarm(R) :- hot(R).\n')
    (tmp_path / "others.lars").unlink()
    (tmp_path / "parts" / "hot.lars").write_text("hot(R) :- temp(R) in [n].\n")

    async def session(editor: Editor) -> None:
        editor.open("parts/hot.lars")
        await editor.until("parts/hot.lars", is_clean)  # alone it would not know n
        editor.open("rooms.lars")
        await editor.until("rooms.lars", is_clean)
        editor.write("rooms.lars", "#const n = 5.\nalarm(R) :- hot(R,X,Y).\n")
        await editor.until("rooms.lars", is_clean)
        text = '#const n = 5.\n#include "parts/hot.lars".\nalarm(R) :- hot(R,X,Y).\n'
        editor.write("rooms.lars", text)
        found = await editor.until("rooms.lars", lambda found: not is_clean(found))
        assert "no rule or input has hot/3, only hot/1" in messages(found)[0]

    edit(session)


def test_what_changes_in_a_file_is_seen_in_the_open_files_that_include_it(edit: Any, tmp_path: Path) -> None:
    """And what is wrong in one that is not open is shown at its place."""
    split_program(tmp_path)
    (tmp_path / "nowhere.lars").symlink_to("missing")

    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        await editor.until("rooms.lars", is_clean)
        part = editor.open("parts/hot.lars")
        await editor.until("parts/hot.lars", is_clean)
        editor.write("parts/hot.lars", part.replace("#tick 1 sec.\n", ""))
        found = await editor.until("rooms.lars", lambda found: not is_clean(found))
        assert "needs the length of a tick" in messages(found)[-1]
        editor.write("parts/hot.lars", part)
        await editor.until("rooms.lars", is_clean)
        editor.client.text_document_did_close(
            lsp.DidCloseTextDocumentParams(editor.document("parts/hot.lars"))
        )
        (tmp_path / "parts" / "hot.lars").write_text(f"{part}hot(X) :- p.\n")
        editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document("rooms.lars")))
        [found_there] = await editor.until("parts/hot.lars", bool)
        assert found_there.range.start.line == 3

    edit(session)


def test_a_program_is_written_in_one_style(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        untidy = "a( X ):-b(X) . % 𝄞"
        options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
        asked = lsp.DocumentFormattingParams(editor.document("rooms.lars"), options)
        for text in (untidy, f"{untidy}\n\n"):
            editor.write("rooms.lars", text)
            [edit] = await editor.client.text_document_formatting_async(asked) or ()
            assert changed(text, [edit]) == "a(X) :- b(X).  % 𝄞\n"
        editor.write("rooms.lars", "a( X ) :-")
        assert await editor.client.text_document_formatting_async(asked) is None

    edit(session)


def test_findings_go_when_a_text_is_closed(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        editor.write("rooms.lars", "a(X).")
        await editor.until("rooms.lars", bool)
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(editor.document("rooms.lars")))
        await editor.until("rooms.lars", lambda found: not found)

    edit(session)


def test_it_ends_as_an_editor_asks(tmp_path: Path) -> None:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    texts = [json.dumps({"jsonrpc": "2.0", **one}) for one in messages]
    given = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts)
    assert '"id": 2' in run(tmp_path, "language-server", stdin=given).stdout


def test_a_program_of_another_system_is_read_as_such(edit: Any, tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        (tmp_path / "p.ticker").write_text("// what is hot\n@T h(X) :- c, @T a(X) [5 sec].\n")
        editor.open("p.ticker")
        await editor.until("p.ticker", is_clean)
        editor.write("p.ticker", "@T h(Y) :- c, @T a(X) [5 sec].\n")
        found = await editor.until("p.ticker", lambda found: not is_clean(found))
        assert [one.message.splitlines()[0] for one in found if one.severity == 1] == [
            "unsafe variable Y: nothing gives it a value"
        ]

    edit(session)


def test_a_program_in_another_language_is_known_as_on_the_command_line(tmp_path: Path) -> None:
    """By the ending of its file, or by what only it can say."""
    files = ProgramFiles()
    text = "#trigger_frequency(5 sec) h(X) :- a(X)."
    for name, dialect in (("p.idlvsr", "idlvsr"), ("p.txt", "idlvsr"), ("p.lars", "")):
        (tmp_path / name).write_text(text)
        [read] = read_sources([tmp_path / name])
        assert read.dialect == dialect
        for source in (files.source(tmp_path / name), files.open(tmp_path / name, text)):
            assert source is not None
            assert (source.dialect, source.is_dialect_found) == (dialect, read.is_dialect_found)


COLUMNS = """#tick 1 sec.
#input sale(shop or "none", number(amount) or missing or 0, text(note), record()) at ts.
#input debit(number(size, unit "kB", minus "DR") rounded) at ts.
#input line(row(), file()) at ts.
#input wide(tag, x) at ts each tag, x of columns "TI*".
#input keyed(key, v.t) at ts each key, v of values.
big(S,N) :- sale(S,A,_,N), A > 10. seen(R) :- line(R,_).
"""


def test_columns_of_input_are_explained(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        editor.open("rooms.lars")
        editor.write("rooms.lars", COLUMNS)
        for mark, words in (
            ("record()", "`record()` the number of the record, unique in the run"),
            ('shop or "none"', '; "none" is read in place of a missing cell'),
            ("number(amount)", 'a cell that cannot be read so is missing; "0" is read in place'),
            (
                "number(size",
                '"kB" is its unit; lars2asp rejects cells with another unit',
            ),
            ("number(size", "; rounded to the decimals of its place, halves away from zero"),
            ("row()", "`row()` the number of the line or row"),
            ("file()", "`file()` the file or other source"),
            ("text(note)", "`text(note)` a cell as text"),
            ("tag, x)", 'tag is the name of each column that matches "TI*"'),
            (" x) at", 'x is read for each column that matches "TI*"'),
            ("key,", "key is each key of the object in values"),
            ("v.t", "v.t is read for each key of the object in values"),
        ):
            said, _ = await hovered(editor, COLUMNS, mark, 1)
            assert words in said
        said, _ = await hovered(editor, COLUMNS, "#input sale", 8)
        assert said.startswith("**sale/4**")

    edit(session)
