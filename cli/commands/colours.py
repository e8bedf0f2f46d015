"""`railspotter colours`: learn the colours of trains from a photo with one of each."""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from railspotter.calibration.arrays import Lab
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import Profile, SpaceKey, route_of_key, space_key
from railspotter.scoring.board import Board
from railspotter.scoring.spot_names import route_name
from railspotter.table.boards.board_choice import edition_on, readable_board
from railspotter.table.errors import TableError
from railspotter.table.home import ProfileStore, home
from railspotter.table.own_trains import TRAINS_HELP, parse_trains, with_trains
from railspotter.table.photo_file import check_picture_path, load_named_photo, save_picture
from railspotter.table.photos.answers import spot_by_name
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.vision.colours.learned_colours import (
    are_own_trains,
    srgb_from_lab,
    table_trains,
    with_observation,
    with_own_plastic,
)
from railspotter.vision.colours.train_colours import TrainColour, plastic
from railspotter.vision.lab import distance2
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.reading.annotate import mark_spaces, suggested_spaces
from railspotter.vision.reading.train_lessons import Lesson, lessons

from ..arguments import Subparsers, add_board, add_edition, whole_number

OK, NOT_FOUND = 0, 3
SIMILAR = 20.0  # distance in Lab units below which two trains' colours may be confused


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "colours",
        description=(
            "Learn what your trains look like from one photo. Without a photo, say where to lay one"
            " train of each colour on the empty board; with the photo of that, learn. Needed where"
            " trains are not the box's own, or colours are mistaken for each other: the box's"
            " own trains are learned little by little while games are watched."
        ),
        epilog=(
            "examples: railspotter colours --board usa --annotate spaces.png (where to lay them);"
            " railspotter colours trains.jpg --board usa; railspotter colours trains.jpg --board"
            " usa --trains red blue teal orange. Exit codes: 0 learned, 3 the board was not found,"
            " 2 a bad file or argument"
        ),
    )
    parser.add_argument(
        "photo", nargs="?", metavar="PHOTO", help="a photo of the board with the trains on it"
    )
    add_board(parser)
    add_edition(parser)
    parser.add_argument(
        "--profile", metavar="NAME", help="the profile that learns (default: the board's newest)"
    )
    parser.add_argument(
        "--trains",
        nargs="+",
        default=[],
        type=parse_trains,
        metavar="NAME",
        help=f"{TRAINS_HELP}; a train that is laid needs its name alone (default: the box's)",
    )
    parser.add_argument(
        "--on",
        nargs="+",
        default=[],
        metavar="ROUTE/SPACE",
        help="where they lie, in the same order, as calgary--helena/2: the space's number from the"
        " place that is named first (default: the spaces that are named without a photo)",
    )
    parser.add_argument(
        "--annotate", metavar="OUT.png", help="write the board from above with the spaces marked"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print where to place trains, or learn from a photo of them; return the exit code."""
    board = readable_board(args.board)
    edition = edition_on(board, args.edition)
    if args.annotate:
        check_picture_path(Path(args.annotate), [args.photo] if args.photo else ())
    store = ProfileStore(home())
    profile = store.load(args.profile) if args.profile else store.newest(board.id)
    box = plastic(edition.plastic)
    laid = args.trains or [(train.name, None) for train in box]
    names = tuple(dict.fromkeys(name for name, _ in laid))
    own = with_trains(profile, laid) if args.trains else profile
    seen_before = {train.name for train in table_trains(box, own.colours)}
    known = tuple(name for name in names if name in seen_before)
    scorer = PhotoScorer(ReadingPlan(board, edition, own, known or None))
    printed = PrintedBoard.of(board, profile)
    placed = _choose_spaces(args, board, printed, names, box, own)
    for name, key in placed.items():
        print(f"{name}: {_space_name(board, key)}")
    if args.photo is None:
        if args.annotate:
            save_picture(Path(args.annotate), mark_spaces(printed.reference, printed, placed))
        if args.trains:
            store.save(own)
        print(
            "lay one train of each there, take a photo of the whole board, and run"
            " 'railspotter colours PHOTO' with the same words"
        )
        return OK
    photo = load_named_photo(args.photo)
    found = scorer.find(photo)
    if not isinstance(found, NotFound) and found.passed is not None:
        found = found.passed  # the profile keeps what is learned, and this is another print
    if isinstance(found, NotFound):
        print(f"railspotter: {args.photo}: {found.reason}", file=sys.stderr)
        return NOT_FOUND
    if args.annotate:
        save_picture(
            Path(args.annotate), mark_spaces(found.view.rectified, found.view.printed, placed)
        )
    seen = lessons(found.view, {key: name for name, key in placed.items()})
    _refuse_unseen(args.photo, board, seen)
    _refuse_swapped(args.photo, board, seen, box, own)
    learned = own
    for lesson in seen.values():
        learned = _with_learned(learned, lesson, box)
    store.save(learned)
    print(f"kept in the profile {profile.name!r}")
    _warn_of_similar_colours(seen)
    return OK


def _choose_spaces(
    args: argparse.Namespace,
    board: Board,
    printed: PrintedBoard,
    names: tuple[str, ...],
    box: tuple[TrainColour, ...],
    profile: Profile,
) -> dict[str, SpaceKey]:
    """Choose the space for the train of each colour."""
    if not args.on:
        known = {train.name: train for train in table_trains(box, profile.colours, printed)}
        trains = [known.get(name, TrainColour(name, (50.0, 0.0, 0.0), 0.0)) for name in names]
        return suggested_spaces(printed, trains)
    if len(args.on) != len(names):
        raise TableError(
            f"--on names {len(args.on)} spaces for {len(names)} colours ({', '.join(names)}):"
            " name one for each, in the same order"
        )
    keys = [_parse_space(text, board, args) for text in args.on]
    if len(set(keys)) < len(keys):
        raise TableError("--on names a space twice: each train needs a space of its own")
    return dict(zip(names, keys, strict=True))


def _parse_space(text: str, board: Board, args: argparse.Namespace) -> SpaceKey:
    route, _, number = text.rpartition("/")
    name = spot_by_name(route, board, edition_on(board, args.edition)).id
    count = len(board.route_by_id[name].spaces) if name in board.route_by_id else 0
    try:
        return space_key(name, whole_number(1, count)(number) - 1)
    except argparse.ArgumentTypeError:
        raise TableError(
            f"{text!r} is no space: write a route and a number from 1 to {count or 'its length'},"
            " as calgary--helena/2"
        ) from None


def _space_name(board: Board, key: SpaceKey) -> str:
    """Return the name of a space, in words."""
    route = board.route_by_id[route_of_key(key)]
    number = int(key.rpartition("#")[2]) + 1
    start = board.place_by_id[route.a].name
    which = "the only space" if len(route.spaces) == 1 else f"space {number}, counted from {start},"
    return f"{which} on {route_name(board, route.id)} ({route.id}/{number})"


def _refuse_unseen(photo: str, board: Board, seen: Mapping[SpaceKey, Lesson]) -> None:
    missing = [
        f"{lesson.colour} on {_space_name(board, key)}"
        for key, lesson in seen.items()
        if not lesson.is_there
    ]
    glaring = [lesson.colour for lesson in seen.values() if lesson.is_there and not lesson.is_calm]
    if missing:
        raise TableError(
            f"{photo}: no train was seen of {'; '.join(missing)}. Lay one there, or say with --on"
            " where it lies. Nothing was learned"
        )
    if glaring:
        raise TableError(
            f"{photo}: something shines on, or lies over, the train of {', '.join(glaring)}: take"
            " the photo from elsewhere. Nothing was learned"
        )


def _refuse_swapped(
    photo: str,
    board: Board,
    seen: Mapping[SpaceKey, Lesson],
    box: tuple[TrainColour, ...],
    profile: Profile,
) -> None:
    """Raise an error if trains of the box seem to be swapped."""
    laid = {lesson.colour for lesson in seen.values()}
    for key, lesson in seen.items():
        off = {train.name: _colour_distance(lesson.lab, train.lab) for train in box}
        if lesson.colour not in off or are_own_trains(profile.colours.get(lesson.colour, ())):
            continue
        nearest = min(off, key=off.__getitem__)
        if nearest != lesson.colour and nearest in laid and 2 * off[nearest] < off[lesson.colour]:
            raise TableError(
                f"{photo}: what lies on {_space_name(board, key)} looks {nearest}, not"
                f" {lesson.colour}. Nothing was learned"
            )


def _colour_distance(one: Lab, other: Lab) -> float:
    """Return the distance of two colours in Lab units."""
    return float(np.sqrt(distance2(np.array(one, np.float32), other)))


def _with_learned(profile: Profile, lesson: Lesson, box: tuple[TrainColour, ...]) -> Profile:
    """Add a train's colour to a profile, as the user's own if it is far from the box's."""
    colours = profile.colours
    usual = next((train for train in box if train.name == lesson.colour), None)
    leash = 0.0 if usual is None else usual.leash
    off = np.inf if usual is None else _colour_distance(lesson.lab, usual.lab)
    if off > leash or are_own_trains(colours.get(lesson.colour, ())):
        colours = with_own_plastic(colours, lesson.colour, lesson.lab)
    learned = with_observation(colours, lesson.colour, lesson.light, lesson.lab)
    red, green, blue = srgb_from_lab(lesson.lab)
    told = "as the box's" if off < leash else "of your own"
    print(f"{lesson.colour}: #{red:02x}{green:02x}{blue:02x}, {told}")
    return replace(profile, colours=learned)


def _warn_of_similar_colours(seen: Mapping[SpaceKey, Lesson]) -> None:
    several = list(seen.values())
    for number, one in enumerate(several):
        for other in several[:number]:
            if _colour_distance(one.lab, other.lab) < SIMILAR:
                print(
                    f"railspotter: {other.colour} and {one.colour} trains look much alike here:"
                    " expect questions, or play with other colours",
                    file=sys.stderr,
                )
