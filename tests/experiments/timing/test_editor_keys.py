"""The command that measures what a key costs the language server."""

from click.testing import CliRunner

from experiments.timing.editor_keys import NEW_RULE, key_costs, main


def test_every_key_is_measured() -> None:
    costs = key_costs(20)
    assert len(costs.keys) == len(NEW_RULE)
    assert costs.first > 0
    assert costs.whole > 0


def test_the_table_has_delays() -> None:
    done = CliRunner(env={"COLUMNS": "200"}).invoke(main, ["--rules", "20", "--keys", "2"])
    assert done.exit_code == 0, done.output
    assert "│    20 │" in done.stdout
