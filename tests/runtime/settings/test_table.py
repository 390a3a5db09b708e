"""Each option, keyword and setting of an address is in the table of settings, under one name."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from lars2asp import Reasoner, Source, check, compile_program
from lars2asp.__main__ import main
from lars2asp.runtime.command_line.main import cli
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.reasoning.run_options import LiveOptions, ReasonerOptions, RunOptions, StreamOptions
from lars2asp.runtime.settings.setting import Setting
from lars2asp.runtime.settings.table import ESSENTIAL, SETTINGS, of_addresses, of_command
from lars2asp.runtime.sources.input_settings import NAMES
from lars2asp.runtime.spark.answers import answers, answers_of, write_answers
from lars2asp.runtime.spark.spark_settings import SparkOptions

CONTEXT = click.Context(cli)
COMMANDS = {name: one for name in cli.list_commands(CONTEXT) if (one := cli.get_command(CONTEXT, name))}
LONGEST_HELP = 70
IN_PYTHON = {"reading", "on_answer", "stop", "source", "timeline", "self", "atom", "tuning"}
"""Objects of Python, and the thresholds that only tests and experiments of the project set."""
ON_SPARK = {
    "df",
    "program",
    "predicate",
    "columns",
    "intervals",
    "clock",
    "account",
    "sink",
    "checkpoint",
    "trigger",
}
SETTING_NAMES = """
dialect config const show tick semantics trusted functions
input follow input_format declare delimiter encoding missing largest_record rejects on_reject multiline
clock start until time_unit origin timezone time_format year lateness revise idle_timeout largest_gap ahead
output output_format emit changes intervals times models consequences
output_header output_secret_file output_body retry_for dead_letters
evaluator clingo complete_windows tick_timeout largest_interval
compare compare_const compare_why compare_from compare_to
checkpoint checkpoint_every changed_program history memory_limit drain
view chart serve serve_token_file serve_token explain_last explain_max_records stats stats_json log_format
quiet
at depth explanations
types
plan code split target costs
case coverage record
check diff
partitions max_files_per_trigger master conf packages tables
"""
"""Every setting. If you rename one, keep its earlier name in the table and in EARLIER."""
EARLIER = """
all: explanations; as: output_format; compare-c: compare_const; delta: changes; early: revise;
files-per-batch: max_files_per_trigger; format: input_format output_format; from: compare_from;
idle: idle_timeout; map: declare; no-scripts: trusted; only: show; package: packages; partition: split;
serve-ticks: explain_last; stats-json: costs; strict-input: on_reject; timeline: chart;
to: compare_to target
"""
"""The earlier names of options, each with the settings that it became."""
EARLIER_KEYWORDS = """
by_clock: clock; constants: const; context: functions; every: emit;
explain_at_most: explain_max_records; explain_from: explain_last; form: input_format; idle: idle_timeout;
only: show; partition: split; rejected: on_reject; statistics: stats; tick: at; unit: time_unit
"""


def test_a_setting_keeps_its_name() -> None:
    """And its earlier names, so that a rename is a decision: it breaks programs of users."""
    assert [*SETTINGS] == SETTING_NAMES.split()

    def became(text: str) -> set[tuple[str, str]]:
        pairs = (one.split(":") for one in text.split(";"))
        return {(before.strip(), name) for before, names in pairs for name in names.split()}

    options = {
        (before, one.name)
        for one in SETTINGS.values()
        for names in (one.before, *(use.before or "" for use in one.uses.values()))
        for before in names.split()
    }
    assert options == became(EARLIER)
    keywords = {(before, one.name) for one in SETTINGS.values() for before in one.python_before.split()}
    assert keywords == became(EARLIER_KEYWORDS)


def test_the_options_of_commands_are_settings() -> None:
    for name, command in COMMANDS.items():
        options = [one.name for one in command.params if isinstance(one, click.Option)]
        assert options == [one.name for one in of_command(name)], name
    assert {name for one in SETTINGS.values() for name in one.commands.split()} <= COMMANDS.keys()


def test_commands_that_explain_and_test_have_the_settings_that_decide_answers() -> None:
    of_live_input = {"follow", "clock", "ahead", "idle_timeout"}
    of_the_command = {"config", "trusted", "input", "rejects", "tick_timeout"}
    groups = {"Program", "Input", "Time", "Evaluation"}
    for one in of_command("run"):
        if one.group in groups:
            assert one.decides is (one.name not in of_live_input | of_the_command), one.name
    for command in ("run", "why", "why-not", "check-why", "test"):
        missing = {one.name for one in SETTINGS.values() if one.decides}
        missing -= {one.name for one in COMMANDS[command].params}
        assert not missing, command


def test_keywords_are_settings() -> None:
    def keywords(place: str) -> set[str]:
        return {one.name for one in SETTINGS.values() if place in one.python.split()}

    assert RunOptions.__annotations__.keys() - IN_PYTHON == keywords("reasoner")
    of_program = ReasonerOptions.__annotations__.keys() - RunOptions.__annotations__.keys()
    assert of_program | {"complete_windows", "largest_interval"} == keywords("program")
    run = {*inspect.signature(Reasoner.run).parameters, *StreamOptions.__annotations__}
    assert run - IN_PYTHON - {"options"} == keywords("run")
    assert LiveOptions.__annotations__.keys() - IN_PYTHON == keywords("live")
    assert {*inspect.signature(Reasoner.why).parameters} - IN_PYTHON - {"others"} == keywords("why")
    spark = {*SparkOptions.__annotations__}
    for function in (answers, answers_of, write_answers):
        spark |= {*inspect.signature(function).parameters} - {"options"}
    assert spark - ON_SPARK == keywords("spark")


def test_settings_of_addresses_are_those_of_the_table() -> None:
    assert tuple(one.address_name for one in of_addresses("input")) == NAMES


def all_uses() -> Iterator[Setting]:
    for one in SETTINGS.values():
        yield one
        yield from (one.used_by(command) for command in one.uses)


def test_help_is_one_line() -> None:
    for one in all_uses():
        assert len(one.help) <= LONGEST_HELP, one.name
        assert not one.help[0].islower(), one.name
        assert one.help.endswith((".", "]")), one.name
        assert not one.more or one.more.endswith("."), one.name
    for name, one in SETTINGS.items():
        assert name == one.name
        assert {*one.uses} <= {*one.commands.split()}


def test_help_shows_essential_options_and_all_names() -> None:
    shown = COMMANDS["run"].get_help(click.Context(COMMANDS["run"], info_name="run"))
    for one in of_command("run"):
        assert one.shown in shown.split(), one.name
    for name in ESSENTIAL:
        assert SETTINGS[name].help.split()[0] in shown


def test_help_all_explains_each_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help-all"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for one in of_command("run"):
        assert one.shown in shown
        assert "-".join(one.help.split("-")[:1]).split(". ")[0][:20] in shown, one.name


RENAMED = [
    (command, before, one)
    for one in SETTINGS.values()
    for command in one.commands.split()
    for before in {*one.before.split(), *(one.used_by(command).before or "").split()}
    if before not in {known.name.replace("_", "-") for known in of_command(command)}
    and isinstance(COMMANDS[command], SettingsCommand)
]


@pytest.mark.parametrize(("command", "before", "setting"), RENAMED, ids=lambda one: getattr(one, "name", one))
def test_an_earlier_option_says_what_it_is_called_now(
    command: str, before: str, setting: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "a.lars", f"--{before}", "x"]) == 2
    said = capsys.readouterr().err
    assert f"--{before} is now called {setting.shown}" in said or f"--{before} is called --" in said


@pytest.mark.parametrize(
    "setting", [one for one in SETTINGS.values() if one.before and "run" in one.commands]
)
def test_an_earlier_name_in_a_file_and_in_the_environment_says_the_new_one(
    setting: Setting, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {one.name for one in of_command("run")}
    for before in setting.before.split():
        if before.replace("-", "_") in known or "run" not in setting.commands.split():
            continue
        file = tmp_path / "run.toml"
        file.write_text(f'{before} = "x"\n')
        assert main(["run", "a.lars", "--config", str(file)]) == 2
        now = setting.name.replace("_", "-")
        assert f"run.toml: {before} is now called {now}" in capsys.readouterr().err
        variable = f"LARS2ASP_RUN_{before.replace('-', '_').upper()}"
        monkeypatch.setenv(variable, "x")
        assert main(["run", "a.lars"]) == 2
        assert f"{variable} is now called LARS2ASP_RUN_{setting.name.upper()}" in capsys.readouterr().err
        monkeypatch.delenv(variable)


PYTHON = [(before, one) for one in SETTINGS.values() for before in one.python_before.split()]


@pytest.mark.parametrize(("before", "setting"), PYTHON, ids=lambda one: getattr(one, "name", one))
def test_an_earlier_keyword_says_what_it_is_called_now(before: str, setting: Setting) -> None:
    said = f"the keyword {before} is now called {setting.name}"
    called: Any = {before: None}
    reasoner = Reasoner.from_text("a :- p.")
    places: dict[str, Callable[[], Any]] = {
        "reasoner": lambda: Reasoner.from_text("a.", **called),
        "program": lambda: Reasoner.from_text("a.", **called),
        "run": lambda: reasoner.run([], **called),
        "live": lambda: reasoner.run_live("-", print, **called),
        "why": lambda: reasoner.why("a", **called),
    }
    for place in setting.python.split():
        if place in places:
            with pytest.raises(TypeError, match=said):
                places[place]()


def test_an_earlier_method_says_what_it_is_called_now() -> None:
    reasoner = Reasoner.from_text("a.")
    for before, now in (("follow", "run_live"), ("follow_async", "run_live_async"), ("run_early", "run")):
        with pytest.raises(AttributeError, match=f"{before} is called {now}"):
            getattr(reasoner, before)
    with pytest.raises(AttributeError, match="no attribute 'rum'"):
        _ = reasoner.rum  # type: ignore[attr-defined]


def test_compiling_refuses_keywords_that_do_not_exist() -> None:
    source = Source("p.lars", "#const n=1. a(n).")
    for made in (check, compile_program):
        with pytest.raises(TypeError, match="no keyword 'constants': use const"):
            made(source, constants={"n": 5})  # type: ignore[call-arg]


def test_the_opposite_of_an_earlier_switch_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.toml").write_text("no-scripts = true\n")
    assert main(["run", "a.lars", "--config", str(tmp_path / "run.toml")]) == 2
    assert "no-scripts is now called trusted, and its value is the opposite: false" in capsys.readouterr().err


def test_every_switch_can_be_turned_off(capsys: pytest.CaptureFixture[str]) -> None:
    for name, command in COMMANDS.items():
        for one in of_command(name):
            if one.kind == "switch":
                [option] = [found for found in command.params if found.name == one.name]
                assert isinstance(option, click.Option)
                assert option.secondary_opts, one.name


def test_the_page_of_options_is_that_of_the_table() -> None:
    docs = Path(__file__).parents[3] / "docs"
    done = subprocess.run(
        [sys.executable, docs / "_site" / "options.py"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert (docs / "reference" / "command-line.md").read_text(encoding="utf-8") == done.stdout, (
        "write it anew: python docs/_site/options.py > docs/reference/command-line.md"
    )
