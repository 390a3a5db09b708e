"""Kinds of files of many trades, after published formats, with what plain Python reads in them."""
