"""Enactments: a played game as people's hands do it on a real table, as a function of time."""
