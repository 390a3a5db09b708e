"""A plan as a picture: predicates and their rules, arrows with windows, components with their costs."""
