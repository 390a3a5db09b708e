"""Where other systems are installed."""

import sys

import click

peers_option = click.option(
    "--peers",
    default=sys.executable,
    show_default="this Python",
    metavar="PYTHON",
    help="A Python with the other systems (extra `peers`). Missing systems are left out.",
)
"""The option that names it."""
