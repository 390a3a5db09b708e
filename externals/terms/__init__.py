"""Ground terms and rows as Python values, their order and their text, and clingo's symbols for them."""
