"""The files of a folder that is followed: they appear and grow, are renamed, cut, packed and removed."""

import logging
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Any, NamedTuple

from lars2asp.runtime.connectors.feed import Lines
from lars2asp.runtime.connectors.followed_file import ROTATED, FilePlace, OpenedFile, is_beginning, opened
from lars2asp.runtime.connectors.followed_text import FollowedText
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.folder_input import in_natural_order
from lars2asp.runtime.sources.records import Line
from lars2asp.runtime.sources.text.byte_streams import PACKED, PACKED_ENDING
from lars2asp.runtime.sources.text.folder_files import files_at, fits
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")

IDLE_SECONDS = 60.0
"""A file that has not grown for so long no longer holds the clock, if nothing says another time."""

MOST_OPEN = 200
"""The number of files that stay open at their ends."""

_BASE = re.compile(rf"(.+?)(?:{ROTATED.pattern}|{PACKED_ENDING})?", re.DOTALL)

_Inode = tuple[int, int]
"""The device and the inode of a file."""


class _Here(NamedTuple):
    """A file as it is in the folder now.

    Attributes:
        path: its name.
        size: in bytes.
        changed: when it was changed, in seconds since the Unix epoch.
    """

    path: str
    size: int
    changed: float


@dataclass(eq=False)
class _Member:
    """A file of the folder that is read.

    Attributes:
        source: its name when it was found, by which its lines are known.
        path: its name now.
        place: where it was read; None before it is opened.
        number: the number of its last line.
        done: the places of others that had the name before, and of copies.
        opened: the open file; None while it is closed at its end.
        seen: what it was like when its end was met last.
        is_waited: whether it holds the clock.
    """

    source: str
    path: str
    place: FilePlace | None = None
    number: int = 0
    done: tuple[FilePlace, ...] = ()
    opened: OpenedFile | None = None
    seen: _Here | None = None
    is_waited: bool = True

    def said(self, end: str | None, number: int = 0) -> Line:
        """A line that says that it begins, has nothing for now, or is over."""
        return Line(self.source, number, "", end=end, position=(self.place, self.number, self.done))

    def took(self, lines: list[Line]) -> Iterator[Line]:
        """Lines that were read."""
        assert self.opened is not None
        self.place = self.opened.place
        if lines:
            self.number, self.is_waited = lines[-1].number, True
        if not self.done:
            yield from lines
        for line in lines if self.done else ():
            yield line._replace(position=(*line.position, self.done))

    def close(self) -> None:
        if self.opened is not None:
            self.opened.close()
        self.opened = None


class FolderFiles:
    """Reads the files of a folder on as they grow; each is a source.

    A file is known by its inode, so that one that is renamed is not read again; nor is a copy of what was
    read, packed or not. If another file has the name of one, the first is read to its end before that.
    What a log becomes as it rotates is read on, also if a pattern does not fit its new name.

    Args:
        path: the folder, or a pattern of names.
        largest_record: in bytes, the length beyond which only the beginning of a line is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        idle: in seconds, how long a file may not grow until it no longer holds the clock.
        known: where the run stands in files, by their sources.
    """

    def __init__(
        self, path: str, largest_record: int, encoding: str | None, idle: float, known: Mapping[str, Any]
    ) -> None:
        self._path = path
        self._how = largest_record, encoding
        self._idle = idle
        self._known = dict(known)
        self._members: dict[_Inode, _Member] = {}
        self._over: list[tuple[str, FilePlace]] = []
        """Where files were read that are read no more, with their sources."""
        self._passed: dict[_Inode, str] = {}
        """Those of them that are in the folder, with their names."""
        self._left_out: dict[_Inode, _Here | None] = {}
        """Rotated logs that the pattern does not fit, as they were; None: they are from before the run."""
        self._has_begun = bool(known)

    def lines(self) -> Iterator[Line]:
        """What has come since it was asked for last. Raises InputError, and OSError."""
        here = self._here()
        if self._known:
            yield from self._begin(self._go_on(here))
        self._known = {}
        yield from self._gone(here)
        others = [one for one in here if one not in self._members and self._is_wanted(one, here)]
        new = [one for one in others if not self._was_read(one, here[one].path)]
        self._has_begun = True
        sources = {member.source: inode for inode, member in self._members.items()}
        after = [one for one in new if here[one].path in sources]
        begun: list[_Member] = []
        for inode in (one for one in new if one not in after):
            yield from self._found(inode, here[inode], begun)
        yield from self._begin(begun)
        for inode in (one for one in after if here[one].size):  # else who writes has not gone over to it
            yield from self._ended(sources[here[inode].path])
            following: list[_Member] = []
            yield from self._found(inode, here[inode], following)
            yield from self._begin(following)
        for inode, member in [*self._members.items()]:
            yield from self._grown(member, here[inode])

    def close(self) -> None:
        """Closes what is open."""
        for member in self._members.values():
            member.close()

    def _here(self) -> dict[_Inode, _Here]:
        """The files of the folder, in natural order of their names."""
        found: dict[str, tuple[_Inode, _Here]] = {}
        for file in files_at(self._path, _base):
            try:
                status = file.stat()
                now = _Here(str(file), status.st_size, status.st_mtime)
                found[now.path] = (status.st_dev, status.st_ino), now
            except FileNotFoundError:  # it is gone meanwhile
                continue
        return dict(found[name] for name in in_natural_order(found))

    def _is_wanted(self, inode: _Inode, here: Mapping[_Inode, _Here]) -> bool:
        """Whether a pattern fits a file, or it is a log that has rotated since the run began."""
        now = here[inode]
        if fits(now.path, self._path):
            return True
        if not self._has_begun:
            self._left_out[inode] = None
        if inode in self._left_out and self._left_out[inode] in (None, now):
            return False
        for one, member in self._members.items():
            is_later = one in here and here[one].changed <= now.changed
            if _base(member.source) == _base(now.path) and (
                is_later or _is_copy(now.path, member.source, member.place)
            ):
                return True
        self._left_out[inode] = now
        return False

    def _gone(self, here: Mapping[_Inode, _Here]) -> Iterator[Line]:
        """The rest of files that are no longer there."""
        self._passed = {inode: path for inode, path in self._passed.items() if inode in here}
        for inode, member in [*self._members.items()]:
            now = here.get(inode)
            is_other = now is not None and now.path != member.path and member.opened is None
            if now is not None and not (is_other and not _is_of(now.path, member.place)):
                member.path = now.path
                continue
            yield from self._ended(inode)
            yield member.said(None, member.number)

    def _begin(self, members: Iterable[_Member]) -> Iterator[Line]:
        """Files begin to be read; all of them say so before the first one is."""
        for member in members:
            if self._open(member):
                yield member.said("\n")

    def _found(self, inode: _Inode, now: _Here, begun: list[_Member]) -> Iterator[Line]:
        """A file that was not there before."""
        member = _Member(now.path, now.path)
        for original in [*self._members.values()]:
            if original.opened is not None and _is_copy(now.path, original.source, original.place):
                yield from self._rest(original)  # it may have more than the copy
        read = self._read_of(now)
        if read is not None:
            member.place = read._replace(device=inode[0], inode=inode[1])
            member.number = read.line
            if now.size <= read.size or now.path.endswith(PACKED):
                self._pass(inode, member)
                return
        member.done = tuple(place for source, place in self._over if source == now.path)
        self._members[inode] = member
        begun.append(member)

    def _read_of(self, now: _Here) -> FilePlace | None:
        """How far a file was read as it is a copy of another one; None if it is none."""
        for member in self._members.values():
            one = member.opened
            if one is not None and _is_copy(now.path, member.source, member.place):
                return member.place if one.is_cut or now.size <= one.read else None
        return next((place for source, place in self._over if _is_copy(now.path, source, place)), None)

    def _pass(self, inode: _Inode, member: _Member) -> None:
        """A file has nothing that was not read."""
        assert member.place is not None
        self._over.append((member.source, member.place))
        self._passed[inode] = member.path
        for other in self._members.values():
            if _base(other.source) == _base(member.source):
                other.done = (*other.done, member.place)

    def _was_read(self, inode: _Inode, path: str) -> bool:
        """Whether a file was read to its end under another name, or as another file."""
        if self._passed.get(inode) == path:
            return True
        places = (place for _, place in self._over if (place.device, place.inode) == inode)
        if is_known := any(_is_of(path, place) for place in places):
            self._passed[inode] = path
        return is_known

    def _ended(self, inode: _Inode) -> Iterator[Line]:
        """The rest of a file, which is read no more."""
        member = self._members.pop(inode)
        if member.opened is not None:
            yield from self._rest(member)
            yield from member.took(member.opened.end())
        member.close()
        if member.place is not None and member.place.hashed:
            self._over.append((member.source, member.place))

    def _rest(self, member: _Member) -> Iterator[Line]:
        """The lines up to the end of a file."""
        assert member.opened is not None
        while (lines := member.opened.next()) is not None:
            yield from member.took(lines)

    def _grown(self, member: _Member, now: _Here) -> Iterator[Line]:
        """The next lines of a file, if there are some; else it may hold the clock no longer."""
        if now != member.seen:
            if member.opened is None and not self._open(member):
                return
            yield from self._begun_anew(member, now)
            lines = None if member.opened is None else member.opened.next()
            if lines is not None:
                member.seen = None
                yield from member.took(lines)
                return
            member.seen = now
            if sum(each.opened is not None for each in self._members.values()) > MOST_OPEN:
                member.close()
        if member.is_waited and time.time() - now.changed >= self._idle:
            member.is_waited = False
            yield member.said(None)

    def _begun_anew(self, member: _Member, now: _Here) -> Iterator[Line]:
        """Begins again with a file that was cut, or written anew."""
        one = member.opened
        assert one is not None
        if not ((member.seen is not None or now.size < one.read) and one.is_cut):
            return
        _log.warning(
            "%s: the file was cut, or written anew: it is read from its beginning; lines that were "
            "written after byte %s before that may be missing",
            *(visible(member.path), one.read),
        )
        yield from member.took(one.end())
        member.close()
        assert member.place is not None
        self._over.append((member.source, member.place))
        member.done, member.place, member.number = (*member.done, member.place), None, 0
        if self._open(member):
            yield member.said("\n")

    def _open(self, member: _Member) -> bool:
        """Opens a file where reading begins; whether it is still there, under this name."""
        place = member.place
        skipped = 0 if place is None else member.number - place.line
        lines = Lines(member.source, *self._how)
        try:
            member.opened = opened(member.path, lines, place, skipped)
        except InputError:
            if Path(member.path).exists():
                raise
            self._members = {inode: one for inode, one in self._members.items() if one is not member}
            return False
        member.place, member.seen = member.opened.place, None
        return True

    def _go_on(self, here: Mapping[_Inode, _Here]) -> list[_Member]:
        """The files in which the run stands, wherever they are now."""
        found: list[_Member] = []
        for source, (where, number, *done) in self._known.items():
            before = tuple(FilePlace(*one) for one in (done[0] if done else ()))
            self._over += ((source, place) for place in before)
            place = FilePlace(*where)
            own = here.get((place.device, place.inode))
            names = {inode: now.path for inode, now in here.items()}
            inode = (place.device, place.inode) if own is not None and is_beginning(own.path, place) else None
            copies = (one for one, name in names.items() if _is_copy(name, source, place))
            inode = inode or next((one for one in copies if is_beginning(names[one], place)), None)
            if inode is None:
                self._over.append((source, place))
                if (missing := place.size - place.offset) > 0:
                    _log.warning(
                        "%s: the file that was read up to line %s is gone: at least %s bytes after byte %s "
                        "are missing",
                        *(visible(source), number, missing, place.offset),
                    )
                continue
            place = place._replace(device=inode[0], inode=inode[1])
            self._members[inode] = _Member(source, names[inode], place, number, before)
            found.append(self._members[inode])
        return found


@dataclass(eq=False)
class FollowedFolder(FollowedText):
    """The lines of the files of a folder, or of a pattern; see `FolderFiles` and `FollowedText`.

    Attributes:
        idle: in seconds, how long a file may not grow until it no longer holds the clock.
    """

    _: KW_ONLY
    idle: float = IDLE_SECONDS

    def text(self) -> FolderFiles:
        """See FollowedText."""
        return FolderFiles(self.name, self.largest_record, self.encoding, self.idle, self._known)


def _base(path: str) -> str:
    """The name of a log, without what it has behind it when it was rotated."""
    match = _BASE.fullmatch(path)
    return path if match is None else match[1]


def _is_copy(path: str, source: str, place: FilePlace | None) -> bool:
    """Whether a file has the name of a rotated one, and begins as it did.

    A file that is written to may have such a name too, so that unpacked copies are those of the plain name.
    """
    is_packed = path.endswith(PACKED)
    has_name = _base(path) == (_base(source) if is_packed else source) and path != source
    return has_name and place is not None and _begins_as(path, place)


def _is_of(path: str, place: FilePlace | None) -> bool:
    """Whether a file that has an inode is the one of which so much was read."""
    return place is None or not place.hashed or is_beginning(path, place)


def _begins_as(path: str, place: FilePlace) -> bool:
    return place.hashed > 0 and is_beginning(path, place._replace(offset=0))
