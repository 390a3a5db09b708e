"""The forms in which a plan is drawn."""

from enum import StrEnum


class DrawingFormat(StrEnum):
    """How a drawing is written, and how names of files end that have it so."""

    HTML = "html"
    DOT = "dot"
    SVG = "svg"
