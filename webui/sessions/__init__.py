"""What the calls of a page work on: a running game, a set-up, photos, card games."""
