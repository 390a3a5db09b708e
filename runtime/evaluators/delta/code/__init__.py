"""The code of rules over rows."""
