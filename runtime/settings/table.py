"""The table of settings: every option, keyword and setting of an address, once."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from lars2asp.runtime.settings.setting import Setting, Use

EXPLAINING = "why why-not check-why"
"""The commands that explain answers."""

PROGRAMS = "check compile run spark"
"""The commands that read a program, next to those that have all settings that decide answers."""

RECORDED = "The stream: a file, a folder, a pattern, a table of a database, or -."

LIVE = (
    "Live input: host: (this machine), tcp:PORT, http:PORT, mqtt://BROKER/TOPIC, mqtts://BROKER/TOPIC, "
    "kafka://HOST/TOPIC, kafkas://HOST/TOPIC, redis://HOST/STREAM, rediss://HOST/STREAM, "
    "nats://HOST/SUBJECT, natss://HOST/SUBJECT, amqp://HOST/VHOST?queue=QUEUE, "
    "amqps://HOST/VHOST?queue=QUEUE, postgres://HOST/DATABASE?table=TABLE&key=COLUMN, ws://SERVER/PATH, "
    "wss://SERVER/PATH, sse+http://SERVER/PATH, sse+https://SERVER/PATH."
)

_PROGRAM = (
    Setting(
        "dialect",
        "Program",
        "The system whose language the program uses.",
        "Write idlvsr (I-DLV-sr), dsr (Distributed-SR), laser, ticker or lars2asp, and settings after a "
        "colon, as in idlvsr:t-unit=min. By default the ending of a file or its first lines decide.",
        metavar="NAME",
        commands=PROGRAMS,
        python="program spark",
        decides=True,
    ),
    Setting(
        "config",
        "Program",
        "Read options from a TOML file.",
        "Use the names of the options without dashes, as in checkpoint-every = '10 sec' and "
        "program = ['rooms.lars']. Environment variables override the file, as in "
        "LARS2ASP_RUN_CHECKPOINT_EVERY='10 sec', and the command line overrides both.",
        metavar="FILE",
        commands=f"{PROGRAMS} {EXPLAINING}",
    ),
    Setting(
        "const",
        "Program",
        "Give a #const another value, as in -c n=5.",
        kind="name=value",
        is_many=True,
        short="-c",
        commands=PROGRAMS,
        is_state=True,
        python="program spark",
        python_before="constants",
        since="0.2",
        decides=True,
    ),
    Setting(
        "show",
        "Program",
        "Show only this predicate, as in alarm/1.",
        "The option replaces every #show of the program. lars2asp skips rules that it does not need. You can "
        "give it several times.",
        kind="predicate",
        metavar="PRED/ARITY",
        is_many=True,
        commands=PROGRAMS,
        before="only",
        is_state=True,
        python="program spark",
        python_before="only",
        since="0.2",
        decides=True,
    ),
    Setting(
        "tick",
        "Program",
        "The length of a tick, as in '1 sec'.",
        metavar="DURATION",
        commands=PROGRAMS,
        is_state=True,
        python="program spark",
        since="0.2",
        decides=True,
    ),
    Setting(
        "semantics",
        "Program",
        "What windows over derived atoms see. [default: recorded]",
        kind="semantics",
        commands=PROGRAMS,
        is_state=True,
        python="program spark",
        since="0.2",
        decides=True,
    ),
    Setting(
        "trusted",
        "Program",
        "Refuse scripts and files outside the program's folders.",
        "Use it for the program of a stranger: lars2asp then refuses #script and --functions, and #include "
        "of files outside the folders of the program files.",
        kind="switch",
        default=True,
        off="--untrusted",
        commands=f"{PROGRAMS} {EXPLAINING}",
        before="no-scripts",
        python="program spark",
        since="0.2",
    ),
    Setting(
        "functions",
        "Program",
        "A Python file with @-functions that the program calls.",
        metavar="FILE",
        is_many=True,
        commands=PROGRAMS,
        is_state=True,
        python="reasoner spark",
        python_before="context",
        since="0.2",
        uses={"test": Use(kind="Python file")},
        decides=True,
    ),
)

_INPUT = (
    Setting(
        "input",
        "Input",
        "The stream: a file, a folder, an address, or - (standard input).",
        "You can read a file, the files of a folder, a pattern ('logs/*.log') or a zip file, a table of a "
        "database "
        "(a.sqlite?table=r), or standard input. Several inputs are merged by time. A table counts if "
        "it contains the columns of an #input. " + LIVE,
        kind="inputs",
        metavar="FILE",
        is_many=True,
        commands=f"check run {EXPLAINING} spark test",
        is_state=True,
        since="0.2",
        uses={
            "check": Use(
                "A file with input: check that the program reads it.",
                more="Without a program, lars2asp proposes declarations. It merges several files by "
                "time, like `lars2asp run`.",
                kind="optional recorded inputs",
            ),
            **{
                name: Use(
                    RECORDED,
                    more="Zip files are folders, and - is standard input. Several inputs are merged by time.",
                    kind="recorded inputs",
                )
                for name in ("why", "why-not", "check-why")
            },
            "spark": Use(
                "The stream: a file, a folder, a pattern, an address that Spark knows.",
                more="Spark also reads files that appear in the folder later, and kafka://HOST:PORT/TOPIC.",
                kind="text",
                metavar="PATH",
            ),
            "test": Use("With --record: the input of the run.", more="", kind="text"),
        },
    ),
    Setting(
        "follow",
        "Input",
        "Keep reading files that grow, and new files of folders.",
        kind="switch",
        commands="run spark",
        address="input",
        is_state=True,
        uses={"spark": Use("Keep reading new files until you interrupt the run.")},
    ),
    Setting(
        "input_format",
        "Input",
        "How the input is written. [default: by file name, then content]",
        "answers, changes, intervals: as `lars2asp run` writes them. log: lines of text that patterns of "
        "#input read. influx: the line protocol. idlvsr, dsr, ticker, laser: as these systems write streams. "
        "?format= at an input overrides the option.",
        kind="input format",
        commands="check run spark",
        before="format",
        address="input",
        is_state=True,
        python="spark",
        python_before="form",
        since="0.2",
        uses={"spark": Use(kind="input format of Spark", more="")},
        decides=True,
    ),
    Setting(
        "declare",
        "Input",
        "A declaration of input, as in 'reading(room, temp*10) at time'.",
        "It says how rows of a table, JSON records, log lines or triples become facts, and replaces every "
        "#input of the program. Declarations such as '#decimals reading(_,1)', #types, #held, #table and "
        "#calendar join those of the program.",
        metavar="DECLARATION",
        is_many=True,
        commands="check run",
        before="map",
        is_state=True,
        python="program",
        since="0.2",
        decides=True,
    ),
    Setting(
        "delimiter",
        "Input",
        "The sign between the cells of a CSV. [default: detected]",
        "Write tab for a tabulator and blank for a run of blanks.",
        kind="delimiter",
        commands="check run",
        address="input",
        is_state=True,
        since="0.2",
        decides=True,
    ),
    Setting(
        "encoding",
        "Input",
        "The encoding of the text, as in latin-1. [default: detected, or utf-8]",
        "lars2asp detects the encoding of a CSV and of text that starts with a byte order mark.",
        kind="encoding",
        metavar="NAME",
        commands="check run",
        address="input",
        is_state=True,
        decides=True,
    ),
    Setting(
        "missing",
        "Input",
        "A text that marks a missing value, like an empty cell.",
        metavar="TEXT",
        is_many=True,
        commands="check run",
        address="input",
        is_state=True,
        since="0.2",
        decides=True,
    ),
    Setting(
        "largest_record",
        "Input",
        "Reject records longer than this, as in '500 kB'.",
        "lars2asp never holds a longer record in memory as a whole.",
        kind="size",
        default="16 MiB",
        metavar="SIZE",
        commands="check run",
        address="input",
        is_state=True,
        since="0.2",
        decides=True,
    ),
    Setting(
        "rejects",
        "Input",
        "Write rejected records to this file. [default: standard error]",
        "The file contains one JSON object a line.",
        metavar="FILE",
        is_state=True,
        since="0.2",
    ),
    Setting(
        "on_reject",
        "Input",
        "After a bad record: warn and continue, or stop.",
        "A record is bad if it is not valid, if no #input fits it, or if it comes too late.",
        kind="on reject",
        default="warn",
        commands="run",
        before="strict-input",
        cure="--on-reject stop",
        address="input",
        python="run live spark",
        python_before="rejected",
        since="0.2",
        decides=True,
    ),
    Setting(
        "multiline",
        "Input",
        "Lines without a time belong to the record before them.",
        "Write ?multiline=yes after the address of a log.",
        kind="switch",
        commands="",
        address="input",
        is_state=True,
    ),
)

_TIME = (
    Setting(
        "clock",
        "Time",
        "What makes time pass: times of records (data), or the clock (wall).",
        kind="clock",
        default="data",
        is_state=True,
        python="live",
        python_before="by_clock",
        since="0.2",
    ),
    Setting(
        "start",
        "Time",
        "The first tick, or its time. [default: from the input]",
        kind="time",
        metavar="TIME",
        commands="run spark",
        is_state=True,
        python="reasoner spark",
        since="0.2",
        uses={"spark": Use(kind="text")},
        decides=True,
    ),
    Setting(
        "until",
        "Time",
        "The last tick, or its time. [default: from the input]",
        kind="time",
        metavar="TIME",
        commands="run spark",
        python="run live spark",
        since="0.2",
        uses={
            "spark": Use(
                "After all input, let time pass to the end of this tick.",
                more="By default the last ticks stay open.",
                kind="text",
            )
        },
        decides=True,
    ),
    Setting(
        "time_unit",
        "Time",
        "What integer times count: ticks, or units of time since 1970.",
        kind="time unit",
        default="tick",
        commands="check run spark",
        address="input",
        is_state=True,
        python="spark",
        python_before="unit",
        since="0.2",
        decides=True,
    ),
    Setting(
        "origin",
        "Time",
        "When tick 0 begins. [default: 1970-01-01T00:00:00Z]",
        "If ticks are shorter than a second, the default is midnight of the day of the first record.",
        kind="timestamp",
        commands="check run spark",
        is_state=True,
        python="program spark",
        since="0.2",
        decides=True,
    ),
    Setting(
        "timezone",
        "Time",
        "The zone of times without an offset, as in Europe/Vienna.",
        metavar="ZONE",
        commands="check run spark",
        address="input",
        is_state=True,
        python="program spark",
        since="0.2",
        decides=True,
    ),
    Setting(
        "time_format",
        "Time",
        "How times are written, as in '%d.%m.%Y %H:%M'. [default: ISO 8601]",
        "A format in an #input overrides the option.",
        kind="time format",
        metavar="FORMAT",
        commands="check run",
        address="input",
        is_state=True,
        since="0.2",
        decides=True,
    ),
    Setting(
        "year",
        "Time",
        "The year of the first time, if times have none.",
        "Times of syslog are an example. By default it is the year of #origin, or of the last change of the "
        "file.",
        kind="year",
        commands="check run",
        address="input",
        is_state=True,
        decides=True,
    ),
    Setting(
        "lateness",
        "Time",
        "Wait this long for late records, as in '30 sec'. [default: 0]",
        "Give ticks, or a duration. lars2asp sorts late records in.",
        metavar="DURATION",
        commands="check run spark",
        address="input",
        python="run live spark",
        since="0.2",
        uses={"spark": Use("Wait this long for records of later batches. [default: 0]", more="")},
        decides=True,
    ),
    Setting(
        "revise",
        "Time",
        "Answer at once, and revise for records up to this late.",
        "Give ticks, or a duration such as '1 hour'. It replaces --lateness.",
        metavar="DURATION",
        before="early",
        cure="--revise DURATION, with the duration of --lateness or #lateness",
        is_state=True,
        python="run",
        decides=True,
    ),
    Setting(
        "idle_timeout",
        "Time",
        "Stop waiting for a live input that is silent for this long.",
        "Give seconds, or a duration such as '1 min'. The input counts again once it speaks. Without the "
        "option lars2asp waits for all "
        "inputs. In a folder that you --follow, it holds for files that do not grow; the default there is "
        "1 min.",
        kind="duration",
        before="idle",
        address="input",
        python="live",
        python_before="idle",
    ),
    Setting(
        "largest_gap",
        "Time",
        "Doubt a record this much later than the record before.",
        "Such a record waits until others confirm it. Give ticks, or a duration such as '1 day'. The default "
        "is #largest_gap, or 1 hour for timestamps of files, and no limit for live input.",
        metavar="DURATION",
        commands="run",
        address="input",
        is_state=True,
        python="reasoner",
        since="0.2",
        decides=True,
    ),
    Setting(
        "ahead",
        "Time",
        "Doubt a live record dated this long after now. [default: 10 min]",
        "Such a record waits until others confirm it. Write off for forecasts. The option holds if the first "
        "record lies within a day of the clock of this machine.",
        metavar="DURATION",
        address="input",
        python="reasoner",
    ),
)

_OUTPUT = (
    Setting(
        "output",
        "Output",
        "The target of answers: a file, a folder/, an address, or -.",
        "- is standard output. Tables of several predicates go to a folder/. To others: http://HOST/PATH "
        "(POST), tcp:HOST:PORT, mqtt://BROKER/TOPIC, kafka://HOST/TOPIC, redis://HOST/STREAM, "
        "nats://HOST/SUBJECT, amqp://HOST/VHOST?queue=QUEUE, postgres://HOST/DATABASE?table=TABLE, "
        "smtp://HOST?to=ADDRESS&from=ADDRESS.",
        default="-",
        metavar="FILE",
        commands="run spark",
        is_state=True,
        since="0.2",
        uses={
            "spark": Use(
                "The target of changes: a folder, or kafka://HOST:PORT/TOPIC.",
                default="",
                metavar="FOLDER",
                more="",
            )
        },
    ),
    Setting(
        "output_format",
        "Output",
        "How answers are written: JSON lines, tables or N-Quads.",
        "The default follows the ending of the output: csv, parquet, nquads for .nq, and jsonl otherwise.",
        kind="output format",
        commands="run spark compile why why-not",
        address="output",
        is_state=True,
        uses={
            "spark": Use(
                "How changes are written: JSON lines, or tables.",
                kind="output format of Spark",
                default="jsonl",
                more="Delta needs its package: see --packages.",
            ),
            "compile": Use(
                "Draw the plan: a page (html), a graph (dot), a picture (svg).",
                kind="drawing format",
                more="",
                before="format",
            ),
            **{
                name: Use(
                    "How the explanation is written.",
                    kind="explanation format",
                    default="text",
                    more="",
                    before="as",
                )
                for name in ("why", "why-not")
            },
        },
    ),
    Setting(
        "emit",
        "Output",
        "When to write an answer: at a change, at every tick, ...",
        "change: when the answer changes. every: at each tick. windows: when the answer changes, and when a "
        "hopping or tumbling window ends. N: at ticks that N divides.",
        kind="emission",
        default="change",
        is_state=True,
        python="run live",
        python_before="every",
        since="0.2",
    ),
    Setting(
        "changes",
        "Output",
        "Write what began and ended, not all atoms (JSON lines).",
        kind="switch",
        before="delta",
        address="output",
        is_state=True,
    ),
    Setting(
        "intervals",
        "Output",
        "Write a row for each interval of an atom (tables).",
        "A row says when an atom began and ended to hold. It replaces the rows for changes.",
        kind="switch",
        address="output",
        is_state=True,
    ),
    Setting(
        "times",
        "Output",
        "Write times next to ticks (ISO 8601, in the program's zone).",
        kind="switch",
        address="output",
        is_state=True,
    ),
    Setting(
        "models",
        "Output",
        "List this many answer streams at each tick (0: all).",
        "Without it, lars2asp writes the atoms of one stream.",
        kind="number from 0",
        default=1,
        is_state=True,
        python="reasoner",
        since="0.2",
    ),
    Setting(
        "consequences",
        "Output",
        "Write the atoms of some (brave) or all (cautious) answer streams.",
        kind="consequences",
        commands="run test",
        is_state=True,
        python="reasoner",
        since="0.2",
    ),
)

_TO_OTHERS = (
    Setting(
        "output_header",
        "Output to others",
        "A header of each POST; {secret} is the secret of the file.",
        "--output-secret-file names the file of the secret.",
        kind="header",
        metavar="'NAME: VALUE'",
        is_many=True,
    ),
    Setting(
        "output_secret_file",
        "Output to others",
        "A file with a secret for POSTs.",
        "If no header contains {secret}, the secret is sent as Authorization: Bearer.",
        metavar="FILE",
    ),
    Setting(
        "output_body",
        "Output to others",
        "A file with the text of each message, as in {atom} since {at}.",
        "lars2asp sends a POST, or a message, for each atom that begins. In the text it puts in {atom}, "
        "{time}, {at}, {why}, {predicate} and the arguments of the atom, as in {R}. With {change} it also "
        "sends one for each atom that ends. Name the file .json for JSON.",
        metavar="FILE",
        address="output",
        is_state=True,
    ),
    Setting(
        "retry_for",
        "Output to others",
        "Retry this long to send an answer. [default: 5 min]",
        kind="duration",
        address="output",
    ),
    Setting(
        "dead_letters",
        "Output to others",
        "Write messages that nobody accepts to this file.",
        "The file contains one JSON object a line for each POST or message that nobody accepted in time. The "
        "run continues. By default it ends.",
        metavar="FILE",
        address="output",
    ),
)

_EVALUATION = (
    Setting(
        "evaluator",
        "Evaluation",
        "How to evaluate. You rarely need it.",
        kind="evaluator",
        default="auto",
        commands="compile run spark",
        python="reasoner spark",
        since="0.2",
        uses={"compile": Use("The evaluator that --plan asks for.")},
        decides=True,
    ),
    Setting(
        "clingo",
        "Evaluation",
        "Options of clingo, as in '--seed 5 -t 2 --heuristic Vsids'.",
        kind="clingo options",
        metavar="OPTIONS",
        is_many=True,
        commands="run spark",
        is_state=True,
        python="reasoner spark",
        decides=True,
    ),
    Setting(
        "complete_windows",
        "Evaluation",
        "`always`, `not` and `at most` need whole windows.",
        "A window is whole if all of it lies on the timeline.",
        kind="switch",
        commands="run spark",
        is_state=True,
        python="program reasoner spark",
        since="0.2",
        decides=True,
    ),
    Setting(
        "tick_timeout",
        "Evaluation",
        "Give up a tick after this long, and continue.",
        "A longer tick gets no answer. Give a number of seconds, or a duration such as '500 msec'.",
        kind="seconds",
        metavar="DURATION",
        commands="run why why-not",
        python="reasoner",
        since="0.2",
        uses={
            name: Use("Give up a tick, or an explanation, after this long.") for name in ("why", "why-not")
        },
    ),
    Setting(
        "largest_interval",
        "Evaluation",
        "How many values one L..U may have at a tick. [default: 1000000]",
        "A tick with a larger interval gets no answer, and the run continues.",
        kind="number from 1",
        metavar="N",
        commands=PROGRAMS,
        is_state=True,
        python="program reasoner spark",
        decides=True,
    ),
)

_COMPARING = (
    Setting(
        "compare",
        "Comparing",
        "Run another program as well, and write the differences.",
        "The differences are intervals. -c is for the first program only, and --show says which predicates "
        "to compare. Several values are the files of one program.",
        kind="program file",
        metavar="PROGRAM",
        is_many=True,
    ),
    Setting(
        "compare_const",
        "Comparing",
        "Like -c, for the program of --compare.",
        kind="name=value",
        is_many=True,
        before="compare-c",
    ),
    Setting(
        "compare_why",
        "Comparing",
        "Explain for each interval why one program derives the atom.",
        "It also explains why the other program does not.",
        kind="switch",
    ),
    Setting(
        "compare_from",
        "Comparing",
        "Write differences from this tick, or time, on.",
        "Windows still look at earlier records.",
        kind="time",
        metavar="TIME",
        before="from",
    ),
    Setting(
        "compare_to",
        "Comparing",
        "Write differences up to this tick, or time.",
        kind="time",
        metavar="TIME",
        before="to",
    ),
)

_LONG_RUNS = (
    Setting(
        "checkpoint",
        "Long runs",
        "Keep the state here, to resume after an interruption.",
        metavar="DIR",
        commands="run spark",
        since="0.2",
        uses={"spark": Use("Keep the state here. All machines need to see the folder.")},
    ),
    Setting(
        "checkpoint_every",
        "Long runs",
        "Time between checkpoints, as in '10 sec'.",
        "Give ticks, or a duration. The default is 10 sec, or 1000 ticks if a program can have several "
        "answer streams.",
        kind="ticks or duration",
        since="0.2",
    ),
    Setting(
        "changed_program",
        "Long runs",
        "Resume although the program, or a constant, has changed.",
        "lars2asp keeps the contents of windows, and reports the differences.",
        kind="switch",
    ),
    Setting(
        "history",
        "Long runs",
        "With --changed-program: earlier input, to fill new windows.",
        "Give a file or a folder. Several files are merged by time.",
        metavar="FILE",
        is_many=True,
    ),
    Setting(
        "memory_limit",
        "Long runs",
        "End the run in good order above this much memory, as in '2 GB'.",
        "The run ends as after SIGTERM. With --checkpoint it resumes when you start it again.",
        kind="size",
        metavar="SIZE",
    ),
    Setting(
        "drain",
        "Long runs",
        "At Ctrl-C or SIGTERM, evaluate waiting records first.",
        "Records wait for late ones. By default lars2asp evaluates them, except with --clock wall, and with "
        "--checkpoint, which keeps them.",
        kind="switch",
        off="--no-drain",
    ),
)

_WATCHING = (
    Setting(
        "view",
        "Watching",
        "Show the atoms that hold on the terminal, updated in place.",
        kind="switch",
    ),
    Setting(
        "chart",
        "Watching",
        "Draw when each atom held: a page (.html), a picture (.svg, .png).",
        metavar="FILE",
        before="timeline",
        is_state=True,
    ),
    Setting(
        "serve",
        "Watching",
        "Serve a live page of the run at this port.",
        "The page says which atoms hold, since when and why. It stays after the end of the input, until "
        "Ctrl-C. With a HOST, other machines can reach it with a token.",
        metavar="[HOST:]PORT",
        python="live",
    ),
    Setting(
        "serve_token_file",
        "Watching",
        "A file with the token that the page asks for.",
        metavar="FILE",
    ),
    Setting(
        "serve_token",
        "Watching",
        "The token that the page asks for.",
        commands="",
        python="live",
    ),
    Setting(
        "explain_last",
        "Watching",
        "How far back explanations go, as in '10 min'.",
        "Give ticks, or a duration. On the command line it holds for the page of --serve, and the default is "
        "10000 ticks. In Python there is no default: `why` then raises an error.",
        metavar="DURATION",
        before="serve-ticks",
        python="reasoner",
        python_before="explain_from",
    ),
    Setting(
        "explain_max_records",
        "Watching",
        "Keep at most this many records and ticks for explanations.",
        "lars2asp keeps at least the records that windows look at.",
        kind="number from 0",
        commands="",
        python="reasoner",
        python_before="explain_at_most",
    ),
    Setting(
        "stats",
        "Watching",
        "Print the cost of the run at its end.",
        kind="switch",
        python="reasoner",
        python_before="statistics",
        since="0.2",
    ),
    Setting(
        "stats_json",
        "Watching",
        "Write the cost of the run to this file, as JSON.",
        metavar="FILE",
    ),
    Setting(
        "log_format",
        "Watching",
        "How messages on standard error are written.",
        kind="log format",
        default="text",
    ),
    Setting(
        "quiet",
        "Watching",
        "Show no progress on a terminal.",
        kind="switch",
        commands="check run test spark why why-not",
    ),
)

_QUESTIONS = (
    Setting(
        "at",
        "Question",
        "The tick, or the time, you ask about. [default: the last tick]",
        metavar="TICK|TIMESTAMP",
        commands="why why-not",
        python="why",
        python_before="tick",
    ),
    Setting(
        "depth",
        "Question",
        "Explain at most this many rules deep.",
        kind="number from 1",
        commands="why why-not",
        python="why",
    ),
    Setting(
        "explanations",
        "Question",
        "Give up to this many explanations for each atom that holds.",
        "The other explanations follow by size, the smallest first.",
        kind="number from 1",
        default=1,
        metavar="N",
        commands="why why-not",
        before="all",
        python="why",
    ),
)

_PLAN = (
    Setting(
        "types", "Checks", "Print the type of each argument, and its reason.", kind="switch", commands="check"
    ),
    Setting(
        "plan",
        "Plan",
        "Print the components, and how each is evaluated.",
        kind="switch",
        commands="compile",
    ),
    Setting(
        "code",
        "Plan",
        "Print the plan with the code that `delta` makes.",
        kind="switch",
        commands="compile",
    ),
    Setting(
        "split",
        "Plan",
        "Print how several reasoners can share the program.",
        "With partitioned, the default, each reads only the input. With pipelined some also read atoms that "
        "others derive.",
        kind="ways to split",
        commands="compile spark",
        before="partition",
        python="spark",
        python_before="partition",
        uses={
            "spark": Use(
                "Which reasoners there are.",
                kind="partitioning",
                default="auto",
                more="auto: one for each group of rules and key, as far as possible. none: one. pipelined: "
                "components in levels, by keys. driver: one in this process.",
            )
        },
    ),
    Setting(
        "target",
        "Plan",
        "The language to print: asp, or lars2asp. [default: asp]",
        "Use lars2asp to translate the program of another system.",
        kind="target",
        commands="compile",
        before="to",
    ),
    Setting(
        "costs",
        "Plan",
        "Costs of a run, from `lars2asp run --stats-json`.",
        metavar="FILE",
        kind="text",
        commands="compile language-server",
        before="stats-json",
        uses={"language-server": Use(kind="path")},
    ),
)

_TESTS = (
    Setting(
        "case",
        "Tests",
        "Run only the cases with this text in their name.",
        metavar="TEXT",
        short="-k",
        commands="test",
    ),
    Setting(
        "coverage",
        "Tests",
        "Report rules that never fired, and literals without effect.",
        kind="switch",
        commands="test",
    ),
    Setting(
        "record",
        "Tests",
        "Write a test file from a run of the program in PATH.",
        "The answers to --input become the expected ones.",
        metavar="FILE",
        commands="test",
    ),
)

_FORMATTING = (
    Setting(
        "check",
        "Formatting",
        "Write nothing; exit 1 if a file would change.",
        kind="switch",
        commands="format",
    ),
    Setting(
        "diff",
        "Formatting",
        "Show the changes, write nothing; exit 1 if there are any.",
        kind="switch",
        commands="format",
    ),
)

_SPARK = (
    Setting(
        "partitions",
        "Spark",
        "How many reasoners work side by side.",
        "The default is the number of cores, or the number in the checkpoint. The program limits it: see "
        "`lars2asp compile --split`.",
        kind="number from 1",
        metavar="N",
        commands="spark",
        python="spark",
        since="0.2",
    ),
    Setting(
        "max_files_per_trigger",
        "Spark",
        "Read at most this many files at a time.",
        kind="number from 1",
        metavar="N",
        commands="spark",
        before="files-per-batch",
        since="0.2",
    ),
    Setting(
        "master",
        "Spark",
        "The master of Spark: local[4], spark://HOST:PORT, ...",
        default="local[*]",
        metavar="URL",
        commands="spark",
        since="0.2",
    ),
    Setting(
        "conf",
        "Spark",
        "A setting of Spark, as in spark.driver.memory=4g.",
        kind="Spark setting",
        is_many=True,
        commands="spark",
        since="0.2",
    ),
    Setting(
        "packages",
        "Spark",
        "A Java library for Spark to load, such as the library of Kafka.",
        metavar="GROUP:NAME:VERSION",
        is_many=True,
        commands="spark",
        before="package",
        since="0.2",
    ),
    Setting(
        "tables",
        "Spark",
        "Background data: data frames by the names of predicates.",
        commands="",
        python="spark",
        since="0.2",
    ),
)


def _shared(one: Setting) -> Setting:
    """A setting that decides answers, with the commands that explain and test them."""
    return replace(one, commands=f"{one.commands} {EXPLAINING} test") if one.decides else one


SETTINGS: Mapping[str, Setting] = {
    one.name: _shared(one)
    for group in (
        *(_PROGRAM, _INPUT, _TIME, _OUTPUT, _TO_OTHERS, _EVALUATION, _COMPARING, _LONG_RUNS, _WATCHING),
        *(_QUESTIONS, _PLAN, _TESTS, _FORMATTING, _SPARK),
    )
    for one in group
}
"""The settings by name, in the order of `--help`."""

ESSENTIAL = ("input", "follow", "output", "output_format", "const", "until")
"""The options of `run` that its help explains first."""


def of_command(command: str) -> list[Setting]:
    """The settings that are options of a command, as it has them."""
    return [one.used_by(command) for one in SETTINGS.values() if command in one.commands.split()]


def of_addresses(kind: str) -> list[Setting]:
    """The settings that can follow an address of an "input" or an "output"."""
    return [one for one in SETTINGS.values() if one.address == kind]


def renamed(before: str, known: Collection[str]) -> Setting | None:
    """The setting that an option became.

    Args:
        before: its earlier name without the dashes in front, such as `serve-ticks`.
        known: the settings of the command, by such names: one name may have become several.
    """
    for one in SETTINGS.values():
        names = {
            *one.before.split(),
            *(name for use in one.uses.values() for name in (use.before or "").split()),
        }
        if before in names and one.option.removeprefix("--") in known:
            return one
    return None


def renamed_keyword(before: str, known: Collection[str]) -> str | None:
    """The keyword that an earlier one became, of those that a function has."""
    for one in SETTINGS.values():
        if before in one.python_before.split() and one.name in known:
            return one.name
    return None
