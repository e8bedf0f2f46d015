"""Boards that are being made on the page: drafts in the data directory, and their edits."""

from .board_choice import board_shown, edition_on, profile_for, recognised_board, stand_in_for
from .board_desk import BoardDesk, Work
from .draft import BoardDraft, Traits, board_of, draft_of, grow_notes, new_draft
from .draft_store import DraftStore, KeptDraft
from .edits import DraftChange, edited
from .own_boards import OwnBoards, board_called, file_of
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
    "OwnBoards",
    "Traits",
    "Work",
    "board_called",
    "board_of",
    "board_photo",
    "board_shown",
    "draft_of",
    "edited",
    "edition_on",
    "file_of",
    "grow_notes",
    "new_draft",
    "parse_sites",
    "parse_tickets",
    "profile_for",
    "recognised_board",
    "seen_from_above",
    "sites_text",
    "stand_in_for",
    "tickets_text",
    "whole_picture",
]
