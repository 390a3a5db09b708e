"""Passes that write what the user wrote in other ways."""
