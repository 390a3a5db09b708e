"""The figures of the five papers behind this project, and whether what they show is seen here."""
