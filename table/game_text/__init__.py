"""A game in words: what happens in it, how it stands, games that are listed."""
