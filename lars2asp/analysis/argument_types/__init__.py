"""The types of the arguments of predicates, found over a whole program.

`kinds` says what a value may be, `declared_types` what a program declares, `kinds_in_rules` what follows of
variables, `place_kinds` of the places of predicates; `type_table` puts it together.
"""
