"""Native evaluators to compare with: Laser and Laser2 in plain Python.

They share the parsed program with the product and nothing else: no translation, no database, no clingo.
A program goes through these steps:

    checked program -> native program -> rules over formulae -> strata -> joins in Python text -> tick by tick
"""

from experiments.native.impossible import Laser2
from experiments.native.laser import Laser
from experiments.native.native_program import UnsupportedError

__all__ = ["Laser", "Laser2", "UnsupportedError"]
