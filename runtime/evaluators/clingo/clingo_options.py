"""clingo's own options, which every Control is made with."""

from typing import NamedTuple

from lars2asp.planning.asp.asp_program import AspProgram

_NO_PROJECTION, ON_SHOWN = "no", "show"


class ClingoOptions(NamedTuple):
    """Options of clingo that were checked.

    Attributes:
        arguments: the options, as clingo takes them.
        opt_mode: what is said of optimisation; empty where nothing is.
        bounds: the bounds of costs that go with it.
        enum_mode: how answer streams are enumerated.
        project: on which atoms they are projected, as clingo has it.
        has_heuristic: whether they say which heuristic the solver has.
    """

    arguments: tuple[str, ...] = ()
    opt_mode: str = ""
    bounds: tuple[str, ...] = ()
    enum_mode: str = "auto"
    project: str = _NO_PROJECTION
    has_heuristic: bool = False

    @property
    def optimizes(self) -> bool:
        """Whether answer streams are compared by weak constraints."""
        return self.opt_mode != "ignore"

    def projection(self, program: AspProgram) -> str:
        """On which atoms the answer streams of a program are projected, as clingo takes it.

        What clingo chooses by itself depends on what was ground; here the program says it.
        """
        kind, *more = self.project.split(",")
        if kind == "auto":
            kind = "project" if program.projects else ON_SHOWN
        return ",".join((kind, *more))

    def is_on_shown(self, program: AspProgram) -> bool:
        """Whether these are the atoms that are shown."""
        return self.projection(program).startswith(ON_SHOWN)

    def with_bounds(self, opt_mode: str) -> str:
        """A mode of optimisation, as clingo takes it, with the bounds of costs."""
        return ",".join((opt_mode, *self.bounds))


NO_OPTIONS = ClingoOptions()
