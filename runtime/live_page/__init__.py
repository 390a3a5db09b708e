"""The live page of a run: what holds, since when and why, served to browsers by a process of its own."""
