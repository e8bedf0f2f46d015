"""Bots who play The Card Game by the rules, with every turn on record; only tests play it."""
