"""What jobs cost: whole runs beside plain loops and other systems, and what a tick, a fact, a rule cost.

`python -m experiments jobs` runs all parts. Answers are compared before anything is timed, and what is
compared is measured in one run.
"""
