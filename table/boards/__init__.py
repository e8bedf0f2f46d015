"""Boards that are being made on the page: drafts in the data directory, and their edits."""
