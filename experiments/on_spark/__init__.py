"""What the product costs on Spark, beside one reasoner in process."""
