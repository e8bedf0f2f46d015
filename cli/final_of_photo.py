"""The final score of a game that photos show: its board, its players, and each one's tickets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from railspotter.scoring.answer import GameScore, game_score, to_json
from railspotter.scoring.edition import Colour
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.game import BoardGame, Player, TicketText, check_players, position_of
from railspotter.scoring.position import stations_by_colour
from railspotter.scoring.sentence import raised_as
from railspotter.scoring.spot_names import spot_name
from railspotter.table.errors import TableError
from railspotter.table.game_text.score_lines import answer_text
from railspotter.table.photo_file import load_named_photo
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.ticket_photos.reading import SeenTickets, read_tickets

from . import ticket_photos


@dataclass(frozen=True)
class Players:
    """Who plays, as the command line says, and photos of their tickets."""

    seats: tuple[Player, ...]
    photos: Mapping[Colour, Sequence[str]] = field(default_factory=dict)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players' colours, in their order."""
        return tuple(seat.colour for seat in self.seats)


def parse_players(players: Sequence[str], tickets: Sequence[str]) -> Players:
    """Parse `Ann:red` and `ann=A.jpg`; raises `TableError`.

    >>> parse_players(["Ann:red", "Bo:blue"], ["ann=a.jpg", "blue=b.jpg", "ann=c.jpg"]).photos
    {'red': ['a.jpg', 'c.jpg'], 'blue': ['b.jpg']}
    """
    seats = []
    for text in players:
        name, colon, colour = (part.strip() for part in text.rpartition(":"))
        if not (colon and name and colour):
            raise TableError("a player is NAME:COLOUR, as Ann:red, not {text!r}", text=text)
        seats.append(Player(colour, name))
    with raised_as(TableError, ScoringError):
        check_players([seat.colour for seat in seats])
    by_name = {seat.colour.casefold(): seat.colour for seat in seats}
    by_name |= {seat.name.casefold(): seat.colour for seat in seats}
    photos: dict[Colour, list[str]] = {}
    for text in tickets:
        whose, equals, file = text.partition("=")
        if not (equals and whose and file):
            raise TableError("tickets are NAME=PHOTO, as ann=hand.jpg, not {text!r}", text=text)
        if whose.strip().casefold() not in by_name:
            raise TableError(
                "--tickets are of players that --players names, and nobody is called {name!r}",
                name=whose,
            )
        photos.setdefault(by_name[whose.strip().casefold()], []).append(file)
    return Players(tuple(seats), photos)


def final_of(photo: ScoredPhoto, players: Players) -> tuple[str, dict[str, Any]]:
    """Return the final score of a photo's game as text and as JSON.

    Tickets that are in doubt are told and not counted. Raises `TableError` for a photo that cannot
    be read.
    """
    board, edition = photo.board, photo.edition
    hands: dict[Colour, SeenTickets] = {}
    lines: list[str] = []
    told: dict[str, Any] = {}
    for seat in players.seats:
        if not (names := players.photos.get(seat.colour, ())):
            continue
        deck = ticket_photos.deck_for(edition, board)
        hand = read_tickets(map(load_named_photo, names), deck)
        hands[seat.colour] = hand
        told[seat.colour] = ticket_photos.hand_json(hand, names)
        points = sum(ticket.points for ticket in hand.tickets)
        lines.append(f"{seat.name}'s tickets: {len(hand.tickets)}, {points} points")
        lines += ticket_photos.hand_lines(hand, deck)
    if any(hand.doubts for hand in hands.values()):
        lines.append("tickets that are not sure are not counted")
    said = _score(photo, players, hands)
    return "\n".join([*lines, answer_text(said)]), {"hands": told, "final": to_json(said)}


def _score(photo: ScoredPhoto, players: Players, hands: Mapping[Colour, SeenTickets]) -> GameScore:
    """Return the final score, with what the photo leaves open."""
    game = BoardGame(
        photo.edition.id,  # type: ignore[arg-type] # only checked where JSON is parsed
        players=players.seats,
        claims=photo.claims,
        tickets={
            colour: tuple(TicketText(one.a, one.b, one.points) for one in hand.tickets)
            for colour, hand in hands.items()
        },
        stations=stations_by_colour(photo.stations) if photo.edition.stations else {},
        sites=photo.sites,
        pins=photo.pins if photo.edition.one_piece_a_route else {},
        final=True,
    )
    with raised_as(TableError, ScoringError):
        position = position_of(game, photo.board)
    spots = {*(doubt.spot for doubt in photo.doubts), *photo.unseen}
    unsure = {spot_name(photo.board, spot): spot for spot in sorted(spots, key=str)}
    return replace(game_score(position), unsure=unsure)
