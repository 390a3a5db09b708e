"""What editors are told of programs while these are written, by the Language Server Protocol."""
