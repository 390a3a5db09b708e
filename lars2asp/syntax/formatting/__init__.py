"""Program text in one style: the same tokens and comments, other blanks and line ends."""
