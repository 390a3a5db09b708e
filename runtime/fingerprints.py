"""Fingerprints, by which programs and options are told apart."""


def fingerprint(value: object) -> str:
    """A short text for a value, another one for each that Python writes otherwise."""
    from hashlib import sha256  # noqa: PLC0415 - it takes a while, and short runs need no fingerprint

    return sha256(repr(value).encode()).hexdigest()
