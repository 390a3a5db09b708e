"""The forms of logs that are known: for each the declarations that read its lines, a module for each kind."""
