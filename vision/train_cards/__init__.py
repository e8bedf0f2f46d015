"""Counting train cards in a photo: where each lies, which colour it has, and what is in doubt."""

from .reader import CardReading, SeenCard, read_cards

__all__ = ["CardReading", "SeenCard", "read_cards"]
