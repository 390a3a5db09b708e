"""The settings of the product: each one has one name, in every place where you can give it."""
