"""Every name that the compiler makes, in one place.

Generated names share a prefix that no name of the user's program begins with.
"""

import re
from collections.abc import Iterator
from hashlib import blake2s

from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature, Statement, Variable
from lars2asp.syntax.traversal import walk

_WORDS = str.maketrans({"(": "_", ",": "_", "/": "_", "-": "minus", "=": "_", ")": None, "'": "_"})

_OTHERS = re.compile(r"[^A-Za-z0-9_]")


class Names:
    """The generated names for one program."""

    def __init__(self, program: Program) -> None:
        self._prefix = "lars_"
        self.constants = frozenset(s.name for s in program.statements if isinstance(s, nodes.Constant))
        """The names of constants: as terms they are their values, even where an atom is meant."""
        if not program.sources or any(source.mentions(self._prefix) for source in program.sources):
            used = {name for statement in program.statements for name in _names_in(statement)}
            while any(name.startswith(self._prefix) for name in used):
                self._prefix = f"_{self._prefix}"
        self._taken: dict[str, object] = {}
        self.part = f"{self._prefix}tick"
        """The program part that is grounded for a tick."""
        self.now = f"{self._prefix}now"
        """The parameter of that part: the tick."""
        self.stamp = f"{self._prefix}stamp"
        """The parameter for the number of a tick among those that a Control has seen."""
        self.guard = f"{self._prefix}guard"
        """The predicate of the externals that the rules of a tick rest on."""
        self.shown_terms = f"{self._prefix}shown"
        """The predicate of the pairs of terms that are output and stamps."""

    def rule(self, number: int) -> str:
        """The predicate that stands for a choice or a constraint, where keys are searched for."""
        return f"{self._prefix}rule_{number}"

    @property
    def whole(self) -> str:
        """The predicate of the fact that holds at all ticks, of which windows show whether they are whole."""
        return f"{self._prefix}whole"

    def noted(self, text: str) -> str:
        """The predicate of events with what the clock shows when they come; the same in all programs."""
        return f"{self._prefix}noted_{blake2s(text.encode(), digest_size=8).hexdigest()}"

    def regular(self, length: int, remainder: int) -> str:
        """The predicate of the atom that holds at every n-th tick."""
        return f"{self._prefix}every_{length}_{remainder}"

    @property
    def failed(self) -> str:
        """The predicate of the shards that have no answer stream."""
        return f"{self._prefix}failed"

    @property
    def unanswered(self) -> str:
        """The predicate of the atom that holds at ticks without an answer stream."""
        return f"{self._prefix}unanswered"

    def answer(self, number: int) -> str:
        """The predicate, and the function, for the answers to a lookup."""
        return f"{self._prefix}asked_{number}"

    @property
    def instance(self) -> str:
        """The `@`-function that is called for each instance, where instances are counted."""
        return f"{self._prefix}instance"

    @property
    def left(self) -> str:
        """The predicate of what says that a number has left the range in which it is looked at."""
        return f"{self._prefix}left"

    @property
    def match(self) -> str:
        """The `@`-function that is called for each atom on the way to an instance, likewise."""
        return f"{self._prefix}match"

    def variable(self, number: int) -> str:
        """A variable that no rule of the program has."""
        return f"{self._prefix.upper()}{number}"

    def function(self, kind: str) -> str:
        """The `@`-function that answers a kind of lookup."""
        return f"{self._prefix}{kind}"

    def derived(self, signature: Signature) -> str:
        """The predicate of derived atoms, where they are distinguished from other atoms."""
        return self._unique(f"{self._prefix}derived_{_word(signature)}", ("derived", signature))

    def gate(self, number: int) -> str:
        """The predicate of what is true before the numbers of an interval are enumerated."""
        return f"{self._prefix}gate_{number}"

    def either(self, number: int) -> str:
        """The predicate of the atoms of several predicates that are alternatives of a pool."""
        return f"{self._prefix}either_{number}"

    def external(self, signature: Signature) -> str:
        """The predicate of the externals of a predicate that are true."""
        return self._unique(f"{self._prefix}external_{_word(signature)}", ("external", signature))

    def placed(self, signature: Signature) -> str:
        """The predicate of the atoms that hold at a tick by a head `a at T`, the tick as last argument."""
        return self._unique(f"{self._prefix}placed_{_word(signature)}", ("placed", signature))

    def derived_at(self, signature: Signature) -> str:
        """The predicate of the atoms that heads `a at T` derive, where they are distinguished from others."""
        return self._unique(f"{self._prefix}derived_at_{_word(signature)}", ("derived at", signature))

    def of_head(self, kind: str, signature: Signature) -> str:
        """A predicate that stands for heads of a predicate in batches of ticks; see `heads_in_flow`."""
        return self._unique(f"{self._prefix}head_{kind}_{_word(signature)}", (kind, signature, "head"))

    def stamped(self, signature: Signature) -> str:
        """The predicate of the pairs of a predicate's atoms and stamps."""
        name = f"{self._prefix}stamped_{_word(signature)}_{signature.arity}"
        return self._unique(name, ("stamped", signature))

    def windowed(self, kind: str, window: str, signature: Signature) -> str:
        """The predicate that stands for the streaming atoms of a kind, window and predicate.

        Also that of the atoms that hold now, while the current tick is in the window (`now`), and of those
        that held in the window before it (`before`).
        """
        words = _OTHERS.sub("_", window.translate(_WORDS))
        return self._unique(f"{self._prefix}{kind}_{words}_{_word(signature)}", (kind, window, signature))

    def _unique(self, base: str, meaning: object) -> str:
        """The name for a meaning: the base, with a number if that already has another meaning."""
        name, count = base, 1
        while self._taken.setdefault(name, meaning) != meaning:
            count += 1
            name = f"{base}_{count}"
        return name


def _word(signature: Signature) -> str:
    return signature.name if signature.is_positive else f"not_{signature.name}"


def _names_in(statement: Statement) -> Iterator[str]:
    if isinstance(statement, nodes.Constant):
        yield statement.name
    elif isinstance(statement, nodes.Show | nodes.Defined | nodes.ProjectSignature) and statement.signature:
        yield statement.signature.name
    yield from (part.name for part in walk(statement) if isinstance(part, nodes.Function | nodes.Atom))
    yield from (part.name.lower() for part in walk(statement) if isinstance(part, Variable))
