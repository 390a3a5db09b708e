"""Measurements that are no benchmark: delays, rates on Spark, forms of an interval stream."""
