"""A Spark session on this machine: the Java that it starts with, its settings, and what Java writes."""
