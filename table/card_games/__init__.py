"""The Card Game at home: the user's deck, and games that are counted at its end."""
