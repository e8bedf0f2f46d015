"""Train cards and tickets while a game is played: who holds what, and which move is right.

For bots and for people whose cards are on their phones. The Card Game is scored in
`scoring/card_game/rules.py`.
"""
