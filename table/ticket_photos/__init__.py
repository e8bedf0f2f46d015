"""Tickets that lie in a photo, by the words on them: see `reading.read_tickets`."""
