"""A program in shards: reasoners for its parts and for buckets of keys, wherever they run.

Nothing here knows Spark. A carrier hands packets from shard to shard and keeps their states.
"""
