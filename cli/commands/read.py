"""`railspotter read PHOTO...`: read photos of a board and print what they are worth."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.table.boards import board_choice
from railspotter.table.errors import AnswersError, NoProfileError, TableError
from railspotter.table.home import ProfileStore, home
from railspotter.table.own_trains import with_trains
from railspotter.table.photo_file import check_picture_path, save_picture
from railspotter.table.photos.answers import load_answers
from railspotter.table.photos.photo_files import GameFile, keep_photos, open_photos
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import Answers, ScoredPhoto
from railspotter.table.photos.scored_photo_text import to_text

from .. import final_of_photo
from ..arguments import Subparsers, add_board, add_corners, add_edition, add_profile, add_trains

OK, BAD_FILE, NOT_FOUND = 0, 2, 3


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "read",
        description=(
            "Read photos of a board and print every player's route points, trains left and longest"
            " path, then what is still in doubt."
        ),
        epilog=(
            "exit codes: 0 every board was found, 3 one was not, 2 a bad file or argument."
            " example: railspotter read table.jpg --board usa"
        ),
    )
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a photo of the whole board")
    add_scorer_arguments(parser)
    parser.add_argument(
        "--game",
        metavar="GAME.json",
        help="put what was read into this game, keeping its players and tickets; it names the"
        " edition and the board. 'railspotter score GAME.json' then gives the final score",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each photo")
    parser.add_argument(
        "--annotate",
        metavar="OUT.png",
        help="write the board seen from above with the reading drawn on it; of several photos each"
        " gets its own name added",
    )
    add_corners(parser, ": for another print of the map, where it is not found without")
    parser.add_argument(
        "--same-board",
        action="store_true",
        help="the photos show one board with the same trains: add up what they show, and print one"
        " reading. Photos from another side or in another light tell most",
    )
    parser.add_argument(
        "--answers",
        metavar="ANSWERS.json",
        help='what people say is on routes, such as {"helena--seattle": "red"}, null for free:'
        " it outranks what was read. A place's id stands for its station, a site's for its train",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the photo in your data directory with the confirmed truth, as a test case; every"
        " doubt must be answered",
    )
    parser.add_argument(
        "--players",
        nargs="+",
        default=[],
        metavar="NAME:COLOUR",
        help="who plays: ends with the final score and the winner, as in Ann:red Bo:blue",
    )
    parser.add_argument(
        "--tickets",
        nargs="+",
        default=[],
        metavar="NAME=PHOTO",
        help="photos of these players' tickets, which count in the final score; a player may have"
        " several. Tickets in doubt are told and not counted",
    )
    parser.set_defaults(run=run)


def add_scorer_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that control how photos are read."""
    add_board(parser, default="the one that the photo shows")
    add_edition(parser)
    add_profile(parser)
    parser.add_argument(
        "--colours",
        type=lambda text: [part.strip() for part in text.split(",") if part.strip()],
        metavar="red,blue,...",
        help="the players' colours: fewer colours are told apart more surely (default: all)",
    )
    add_trains(parser)
    parser.add_argument(
        "--no-markers", action="store_true", help="do not look for score markers on the track"
    )


def named_board(args: argparse.Namespace) -> str | None:
    """Return the board named by the arguments, directly or by an edition or profile."""
    if args.board:
        return str(args.board)
    if args.edition:
        return load_edition(args.edition).board
    return ProfileStore(home()).load(args.profile).board if args.profile else None


def reading_plan(args: argparse.Namespace, name: str, game: GameFile | None = None) -> ReadingPlan:
    """Build the reading plan for photos of a board, from the arguments and the game, if any."""
    board = game.board if game else board_choice.readable_board(name)
    edition = game.edition if game else board_choice.edition_on(board, args.edition)
    try:
        profile = board_choice.profile_for(board, ProfileStore(home()), args.profile)
    except NoProfileError:
        profile = board_choice.blank_profile(board)
    colours = args.colours or (game.colours if game else ())
    return ReadingPlan(
        board,
        edition,
        with_trains(profile, args.trains),
        tuple(colours) or None,
        with_markers=not args.no_markers,
    )


def run(args: argparse.Namespace) -> int:
    """Read the photos; return the exit code."""
    boards = 1 if args.same_board else len(args.photos)
    if args.annotate:
        check_picture_path(Path(args.annotate), args.photos)
        check_output_names(args.photos if boards > 1 else ())
    players = final_of_photo.parse_players(args.players, args.tickets)
    game = GameFile(Path(args.game)) if args.game else None
    if game and (args.players or args.tickets):
        raise TableError("--game names the players already: leave out --players and --tickets")
    if boards > 1 and (game or args.answers or players.seats):
        what = "a game is" if game else "answers are" if args.answers else "players are"
        raise TableError(f"{what} about one board: name only one photo, or add --same-board")
    if args.corners and len(args.photos) > 1:
        raise TableError("--corners are one photo's: name only that one")
    if args.corners and not (game or named_board(args)):
        raise TableError("--corners say where the board is, not which one: add --board")
    if game:
        _check_game(game, args)
        board: board_choice.RecognisedBoard | Mapping[str, Sentence] = board_choice.RecognisedBoard(
            game.board.id
        )
    elif name := named_board(args):
        board = board_choice.RecognisedBoard(name)
    else:
        board = board_choice.recognise_board_in_files(args.photos, ProfileStore(home()))
    if not isinstance(board, board_choice.RecognisedBoard):
        return _report_unrecognised(args, board)
    args.colours = args.colours or list(players.colours)
    plan = reading_plan(args, board.id, game)
    scorer = PhotoScorer(plan)
    answers: Answers = {}
    if args.answers:
        answers = load_answers(Path(args.answers), plan.board, plan.edition, scorer.colours)
    worst = OK
    for names in [args.photos] if args.same_board else [[name] for name in args.photos]:
        pictures, unusable = open_photos(names)
        if pictures:
            photo = scorer.score(pictures.items(), answers, args.corners)
        else:
            photo = scorer.unreadable(*next(iter(unusable.items())))
        if board.photo in names:
            photo = photo.with_note(board.note)
        for complaint in _error_lines(photo, unusable):
            print(f"railspotter: {complaint}", file=sys.stderr, flush=True)
            worst = BAD_FILE if unusable else worst or NOT_FOUND
        final_text = ""
        final: dict[str, Any] = {}
        if players.seats and photo.found:
            final_text, final = final_of_photo.final_of(photo, players)
        if args.json:
            print(json.dumps(photo.as_json() | final), flush=True)
        elif photo.found:
            named = scorer.colours if game or args.colours else None
            print(to_text(photo, named), flush=True)
            if final_text:
                print(final_text, flush=True)
        if args.annotate and photo.annotated is not None:
            out = Path(args.annotate)
            if boards > 1:
                out = out.with_stem(f"{out.stem}-{Path(photo.photo).stem}")
            save_picture(out, photo.annotated)
        if game and photo.found:
            game.save(photo)
            if photo.doubts or photo.unseen:
                counts = f"in doubt: {len(photo.doubts)}, not in sight: {len(photo.unseen)}"
                advice = "its score is not sure until you say with --answers what is there"
                print(f"railspotter: {args.game}: {counts}; {advice}", file=sys.stderr, flush=True)
        if args.keep and photo.found:
            try:
                for folder in keep_photos(photo, pictures, home()):
                    # JSON output is for programs.
                    print(f"kept in {folder}", file=sys.stderr if args.json else sys.stdout)
            except AnswersError as error:  # the next photo may have no doubts
                print(f"railspotter: {photo.photo}: {error}", file=sys.stderr, flush=True)
                worst = BAD_FILE
    return worst


def _error_lines(photo: ScoredPhoto, unusable: Mapping[str, Sentence]) -> Iterator[str]:
    """Yield a line for each unusable photo, and for a failed reading."""
    lost = {part.photo: part.reason for part in photo.parts if part.reason is not None}
    said = {**unusable, **lost}
    yield from (f"{name}: {reason}" for name, reason in said.items())
    if photo.reason is not None and photo.reason not in said.values():
        names = ", ".join(part.photo for part in photo.parts)
        yield f"{names}: {photo.reason}" if names else photo.reason


def _report_unrecognised(args: argparse.Namespace, reasons: Mapping[str, Sentence]) -> int:
    """Print for each photo why no board was recognised; return the exit code."""
    for name, reason in reasons.items():
        print(f"railspotter: {name}: {reason}", file=sys.stderr, flush=True)
        if args.json:
            line = {"photo": name, "board": None, "edition": None, "found": False, "reason": reason}
            print(json.dumps(line), flush=True)
    return NOT_FOUND


def _check_game(game: GameFile, args: argparse.Namespace) -> None:
    """Raise `TableError` if arguments name another board or edition than the game's."""
    for given, own in ((args.board, game.board.id), (args.edition, game.edition.id)):
        if given and given != own:
            raise TableError(f"{args.game} is a game of {own!r}, not of {given!r}")


def check_output_names(photos: Iterable[str]) -> None:
    """Raise `TableError` if two photos' annotated pictures would have one name."""
    names = [Path(one).stem for one in photos]
    if len(set(names)) < len(names):
        name = max(names, key=names.count)
        raise TableError(
            f"{names.count(name)} photos are called {name!r}, and their annotated pictures would"
            " be: read them apart"
        )
