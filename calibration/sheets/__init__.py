"""Sheets to print: markers, and circles that tell a lens."""

from .lens_sheet import lens_from_sheets, lens_sheet
from .marker_sheet import marker_sheet
from .sheet import PAPERS, Sheet, SheetLine, Words, to_pdf, to_svg

__all__ = [
    "PAPERS",
    "Sheet",
    "SheetLine",
    "Words",
    "lens_from_sheets",
    "lens_sheet",
    "marker_sheet",
    "to_pdf",
    "to_svg",
]
