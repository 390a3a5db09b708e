"""How many random examples a property has: few at each commit, many in `make nightly`."""

import os

IS_NIGHTLY = "LARS2ASP_EXAMPLES" in os.environ


def number_of_examples(few: int) -> int:
    """LARS2ASP_EXAMPLES in place of a few."""
    return int(os.environ.get("LARS2ASP_EXAMPLES", few))
