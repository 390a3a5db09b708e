"""Facts from outside: ground terms, the format of plain facts, and what a Python program hands over."""
