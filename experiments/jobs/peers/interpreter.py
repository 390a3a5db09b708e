"""Where other systems are installed."""

import sys

import click

peers_option = click.option(
    "--peers",
    default=sys.executable,
    show_default="this one",
    metavar="PYTHON",
    help="An interpreter that has other systems (the extra `peers`); what it has not is left out.",
)
"""The option that names it."""
