"""What is compared: engines that evaluate the same program on the same stream, each in its own way."""
