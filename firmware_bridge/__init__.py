"""Displays beside the board: what they show, how they are spoken to, and their firmware."""
