"""The search for reasons: instances of rules, from the head down."""
