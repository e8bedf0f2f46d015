"""A game's frames on the disk."""
