"""Enactments: animates a played game with hands on a table, as a function of time."""
