"""Answers as N-Quads: the atoms that are triples, in a graph for each tick, whose time is told first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TextIO

from lars2asp.analysis.number_forms import DurationForm, NumberForm, TimeForm, number_text
from lars2asp.externals.terms.order import in_order, signature_key
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.terms.text import atom_text, text_of
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sinks.columns import answer_tables
from lars2asp.runtime.sources.text.text_files import not_written
from lars2asp.syntax.nodes import Function, ShowTerm, Signature
from lars2asp.syntax.rdf_terms import GENERATED_AT, XSD, Literal, is_iri, is_node, term_of
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

TRIPLE, QUAD = Signature("triple", 3), Signature("quad", 4)


@dataclass(frozen=True)
class QuadForm:
    """How answers are N-Quads.

    Attributes:
        properties: the predicates of the output that are triples: of `triple/3` and `quad/4` an empty text,
            of others, whose arguments are subject, object and maybe graph, the property.
        time: gives the time of a tick as text; None where it has none.
        changes: whether only what began to hold is written.
    """

    properties: Mapping[Signature, str]
    time: Callable[[int], str | None] | None
    changes: bool = False

    @classmethod
    def of(cls, plan: Plan, time: Callable[[int], str | None] | None, *, changes: bool) -> "QuadForm":
        """That of the output of a program. Raises InputError for predicates that are no triples."""
        declared = {
            Signature(one.predicate, len(one.columns)): one.rdf_property
            for one in plan.inputs
            if one.rdf_property and not one.is_numbered
        }
        properties = {TRIPLE: "", QUAD: "", **declared}
        others = [str(one) for one in answer_tables(plan) if one not in properties]
        if any(
            not isinstance(one.term, Function) or not one.term.name for one in plan.program.every(ShowTerm)
        ):
            others.append("terms that are no atoms")
        if others:
            raise InputError(
                f"N-Quads cannot contain {shown(', '.join(others))}, only triple/3, quad/4 and "
                "predicates that #input reads from a property: write for example "
                "triple(S,ex:alarm,V) :- alarm(S,V). and #show triple/3."
            )
        return cls(properties, time, changes)


class QuadLines:
    """Writes answers as N-Quads. The time of a tick stands before what holds at it, also where nothing does.

    Attributes:
        is_first: whether no answer was written yet.
    """

    def __init__(self, output: TextIO, form: QuadForm, *, is_first: bool = True) -> None:
        self._output = output
        self._form = form
        self.is_first = is_first
        self._terms: dict[tuple[Value, NumberForm], str] = {}

    def write(self, answer: Answer) -> None:
        """Writes the lines of an answer; see `Sink`."""
        self.write_all((answer,))

    def write_all(self, answers: Iterable[Answer]) -> None:
        """Writes the lines of several answers; see `Sink`."""
        try:
            for answer in answers:
                self._output.write(self._lines(answer))
                self.is_first = False
            self._output.flush()
        except OSError as error:
            raise not_written(self._output, error) from error

    def close(self) -> None:
        """Each line is whole: nothing is left to write."""

    def state(self) -> None:
        """There is nothing else to know."""

    def restore(self, state: None) -> None:
        """There is nothing else to know."""

    def _lines(self, answer: Answer) -> str:
        """The lines of an answer: for each graph its time, then its triples."""
        time = self._time(answer.tick)
        own = f"_:t{answer.tick}"
        graphs: dict[str, list[str]] = {own: []}
        decimals = answer.holds.decimals
        for signature, rows in self._rows(answer):
            forms = decimals.get(signature, (0,) * signature.arity)
            for row in in_order(rows):
                *triple, graph = self._quad(signature, row, forms)
                graphs.setdefault(graph or own, []).append(" ".join(triple))
        if len(graphs) > 1 and not graphs[own]:
            del graphs[own]
        lines: list[str] = []
        for graph, triples in graphs.items():
            lines.append(f"{graph} {GENERATED_AT} {time} .\n")
            lines += [f"{triple} {graph} .\n" for triple in triples]
        return "".join(lines)

    def _rows(self, answer: Answer) -> Sequence[tuple[Signature, list[Row]]]:
        if self._form.changes and not self.is_first:
            found = [(signature, [*changes.began]) for signature, changes in answer.row_changes]
        else:
            found = [(signature, [*rows]) for signature, rows in answer.holds.rows.items()]
        return sorted(found, key=lambda one: signature_key(one[0]))

    def _time(self, tick: int) -> str:
        text = None if self._form.time is None else self._form.time(tick)
        return str(Literal(str(tick), datatype=f"{XSD}integer") if text is None else _moment(text))

    def _quad(self, signature: Signature, row: Row, forms: Sequence[NumberForm]) -> tuple[str, str, str, str]:
        """Subject, property, object and graph. Raises InputError for an atom that has other terms there."""
        terms = [self._term(value, form) for value, form in zip(row, forms, strict=True)]
        relation = self._form.properties[signature]
        if relation:
            terms.insert(1, relation)
        subject, relation, other, graph = (*terms, "")[:4]
        if not (is_node(subject) and is_iri(relation) and (not graph or is_node(graph))):
            part = "subject" if not is_node(subject) else "graph"
            wrong = f"its {part} is no IRI and no blank node"
            if is_node(subject) and not is_iri(relation):
                wrong = "its property is no IRI"
            raise InputError(f"{shown(atom_text(signature, row))} is no triple: {wrong}")
        return subject, relation, other, graph

    def _term(self, value: Value, form: NumberForm) -> str:
        key = (value, form)
        found = self._terms.get(key)
        if found is None:
            if len(self._terms) >= _MOST_KNOWN:
                self._terms.clear()
            found = self._terms[key] = term_at(value, form)
        return found


_MOST_KNOWN = 10_000


def term_at(value: Value, form: NumberForm = 0) -> str:
    """The term of RDF that a value is, at a place with numbers of a form."""
    if type(value) is str:
        return term_of(value)
    if type(value) is not int:
        return str(Literal(text_of(value)))
    if isinstance(form, TimeForm):
        text = form.text(value)
        return str(Literal(str(value), datatype=f"{XSD}integer") if text is None else _moment(text))
    if isinstance(form, DurationForm):
        return str(Literal(_duration(value * form.tick_length), datatype=f"{XSD}dayTimeDuration"))
    kind = "decimal" if form else "integer"
    return str(Literal(number_text(value, form), datatype=f"{XSD}{kind}"))


def _moment(text: str) -> Literal:
    """A time of ISO 8601, which may lack seconds; where ticks are days it is a date."""
    if "T" not in text:
        return Literal(text, datatype=f"{XSD}date")
    return Literal(datetime.fromisoformat(text).isoformat(), datatype=f"{XSD}dateTime")


def _duration(microseconds: int) -> str:
    seconds, rest = divmod(abs(microseconds), 1_000_000)
    fraction = f".{rest:06}".rstrip("0") if rest else ""
    return f"{'-' if microseconds < 0 else ''}PT{seconds}{fraction}S"
