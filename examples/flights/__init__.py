"""Situations at New York's airports in 2013, from departures and weather: what `make demo` runs."""
