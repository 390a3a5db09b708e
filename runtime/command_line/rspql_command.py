"""The command `lars2asp rspql`."""

from pathlib import Path

import click

from lars2asp.runtime.command_line.exit_status import DONE
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.rspql.program import program_of
from lars2asp.syntax.rspql.query import read_query


@click.command("rspql")
@click.argument("query", type=click.Path(dir_okay=False))
@prompt_end()
def rspql_command(query: str) -> int:
    """Translate a query of RSP-QL or C-SPARQL to a program.

    lars2asp translates patterns, filters, windows with RANGE and STEP, COUNT, SUM, MIN and MAX with GROUP BY
    and HAVING, and RSTREAM, ISTREAM and DSTREAM. If the query contains anything more, lars2asp names it and
    prints no program.
    """
    try:
        text = Path(query).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Lars2aspError(f"{query}: cannot read this file: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Lars2aspError(
            f"{query}: this file is not UTF-8 text (byte {error.start}): save it as UTF-8"
        ) from error
    click.echo(program_of(read_query(text, query)), nl=False)
    return DONE
