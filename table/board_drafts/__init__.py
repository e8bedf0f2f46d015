"""Boards that are being made on the page: drafts in the data directory, and their edits."""

from .board_desk import BoardDesk, Work
from .draft import BoardDraft, Traits, board_of, draft_of, grow_notes, new_draft
from .draft_store import DraftStore, KeptDraft
from .edits import DraftChange, edited
from .picture import BoardPhoto, board_photo, seen_from_above, whole_picture
from .sites_table import parse_sites, sites_text
from .tickets_table import parse_tickets, tickets_text

__all__ = [
    "BoardDesk",
    "BoardDraft",
    "BoardPhoto",
    "DraftChange",
    "DraftStore",
    "KeptDraft",
    "Traits",
    "Work",
    "board_of",
    "board_photo",
    "draft_of",
    "edited",
    "grow_notes",
    "new_draft",
    "parse_sites",
    "parse_tickets",
    "seen_from_above",
    "sites_text",
    "tickets_text",
    "whole_picture",
]
