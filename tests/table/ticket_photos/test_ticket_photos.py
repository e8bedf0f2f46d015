"""Tickets are told from what else prints the names of places, whichever way they lie."""

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from oracle_tables import RULEBOOKS
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo, parse_photo
from railspotter.table.ticket_photos.deck import TicketDeck, ticket_deck_of
from railspotter.table.ticket_photos.reading import (
    SeenTicket,
    SeenTickets,
    read_tickets,
    tickets_among,
)
from railspotter.vision.words import nets
from railspotter.vision.words.word_reader import Word

PHOTOS = RULEBOOKS.parent / "photos"
CARDS = PHOTOS / "tickets"

needs_nets = pytest.mark.skipif(
    not (nets.FOLDER / "nets.json").exists(), reason="this build could not fetch the nets of words"
)
needs_photos = pytest.mark.skipif(not CARDS.is_dir(), reason="the real photos are not here")

Put = tuple[str, float, float]  # a text, and where its middle is, in heights of letters


def deck(edition: str) -> TicketDeck:
    rules = load_edition(edition)
    return ticket_deck_of(rules, load_board(rules.board))


def printed(*texts: Put, turned_deg: float = 0, height: float = 20, size: float = 1) -> list[Word]:
    """Return words as they are read where texts are printed, turned and seen from nearby or far."""
    turn = np.radians(turned_deg)
    axes = height * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    words = []
    for text, x, y in texts:
        tall = 2.2 if text.isdigit() else size
        half = np.array([0.3 * len(text), 0.5]) * tall
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + (x, y)
        words.append(Word(text, corners @ axes + 1000, 6.0))
    return words


def sorted_ends(ticket: SeenTicket) -> tuple[str, str]:
    return min(ticket.ends), max(ticket.ends)


def found(seen: SeenTickets) -> list[tuple[str, str, int]]:
    return sorted((*sorted_ends(ticket), ticket.points) for ticket in seen.tickets)


@pytest.mark.parametrize("turned_deg", [0, 45, 180, 260])
def test_a_name_is_read_without_accents_a_letter_wrong_in_one_line_or_two(
    turned_deg: float,
) -> None:
    words = printed(
        *[("ATHINA-ANCORA", 0, 0), ("5", 8.8, 0), ("BVCURESTI", 0, 9), ("RICA", 5.4, 9)],
        *[("KØBENHAVN", 0, 18), ("FRANKFURT", 7, 18)],
        turned_deg=turned_deg,
    )
    seen = tickets_among(words, deck("europe"))
    assert found(seen) == [
        ("angora", "athina", 5),
        ("bucuresti", "riga", 10),
        ("frankfurt", "kobenhavn", 5),
    ]
    assert not seen.doubts


def listed(pitch: float) -> list[Put]:
    """Return a list of tickets, as a rulebook may have one, left-aligned."""
    known = deck("usa")
    lines = [f"{known.name(t.a)} - {known.name(t.b)}" for t in known.tickets.values()]
    return [(line, 0.3 * len(line), pitch * n) for n, line in enumerate(lines)]


@pytest.mark.parametrize(
    "texts",
    [
        listed(1.3),
        listed(2.6),
        [("Denver", 0, 0), ("Duluth", 0, 1.4), ("El Paso", 0, 2.8), ("Helena", 0, 4.2)],
        [("Chicago", 0, 0), ("New Orleans", 9, 0), ("07:30", 18, 0), ("Dallas", 0, 8)],
        [("Chicago", 0, 0), ("and New Orleans have", 8.5, 0), ("Miami", 0, 1.4)],
        [(place.name, *(0.12 * n for n in place.xy_mm)) for place in load_board("usa").places],
    ],
    ids=["a deck's list", "a wide list", "a list", "a timetable", "a newspaper", "a board"],
)
def test_names_that_stand_as_no_ticket_has_them_give_nothing(texts: Sequence[Put]) -> None:
    seen = tickets_among(printed(*texts), deck("usa"))
    assert seen == SeenTickets((), ())


def test_half_a_ticket_is_a_doubt_with_the_likeliest_ones() -> None:
    words = printed(
        *[("SEATTLE", 0, 0), ("NEW YORK", 6, 0), ("22", 9.1, 6.8)],
        *[("WINNIPEG", 0, 14), ("LITTL", 5, 14), ("BOSTON", 40, 0)],
        *[("DENVER", 40, 14), ("MIAMI", 44.5, 14)],
    )
    seen = tickets_among(words, deck("usa"))
    assert found(seen) == [("new-york", "seattle", 22)]
    likeliest = {
        doubt.read: [(ticket.a, ticket.b) for ticket in doubt.likeliest] for doubt in seen.doubts
    }
    assert likeliest["WINNIPEG LITTL"] == [("little-rock", "winnipeg")]
    assert likeliest["BOSTON"] == [("boston", "miami")]
    assert ("boston", "miami") in likeliest["DENVER MIAMI"]
    assert "USA (2004) has no ticket Denver - Miami" in [doubt.why for doubt in seen.doubts]


def test_points_tell_a_printing_of_other_points() -> None:
    old = printed(("SEATTLE", 0, 0), ("NEW YORK", 6, 0), ("22", 9.1, 6.8))
    assert found(tickets_among(old, deck("usa"))) == [("new-york", "seattle", 22)]
    seen = tickets_among(old, deck("usa-mega"))
    assert not seen.tickets
    assert [ticket.points for doubt in seen.doubts for ticket in doubt.likeliest] == [20]


def lay(cards: Sequence[Path], columns: int, seed: int) -> Picture:
    """Lay cards on a table, each a little turned and one upside down."""
    random = np.random.default_rng(seed)
    cell = 620
    rows = -(-len(cards) // columns)
    table = np.full((rows * cell, columns * cell, 3), (40, 55, 70), np.uint8)
    for n, card in enumerate(cards):
        picture = load_photo(card)
        high, wide = picture.shape[:2]
        turn = cv2.getRotationMatrix2D(
            (wide / 2, high / 2), random.uniform(-12, 12) + 180 * (n == 1), 520 / max(high, wide)
        )
        middle = ((n % columns + 0.5) * cell, (n // columns + 0.5) * cell)
        turn[:, 2] += np.array(middle) - (wide / 2, high / 2)
        cv2.warpAffine(picture, turn, table.shape[1::-1], table, borderMode=cv2.BORDER_TRANSPARENT)
    return table


# Which real photos and cards show the tickets of which edition.
REAL = [
    ("europe", ["europe_5.jpg"]),
    ("europe", ["europe_10.jpg"]),
    ("usa", ["usa_*.jpg", "no_ticket_*.jpg"]),
    ("europe", ["europe1912_*.jpg"]),
    ("newyork", ["../newyork/ticket_*.jpg"]),
    ("usa", ["../cards/usa_cards_and_ticket_540.jpg"]),
]


@needs_nets
@needs_photos
@pytest.mark.parametrize(("edition", "names"), REAL, ids=[names[0] for _, names in REAL])
def test_real_tickets_are_read_and_none_is_invented(edition: str, names: list[str]) -> None:
    truth = json.loads((CARDS / "truth.json").read_bytes())
    cards = [card for name in names for card in sorted(CARDS.glob(name))]
    known = {(CARDS / name).resolve(): one["tickets"] for name, one in truth.items()}
    wanted = sorted(
        (*sorted((a, b)), points)
        for card in cards
        for a, b, points in known.get(card.resolve(), ())
    )
    pictures = (
        [parse_photo(cards[0].read_bytes(), 2400)] if len(cards) == 1 else [lay(cards, 4, seed=1)]
    )
    seen = read_tickets(pictures, deck(edition))
    assert {*found(seen)} <= {*wanted}, "none is invented"
    assert all(ticket.crop for ticket in seen.tickets)
    # Of cards that lie turned in a picture of eight one may be missed, or be in doubt.
    assert len(wanted) - len(found(seen)) <= (len(cards) > 1)
    assert len(seen.doubts) <= len(wanted) - len(found(seen))


@needs_nets
@needs_photos
def test_the_same_ticket_in_two_photos_counts_once_and_mends_what_the_first_hid() -> None:
    whole = load_photo(CARDS / "usa_dallas_new_york.jpg")
    half = whole.copy()
    half[:140, 480:] = 90
    alone = read_tickets([half], deck("usa"))
    assert not alone.tickets
    assert [ticket.a for ticket in alone.doubts[0].likeliest] == ["dallas"]
    seen = read_tickets([half, whole, whole], deck("usa"))
    assert found(seen) == [("dallas", "new-york", 11)]
    assert not seen.doubts
