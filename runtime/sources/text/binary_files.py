"""Files that are no text, known by their first bytes."""

_LOOKED_AT = 512
"""In bytes: so much is looked at."""

_KINDS: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x1f\x8b", "a gzip file", "rename it to .gz, and lars2asp unpacks it"),
    (0, b"\xfd7zXZ\0", "an xz file", "rename it to .xz, and lars2asp unpacks it"),
    (0, b"(\xb5/\xfd", "a Zstandard file", "rename it to .zst, and lars2asp unpacks it"),
    (0, b"BZh91AY&SY", "a bzip2 file", "rename it to .bz2, and lars2asp unpacks it"),
    (0, b"PK\3\4", "a zip file or a workbook", "rename it to .zip (or .xlsx or .ods for a workbook)"),
    (0, b"PK\5\6", "an empty zip file", "there is nothing to read"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old file of Office", "rename a workbook to .xls"),
    (0, b"PAR1", "a Parquet file", "rename it to .parquet, or add --input-format parquet"),
    (0, b"ARROW1\0\0", "an Arrow file", "rename it to .arrow, or add --input-format feather"),
    (0, b"\xff\xff\xff\xff", "a stream of Arrow", "rename it to .arrow, or add --input-format feather"),
    (0, b"SQLite format 3\0", "a database of SQLite", "rename it to .sqlite, and add ?table=NAME"),
    (8, b"DUCK", "a database of DuckDB", "rename it to .duckdb, and add ?table=NAME"),
    (0, b"Obj\1", "an Avro file", "save it as Parquet or JSON lines"),
    (0, b"ORC\b", "an ORC file", "save it as Parquet"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", "save its tables as CSV or Parquet"),
    (0, b"CDF\1", "a NetCDF file", "save its tables as CSV or Parquet"),
    (0, b"CDF\2", "a NetCDF file", "save its tables as CSV or Parquet"),
    (0, b"\x93NUMPY", "an array of NumPy", "save it as CSV or Parquet"),
    (0, b"LPKSHHRH", "a journal of systemd", "write it with journalctl -o json"),
    (0, b"ElfFile\0", "an event log of Windows", "save its events as CSV, or as JSON lines"),
    (0, b"\xd4\xc3\xb2\xa1", "a capture of packets", "write it with tshark -T ek or as CSV"),
    (0, b"\xa1\xb2\xc3\xd4", "a capture of packets", "write it with tshark -T ek or as CSV"),
    (0, b"\n\r\r\n", "a capture of packets", "write it with tshark -T ek or as CSV"),
    (0, b"7z\xbc\xaf'\x1c", "a 7z file", "unpack it first"),
    (0, b"Rar!\x1a\7", "a RAR file", "unpack it first"),
    (257, b"ustar", "a tar file", "unpack it into a folder, and name the folder"),
    (0, b"%PDF-", "a PDF document", "save its table as CSV"),
    (0, b"\x89PNG\r\n\x1a\n", "a picture (PNG)", "it contains no records"),
    (0, b"\xff\xd8\xff", "a picture (JPEG)", "it contains no records"),
    (0, b"\x7fELF", "a program", "it contains no records"),
)
"""Where a text stands in a file, that text, the kind of the file, and what helps."""


def binary_kind(sample: bytes) -> str:
    """What a file with this beginning is, and what helps; empty for text, and for what is not known."""
    sample = sample[:_LOOKED_AT]
    found = ((kind, cure) for at, text, kind, cure in _KINDS if sample.startswith(text, at))
    kind, cure = next(found, ("", ""))
    return f"this is {kind}, not text: {cure}" if kind else ""
