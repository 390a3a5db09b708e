"""The notebooks run as they stand, in a kernel of their own, and show what they say."""

from ast import literal_eval
from base64 import b64decode
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from tests.support.processes import PATIENCE_SECONDS

NOTEBOOKS = Path(__file__).parents[2] / "examples/notebook"
NOTEBOOK, LIVE = NOTEBOOKS / "rooms.ipynb", NOTEBOOKS / "live.ipynb"
PLACES = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
PNG = b"\x89PNG\r\n\x1a\n"


def kept(path: Path) -> nbformat.NotebookNode:
    """The notebook in a file."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def results(path: Path) -> list[dict[str, str]]:
    """What the last expression of each cell of code shows, by the types in which a notebook takes it."""
    notebook = kept(path)
    client = NotebookClient(
        notebook,
        timeout=int(PATIENCE_SECONDS),
        startup_timeout=int(PATIENCE_SECONDS),
        kernel_name="python3",
        # Sockets that are files: of ports that are looked for another process may take one.
        config=Config({"KernelManager": {"transport": "ipc"}}),
    )
    client.execute()
    return [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "data" in output
    ]


@pytest.fixture(autouse=True)
def no_settings_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in PLACES:
        monkeypatch.setenv(place, str(tmp_path))


def test_the_notebook_gives_a_table_of_intervals_and_a_picture() -> None:
    readings, alarms, picture = results(NOTEBOOK)
    assert readings["text/plain"].split()[:4] == ["time", "room", "temp", "0"]
    begins = [("14:00:00+01:00", "attic"), ("14:03:00+01:00", "hall"), ("14:06:00+01:00", "attic")]
    shown = alarms["text/html"]
    places = [shown.index(f"{begin}</td>") for begin, _ in begins]
    assert places == sorted(places)
    assert shown.count("attic</td>") == 2 and shown.count("hall</td>") == 1 and "NaT" in shown
    assert b64decode(picture["image/png"]).startswith(PNG)


def test_a_cell_asks_a_live_source_for_its_answers() -> None:
    [changes] = results(LIVE)
    assert literal_eval(changes["text/plain"]) == {
        2: (['hot("attic")', 'hot("hall")'], []),
        4: ([], ['hot("attic")']),
        5: ([], ['hot("hall")']),
    }


@pytest.mark.parametrize("notebook", [NOTEBOOK, LIVE])
def test_the_notebook_is_kept_without_what_it_shows(notebook: Path) -> None:
    cells = kept(notebook).cells
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
