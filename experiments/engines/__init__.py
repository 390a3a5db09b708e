"""The engines that are compared: each evaluates the same program on the same stream."""
