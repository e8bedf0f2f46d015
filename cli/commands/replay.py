"""`railspotter replay`: tell a game event by event, or watch its pictures again."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from railspotter.table.boards import profile_for
from railspotter.table.errors import TableError
from railspotter.table.game_log import (
    GameState,
    GameStore,
    NoGameError,
    answer_of,
    begin,
    public_events,
)
from railspotter.table.game_text import (
    colour_text,
    event_lines,
    lost_lines,
    player_text,
    scores,
    time_of,
)
from railspotter.table.home import ProfileStore, home
from railspotter.table.photos import spot_name
from railspotter.table.recordings import (
    HEAD,
    RecordedFrames,
    Recording,
    ReplayResult,
    Schedule,
    SeenClaim,
    replay,
)
from railspotter.vision.sources import Frame, Photos, Source, VideoFile, parse_source

from ..arguments import Subparsers
from ..source_argument import source_text

SAME, DIFFERS = 0, 1


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "replay",
        description=(
            "Tell a logged game event by event, with times and scores. With the pictures of it, a"
            " folder that 'railspotter play --record' wrote or a video, watch them again with"
            " the program of today and tell what would be claimed differently: the exit code is 0"
            " when nothing is, and 1 when something is. The game's log stays as it is."
        ),
        epilog="example: railspotter replay friday --source friday.mp4",
    )
    parser.add_argument(
        "what",
        metavar="GAME|FOLDER",
        help="a game's id or name, or the beginning of it; or a recording's folder",
    )
    parser.add_argument(
        "--source",
        type=source_text,
        metavar="VIDEO",
        help="a video or a folder of photos of the game",
    )
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the profile to read with (default: the recording's; for a video, the board's newest)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each event")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Tell or watch a game; return the exit code."""
    store, profiles = GameStore(home()), ProfileStore(home())
    folder = Path(args.what)
    if args.source is None and (folder / HEAD).is_file():
        recording = Recording.load(folder)
        try:
            then = store.read(recording.head.game)
        except NoGameError:
            then = None
        profile = profiles.load(args.profile) if args.profile else recording.profile()
        started = recording.head.started
        replayed = replay(RecordedFrames(recording), profile, started, then, _due_in(recording))
        return _report(replayed, then, as_json=args.json)
    if args.source is None and folder.is_dir():
        Recording.load(folder)  # says what it lacks
    then = store.read(store.find(args.what))
    if args.source is None:
        _tell(then, as_json=args.json)
        return SAME
    source = _every_frame_of(parse_source(args.source))
    profile = profile_for(then.table.board, profiles, args.profile)
    due = _Elapsed(then)
    return _report(replay(source, profile, then.table.started, then, due), then, as_json=args.json)


def _every_frame_of(source: Source) -> Source:
    if isinstance(source, VideoFile):
        return replace(source, as_fast_as_read=True)
    if isinstance(source, Photos):
        return source
    raise TableError(f"{source.name} cannot be watched again: name a video or a folder")


def _due_in(recording: Recording) -> Schedule:
    """Return when what was said is due: the recording's index knows."""

    def due(frame: Frame | None) -> tuple[int, bool]:
        number = 0 if frame is None else frame.number
        if number >= len(recording.frames):
            return recording.frames[-1].seq if recording.frames else 0, False
        following = recording.frames[number]
        return following.seq, following.begins and number > 0

    return due


class _Elapsed:
    """When what was said is due in a video that began with the game."""

    def __init__(self, then: GameState) -> None:
        self._then = then
        self._began_s: float | None = None

    def __call__(self, frame: Frame | None) -> tuple[int, bool]:
        if frame is None:
            return 1, False
        if self._began_s is None:
            self._began_s = frame.taken_at_s
        now_s = self._then.events[0].at_s + frame.taken_at_s - self._began_s
        # In their order, though the wall's clock may have jumped back among them.
        due = takewhile(lambda event: event.at_s <= now_s, self._then.events)
        return sum(1 for _ in due), False


def _tell(game: GameState, *, as_json: bool) -> None:
    """Print every event that is nobody's secret, with the scores after it."""
    for line in lost_lines(game):
        print(line, file=sys.stderr)
    public = {event.seq for event in public_events(game)}
    now = begin(game.events[0])
    for event in game.events:
        if event.seq > 1:
            now = now.after(event)
        if event.seq not in public:
            continue
        lines = list(event_lines(event, now))
        if as_json:
            players = answer_of(now.table, with_secrets=False).standing.players
            told: dict[str, Any] = {
                "seq": event.seq,
                "at_s": event.at_s,
                "kind": event.fact.kind,
                "said": lines,
                "stands": event.seq not in game.undone,
                "points": {player.colour: player.total for player in players},
            }
            print(json.dumps(told, ensure_ascii=False))
            continue
        for line in lines:
            print(f"{event.seq:5}  {time_of(event.at_s)}  {line}")
        if lines and not now.table.ended:
            print(f"{'':15}  {scores(now.table)}")


def _report(replayed: ReplayResult, then: GameState | None, *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(_as_json(replayed, is_compared=then is not None), ensure_ascii=False))
    else:
        print("\n".join(_as_text(replayed, is_compared=then is not None)))
    return SAME if then is None or replayed.is_same else DIFFERS


def _as_text(replayed: ReplayResult, *, is_compared: bool) -> Iterator[str]:
    table = replayed.game.table

    def said(seen: SeenClaim) -> str:
        return f"{spot_name(table.board, seen.spot)}: {player_text(seen.colour, table)}"

    yield f"{replayed.frames} pictures, {replayed.asked} questions"
    if not is_compared:
        yield "the game's log is not here: nothing to compare with"
        yield from (f"claimed  {said(seen)}" for seen in replayed.new)
    else:
        yield from (f"not seen today: {said(seen)}" for seen in replayed.missing)
        yield from (f"only seen today: {said(seen)}" for seen in replayed.new)
        for spot, (before, after) in replayed.ends.items():
            name = spot_name(table.board, spot)
            yield f"at the end {name} is {colour_text(after)}, in the log {colour_text(before)}"
        if replayed.is_same:
            yield "the same as in the log"
    yield scores(table)


def _as_json(replayed: ReplayResult, *, is_compared: bool) -> dict[str, Any]:
    def listed(seen: tuple[SeenClaim, ...]) -> list[dict[str, str]]:
        return [{"kind": s.spot.kind, "about": s.spot.id, "colour": s.colour} for s in seen]

    players = answer_of(replayed.game.table, with_secrets=False).standing.players
    return {
        "frames": replayed.frames,
        "questions": replayed.asked,
        "is_compared": is_compared,
        "is_same": is_compared and replayed.is_same,
        "missing": listed(replayed.missing),
        "new": listed(replayed.new),
        "ends": [
            {"kind": spot.kind, "about": spot.id, "was": before, "now": after}
            for spot, (before, after) in replayed.ends.items()
        ],
        "points": {player.colour: player.total for player in players},
    }
