"""Tests. What must hold in a database is checked after each call (lars2asp.externals.database.invariants)."""

import os

os.environ["LARS2ASP_CHECK"] = "1"
