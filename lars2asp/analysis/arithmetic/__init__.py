"""Numbers as terms have them: integers of any size, constants, linear forms, bounds, decimals."""
