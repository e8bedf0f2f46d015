"""Lenses: what they bend, and how that is told from pictures."""
