"""Displays beside the board: what they show, their protocols, and their firmware."""
