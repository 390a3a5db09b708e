"""Programs run within Apache Spark."""
