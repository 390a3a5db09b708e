"""Programs of other systems as they are: each dialect has a grammar of its own, and makes our syntax."""
