"""The command line and the Python names in an environment without extras, and in one for each extra.

In the environment without extras all commands start, and whatever needs an extra says in one line which. In
that of an extra it works. By default the environments are made of what is installed here, by pip with
`make environments`.
"""

import bz2
import gzip
import json
import lzma
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import click
import pytest

from lars2asp.runtime.charts.chart import ChartFormat
from lars2asp.runtime.command_line.main import cli
from lars2asp.runtime.command_line.program_commands import WaysToSplit
from lars2asp.runtime.plan_drawing.drawing_format import DrawingFormat
from lars2asp.runtime.sinks.emission import OutputFormat
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.text.byte_streams import PACKED
from lars2asp.runtime.spark.query.spark_query import FileFormat
from lars2asp.runtime.spark.query.spark_query import QueryOutputFormat as SparkOutput
from tests.support.environments import EXTRAS, ROOT, Environment, environment_in
from tests.support.followed_pages import followed
from tests.support.kafka import kafka_server
from tests.support.nats import NATS, nats_server
from tests.support.processes import completed, free_port, started, wait_for
from tests.support.redis import REDIS, redis_server
from tests.support.workbooks import write_workbook

Environments = Callable[[str | None], Environment]
Command = list[str | Path]

ROWS = 'time,room,temp\n0,"hall",19\n1,"hall",26\n2,"hall",27\n'
PROGRAM = """
#input reading(room, temp) at time.
hot(R) :- reading(R,T), T > 25.
n(N)   :- N = #count { R : hot(R) }.
"""
INFLUX_PROGRAM = "#input p(tags.room, fields.temp) at time.\nhot(R) :- p(R,T), T > 25.\n#show hot/1."
LOG_PROGRAM = """
#tick 1 sec. #timezone "UTC".
#input reading(room, temp) from "^{room:word} has {temp:int}$" at "%Y-%m-%d %H:%M:%S".
hot(R) :- reading(R,T), T > 25.
"""
RDF_PROGRAM = """
#input reading(room, temp) from <http://has> at <http://t>.
hot(R) :- reading(R,T), T > 25.
"""
NUMBER = "<http://www.w3.org/2001/XMLSchema#integer>"
TRIPLES = f'<http://hall> <http://t> "1"^^{NUMBER} .\n<http://hall> <http://has> "26"^^{NUMBER} .\n'
LAST_ANSWER = '{"time": 1, "atoms": ["hot(\\"hall\\")", "n(1)"]}\n'

_ALL = cli.list_commands(click.Context(cli))
COMMANDS = {name: command for name in _ALL if (command := cli.get_command(click.Context(cli), name))}


@pytest.fixture(scope="session")
def environments(tmp_path_factory: pytest.TempPathFactory) -> Environments:
    """Makes the environment of an extra, or that without extras, once for all processes of the tests."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "environments"
    folder.mkdir(exist_ok=True)

    def of(extra: str | None) -> Environment:
        return environment_in(folder, extra)

    return of


@pytest.fixture(scope="session")
def bare(environments: Environments) -> Environment:
    """The environment without extras."""
    return environments(None)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a program, and its input in all formats."""
    import duckdb  # noqa: PLC0415
    from pyarrow import csv, feather, parquet  # noqa: PLC0415
    from zstandard import ZstdCompressor  # noqa: PLC0415

    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "shown.lars").write_text(f"{PROGRAM}#show hot/1.\n")
    (tmp_path / "log.lars").write_text(LOG_PROGRAM)
    (tmp_path / "influx.lars").write_text(INFLUX_PROGRAM)
    (tmp_path / "rdf.lars").write_text(RDF_PROGRAM)
    triples = "triple(<http://hall>,<http://has>,T) :- reading(_,T). #show triple/3."
    (tmp_path / "triples.lars").write_text(PROGRAM + triples)
    (tmp_path / "data.nt").write_text(TRIPLES)
    rows = [line.split(",") for line in ROWS.splitlines()[1:]]
    told = [f"reading({room},{temp})" for _, room, temp in rows]
    texts = {
        "csv": ROWS,
        "tsv": ROWS.replace(",", "\t"),
        "jsonl": "".join(json.dumps({"time": n, "facts": [fact]}) + "\n" for n, fact in enumerate(told)),
        "facts": "".join(f"{n}: {fact}\n" for n, fact in enumerate(told)),
        "answers": "".join(json.dumps({"time": n, "atoms": [fact]}) + "\n" for n, fact in enumerate(told)),
        "changes": "time,change,room,temp\n",
        "intervals": "begin,end,room,temp\n",
        **dict.fromkeys(("ntriples", "nquads", "turtle", "trig"), TRIPLES),
        "jsonld": '{"@id": "http://hall", "http://t": 1, "http://has": 26}\n',
        "idlvsr": "".join(f"{n} {fact};\n" for n, fact in enumerate(told)),
        "dsr": "".join(f"{n} {fact};+\n" for n, fact in enumerate(told)),
        "laser": "".join(f"{n}: [{json.dumps(fact)}],\n" for n, fact in enumerate(told)),
        "ticker": "".join(f"@{n}: {fact}\n" for n, fact in enumerate(told)),
        "influx": "m,room=hall temp=19i 0\nm,room=hall temp=26i 1\n",
        "log": "2026-03-01 00:00:00 hall has 19\n2026-03-01 00:00:01 hall has 26\n",
    }
    for name, text in texts.items():
        path = tmp_path / f"data.{name}"
        path.write_text(text)
        for ending, module in ((".gz", gzip), (".bz2", bz2), (".xz", lzma)):
            Path(f"{path}{ending}").write_bytes(module.compress(text.encode()))
        Path(f"{path}.zst").write_bytes(ZstdCompressor().compress(text.encode()))
    table = csv.read_csv(tmp_path / "data.csv")
    parquet.write_table(table, tmp_path / "data.parquet")
    feather.write_feather(table, str(tmp_path / "data.feather"))
    write_workbook(
        tmp_path / "data.xlsx",
        {"rooms": [table.column_names, *([*row.values()] for row in table.to_pylist())]},
    )
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        connection.execute(f"CREATE TABLE rooms AS SELECT * FROM read_csv('{tmp_path / 'data.csv'}')")
    (tmp_path / "cards.lars").write_text('#table card(room) from "data.xlsx".\nhot(R) :- card(R).\n')
    for name in ("in", "in_parquet"):
        (tmp_path / name).mkdir()
    (tmp_path / "in" / "data.jsonl").write_text(texts["jsonl"])
    parquet.write_table(table, tmp_path / "in_parquet" / "data.parquet")
    return tmp_path


# --- without extras -------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_every_command_has_its_help(bare: Environment, tmp_path: Path, command: list[str]) -> None:
    done = bare.lars2asp(tmp_path, *command, "--help")
    assert done.stdout.startswith(f"Usage: {' '.join(['lars2asp', *command])} ")
    assert done.stderr == ""


def test_pygments_has_the_lexer(bare: Environment, files: Path) -> None:
    command: Command = [bare.python, "-m", "pygments", "-l", "lars2asp", "-f", "html", "p.lars"]
    coloured = completed(command, cwd=files, env=bare.variables()).stdout
    assert '<span class="kd">#input</span>' in coloured


def test_the_command_and_the_module_start(bare: Environment, tmp_path: Path) -> None:
    helped = bare.lars2asp(tmp_path, "--help").stdout
    assert all(f"\n  {name} " in helped for name in COMMANDS)
    alone = bare.lars2asp(tmp_path, status=2)  # click's status where no command is named
    assert helped in alone.stdout + alone.stderr
    module: Command = [bare.python, "-m", "lars2asp", "--help"]
    assert completed(module, cwd=tmp_path, env=bare.variables()).stdout == helped
    assert bare.lars2asp(tmp_path, "--version").stdout.startswith("lars2asp, version ")


BEGINNINGS = sorted({name[:size] for name in COMMANDS for size in (0, 1, len(name))})


def test_shells_complete_commands_and_options(bare: Environment, tmp_path: Path) -> None:
    for beginning in BEGINNINGS:
        assert completions(bare, tmp_path, beginning) == [n for n in _ALL if n.startswith(beginning)]
    for name, command in COMMANDS.items():
        options = {one for option in command.params for one in option.opts if one.startswith("--")}
        assert set(completions(bare, tmp_path, name, "--")) >= options


def completions(environment: Environment, folder: Path, *words: str) -> list[str]:
    """What bash offers behind words, the last of which is not whole."""
    line = " ".join(["lars2asp", *words])
    asked = {"_LARS2ASP_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    done = environment.lars2asp(folder, env=environment.variables(**asked))
    assert done.stderr == ""
    return [found.partition(",")[2] for found in done.stdout.splitlines()]


@pytest.mark.parametrize("page", ["README.md", "docs/get-started/quickstart.md"])
def test_a_first_page_can_be_followed(bare: Environment, tmp_path: Path, page: str) -> None:
    for one in followed(ROOT / page, tmp_path, bare.variables()):
        assert one.fits(), f"{one.what}\n{one.found}"


def test_pictures_need_no_extra(bare: Environment, files: Path) -> None:
    bare.lars2asp(files, "run", "p.lars", "--input", "data.csv", "--chart", "rooms.html")
    assert (files / "rooms.html").stat().st_size > 1000
    drawn = bare.lars2asp(files, "compile", "p.lars", "--plan", "--output-format", "html").stdout
    assert drawn.lower().startswith("<!doctype html>")


def test_all_public_names_are_there(bare: Environment, tmp_path: Path) -> None:
    """Those of Spark that need it say so."""
    code = """
import lars2asp, lars2asp.spark
for name in lars2asp.__all__:
    getattr(lars2asp, name)
for name in lars2asp.spark.__all__:
    try:
        getattr(lars2asp.spark, name)
    except lars2asp.Lars2aspError as error:
        print(name, error)
"""
    said = "Spark: the package pyspark is missing: pip install 'lars2asp[spark]'"
    printed = bare.code(tmp_path, code).stdout.splitlines()
    assert printed == [f"{name} {said}" for name in ("RowAccount", "answers", "answers_of", "write_answers")]


PYTHON = {
    "Reasoner.from_text('h(X) :- p(X).').intervals([])": "tables",
    "Reasoner.from_text('h(X) :- p(X).').changes([])": "tables",
    "Reasoner.from_text('h(X) :- p(X).').chart([(0, ['p(1)'])]).write('c.png')": "charts",
    "Reasoner.from_text('h(X) :- p(X).').chart([(0, ['p(1)'])]).write('c.svg')": "charts",
    "Reasoner.from_text('h(X) :- p(X).').chart([(0, ['p(1)'])]).write('c.html')": None,
    "Reasoner.from_text('h(X) :- p(X).').drawing().write('d.html')": None,
    "[*Reasoner.from_file('p.lars').run('data.parquet')]": "tables",
    "[*Reasoner.from_file('p.lars').run('data.feather')]": "tables",
    "[*Reasoner.from_file('p.lars').run('data.csv.zst')]": "tables",
    "[*Reasoner.from_file('p.lars').run('data.xlsx?sheet=rooms')]": "excel",
    "[*Reasoner.from_file('p.lars').run('data.duckdb')]": "duckdb",
    "[*Reasoner.from_file('p.lars').run('data.csv.gz')]": None,
    "[*Reasoner.from_file('p.lars').run(Frame())]": "tables",
    "[*Reasoner.from_file('rdf.lars').run('data.nt')]": "rdf",
    "Reasoner.from_file('p.lars').run_live('data.jsonl', print, serve=0)": "page",
    "Reasoner.from_file('p.lars').run_live('host:', print)": "host",
    "Reasoner.from_file('p.lars').run_live('mqtt://localhost/t', print)": "mqtt",
    "Reasoner.from_file('p.lars').run_live('kafka://localhost/t', print)": "kafka",
    "Reasoner.from_file('p.lars').run_live('redis://localhost/t', print)": "redis",
    "Reasoner.from_file('p.lars').run_live('nats://localhost/t', print)": "nats",
    "Reasoner.from_file('p.lars').run_live('amqp://localhost/?queue=q', print)": "amqp",
    "Reasoner.from_file('p.lars').run_live('ws://localhost/t', print)": "web",
    "Reasoner.from_file('p.lars').run_live('sse+http://localhost/t', print)": "web",
    "local_session('local[1]')": "spark",
}
"""What users write in Python, and the extra that it needs."""

_BEFORE = """
from lars2asp import *
from lars2asp.spark import local_session
class Frame:
    def __arrow_c_stream__(self, schema=None):
        raise AssertionError("asked too early")
"""


@pytest.mark.parametrize("code", PYTHON)
def test_python_code_names_the_extra_that_it_needs(bare: Environment, files: Path, code: str) -> None:
    extra = PYTHON[code]
    asked = f"{_BEFORE}\ntry:\n    {code}\nexcept Lars2aspError as error:\n    print(error)\n"
    said = bare.code(files, asked).stdout
    if extra is None:
        assert said == ""
    else:
        assert re.fullmatch(rf"[^\n]*: the package \w+ is missing: pip install 'lars2asp\[{extra}\]'\n", said)


# --- what needs an extra, and what none -----------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """A command.

    Attributes:
        arguments: its arguments, in the folder of `files`.
        extra: the extra that it needs; None for none.
        status: its exit status where that is there; None for any.
    """

    arguments: tuple[str, ...]
    extra: str | None
    status: int | None = 0

    def __str__(self) -> str:
        return " ".join(self.arguments)


BROKERS = {"mqtt": "mqtt", "mqtts": "mqtt", "kafka": "kafka", "kafkas": "kafka"}
BROKERS |= {
    "redis": "redis",
    "rediss": "redis",
    "nats": "nats",
    "natss": "nats",
    "amqp": "amqp",
    "amqps": "amqp",
    "postgres": "postgres",
}
"""The schemes of brokers, and the extra of each."""


def uses() -> Iterator[Use]:
    """Every kind of file and address that a command can be given; a new kind is among them by itself."""
    for form in Format:
        extra = "tables" if form.has_types else "rdf" if form.is_rdf else None
        extra = "influx" if form is Format.INFLUX else extra
        own = {Format.LOG: "log.lars", Format.INFLUX: "influx.lars"}
        program = own.get(form, "rdf.lars" if form.is_rdf else "p.lars")
        name = f"data.{form}"
        yield Use(("run", program, "--input", name, "--input-format", form), extra)
        yield Use(("check", program, "--input", name, "--input-format", form), extra)
    packed = [f"{name}{end}" for name in ("csv", "jsonl") for end in PACKED]
    for name in ("csv", "tsv", "jsonl", "parquet", "feather", "xlsx", "duckdb", *packed):
        extra = "tables" if name.endswith(("parquet", "feather", "zst")) else None
        extra = {"xlsx": "excel", "duckdb": "duckdb"}.get(name, extra)
        yield Use(("run", "p.lars", "--input", f"data.{name}"), extra)
        yield Use(("check", "p.lars", "--input", f"data.{name}"), extra)
        yield Use(("why", "p.lars", "hot(hall)", "--input", f"data.{name}"), extra)
        if "jsonl" not in name:
            yield Use(("check", "--input", f"data.{name}"), extra)
    yield Use(("run", "p.lars", "--input", "in"), None)
    yield Use(("run", "p.lars", "--input", "in_parquet"), "tables")
    yield Use(("run", "p.lars", "--input", "data.csv", "--input", "data.parquet"), "tables")
    run = ("run", "shown.lars", "--input", "data.csv")
    for output in OutputFormat:
        extra = "tables" if output is OutputFormat.PARQUET else None
        if output is OutputFormat.NQUADS:  # which are written without pyoxigraph
            told = ("run", "triples.lars", "--input", "data.csv")
            yield Use((*told, "--output", "out.nq", "--output-format", output), None)
            continue
        yield Use((*run, "--output", f"out.{output}", "--output-format", output), extra)
        yield Use((*run, "--output", f"out.{output}"), extra)
        if output is not OutputFormat.JSONL:
            yield Use((*run, "--output", "out/", "--output-format", output), extra)
            yield Use((*run, "--output", f"out.{output}", "--intervals"), extra)
    for chart in ChartFormat:
        yield Use((*run, "--chart", f"rooms.{chart}"), None if chart is ChartFormat.HTML else "charts")
    for drawing in (DrawingFormat.HTML, DrawingFormat.DOT):
        yield Use(("compile", "p.lars", "--plan", "--output-format", drawing), None)
    for way in WaysToSplit:
        yield Use(("compile", "p.lars", f"--split={way}"), None)
    yield Use(
        (*run, "--stats-json", "costs.json", "--rejects", "rejects.jsonl", "--checkpoint", "kept"), None
    )
    for written in ("text", "json", "html"):
        yield Use(("why", "p.lars", "hot(hall)", "--input", "data.csv", "--output-format", written), None)
    for scheme in sorted(input_schemes()):
        extra = {"host": "host", "tcp": None, **BROKERS}.get(scheme, "web")
        rest = {"host": "", "https": "8443?cert=missing&key=missing"}.get(scheme, "//127.0.0.1:1/x")
        rest += {"postgres": "?table=t&key=id", "amqp": "?queue=q", "amqps": "?queue=q"}.get(scheme, "")
        if scheme not in ("tcp", "http"):  # which do not end; http needs what https does
            yield Use(("run", "p.lars", "--input", f"{scheme}:{rest}", "--on-reject", "stop"), extra, 2)
    for scheme in sorted(output_schemes()):
        extra = {"http": "web", "https": "web", **BROKERS}.get(scheme)  # mail needs none
        rest = "127.0.0.1:1" if scheme == "tcp" else "//127.0.0.1:1/x"
        rest += {"postgres": "?table=t", "amqp": "?queue=q", "amqps": "?queue=q"}.get(scheme, "")
        if extra is not None:
            yield Use(("run", "p.lars", "--input", "data.missing", "--output", f"{scheme}:{rest}"), extra, 2)
    yield Use((*run, "--serve", "1.2.3.4:0"), "page", 2)  # others than this machine need a token
    spark = ("spark", "p.lars", "--output", "out", "--checkpoint", "state")
    for file in FileFormat:
        yield Use((*spark, "--input", "missing", "--input-format", file), "spark", 2)
    for sent in SparkOutput:
        yield Use((*spark, "--input", "missing", "--output-format", sent), "spark", 2)
    yield Use((*spark, "--input", "kafka://127.0.0.1:1/x"), "spark", 2)
    yield Use(("spark", "p.lars"), None, 2)
    yield Use(("language-server",), "editor")
    yield Use(("help", "L101"), None)


def input_schemes() -> set[str]:
    return _schemes("--input", r"\b([a-z+]+):(?://|PORT)") | {"host"}


def output_schemes() -> set[str]:
    return _schemes("--output", r"\b([a-z+]+):(?://|HOST)")


def _schemes(option: str, form: str) -> set[str]:
    """The schemes of addresses that the help of an option of `run` names."""
    options = [one for one in COMMANDS["run"].params if isinstance(one, click.Option)]
    [text] = [one.help or "" for one in options if option in one.opts]
    return set(re.findall(form, text))


USES = [*uses()]


@pytest.mark.parametrize("use", USES, ids=str)
def test_what_needs_an_extra_names_it_in_one_line(bare: Environment, files: Path, use: Use) -> None:
    done = bare.lars2asp(files, *use.arguments, status=use.status if use.extra is None else 2)
    if use.extra is None:
        assert "is needed" not in done.stderr
    else:
        form = rf"error: [^\n]*: the package \w+ is missing: pip install 'lars2asp\[{use.extra}\]'\n"
        assert re.fullmatch(form, done.stderr)
        assert done.stdout == ""


@pytest.mark.parametrize("use", [use for use in USES if use.extra not in (None, "spark")], ids=str)
def test_with_the_extra_it_works(environments: Environments, files: Path, use: Use) -> None:
    done = environments(use.extra).lars2asp(files, *use.arguments, status=use.status)
    assert "Traceback" not in done.stderr
    assert "package" not in done.stderr or "--packages" in done.stderr


# --- what extras are for --------------------------------------------------------------------------


def of_amqp(environment: Environment, files: Path) -> None:
    """Without a server, which takes long to begin: it gets as far as to ask for one."""
    with free_port() as port:
        to = ("--output", f"amqp://127.0.0.1:{port}/?queue=hot", "--retry-for", "1 sec")
        done = environment.lars2asp(files, "run", "p.lars", "--input", "data.csv", *to, status=2)
    assert "Connection refused" in done.stderr


def of_charts(environment: Environment, files: Path) -> None:
    for name, begin in (("c.svg", b"<?xml"), ("c.png", b"\x89PNG")):
        environment.lars2asp(files, "run", "p.lars", "--input", "data.csv", "--chart", name)
        assert (files / name).read_bytes().startswith(begin)
    code = "from lars2asp import *; Reasoner.from_file('p.lars').chart('data.csv').write('d.png')"
    environment.code(files, code)
    assert (files / "d.png").read_bytes().startswith(b"\x89PNG")


def of_demo(environment: Environment, _: Path) -> None:
    demo: Command = [environment.python, "-m", "examples.flights", "--from", "2013-03-08", "--days", "1"]
    done = completed(demo, cwd=ROOT, env=environment.variables())
    assert "disrupted   EWR         began" in done.stdout


def of_docs(environment: Environment, files: Path) -> None:
    build: Command = [environment.python, "-m", "mkdocs", "build", "--strict", "--site-dir", files / "site"]
    completed(build, cwd=ROOT, env=environment.variables(NO_MKDOCS_2_WARNING="1"))
    assert (files / "site" / "index.html").exists()
    page = (files / "site" / "get-started" / "quickstart.html").read_text()
    assert '<span class="kd">#held</span>' in page  # in colours


def of_host(environment: Environment, files: Path) -> None:
    (files / "host.lars").write_text("#tick 1 sec.\nseen :- memory(N), N > 0.\n")
    run: Command = [environment.command, "run", "host.lars", "--input", "host:0.1", "--clock", "wall"]
    with started(run, cwd=files, stdout=subprocess.PIPE, env=environment.variables()) as process:
        assert process.stdout is not None
        assert b'"seen"' in process.stdout.readline()


EXPERIMENTS = """
from importlib import import_module
from experiments.__main__ import _COMMANDS
for name, (place, _) in _COMMANDS.items():
    if "spark" not in name:
        import_module("experiments." + place.rpartition(".")[0])
"""


def of_experiments(environment: Environment, files: Path) -> None:
    for module in ("benchmark_commands", "timing.table_ways", "jobs.reading_ways", "reporting.figures"):
        environment.code(ROOT, f"import experiments.{module}")
    environment.code(ROOT, EXPERIMENTS)
    command: Command = [environment.python, "-m", "experiments", "list"]
    assert "laser-join" in completed(command, cwd=ROOT, env=environment.variables()).stdout


def test_experiments_name_the_extra_that_they_need(bare: Environment) -> None:
    command: Command = [bare.python, "-m", "experiments", "list"]
    said = completed(command, cwd=ROOT, env=bare.variables(), status=1).stderr
    assert said == "Error: the package psutil is missing: pip install 'lars2asp[experiments]'\n"


def of_rdf(environment: Environment, files: Path) -> None:
    for form in ("ntriples", "nquads", "turtle", "trig", "jsonld"):
        done = environment.lars2asp(
            files, "run", "rdf.lars", "--input", f"data.{form}", "--input-format", form
        )
        assert done.stdout == '{"time": 1, "atoms": ["hot(\\"<http://hall>\\")"]}\n'


def of_kafka(environment: Environment, files: Path) -> None:
    """A topic is copied to another one, by way of the rules."""
    with kafka_server() as kafka:
        kafka.write("rooms", (files / "data.jsonl").read_text().splitlines())
        given = ("--input", kafka.address("rooms"), "--output", kafka.address("hot"), "--until", "1")
        environment.lars2asp(files, "run", "p.lars", *given)
        assert f"{kafka.read('hot')[-1]}\n" == LAST_ANSWER


def of_mqtt(environment: Environment, files: Path) -> None:
    """Without a broker, which not every machine has: it gets as far as to ask for one."""
    with free_port() as port:
        address = f"mqtt://127.0.0.1:{port}/rooms"
        done = environment.lars2asp(files, "run", "p.lars", "--input", address, status=2)
    assert "cannot connect: Connection refused; is the broker running" in done.stderr


def of_nats(environment: Environment, files: Path) -> None:
    """A subject is copied to another one; without a server it gets as far as to ask for one."""
    if NATS is None:
        with free_port() as port:
            to = ("--input", "data.csv", "--output", f"nats://127.0.0.1:{port}/hot", "--retry-for", "1 sec")
            done = environment.lars2asp(files, "run", "p.lars", *to, status=2)
        assert "Connection refused" in done.stderr
        return
    with nats_server(files) as nats:
        nats.write("rooms", (files / "data.jsonl").read_text().splitlines())
        nats.write("hot", [])
        given = ("--input", nats.address("rooms"), "--output", nats.address("hot"), "--until", "1")
        environment.lars2asp(files, "run", "p.lars", *given)
        assert f"{nats.read('hot')[-1]}\n" == LAST_ANSWER


def of_page(environment: Environment, files: Path) -> None:
    run: Command = [environment.command, "run", "p.lars", "--input", "data.csv", "--serve", "0"]
    with (
        (files / "said").open("wb") as said,
        started(run, cwd=files, stderr=said, env=environment.variables()) as process,
    ):
        wait_for(lambda: b"the run is over" in (files / "said").read_bytes(), process)
        [url] = re.findall(r"the page is at (\S+)", (files / "said").read_text())
        with urlopen(f"{url}state") as state:
            assert 'hot(\\"hall\\")' in state.read().decode()
        for path in ("", "metrics", "healthz", "why?atom=n(1)"):
            with urlopen(f"{url}{path}") as answer:
                assert answer.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait() in (0, 130)


def of_postgres(environment: Environment, files: Path) -> None:
    """Without a server, which not every machine has: it gets as far as to ask for one."""
    with free_port() as port:
        to = ("--output", f"postgres://me@127.0.0.1:{port}/d?table=t", "--retry-for", "1 sec")
        done = environment.lars2asp(files, "run", "p.lars", "--input", "data.csv", *to, status=2)
    assert "Connection refused" in done.stderr


def of_redis(environment: Environment, files: Path) -> None:
    """A stream is copied to another one; without a server it gets as far as to ask for one."""
    if REDIS is None:
        with free_port() as port:
            to = ("--input", "data.csv", "--output", f"redis://127.0.0.1:{port}/hot", "--retry-for", "1 sec")
            done = environment.lars2asp(files, "run", "p.lars", *to, status=2)
        assert "Connection refused" in done.stderr
        return
    with redis_server(files) as redis:
        redis.add("rooms", *(files / "data.jsonl").read_text().splitlines())
        given = ("--input", redis.address("rooms"), "--output", redis.address("hot"), "--until", "1")
        environment.lars2asp(files, "run", "p.lars", *given)
        assert f"{redis.read('hot')[-1]}\n" == LAST_ANSWER


def of_spark(environment: Environment, files: Path) -> None:
    given = ("--input", "in", "--output", "out", "--checkpoint", "state", "--until", "2", "--quiet")
    command = ("spark", "p.lars", "--master", "local[1]", "--partitions", "1", *given)
    run = environment.lars2asp(files, *command)
    assert "Traceback" not in run.stderr
    written = "".join(path.read_text() for path in (files / "out").glob("*.json"))
    assert '"change":"began"' in written
    environment.code(files, "from lars2asp.spark import answers, answers_of, write_answers")


def of_tables(environment: Environment, files: Path) -> None:
    for name in ("data.parquet", "data.feather", "data.csv.zst"):
        done = environment.lars2asp(files, "run", "p.lars", "--input", name)
        assert done.stdout.endswith(LAST_ANSWER)
    environment.lars2asp(files, "run", "shown.lars", "--input", "data.parquet", "--output", "hot.parquet")
    changes = ("--input", "hot.parquet", "--input-format", "changes")
    (files / "seen.lars").write_text("#input hot(R).\nseen(R) :- hot(R).\n")
    assert "seen" in environment.lars2asp(files, "run", "seen.lars", *changes).stdout
    of_frames(environment, files)


def of_editor(environment: Environment, files: Path) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    text = json.dumps(asked)
    done = environment.lars2asp(files, "language-server", given=f"Content-Length: {len(text)}\r\n\r\n{text}")
    assert '"renameProvider"' in done.stdout


def of_duckdb(environment: Environment, files: Path) -> None:
    done = environment.lars2asp(files, "run", "p.lars", "--input", "data.duckdb?table=rooms")
    assert done.stdout.endswith(LAST_ANSWER)


def of_excel(environment: Environment, files: Path) -> None:
    done = environment.lars2asp(files, "run", "p.lars", "--input", "data.xlsx?sheet=rooms")
    assert done.stdout.endswith(LAST_ANSWER)
    assert "hot" in environment.lars2asp(files, "run", "cards.lars", "--input", "data.jsonl").stdout


def of_influx(environment: Environment, files: Path) -> None:
    done = environment.lars2asp(files, "run", "influx.lars", "--input", "data.influx?format=influx")
    assert "hot" in done.stdout


def of_frames(environment: Environment, files: Path) -> None:
    code = """
import pyarrow as pa
from lars2asp import Reasoner
rows = pa.table({"time": [0, 1], "room": ["hall", "hall"], "temp": [19, 26]})
print(Reasoner.from_file("p.lars").intervals(rows)["hot/1"].to_arrow().to_pylist())
print([*Reasoner.from_file("p.lars").run(rows)][-1].holds.texts)
"""
    assert environment.code(files, code).stdout.splitlines() == [
        "[{'begin': 1, 'end': None, 'R': 'hall'}]",
        "('hot(\"hall\")', 'n(1)')",
    ]


def of_web(environment: Environment, files: Path) -> None:
    taken: list[bytes] = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for line in (files / "data.jsonl").read_bytes().splitlines():
                self.wfile.write(b"data: %s\n\n" % line)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        host = f"127.0.0.1:{server.server_address[1]}"
        environment.lars2asp(files, "run", "p.lars", "--input", "data.csv", "--output", f"http://{host}/a")
        assert b"".join(taken).endswith(LAST_ANSWER.encode())
        done = environment.lars2asp(files, "run", "p.lars", "--input", f"sse+http://{host}/e", "--until", "1")
        assert done.stdout.endswith(LAST_ANSWER)
        server.shutdown()
    with free_port() as port:
        done = environment.lars2asp(files, "run", "p.lars", "--input", f"ws://127.0.0.1:{port}/e", status=2)
        assert "cannot connect" in done.stderr


PURPOSES = {
    "amqp": of_amqp,
    "charts": of_charts,
    "demo": of_demo,
    "docs": of_docs,
    "duckdb": of_duckdb,
    "excel": of_excel,
    "frames": of_frames,
    "host": of_host,
    "influx": of_influx,
    "editor": of_editor,
    "experiments": of_experiments,
    "kafka": of_kafka,
    "mqtt": of_mqtt,
    "nats": of_nats,
    "page": of_page,
    "postgres": of_postgres,
    "rdf": of_rdf,
    "redis": of_redis,
    "spark": of_spark,
    "tables": of_tables,
    "web": of_web,
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_does_what_it_is_for(environments: Environments, files: Path, extra: str) -> None:
    """A new extra in pyproject.toml needs a line in PURPOSES."""
    PURPOSES[extra](environments(extra), files)
