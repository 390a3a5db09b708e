"""How engines are measured: in turns, in a process each, after their answers were compared."""
