"""Charts of runs: when each atom of the output held, as a page, an SVG or a PNG."""
