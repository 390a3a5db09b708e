"""Rules over rows as code is made of them."""
