"""Typed columns: Parquet, Feather and data frames."""
