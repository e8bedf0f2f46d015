"""Train cards and tickets while a board game is played: who holds what, and which move is right.

For bots and for people whose cards are on their phones. The cards of The Card Game are counted in
`scoring/card_game/rules.py`.
"""
