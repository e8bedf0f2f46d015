"""Lenses: what they bend, and how that is told from pictures."""

from .lens import Lens, lens_for, no_lens
from .lens_fit import LensFit, Sighting, fit_lens, search_lens

__all__ = [
    "Lens",
    "LensFit",
    "Sighting",
    "fit_lens",
    "lens_for",
    "no_lens",
    "search_lens",
]
