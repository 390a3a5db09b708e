"""The passes between parser and translation: each checks a program, or writes parts of it in other words."""
