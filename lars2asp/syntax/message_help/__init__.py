"""What `lars2asp help CODE` and docs/reference/messages.md say of each code. Imported when somebody asks."""
