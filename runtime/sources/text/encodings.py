"""The encoding of a text, found out from its beginning."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_OTHERS = re.compile(r"[^\x00-\x7f]+")


def encoding_of(sample: bytes, *, is_table: bool) -> str:
    """The encoding of a text with this beginning, by its byte order mark; of a table also by its bytes."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    if not is_table:
        return "utf-8"
    zeros = [sample[place::2].count(0) for place in (0, 1)]
    if max(zeros) > len(sample) // 8:
        return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(sample)
    if text.isascii():
        return "utf-8"
    others = "".join(_OTHERS.findall(text))
    bad = sum("\udc80" <= sign <= "\udcff" for sign in others)
    return "utf-8" if 2 * bad <= len(others) else "cp1252"
