"""The Card Game, which has no board: its text, its turns, its tickets and its score."""
