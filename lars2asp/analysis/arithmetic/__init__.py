"""Numbers as terms have them: constants, linear forms, bounds, 32 bits, decimals."""
