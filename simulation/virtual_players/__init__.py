"""Virtual players: bots who play whole games by the rules, with every turn on record."""
