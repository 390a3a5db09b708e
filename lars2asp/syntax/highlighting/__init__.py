"""What programs look like in colours: one table of kinds of tokens, for Pygments and for editors."""
