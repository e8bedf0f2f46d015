"""Counting train cards in a photo: where each lies, which colour it has, and what is in doubt."""

from .reader import read_cards
from .reading import CardReading, SeenCard

__all__ = ["CardReading", "SeenCard", "read_cards"]
