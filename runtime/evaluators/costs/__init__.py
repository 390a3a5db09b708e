"""What evaluation costs, by component and by rule."""
