"""The folders through which workers find resident reasoners, one for each streaming query."""

import os
import shutil
import stat
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from weakref import WeakSet

from pyspark.sql import SparkSession

from lars2asp.runtime.spark.session.events import EventListener

LONGEST_PARENT = 50
"""In bytes: a longer path of a folder for temporary files leaves no room for a socket's name behind it."""

_sessions: WeakSet[SparkSession] = WeakSet()
"""The sessions whose queries take their folders with them."""


def folder_of(query: str, parent: Path | None = None) -> Path:
    """The folder of a query, given by its id. Others have no access to what it lies in.

    Args:
        query: the id.
        parent: the folder for temporary files; by default that of the system.
    """
    return (parent or _parent()) / f"lars2asp-{os.getuid()}" / sha256(query.encode()).hexdigest()[:16]


def made_folder(query: str, parent: Path | None = None) -> Path:
    """The same; it is made if it is not there. Raises PermissionError where others have access."""
    folder = folder_of(query, parent)
    own = folder.parent
    own.mkdir(mode=0o700, exist_ok=True)
    found = own.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"other users may access the folder {own}: remove it, or set TMPDIR")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _parent() -> Path:
    parent = tempfile.gettempdir()
    return Path("/tmp" if len(os.fsencode(parent)) > LONGEST_PARENT else parent)


def end_residents_with_queries(spark: SparkSession) -> None:
    """Has reasoners on this machine end with the queries of a session; elsewhere they end when idle.

    So do those of Spark Connect, whose events come to the client.
    """
    if hasattr(spark, "_jsparkSession") and spark not in _sessions:
        spark.streams.addListener(_FolderRemover())
        _sessions.add(spark)


class _FolderRemover(EventListener):
    def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 - Spark's name
        shutil.rmtree(folder_of(event.id().toString()), ignore_errors=True)
