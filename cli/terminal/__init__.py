"""The terminal's output of a running game, from its set-up to its end."""
