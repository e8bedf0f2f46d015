"""Phones in a real browser at the real program: what they film, what is tapped, what they show."""
