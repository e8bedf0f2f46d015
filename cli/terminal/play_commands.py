"""What people type while a game is watched, and what it does."""

from __future__ import annotations

from railspotter.scoring import Colour, Spot
from railspotter.table.errors import TableError
from railspotter.table.live_table import LiveTable, pack_away
from railspotter.table.photos import spot_called

from .event_text import standing_lines
from .people_commands import HELP as PEOPLE_HELP
from .people_commands import run_people_command

HELP = f"""\
1 red          answer question 1; also: 1 free
set helena--seattle red
               say what is on a route, a city's station or a site; also: set ... free
undo, redo     undo the last change, or do it again after all
yes            what was found on the board at the start is right, or it was cleared
pause, resume  stop watching for a while
pack           pack away: pause, with a picture of the board; when the game goes on, what is still
               to be laid is said until it lies as it was, or you say 'yes'
again          look at the whole board again
scores         everyone's points, and whose turn it probably is
end            the game is over: every point and where it came from
quit           stop; 'railspotter play --resume' goes on with it
{PEOPLE_HELP}"""


def run_command(line: str, table: LiveTable) -> str:
    """Do what a line says; return what to reply, which may be nothing.

    Raises
    ------
    TableError
        When it says nothing that can be done; with what can.
    """
    words = line.split()
    match words:
        case []:
            return ""
        case ["help" | "?"]:
            return HELP
        case [number, colour] if number.isdigit():
            questions = table.view.questions
            if not 1 <= int(number) <= len(questions):
                raise TableError(f"there is no question {number}")
            table.correct(questions[int(number) - 1].spot, colour_of(colour, table))
        case ["set", *name, colour] if name:
            table.correct(spot_of(" ".join(name), table), colour_of(colour, table))
        case ["yes"]:
            if table.view.rebuilding is None:
                table.confirm_joining()
            else:
                table.resume(is_rebuilt=True)
        case ["undo"]:
            table.undo()
        case ["redo"]:
            table.redo()
        case ["pause"]:
            table.pause()
        case ["resume"]:
            table.resume()
        case ["pack"]:
            pack_away(table)
        case ["again"]:
            table.look_again()
        case ["end"]:
            table.end()
        case ["scores"]:
            return "\n".join(standing_lines(table.view.game))
        case _:
            reply = run_people_command(words, table)
            if reply is None:
                raise TableError(
                    f"{line.strip()!r} is not understood; 'help' lists what you can type"
                )
            return reply
    return ""


def colour_of(word: str, table: LiveTable) -> Colour | None:
    """Return the colour that a word means, None for free; a player's name will do.

    Raises
    ------
    TableError
        When nobody plays it.
    """
    if word == "free":
        return None
    players = table.view.game.table.players
    for player in players:
        if word.casefold() in (player.colour.casefold(), player.name.casefold()):
            return player.colour
    raise TableError(f"nobody plays {word!r}: say {', '.join(p.colour for p in players)} or free")


def spot_of(name: str, table: LiveTable) -> Spot:
    """Return the spot that a name or an id means; raises `TableError` when there is none."""
    state = table.view.game.table
    return spot_called(name, state.board, state.edition)
