"""How watching begins: the first look, what it says against the log, and what stays in doubt.

What is read and what watching compares with must be one picture: a train that is laid while the
first one is being read would otherwise be taken for part of the print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from railspotter.calibration.pose import Pose
from railspotter.scoring.edition import Colour
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import KINDS, Spot, of_kind
from railspotter.vision.look.view import Pieces
from railspotter.vision.printed.printed_board import PrintedBoard
from railspotter.vision.readings import Doubt
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.looks import Look, LookRead
from railspotter.vision.watching.questions import Occasion, Questions
from railspotter.vision.watching.settling import STILL_S, WatchState
from railspotter.vision.watching.watcher import Watcher

from ..game_log.board_facts import BoardJoined, Corrected
from ..game_log.facts import Fact
from ..game_log.table_state import TableState
from ..pieces import impossible_stock
from .log_writer import read_fact
from .pictures import area_around, picture_around
from .table_view import BoardSight, Joining

SURE = 0.9  # how sure one undoubted reading is
MANY = 5
"""Pieces from which on people are asked before they come, go or change while nobody watched.

Fewer are laid or lifted in some turns, and put right with as many taps."""
FEW = 0.1  # the share of them that such a board may show all the same, by chance or by mistake


class OpeningLook:
    """Waits for a picture in which nothing moves."""

    def __init__(self) -> None:
        self._probe: Watcher | None = None
        self._was_still = False

    def look_at(
        self,
        frame: Frame,
        pose: Pose | None,
        printed: PrintedBoard,
        pieces: Callable[[], Pieces],
    ) -> Look | None:
        """Take in a frame; return it as a look if nothing has moved in it for a while."""
        if self._probe is None:
            if pose is None:
                return None
            self._probe, self._was_still = Watcher(printed, pieces()), False
        state = self._probe.see(frame.pyramid, pose, frame.taken_at_s).state
        if state is WatchState.SETTLED and pose is not None:
            self._was_still = True
            return Look(frame.pyramid, pose, frame.taken_at_s, printed, pieces())
        if state is WatchState.SETTLING and self._was_still:
            self._probe = None  # something was laid: it is part of the first look then
        return None

    def unseen(self, for_s: float) -> tuple[Spot, ...]:
        """Return the spots that something has moved or lain over for so long."""
        return () if self._probe is None else self._probe.unseen(for_s)


def start_watcher(look: Look, settled: Mapping[Spot, Colour], questions: Questions) -> Watcher:
    """Return a watcher for which the board looked settled in a look, and holds what it says."""
    watcher = Watcher(look.printed, look.pieces, settled, questions=questions)
    for at_s in (look.at_s - STILL_S, look.at_s):
        watcher.see(look.shown, look.pose, at_s)
    return watcher


@dataclass(frozen=True)
class Opening:
    """How a board was found when watching began."""

    # What somebody has to confirm: the log has nothing, most of what it has is missing, or much is
    # otherwise.
    joining: Joining | None
    # What is there otherwise than the log has it: what changed while nobody watched.
    changes: Mapping[Spot, Colour | None]
    is_clear: bool  # whether another reading would tell no more
    # Why what is to be confirmed cannot be, even where all doubts are right to be; or nothing.
    impossible: Sentence = NOTHING

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The same as facts for the log, but for what people confirm as one step."""
        joining = self.joining
        if joining is not None and joining.is_of_new_game:
            return ()
        is_cleared = joining is not None and joining.missing > 0
        return tuple(
            read_fact(spot, colour, SURE, seen_to_change=is_cleared)
            for spot, colour in self.changes.items()
        )


def opening(seen: LookRead, table: TableState) -> Opening:
    """Hold a reading of the whole board against the log.

    What is read with a doubt stays as the log has it, and so does what is not in the picture, and
    what a person said, unless a person also says that the board was cleared.
    """
    known = {spot: colour for spot, colour in table.held.items() if spot in seen.seen}
    found = {spot: one.answer for spot, one in seen.seen.items() if one.answer is not None}
    is_clear = found == known or not any(one.doubt for one in seen.seen.values())
    # Of trains that people have just said the player of, they need not be asked once more.
    if found and not known and not table.spots and not found.keys() <= seen.strange.keys():
        return Opening(Joining(found), {**found}, is_clear, _impossible(found, seen, table))
    changes = plain_differences(seen, table)
    shown = sum(found.get(spot) == colour for spot, colour in known.items())
    if len(known) >= MANY and shown <= FEW * len(known) and known.keys() & changes.keys():
        return Opening(Joining(found, missing=len(known) - shown), changes, is_clear)
    changes = {spot: now for spot, now in changes.items() if spot not in table.by_hand}
    if len(changes) < MANY:
        return Opening(None, changes, is_clear)
    now = {spot: colour for spot, colour in {**known, **changes}.items() if colour is not None}
    joining = Joining(now, changed=len(changes))
    return Opening(joining, changes, is_clear, _impossible(now, seen, table))


def _impossible(lying: Mapping[Spot, Colour], seen: LookRead, table: TableState) -> Sentence:
    """Say why what is read to lie there is no game, whatever becomes of its doubts."""
    certain = {spot: c for spot, c in lying.items() if seen.seen[spot].doubt is None}
    claims, sites = of_kind("route", certain), of_kind("site", certain)
    return impossible_stock(replace(table.position, claims=claims, sites=sites))


def plain_differences(seen: LookRead, table: TableState) -> dict[Spot, Colour | None]:
    """Return what a reading plainly shows otherwise than the log has it."""
    known = table.held
    return {
        spot: one.answer
        for spot, one in seen.seen.items()
        if one.doubt is None and one.answer != known.get(spot)
    }


def joining_facts(
    sight: BoardSight, said: Mapping[Spot, Colour] | None, table: TableState
) -> tuple[Fact, ...] | None:
    """Return what people say of a board that watching began with; None where nobody is asked.

    Where they say nothing else, the board is as it is seen.
    """
    joining, held, by_hand = sight.joining, table.held, table.by_hand
    if joining is None:
        return None
    if joining.is_of_new_game:
        right = {spot: one for spot, one in joining.board.items() if spot not in by_hand}
        lying = right if said is None else said
        return (BoardJoined(*(of_kind(kind, lying) for kind in KINDS)),)
    if said is None:
        return ()
    # Of a list of changes they have seen every line: also what they let be as it was is their word.
    seen = joining.board if joining.changed else held
    return tuple(
        Corrected.on(spot, was=held.get(spot), now=said.get(spot))
        for spot in sorted(held.keys() | said.keys() | seen.keys())
        if not held.get(spot) == said.get(spot) == seen.get(spot)
    )


def opening_doubts(
    seen: LookRead, table: TableState, joined: Mapping[Spot, Doubt]
) -> dict[Spot, Doubt]:
    """Return what is to be asked of a reading that watching begins with.

    That is what it sees otherwise than the log has it, but is not sure of; and what people
    confirmed in one step though it was in doubt then, unless this reading is sure of it now.
    """
    known = table.held
    asked: dict[Spot, Doubt] = {}
    for spot, one in seen.seen.items():
        has, then = known.get(spot), joined.get(spot)
        if then is not None and then.said == has:
            if one.doubt is not None or one.answer != has:
                asked[spot] = one.doubt or then
        elif one.doubt is not None and one.answer != has and spot not in table.by_hand:
            asked[spot] = one.doubt
    return asked


def ask_about(doubts: Mapping[Spot, Doubt], look: Look, questions: Questions) -> None:
    """Ask what a first look leaves in doubt, each with a picture of its spot."""
    frame = Frame(look.shown, look.at_s, 0)
    for spot, doubt in doubts.items():
        area = area_around(look.printed.board, spot)
        questions.ask(doubt, Occasion.OPENING, picture_around(frame.picture, look.pose, area))
