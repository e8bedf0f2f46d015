"""A running game in the terminal: what is printed, from its set-up to its end."""
