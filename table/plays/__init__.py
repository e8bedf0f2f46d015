"""A game as it leaves the house: for BG Stats and for BoardGameGeek."""
