"""Sheets to print: corner markers, and a chequered sheet for measuring a lens."""
