"""Read drawn tickets, and pictures without any: found, wrong without a doubt, made up.

    python benchmarks/read_tickets.py [--photos 200] [--others 100] [--seed 1]

Cards of USA, Europe and New York are drawn from the editions' tables, 3 to 30 to a photo: side by
side, one over the other so that names show, or in a fan; any way up, in daylight and lamp light.
Pictures without tickets are boards, timetables of a board's places, pages of text, menus and cards
of other games, each read with a deck whose names may stand there.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import Ticket, load_edition
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.ticket_photos.deck import TicketDeck, ticket_deck_of
from railspotter.table.ticket_photos.reading import read_tickets

FONTS = tuple(Path("/usr/share/fonts/truetype/dejavu").glob("DejaVu*Condensed*.ttf"))
SIZE_WH = (2400, 1800)
LETTERS = 26  # the height of a card's letters, which all its lengths are given in, in pixels
CARD_WH = {"usa": (22, 14), "europe": (22, 14), "newyork": (15, 24)}
PAPER, INK = (235, 225, 200), (40, 30, 30)
FILLER = ("the", "train", "leaves", "noon", "from", "table", "with", "soup", "bread", "letter")


def font(rng: np.random.Generator, size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return a font, by chance."""
    if not FONTS:
        return ImageFont.load_default(size)
    return ImageFont.truetype(str(rng.choice(sorted(map(str, FONTS)))), round(size))


def draw_card(ticket: Ticket, deck: TicketDeck, rng: np.random.Generator) -> Image.Image:
    """Return a card as its deck prints it."""
    wide, high = (side * LETTERS for side in CARD_WH[deck.board.id])
    card = Image.new("RGB", (wide, high), tuple(int(c) for c in rng.normal(PAPER, 8).clip(0, 255)))
    pen = ImageDraw.Draw(card)
    pen.rectangle((2, 2, wide - 3, high - 3), outline=(120, 90, 60), width=3)
    small, large = font(rng, LETTERS), font(rng, 2.2 * LETTERS)
    names = [deck.name(end) for end in (ticket.a, ticket.b)]
    at = deck.how.points_at or (0.0, 8.0)
    if "map" in deck.how.kinds:
        scale = LETTERS * deck.how.map_scale
        ends = [scale * np.array(deck.board.place_by_id[end].xy_mm) for end in (ticket.a, ticket.b)]
        for end, name in zip(ends, names, strict=True):
            pen.text(tuple(end + LETTERS * 2.5), name, INK, small, anchor="mm")
        points = LETTERS * (2.5 + np.array(at))
    else:
        middle = np.array([wide / 2, 2 * LETTERS])
        pen.text(tuple(middle), " - ".join(names).upper(), INK, small, anchor="mm")
        pen.line(
            [tuple(spot) for spot in rng.uniform((90, 120), (450, 330), (4, 2))], (90, 90, 160), 4
        )
        points = middle + LETTERS * np.array(at)
    pen.text(tuple(points), str(ticket.points), INK, large, anchor="mm")
    return card


def in_light(picture: Picture, rng: np.random.Generator) -> Picture:
    """Return a picture as a phone takes it: lit from a side, warm or not, blurred, with noise."""
    across, down = np.meshgrid(*(np.linspace(-1, 1, side) for side in picture.shape[1::-1]))
    slope = rng.uniform(-0.2, 0.2, 2)
    light = (0.85 + slope[0] * across + slope[1] * down)[..., None]
    warm = rng.uniform((0.5, 0.8, 1.0), (1.0, 1.0, 1.0))
    lit = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 1.3)) * light * warm
    noisy = lit + rng.normal(0, rng.uniform(1, 6), picture.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


def lay(
    card: Image.Image, table: Picture, middle: tuple[float, float], turn_deg: float, scale: float
) -> None:
    """Draw a card on a table."""
    middle_px = card.width / 2, card.height / 2
    turn = np.asarray(cv2.getRotationMatrix2D(middle_px, turn_deg, scale), np.float64)
    turn[:, 2] += np.array(middle) - middle_px
    pixels = np.asarray(card)[..., ::-1].copy()
    cv2.warpAffine(pixels, turn, SIZE_WH, table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)


def draw_tickets(deck: TicketDeck, rng: np.random.Generator) -> tuple[Picture, list[Ticket]]:
    """Return a photo of some tickets of a deck, and which."""
    every = list(deck.tickets.values())
    way = str(rng.choice(["rows", "columns", "fan"]))
    most = min(len(every), {"rows": 12, "columns": 30, "fan": 6}[way])
    drawn = [every[n] for n in rng.permutation(len(every))[: rng.integers(3, most + 1)]]
    table = np.full((SIZE_WH[1], SIZE_WH[0], 3), rng.integers(30, 130, 3), np.uint8)
    wide, high = (side * LETTERS for side in CARD_WH[deck.board.id])
    is_map, turn_deg = "map" in deck.how.kinds, rng.uniform(-8, 8)
    columns = 3 if not is_map else 4
    rows = -(-len(drawn) // columns)
    scale = min(0.95 * SIZE_WH[0] / columns / np.hypot(wide, high), 1.0)
    for n, ticket in enumerate(drawn):
        card = draw_card(ticket, deck, rng)
        down = SIZE_WH[1] / max(rows, 1) if way == "rows" or is_map else 3.6 * LETTERS * scale
        at = (
            SIZE_WH[0] * (n % columns + 0.5) / columns,
            down * (n // columns) + high * scale / 2 + 20,
        )
        turned = turn_deg * (0.3 if way == "columns" else 1) + rng.uniform(-2, 2)
        if way == "fan":
            turned, at = 12.0 - 5 * n, (1150 + 22.0 * n, 380 + 4.2 * n * LETTERS)
        lay(card, table, at, turned, scale)
    seen = in_light(table, rng)
    turns = int(rng.integers(4))
    return np.ascontiguousarray(np.rot90(seen, turns)), drawn


def draw_page(deck: TicketDeck, kind: str, rng: np.random.Generator) -> Picture:
    """Return a picture in which there is no ticket, but names of a board's places."""
    page = Image.new("RGB", SIZE_WH, (245, 243, 235))
    pen, places = ImageDraw.Draw(page), [place.name for place in deck.board.places]
    letter = font(rng, rng.uniform(24, 44))
    if kind == "board":
        return in_light(draw_board(deck.board, 3.0, int(rng.integers(9))), rng)
    for top in range(60, SIZE_WH[1] - 60, 64):
        two = [str(name) for name in rng.choice(places, 2, replace=False)]
        words = [str(word) for word in rng.choice(FILLER, 7)]
        if kind == "timetable":
            text = f"{two[0]}  -  {two[1]}   {rng.integers(24):02}:{rng.integers(60):02}"
        elif kind == "menu":
            text = f"{words[0].title()} {two[0]} with {words[1]}  .....  {rng.integers(4, 30)}"
        elif kind == "cards":
            text = f"{words[0].upper()}          {rng.integers(1, 13)}" if top % 3 == 0 else ""
        else:
            text = " ".join((*words[:3], *two[: rng.integers(3)], *words[3:]))
        pen.text((120, top), text, INK, letter)
    return in_light(np.asarray(page)[..., ::-1].copy(), rng)


def decks() -> Sequence[TicketDeck]:
    """Return the decks that are drawn."""
    return [ticket_deck_of(load_edition(name), load_board(name)) for name in CARD_WH]


def spoilt(count: int, seed: int) -> Iterator[tuple[str, TicketDeck, Picture, list[Ticket]]]:
    """Yield so many pictures without tickets."""
    kinds, every = ("board", "timetable", "text", "menu", "cards"), decks()
    for n in range(count):
        rng, deck = np.random.default_rng((seed, 1, n)), every[n // len(kinds) % len(every)]
        kind = kinds[n % len(kinds)]
        yield kind, deck, draw_page(deck, kind, rng), []


def photos(count: int, seed: int) -> Iterator[tuple[str, TicketDeck, Picture, list[Ticket]]]:
    """Yield so many photos of tickets."""
    every = decks()
    for n in range(count):
        deck = every[n % len(every)]
        yield (deck.board.id, deck, *draw_tickets(deck, np.random.default_rng((seed, 0, n))))


def main() -> None:
    """Read all, and print a line for each picture read wrong, and a row for each kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--others", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where what is read wrong goes")
    asked = parser.parse_args()
    rows: dict[str, Counter[str]] = {}
    for source in (photos(asked.photos, asked.seed), spoilt(asked.others, asked.seed)):
        for n, (kind, deck, picture, there) in enumerate(source):
            began = time.process_time()
            seen = read_tickets([picture], deck)
            took = time.process_time() - began
            lie, told = ({ticket.ends for ticket in which} for which in (there, seen.tickets))
            row = rows.setdefault(kind, Counter())
            got = {"pictures": 1, "lie there": len(lie), "found": len(lie & told)}
            got |= {
                "made up": len(told - lie),
                "in doubt": len(seen.doubts),
                "ms": int(1000 * took),
            }
            row.update(got)
            if lie != told:
                print(f"{kind} {n}: {got}, {sorted(map(sorted, lie ^ told))}", flush=True)
                if asked.keep:
                    cv2.imwrite(str(asked.keep / f"{kind}-{n}.png"), picture)
    for kind, row in rows.items():
        print(f"{kind}: " + ", ".join(f"{name} {count}" for name, count in row.items()))


if __name__ == "__main__":
    main()
