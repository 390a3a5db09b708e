"""Claims, and how they are shown: as text, as HTML and as JSON; and the questions that they answer."""
