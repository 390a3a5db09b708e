"""The command `lars2asp`."""
