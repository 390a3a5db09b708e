"""Explanations of a program and a stream that lay elsewhere when they were explained."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.syntax.source import Source

Json = dict[str, Any]


def renamed(explanation: Json, sources: Sequence[Source], stream: str) -> Json:
    """An explanation that names the files of program and stream as they are given.

    A file of the program is the same if it has the same text, or else the same name in another folder; the
    stream, if it has the same name in another folder.

    Args:
        explanation: the explanation.
        sources: the program.
        stream: the file or folder of the stream.
    """
    files = _moved(explanation, sources)
    named = explanation.get("input")
    if not isinstance(named, str) or not _is_alike(named, stream):
        named = stream
    is_moved = named != stream
    if not (files or is_moved):
        return explanation
    front, other = str(PurePath(named)), str(PurePath(stream))

    def changed(key: str, value: Any) -> Any:
        match key, value:
            case (("source" | "file"), str()):
                return files.get(value, value)
            case (("record" | "last_record"), str()) if is_moved and value.startswith(front):
                return other + value.removeprefix(front)
            case _:
                return copied(value)

    def copied(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: changed(key, value) for key, value in node.items()}
        return [*map(copied, node)] if isinstance(node, list) else node

    found: Json = copied(explanation)
    return found | {"input": stream} if is_moved else found


def _moved(explanation: Json, sources: Sequence[Source]) -> Mapping[str, str]:
    """The files of the program that have another name now."""
    here = {one.name: _hash(one) for one in sources}
    there = _hashes(explanation)
    found: dict[str, str] = {}
    for name, told in there.items():
        left = [one for one in here if one not in there and one not in found.values()]
        same = [one for one in left if here[one] == told] or [one for one in left if _is_alike(one, name)]
        if name not in here and same:
            found[name] = same[0]
    return found


def other_origin(explanation: Json, sources: Sequence[Source], stream: str) -> Iterator[str]:
    """Says where an explanation names another program, or another stream, than those that are given.

    Args:
        explanation: the explanation, which names files as they are given.
        sources: the program.
        stream: the file or folder of the stream.
    """
    here, there = {one.name: _hash(one) for one in sources}, _hashes(explanation)
    if there:
        if here.keys() != there.keys():
            yield f"it is of the program {', '.join(there)}, and this is {', '.join(here)}"
        for name in here.keys() & there.keys():
            if here[name] != there[name]:
                yield f"{name} was another text when it was written"
    named = explanation.get("input")
    if isinstance(named, str) and named != stream:
        yield f"it is of the input {_input_name(named)}, and this is {_input_name(stream)}"


def _hashes(explanation: Json) -> Mapping[str, object]:
    """The files of the program that an explanation names, and the hashes of their texts."""
    told = explanation.get("program")
    if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
        return {}
    return {str(one.get("file")): one.get("sha256") for one in told}


def _hash(source: Source) -> str:
    return sha256(source.text.encode()).hexdigest()


def _is_alike(one: str, other: str) -> bool:
    """Whether two paths end in the same name."""
    return STANDARD not in (one, other) and PurePath(one).name == PurePath(other).name


def _input_name(stream: str) -> str:
    return "from standard input" if stream == STANDARD else stream
