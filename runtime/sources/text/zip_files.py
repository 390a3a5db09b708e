"""Files in a zip file, which is read as a folder: `data.zip/day-1.csv`."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.text.byte_streams import ConvertedStream, Readable

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

ENDING = ".zip"


class ZipMember(NamedTuple):
    """A file in a zip file.

    Attributes:
        path: that of the zip file.
        name: that of the file in it.
    """

    path: str
    name: str


def is_zip(path: str) -> bool:
    """Whether a path is that of a zip file."""
    return path.lower().endswith(ENDING) and Path(path).is_file()


def member_at(path: str) -> ZipMember | None:
    """The file in a zip file that a path leads to; None for other paths."""
    at = path.lower().find(f"{ENDING}/")
    while at >= 0:
        end = at + len(ENDING)
        if Path(path[:end]).is_file():
            return ZipMember(path[:end], path[end + 1 :])
        at = path.lower().find(f"{ENDING}/", end)
    return None


def members_of(path: str) -> Sequence[str]:
    """The paths of the files in a zip file, without hidden ones. Raises InputError."""
    with io.FileIO(path) as raw:
        infos = _opened(raw, path).infolist()
    names = [one.filename for one in infos if not one.is_dir()]
    shown = [one for one in names if not any(part.startswith((".", "__MACOSX")) for part in one.split("/"))]
    return [f"{path}/{name}" for name in shown]


def size_of_member(member: ZipMember) -> int:
    """The unpacked bytes of a file in a zip file. Raises InputError."""
    with io.FileIO(member.path) as raw:
        return _info(_opened(raw, member.path), member).file_size


def open_member(member: ZipMember) -> io.RawIOBase:
    """The bytes of a file in a zip file. Raises InputError if it is not there, or cannot be unpacked."""
    return _MemberStream(io.FileIO(member.path), lambda raw: _begun(raw, member), "/".join(member))


class _MemberStream(ConvertedStream):
    """The bytes of a file in a zip file."""

    @property
    def bytes_read(self) -> int:
        """How many of its unpacked bytes have been read."""
        return self.tell()


def _begun(raw: io.RawIOBase, member: ZipMember) -> Readable:
    archive = _opened(raw, member.path)
    try:
        return archive.open(_info(archive, member))
    except (RuntimeError, NotImplementedError) as error:  # it has a password, or an unknown packing
        raise InputError.of(member.path, f"cannot unpack {member.name}: {error}") from error


def _opened(raw: io.RawIOBase, path: str) -> "ZipFile":
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415 - few need it

    try:
        return ZipFile(raw)
    except (BadZipFile, NotImplementedError, ValueError) as error:
        raise InputError.of(path, f"this is not a zip file: {error}") from error


def _info(archive: "ZipFile", member: ZipMember) -> "ZipInfo":
    try:
        return archive.getinfo(member.name)
    except KeyError as error:
        raise InputError.of(member.path, f"this archive does not contain {member.name}") from error
