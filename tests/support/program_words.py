"""What the program says to players in English, gathered from its files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from railspotter import webui
from railspotter.calibration.finding import finder as finding
from railspotter.calibration.finding import proof
from railspotter.firmware_bridge.bridge import LOOKING
from railspotter.scoring import edition_names, load_edition
from railspotter.vision.sources.camera_locks import Control, Locks
from railspotter.webui.pages import texts

HOUSE = Path(webui.__file__).parent.parent
SPOKEN = """
calibration: verdict ways reference nudges agreement markers corner_snapping
calibration: stringing proposal_values growing edits place_edits
vision: doubts single_pieces station_reading several_photos photo_notes
vision: decoding judging grabber posted camera capture camera_list multipart web_camera
vision: web_request video photos pi_camera virtual_scenes
table: board_picture photo_requests held_pictures picture set_up_desk cameras offers planned_game
table: course board_keeper live_table board_choice photo_score calibration_desk/desk
webui: texts photo_desk
firmware_bridge: ports display_name own_display wled desk
"""
"""The files whose sentences come before players, by the package that they lie in."""
REFUSING = """
scoring: board
calibration: places
vision: train_cards/reader
table: game_state checks log game_store bundle edits sites_table tickets_table draft_store
table: board_desk own_boards changes card_game_store deck_file
"""
"""The files whose errors' sentences come before people, by their packages: on the page of a game,
of the boards, of past games and of The Card Game."""
REFUSED_TO_PROGRAMS = {
    # What only a damaged file, or a program that writes events itself, can be told.
    "event 7: a log begins with event 1, game_started",
    "a log begins with event 1, game_started",
    "event 7 cannot follow event 7",
    "game_started: the game has started already",
    "an event has room for 7 crops",
    "a crop must be a JPEG picture of at most 7 bytes",
    "7 cannot be a game's id: 32 digits and letters a to f",
    "cannot read the board file 7: 7",
    "7: 7",
    "7.7: 7",
}
OF_GAMES = [
    "tickets.red[0]: a ticket needs two places, both are 'omaha'",
    "tickets.red[0]: New York has no ticket 'omaha' - 'denver'; give its points",
    "tickets.red[0]: the board 'mine' has no place 'omaha'",
    "the game is too large",
    "game_started: there is no house rule",
    "the ticket Omaha - Denver",
]
"""What a game's text is refused with when a ticket is kept, and parts of sentences."""
LINE = re.compile(r"^line \d: ")
"""Before what is wrong in a table, which is looked up without it."""
NOT_READ_BY_PLAYERS = {
    "live table",  # a thread's name, and what is logged
    "watching the table",
    "telling what is new",
    "watching %s",
    " instead of 7 x 7",  # a part of what is in WHOLE
    "7 x 7 pixels7",
    "the photos disagree: 7",
    "there is no reader 7; known are 7",
    "7 left",
    "display test",
    # A part of what is in its file.
    "auto, virtual, own:PORT, wled:PORT, http://ADDRESS (WLED), text:PORT, or PORT",
    "exclusively lock",  # a part of what pyserial says
    "7 7 7",
    "7: 7 LEDs, 7 modules of digits",  # in WHOLE with its port
    "WLED 7: 7 LEDs",
    "WLED in the network: 7 LEDs",
    "7 7",
    # The beginnings of reasons, and what a remark is about.
    *("no markers are seen", "there is no profile", "only the board's", "nobody gave", "cut off"),
    # The page has words of its own for how good a picture is.
    "good: the board can be read well like this",
    "usable: some routes will be asked about",
    "poor: boards are often not found like this, or routes read wrongly",
    # Of several pictures, or of none, which only a command has.
    "no way to find the board was allowed",
    "the pictures are of different sizes: take all with one camera, held one way",
    "there is no picture to look at",
    "there is no picture in which the board was found",
    "the board or the camera moved from one picture to the next: keep both still, and take all"
    " pictures from one place",
    "the pictures do not agree on where the board is: wait until nobody leans over it and the light"
    " is steady, or name a single photo",
    "the profile is of the board 7, not 7",
    # Before a game begins, in the terminal.
    "this installation of OpenCV has no 7",
    "7 is not an http or https address",
    "picamera2 is not installed here: on a Raspberry Pi, 'sudo apt install python3-picamera2' and"
    " make the environment with --system-site-packages",
}
WHOLE = [
    "640 x 480 pixels",
    "640 x 480 pixels instead of 1920 x 1080",
    *(finding.NOWHERE, finding.MIRRORED, finding.TWO_BOARDS, finding.ANOTHER_BOARD),
    *(proof.TOO_DARK, proof.TOO_BLURRED, proof.TOO_SMALL, proof.WIDE_LENS, proof.COVERED),
    *(proof.OTHER_COPY, proof.OTHER_PRINT),
    "only part of the board is in the picture: its left side is cut off; step back until the whole"
    " board shows",
    "the photos disagree: red or free",
    "a game has room for 100 events",
    "the board 'mine' cannot be found by itself",
    "the board was found by your own photo of the board",
    "7 is in use by another program",
    *(LOOKING, "no port looks like a display: plug one in, or name its port"),
    *("7: 7 LEDs, 7 modules of digits (7)", "WLED in the network: 7 LEDs (7)"),
    *(
        texts.trains_left(load_edition(name).train_word)
        for name in edition_names()
        if name != "card-game"
    ),
    *(texts.trains_left("bus"), "route Denver - Omaha", "longest path, 7 trains"),
    *("1 station not built", "3 stations not built", "site Liberty Bell, number 2"),
]
"""What is put together, or has a name in its file."""
WORDS = ["free", "empty", "no station", "left", "right", "top", "bottom", "longest"]
WORDS += ["north", "east", "south", "west", "middle"]
WORDS += ["north-west", "north-east", "south-east", "south-west"]
WORDS += ["Railspotter", "Player", "Scores", "Undo", texts.DECIMAL_SIGN]
HOLE = re.compile(r"\{[^{}]*\}")


def in_file(path: Path) -> Iterator[ast.AST]:
    """Go through a file's code without its docstrings and what it logs."""
    hidden: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        docs = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docs or isinstance(node, ast.JoinedStr):
            hidden |= {id(inner) for inner in ast.walk(node) if inner is not node}
        if id(node) not in hidden:
            yield node


def sentence(node: ast.AST | None) -> str:
    """Return a text with 7 in its places; the empty text where it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return HOLE.sub("7", node.value)
    if isinstance(node, ast.JoinedStr):
        parts = node.values
        return "".join(str(p.value) if isinstance(p, ast.Constant) else "7" for p in parts)
    return ""


def files(listed: str) -> Iterator[Path]:
    """Yield the files of a list, each the only one of its name in its package."""
    for line in filter(None, listed.split("\n")):
        package, _, names = line.partition(":")
        for name in names.split():
            (path,) = (HOUSE / package).rglob(f"{name}.py")
            yield path


def spoken() -> Iterator[str]:
    """Yield what the files say: everything of at least two words."""
    for path in files(SPOKEN):
        for node in in_file(path):
            text = sentence(node)
            if re.search(r"[\w)] [\w(]", text) and text not in NOT_READ_BY_PLAYERS:
                yield text


def refused() -> Iterator[str]:
    """Yield what errors say: where they are raised, required and, for board files, yielded."""
    for path in files(REFUSING):
        for node in in_file(path):
            for said in _reasons(node):
                text = sentence(said)
                if re.search(r"[\w)] [\w(']", text) and text not in REFUSED_TO_PROGRAMS:
                    yield text
                    if (alone := LINE.sub("", text)) != "7":
                        yield alone


def _reasons(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return node.exc.args[:1]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_require":
        return node.args
    if isinstance(node, ast.Yield) and isinstance(node.value, ast.JoinedStr | ast.Constant):
        return [node.value]
    # A sentence that has a name of its own.
    is_named = isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "NO_CARDS"
    return [node.value] if is_named and isinstance(node, ast.Assign) else []


def refusals() -> Iterator[str]:
    """Yield what calls are refused with, where the page has no words of its own for the code."""
    for path in (HOUSE / "webui" / "api").glob("*.py"):
        for node in in_file(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CallError":
                status = getattr(node.args[0], "value", None)
                if status in (400, 404, 422) and " " in (text := sentence(node.args[2])):
                    yield text
            elif path.name == "routes.py" and re.fullmatch("(Th|Some).*[.]", sentence(node)):
                yield sentence(node)


def of_the_log() -> Iterator[str]:
    """Yield why nothing can be written."""
    for node in in_file(HOUSE / "table" / "game_log" / "database.py"):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "what":
            yield sentence(node.value)


def samples() -> list[str]:
    """Return all of it, with 7 in its places."""
    said = [
        *spoken(),
        *refused(),
        *OF_GAMES,
        *refusals(),
        *of_the_log(),
        *(HOLE.sub("7", text) for text in WHOLE),
    ]
    controls = [*Control]
    for taken in range(2 ** len(controls)):
        locked = tuple(one for i, one in enumerate(controls) if taken >> i & 1)
        said.append(str(Locks(locked, tuple(one for one in controls if one not in locked))))
        said.append(str(Locks(locked)).removesuffix(" locked"))
    return [text for text in dict.fromkeys((*said, *WORDS)) if text]
