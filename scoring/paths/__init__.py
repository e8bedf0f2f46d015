"""The longest path of a player: exact, by so many steps and no more."""
