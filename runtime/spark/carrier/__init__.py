"""A program in shards, carried by Spark: rows become packets, and shards are stateful operators."""
