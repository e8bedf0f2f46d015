"""Calibrating while somebody looks on: where the board is, what is wrong, what a person moves."""
