"""Boards whose place is exactly known, to be found: warped photos."""
