"""Results as files, tables and figures."""
