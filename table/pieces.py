"""What stands on a table's board: an edition's pieces, in the colours that a profile learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.position import Position
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.colours.learned_colours import trains_named
from railspotter.vision.colours.train_colours import TrainColour, other_plastic, plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard

# Trains of each colour that a box has above those of its rules, and that somebody may have laid:
# the labelled photos show up to 48 where the rules have 45.
SPARE_TRAINS = 3
TOO_MANY_TRAINS = Sentence(
    "{colour}'s routes seem to take {count} pieces, but a player has only {most}: it takes"
    " another look in better light"
)


def impossible_stock(position: Position) -> Sentence:
    """Say whose pieces are more than a box has, spare ones and all; nothing where none are."""
    most = position.edition.trains
    for colour in position.colours:
        used = most - position.trains_left(colour)
        if used > most + SPARE_TRAINS:
            return TOO_MANY_TRAINS.filled(colour=colour, count=used, most=most)
    return NOTHING


def pieces_of_edition(
    edition: Edition,
    board: Board,
    profile: Profile,
    colours: Sequence[Colour] | None = None,
    printed: PrintedBoard | None = None,
    *,
    with_markers: bool = True,
) -> Pieces:
    """Return the pieces of a game.

    `colours` is the players'; without them all that lie on the table. `printed` is the board as the
    profile has it. `with_markers` says whether everybody's disc stands on the score track; single
    pieces stand there as shapes, which are not read. Raises `ReaderError` when there are no such
    trains.
    """
    return Pieces(
        trains=trains_of(edition, profile, colours, printed),
        train_size_mm=edition.train_size_mm,
        net="taxi" if edition.train_word == "taxi" else "train",
        one_piece_a_route=edition.one_piece_a_route,
        exclusive=board.lanes,
        station_size_mm=edition.station_size_mm if edition.stations else None,
        stations_each=edition.stations,
        markers=with_markers and not edition.one_piece_a_route,
        learned=profile.colours,
    )


def trains_of(
    edition: Edition,
    profile: Profile,
    colours: Sequence[Colour] | None = None,
    printed: PrintedBoard | None = None,
) -> tuple[TrainColour, ...]:
    """Return the trains of an edition's box, and the user's own that the profile has.

    Those who play trains of another box name its colour.
    """
    box = plastic(edition.plastic)
    if colours:
        box = (*box, *(one for one in other_plastic(edition.plastic) if one.name in colours))
    return trains_named(colours, box, profile.colours, printed)


def trains_of_others(
    edition: Edition,
    profile: Profile,
    colours: Sequence[Colour],
    printed: PrintedBoard | None = None,
) -> dict[Colour, TrainColour]:
    """Return the trains of other colours than these: of the box, the profile and other boxes."""
    known = (*other_plastic(edition.plastic), *trains_of(edition, profile, None, printed))
    return {one.name: one for one in known if one.name not in colours}


def pieces_of_table(
    edition: Edition,
    board: Board,
    profile: Profile,
    players: Sequence[Colour],
    whose: Mapping[Colour, Colour | None],
    printed: PrintedBoard | None = None,
) -> Pieces:
    """Return the pieces of a game that is watched, with those of others that lie there.

    `whose` says by the colour of such trains which player has them, None for nobody, or as yet.
    """
    pieces = pieces_of_edition(edition, board, profile, players, printed)
    others = trains_of_others(edition, profile, players, printed)
    whose = {colour: player for colour, player in whose.items() if colour in others}
    return replace(
        pieces,
        trains=(*pieces.trains, *(others[colour] for colour in whose)),
        whose=whose,
        others=tuple(train for colour, train in others.items() if colour not in whose),
    )
