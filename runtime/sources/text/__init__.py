"""Bytes and text: files and streams of them, their encodings, and lines that know where they stand."""
