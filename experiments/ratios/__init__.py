"""`auto` beside `oneshot` on random programs: never more than twice the time or the memory."""
