"""Sheets to print: markers, and circles that tell a lens."""
