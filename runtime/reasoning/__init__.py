"""What a reasoner does behind its face: a session takes records and evaluates ticks."""
