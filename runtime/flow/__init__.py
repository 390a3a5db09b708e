"""The engine `flow`: a graph of operators over changes."""
