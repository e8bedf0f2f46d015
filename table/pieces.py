"""The pieces that the reader looks for: an edition's, in the colours that a profile learned."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Colour, Edition
from railspotter.vision.colours.learned_colours import trains_named
from railspotter.vision.colours.train_colours import TrainColour, other_plastic, plastic
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard


def pieces_of_edition(
    edition: Edition,
    board: Board,
    profile: Profile,
    colours: Sequence[Colour] | None = None,
    printed: PrintedBoard | None = None,
    *,
    whose: Mapping[Colour, Colour | None] = MappingProxyType({}),
    with_markers: bool = True,
) -> Pieces:
    """Return the pieces of a game, and the trains of other colours that may lie on its board.

    `colours` is the players', None for all. `printed` is the board's print from the profile.
    `whose` maps colours that no player has to the player who was said to use them; None for nobody.
    `with_markers` is whether score markers are on the track; those of editions with single pieces
    are not read. Raises `ReaderError` for an unknown colour.
    """
    trains = trains_of(edition, profile, colours, printed)
    players = {train.name for train in trains}
    known = (*other_plastic(edition.plastic), *trains_of(edition, profile, None, printed))
    others = {one.name: one for one in known if one.name not in players}
    whose = {colour: player for colour, player in whose.items() if colour in others}
    return Pieces(
        trains=(*trains, *(others[colour] for colour in whose)),
        train_size_mm=edition.train_size_mm,
        net=edition.train_word,
        one_piece_a_route=edition.one_piece_a_route,
        exclusive=board.lanes,
        station_size_mm=edition.station_size_mm if edition.stations else None,
        stations_each=edition.stations,
        markers=with_markers and not edition.one_piece_a_route,
        learned=profile.colours,
        whose=whose,
        others=tuple(train for colour, train in others.items() if colour not in whose),
    )


def trains_of(
    edition: Edition,
    profile: Profile,
    colours: Sequence[Colour] | None = None,
    printed: PrintedBoard | None = None,
) -> tuple[TrainColour, ...]:
    """Return the train colours of the edition and the profile.

    Colours of other boxes are included only if named in `colours`.
    """
    box = plastic(edition.plastic)
    if colours:
        box = (*box, *(one for one in other_plastic(edition.plastic) if one.name in colours))
    return trains_named(colours, box, profile.colours, printed)
