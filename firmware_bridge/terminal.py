"""What `railspotter display` does: lists ports, tries a display, previews one."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from .bridge import Bridge
from .display_name import AUTO
from .errors import DisplayError
from .lights import DisplayMoment, Strip
from .made_up_game import made_up_at, made_up_scoreboards
from .ports import found_ports
from .preview import preview, to_ansi, to_png

TURN_S = 0.05  # between two looks at the made-up game
CHASING_S = 0.6  # the preview looks at a claim when the white spot is under way


def list_displays() -> int:
    """Print the ports and what may be on them."""
    ports = found_ports()
    if not ports:
        print("no serial ports: nothing is plugged in")
    for port in ports:
        likely = f"perhaps a display ({port.likely})" if port.likely else "probably not a display"
        print(f"{port.url:24} {port.about:32} {likely}")
    return 0


def try_display(name: str = AUTO, strip: Strip | None = None, seconds: float = 20.0) -> int:
    """Show a made-up game on a display; return 0 when there was one, 3 otherwise."""
    with Bridge(name, strip) as bridge:
        said = ""
        began_s = time.monotonic()
        while (t_s := time.monotonic() - began_s) < seconds:
            bridge.show(made_up_at(t_s, seconds))
            if bridge.state.text != said:
                said = bridge.state.text
                print(said, flush=True)
            time.sleep(TURN_S)
        return 0 if bridge.state.connections else 3


def preview_display(strip: Strip, turn: int | None = None, png: Path | None = None) -> int:
    """Draw what a display shows after a turn of the made-up game; without one near its end."""
    boards = made_up_scoreboards()
    last = len(boards) - 1
    turn = last * 3 // 4 if turn is None else turn
    if not 0 <= turn <= last:
        raise DisplayError(f"turn {turn}: the made-up game has turns 0 to {last}")
    board = boards[turn]
    is_claim = turn > 0 and board.claims != boards[turn - 1].claims
    moment = DisplayMoment(0.0, claim_age_s=CHASING_S if is_claim else float("inf"))
    shown = preview(board, strip, moment)
    print(to_ansi(shown, shutil.get_terminal_size().columns))
    for player in board.players:
        path = ", longest path" if player.has_longest_path else ""
        print(f"{player.colour}: {player.score} points, {player.trains_left} trains left{path}")
    if png is not None:
        try:
            png.write_bytes(to_png(shown))
        except OSError as error:
            raise DisplayError(
                "cannot write {path}: {error}", path=f"{str(png)!r}", error=error.strerror
            ) from error
    return 0
