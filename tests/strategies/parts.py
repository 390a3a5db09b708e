"""Windows, streaming atoms, bodies and heads out of which random programs are made."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies.streams import DERIVED, INPUTS
from tests.strategies.windows import GROUPED, OWN

VARIABLES = ["X", "Y", "Z"]
TERMS = ["0", "1", "x"]
LEVELS = ["a", "b", "c", "d"]
"""Derived predicates, lowest first: a stratified program looks at lower ones only."""
LIMITS = {"k": 1}
"""A predicate that only facts of the program define, of numbers to compare counts with."""
LIMIT_FACTS = "k(-1). k(0). k(1). k(2). k(3)."

Predicates = dict[str, int]
EVERYTHING: Predicates = INPUTS | DERIVED


def below(head: str) -> Predicates:
    """The predicates that a rule for a derived one may look at in a stratified program."""
    return INPUTS | {name: DERIVED[name] for name in LEVELS[: LEVELS.index(head)]}


@dataclass(frozen=True)
class AtomText:
    """An atom as written, with its arguments."""

    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.arguments)})" if self.arguments else self.name

    @property
    def variables(self) -> set[str]:
        """The names of its variables."""
        return {argument for argument in self.arguments if argument[0].isupper()}


@st.composite
def atoms(draw: DrawFn, predicates: Predicates, terms: Sequence[str]) -> AtomText:
    """An atom of one of the predicates."""
    name = draw(st.sampled_from(sorted(predicates)))
    return AtomText(name, tuple(draw(st.sampled_from(terms)) for _ in range(predicates[name])))


@st.composite
def windows_for(draw: DrawFn, atom: AtomText, windows: SearchStrategy[str]) -> str:
    """A window for an atom, grouped by some of its variables if it is to be grouped."""
    window = draw(windows)
    groups = sorted(atom.variables)
    if window == GROUPED and not groups:
        window = OWN
    group = ",".join(draw(st.lists(st.sampled_from(groups), min_size=1, unique=True))) if groups else ""
    if "{begun}" in window:
        predicates = draw(st.sampled_from([INPUTS, INPUTS, {"a": 1}, DERIVED]))
        return window.format(begun=draw(atoms(predicates, [*groups, *groups, *groups, "_", *TERMS])))
    if window not in (GROUPED, OWN):
        return window
    return window.format(size=draw(st.integers(1, 3)), name=atom.name, arity=len(atom.arguments), group=group)


# --- bodies ---------------------------------------------------------------------------------------

CONSTANT_LITERALS = st.sampled_from(["not #false", "not #false", "#true", "not not #true", "not #true"])
"""Literals that say nothing, and one that is never true."""

POSITIVE_KINDS = ["now", "in", "in", "always", "at in", "at", "at least", "at most", "count"]


@dataclass(frozen=True)
class Style:
    """What bodies are made of: kinds of streaming atoms (as in POSITIVE_KINDS) and windows."""

    kinds: tuple[str, ...]
    windows: SearchStrategy[str]
    negated_kinds: tuple[str, ...] = ("now", "in", "always", "at in", "at least", "at most")
    sizes: tuple[int, ...] = (1, 1, 1, 2, 2, 3)
    most_negated: int = 2


@dataclass
class Body:
    """A body in the making.

    `bound` are the variables with a value; `told` those whose values come from the input alone, so that
    arithmetic on them cannot feed itself without end; `ticks` those that have ticks.
    """

    literals: list[str] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    ticks: set[str] = field(default_factory=set)

    def needs_limit(self, name: str) -> str:
        """A variable for a number, bound by a literal of its own."""
        if name not in self.bound:
            self.literals.append(f"k({name})")
            self.bound.add(name)
            self.told.add(name)
        return name

    def bind(self, atom: AtomText, kind: str, literal: str) -> None:
        """Notes what a positive streaming atom binds."""
        names = atom.variables
        if (
            kind in ("at", "at in")
            and " at T" in literal
            and " at T+" not in literal
            and " at T-" not in literal
        ):
            names |= {"T"}
            self.ticks.add("T")
        if " count N" in literal:
            names |= {"N"}
        self.bound |= names
        if atom.name in INPUTS:
            self.told |= names

    def terms(self) -> list[str]:
        """Terms for atoms that bind nothing."""
        known = sorted(self.bound)
        return [*known, *known, *known, *TERMS] if known else TERMS

    def text(self) -> str:
        """The literals, with the separator that conditional literals need."""
        return "; ".join(self.literals)


@st.composite
def streaming(
    draw: DrawFn, atom: AtomText, kind: str, windows: SearchStrategy[str], body: Body, *, binds: bool
) -> str:
    """A streaming atom of a kind; it may bind a tick or a count if it is positive."""
    word = draw(st.sampled_from([" in", " in", ""]))
    over = f"{word} {draw(windows_for(atom, windows))}"
    ticks = ["@now", "@now-1", "1", "3"]
    if "T" in body.bound:
        ticks += ["T", "T", "T+1", "T-1"]
    if binds:
        ticks += ["T", "T", "T", "T", "_"]
    match kind:
        case "now":
            return str(atom)
        case "in":
            return f"{atom}{over}"
        case "always":
            return f"{atom} always{over}"
        case "at in":
            return f"{atom} at {draw(st.sampled_from(ticks))}{over}"
        case "at":
            return f"{atom} at {draw(st.sampled_from(ticks))}"
        case "at least" | "at most":
            least = 1 if kind == "at least" else 0
            number = draw(st.sampled_from([str(least), str(least + 1), "2", "K", "K+1", "N"]))
            if number == "N" and "N" not in body.bound:
                number = "1"
            if "K" in number:
                body.needs_limit("K")
            return f"{atom} {kind} {number}{over}"
        case _:
            number = draw(
                st.sampled_from(["1", "2", *(["N", "N", "N"] if binds or "N" in body.bound else [])])
            )
            return f"{atom} count {number}{over}"


@st.composite
def bodies(
    draw: DrawFn,
    style: Style,
    predicates: Predicates,
    *,
    negated: Predicates | None = None,
    counted: Predicates | None = None,
) -> Body:
    """A safe body.

    `negated` are the predicates under `not` and `at most` (the same by default), `counted` those under
    `count`.
    """
    body = Body()
    negatable = predicates if negated is None else negated
    countable = negatable if counted is None else counted
    for _ in range(draw(st.sampled_from(style.sizes))):
        kind = draw(st.sampled_from(style.kinds))
        allowed = {"count": countable, "at most": negatable}.get(kind, predicates)
        inputs = {name: arity for name, arity in allowed.items() if name in INPUTS}
        chosen = draw(st.sampled_from([allowed, allowed, inputs or allowed]))
        terms = [*VARIABLES, *VARIABLES, "_", *TERMS]
        if kind == "at most":
            terms = body.terms()
        atom = draw(atoms(chosen, terms))
        literal = draw(streaming(atom, kind, style.windows, body, binds=True))
        body.literals.append(literal)
        if kind != "at most":
            body.bind(atom, kind, literal)
    for _ in range(draw(st.integers(0, style.most_negated))):
        kind = draw(st.sampled_from(style.negated_kinds))
        atom = draw(atoms(countable if kind == "count" else negatable, [*body.terms(), "_"]))
        sign = draw(st.sampled_from(["not ", "not ", "not ", "not not "]))
        literal = draw(streaming(atom, kind, style.windows, body, binds=False))
        body.literals.append(sign + literal)
    if body.bound and draw(st.integers(0, 4)) == 0:
        left = draw(st.sampled_from(sorted(body.bound)))
        sign = draw(st.sampled_from(["!=", "<", "<=", ">", ">="]))
        body.literals.append(f"{left} {sign} {draw(st.sampled_from([*sorted(body.bound), '1', 'x']))}")
    if draw(st.integers(0, 5)) == 0:
        body.literals.append(draw(CONSTANT_LITERALS))
    body.literals = list(draw(st.permutations(body.literals)))
    return body


# --- heads and programs ---------------------------------------------------------------------------


@st.composite
def plain_heads(draw: DrawFn, name: str, body: Body) -> str:
    """An atom of a derived predicate."""
    return str(draw(atoms({name: DERIVED[name]}, body.terms())))


@st.composite
def rules(
    draw: DrawFn, style: Style, name: str, predicates: Predicates, negated: Predicates | None = None
) -> str:
    """A rule for a derived predicate."""
    counted = {key: arity for key, arity in predicates.items() if key in below(name)}
    body = draw(bodies(style, predicates, negated=negated, counted=counted))
    return f"{draw(plain_heads(name, body))} :- {body.text()}."


@st.composite
def observers(draw: DrawFn, style: Style, name: str, predicates: Predicates) -> str:
    """A rule with one streaming atom and a head that shows what its variables are: little stays hidden."""
    body = Body()
    seen = draw(st.sampled_from(sorted(predicates)))
    is_constant = draw(st.integers(0, 5)) == 0
    arguments = [draw(st.sampled_from(TERMS)) if is_constant else term for term in VARIABLES]
    atom = AtomText(seen, tuple(arguments[: predicates[seen]]))
    is_negated = style.most_negated > 0 and draw(st.integers(0, 3)) == 0
    kind = draw(st.sampled_from(style.negated_kinds if is_negated else style.kinds))
    if is_negated or kind == "at most":
        body.literals.append(f"{atom} at _")
        body.bound |= atom.variables
    literal = draw(streaming(atom, kind, style.windows, body, binds=not is_negated))
    body.bind(atom, kind, literal)
    body.literals.append(f"not {literal}" if is_negated else literal)
    known = draw(st.permutations(sorted(body.bound)))
    shown = [*known, *TERMS][: DERIVED[name]]
    return f"{AtomText(name, tuple(shown))} :- {body.text()}."


@st.composite
def facts(draw: DrawFn) -> list[str]:
    """A few facts, with those that limits come from."""
    few = draw(st.lists(atoms(EVERYTHING, TERMS).map(lambda atom: f"{atom}."), max_size=2))
    return [*few, LIMIT_FACTS]


@st.composite
def layered(draw: DrawFn, style: Style, *, cyclic: int = 4) -> str:
    """A program that is stratified but for one in so many."""
    is_cyclic = draw(st.integers(1, cyclic)) == 1
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(LEVELS))
        kind = draw(st.sampled_from([rules, observers]))
        lines.append(draw(kind(style, name, EVERYTHING if is_cyclic else below(name))))
    return "\n".join([*lines, *draw(facts())])
