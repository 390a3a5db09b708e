"""What `lars2asp help CODE` and docs/diagnostics.md say of each code. Imported when somebody asks."""
