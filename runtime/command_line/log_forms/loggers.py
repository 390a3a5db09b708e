"""What the loggers of programming languages and of frameworks write."""

import re
from collections.abc import Iterable, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import CLOCK, ISO, ISO_TIME, LEVEL, Row, forms_of
from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_LEVEL, _NAMED = "level, message", "level, logger, message"
_THREADS = "level, thread, logger, message"
_SLASHES = rf"\d{{4}}/\d\d/\d\d {CLOCK}(?:\.\d+)?"
_BRACKET = rf"\[{ISO}"

_ROWS = (
    Row(
        "log of Spring Boot",
        ISO,
        rf" +{LEVEL} \d+ --- ",
        "level, pid, thread, logger, message",
        "^{level:word} {pid:int} --- ([{:word}] )?[( )?{thread:word}] {logger:word} : {message:rest}",
    ),
    Row(
        "log of log4j",
        ISO,
        rf" +{LEVEL} +\[[^\]]*\] \S+(?: - |: )",
        _THREADS,
        "^{level:word} [( )?{thread:word}] {logger:word}( - |: ){message:rest}",
    ),
    Row(
        "log of log4j or Logback",
        ISO,
        rf" +\[[^\]]*\]\s+{LEVEL}\s+\S+\s*(?: - |: )",
        _THREADS,
        "^[( )?{thread:word}] {level:word} {logger:word}( - |: ){message:rest}",
    ),
    Row(
        "log of log4j with threads",
        ISO,
        rf" - {LEVEL} +\[\S+\] - ",
        "level, thread, message",
        "^- {level:word} [{thread:word}] - {message:rest}",
    ),
    Row(
        "log of Python",
        ISO,
        rf" - \S+ - {LEVEL} - ",
        _NAMED,
        "^- {logger:word} - {level:word} - {message:rest}",
    ),
    Row(
        "log with levels and names",
        ISO,
        rf" +\[{LEVEL} *\] \S+: ",
        _NAMED,
        "^[{level:word}( )?] {logger:word}: {message:rest}",
    ),
    Row(
        "log with levels and names",
        ISO,
        rf" +{LEVEL} +[^\s:]+: ",
        _NAMED,
        "^{level:word} {logger:word}: {message:rest}",
    ),
    Row(
        "log of fail2ban",
        ISO,
        rf" \S+ +\[\d+\]: {LEVEL} ",
        "logger, pid, level, message",
        "^{logger:word} [{pid:int}]: {level:word} {message:rest}",
    ),
    Row(
        "log of OpenStack",
        ISO,
        rf" \d+ {LEVEL} \S+ ",
        "pid, level, logger, message",
        "^{pid:int} {level:word} {logger:word} {message:rest}",
    ),
    Row(
        "log of RabbitMQ",
        ISO,
        rf" \[{LEVEL}\] <\S+> ",
        "level, process, message",
        "^[{level:word}] <{process:word}> {message:rest}",
    ),
    Row("log with levels", ISO, rf" +\[{LEVEL} *\]", _LEVEL, "^[{level:word}( )?] {message:rest}"),
    Row("log with levels", ISO, rf" +{LEVEL} ", _LEVEL, "^{level:word} {message:rest}"),
    Row(
        "log of Loguru",
        ISO,
        rf" \| {LEVEL} +\| \S+ - ",
        "level, source, message",
        "^\\| {level:word} \\| {source:word} - {message:rest}",
    ),
    *(
        Row(
            "log with levels in front",
            "",
            rf"{re.escape(begin)}{LEVEL}{re.escape(end)} +{ISO}",
            _LEVEL,
            f"^{begin}{{level:word}}{end} {{day:word}} {{clock:word}} {{message:rest}}",
            "day + clock",
        )
        for begin, end in (("", ""), ("[", "]"))
    ),
    Row("lines with times", rf"{ISO_TIME},\d{{3}}", " ", "message", "^{message:rest}"),
    Row(
        "log of Elasticsearch",
        _BRACKET,
        rf"\]\[{LEVEL} *\]\[",
        "level, logger, node, message",
        "^[{level:word}( )?][{logger:word}( )?] [{node:word}] {message:rest}",
        '"[%Y-%m-%dT%H:%M:%S,%f]"',
    ),
    Row(
        "log of Kafka",
        _BRACKET,
        rf"\] {LEVEL} .*\(\S+\)$",
        _NAMED,
        "^{level:word} {message:text} \\({logger:word}\\)$",
        '"[%Y-%m-%d %H:%M:%S,%f]"',
    ),
    Row(
        "log of Celery",
        _BRACKET,
        rf": {LEVEL}/\S+\] ",
        "level, process, message",
        "^{level:word}/{process:word}] {message:rest}",
        '"[%Y-%m-%d %H:%M:%S,%f:"',
    ),
    Row(
        "log of Gunicorn",
        _BRACKET,
        rf"\] \[\d+\] \[{LEVEL}\] ",
        "pid, level, message",
        "^[{pid:int}] [{level:word}] {message:rest}",
        '"[%Y-%m-%d %H:%M:%S %z]"',
    ),
    Row(
        "log of the collector of Java",
        _BRACKET,
        r"\](?:\[[\d.]+s\])?\[[a-z]+ *\]\[[a-z,]+ *\] ",
        "level, tags, message",
        "^([{:number}s])?[{level:word}( )?][{tags:word}( )?] {message:rest}",
        '"[%Y-%m-%dT%H:%M:%S.%f%z]"',
    ),
    Row(
        "log of Laravel",
        _BRACKET,
        rf"\] [^\s.]+\.{LEVEL}: ",
        "channel, level, message",
        "^{channel:word}.{level:word}: {message:rest}",
        '"[%Y-%m-%d %H:%M:%S]"',
    ),
    Row(
        "log of Rust (env_logger)",
        rf"\[{ISO_TIME}Z",
        rf" {LEVEL} +\S+\] ",
        _NAMED,
        "^{level:word} {logger:word}] {message:rest}",
        '"[%Y-%m-%dT%H:%M:%S%z"',
    ),
    Row(
        "log of Ruby",
        "",
        rf"[A-Z], \[{ISO} #\d+\] +(?:{LEVEL}|ANY) -- ",
        'pid, level, program or "", message',
        "^{:word}, [{time:word} #{pid:int}] {level:word} -- ({program:word})?: {message:rest}",
        "time",
    ),
    Row(
        "log of Go with places",
        _SLASHES,
        r" \S+\.go:\d+: ",
        "source, line, message",
        "^{source:word}:{line:int}: {message:rest}",
        '"%Y/%m/%d %H:%M:%S"',
    ),
    Row(
        "log of Tomcat",
        rf"\d\d-[A-Z][a-z]{{2}}-\d{{4}} {CLOCK}\.\d+",
        rf" {LEVEL} \[\S+\] ",
        _THREADS,
        "^{level:word} [{thread:word}] {logger:word} {message:rest}",
        '"%d-%b-%Y %H:%M:%S.%f"',
    ),
    Row(
        "log of Spark",
        rf"\d\d/\d\d/\d\d {CLOCK}",
        rf" {LEVEL} [^\s:]+: ",
        _NAMED,
        "^{level:word} {logger:word}: {message:rest}",
        '"%y/%m/%d %H:%M:%S"',
    ),
    Row(
        "log of Hadoop",
        r"\d{6} \d{6}",
        rf" \d+ {LEVEL} [^\s:]+: ",
        "thread, level, logger, message",
        "^{thread:int} {level:word} {logger:word}: {message:rest}",
        '"%y%m%d %H%M%S"',
    ),
    Row(
        "log of Android",
        rf"\d\d-\d\d {CLOCK}\.\d+",
        r" +\d+ +\d+ [VDIWEFA] ",
        "pid, thread, level, tag, message",
        "^{pid:int} {thread:int} {level:word} {tag:word}( )?: {message:rest}",
        '"%m-%d %H:%M:%S.%f"',
    ),
)
_KLOG = r"^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+:\d+\]"


def loggers(_: Sequence[str]) -> Iterable[LineForm]:
    """Lines with a level, a logger and a message, with stack traces behind them."""
    yield from forms_of(_ROWS)
    kinds = tuple(
        LineKind(
            "logged",
            f'fixed("{level}"), thread, source, message',
            f"^{level}{{day:word}} {{clock:word}} {{thread:int}} {{source:word}}] {{message:rest}}",
            'day + clock "%m%d %H:%M:%S.%f"',
        )
        for level in "IWEF"
    )
    yield LineForm("log of Kubernetes (klog)", kinds, like=_KLOG)
