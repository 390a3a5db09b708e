"""When tick 0 begins where ticks are shorter than a second and no program says it; see `LateMoments`."""

from dataclasses import replace

from lars2asp.analysis.late_moments import LateMoments
from lars2asp.analysis.number_forms import TimeForm
from lars2asp.planning.plan import Plan


def with_own_moments(plan: Plan, moments: LateMoments | None = None) -> Plan:
    """The plan for one stream, which may decide when tick 0 begins; given moments are those of the stream."""
    if plan.at_origin is None or plan.moments is not None or plan.tick_length is None:
        return plan
    moments = moments or LateMoments(plan.tick_length, zone=plan.zone)
    decimals = {
        one: tuple(TimeForm(moments) if isinstance(form, TimeForm) else form for form in forms)
        for one, forms in plan.decimals.items()
    }
    return replace(plan, moments=moments, decimals=decimals)
