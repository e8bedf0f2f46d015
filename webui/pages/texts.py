"""Every text of the pages for photos, in one place and in English; templates know it as `texts`.

A `Translator` puts them into the reader's language; the functions take one where they put other
words into a text.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..access import MOST_BYTES
from .translation import Translator

ENGLISH = Translator({})
DECIMAL_SIGN = "."

TITLE = "Railspotter"
TAGLINE = "One photo of the board, and the score is counted."
FOOTER = (
    "Railspotter is made by players. It is unofficial and not affiliated with the game's publisher."
)
PRIVACY = "Photos stay on the computer that runs this page, which forgets them when it stops."

SEND_HEADING = "Photograph the board"
SEND_HINT = "Have the whole board in the picture, from as high above as you can reach."
CAMERA = "Take a photo"
GALLERY_QUESTION = "Have a photo already?"
GALLERY = "Choose one photo, or several of the same board"
READ = "Read the board"
READING = "Reading the board. This takes a second or two…"
PREVIEW = "The photo you chose"
READ_ANOTHER = "Read another photo"
PAST_GAMES = "Past games"
BOARDS = "Boards of your own"
CARD_GAME = "Count The Card Game"

ADVICE_HEADING = "What helps"
ADVICE = (
    "All four corners of the board are in the picture.",
    "No hands, boxes or cards lie over the board.",
    "The light is even, without a glaring lamp in the picture.",
)

STATIONS_LEFT = "Stations left"
RESULT_HEADING = "Your board"
SCORES_HEADING = "Scores"
PLAYER = "Player"
ROUTE_POINTS = "Route points"
LONGEST_PATH = "Longest path"
LONGEST = "longest"
ROUTES_ONLY = "Tickets and bonuses are not in these points yet."
NO_TRAINS = "No trains stand on the board."
POINTS_HEADING = "Where the points come from"
PICTURE_HEADING = "What was seen"
PICTURE = "The board from above, with everything that was claimed outlined in its player's colour"
OPEN_PICTURE = "Open the picture in full size"
DOUBTS_HEADING = "Please check"
NO_DOUBTS = "No doubts: everything could be read clearly."
ANSWER_HINT = "Look at the board and tap what stands there. The scores follow."
ANOTHER_COLOUR = "Another colour"
UNDO = "Undo"
SECOND_PHOTO = (
    "A second photo from another side, or in another light, settles more than these questions:"
    " choose both photos together, and they are read as one."
)
NOTES_HEADING = "About the photo"

EMPTY = "empty"
NO_STATION = "no station"

NO_FILE = "No photo was chosen. Take or choose one first."
TOO_OFTEN = "That were many photos at once. Wait a few seconds and send it again."
ERRORS = {
    400: "This request could not be understood. Go back and try again.",
    403: "This upload came from another site's page, so it was refused. Send it from this page.",
    404: "There is no such page here.",
    413: f"The photo is larger than {MOST_BYTES // 2**20} MB. Send a smaller one.",
    421: "Nobody here has that name. Open the address that the program's terminal says.",
    500: "Something went wrong in the program, not with your photo. Its terminal says more.",
}
"""What each refusal says; other codes of the 400s say what 400 does."""
GONE = "This result is no longer kept. Read the photo again."


def error(code: int) -> str:
    """Return the sentence for an HTTP status."""
    return ERRORS.get(code, ERRORS[500 if code >= 500 else 400])


def sentence(words: str) -> str:
    """Return words with a capital at the front and a full stop at the end.

    Examples
    --------
    >>> sentence("glare lies over it")
    'Glare lies over it.'
    """
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def trains_left(train_word: str) -> str:
    """Return the heading of the stock.

    Examples
    --------
    >>> trains_left("taxi"), trains_left("bus")
    ('Taxis left', 'Buses left')
    """
    plural = train_word + ("es" if train_word.endswith("s") else "s")
    return f"{plural.capitalize()} left"


def too_many(excess: Sequence[tuple[str, int]], say: Translator = ENGLISH) -> str:
    """Return the warning that more trains are seen of some colours than a player has.

    Examples
    --------
    >>> too_many([("red", 2), ("blue", 1)])
    'More trains are seen than a player has: red 2, blue 1 too many. A route may be misread.'
    """
    text = "More trains are seen than a player has: {colours} too many. A route may be misread."
    colours = ", ".join(f"{say(colour)} {count}" for colour, count in excess)
    return say.fill(text, colours=colours)


def not_playing(colours: Sequence[str], say: Translator = ENGLISH) -> str:
    """Return the line about the colours of which no train was seen."""
    return say.fill("Not on the board: {colours}.", colours=", ".join(map(say, colours)))


def may_change(doubts: int, say: Translator = ENGLISH) -> str:
    """Return the warning that answers to the doubts weigh in the scores.

    Examples
    --------
    >>> may_change(1), may_change(3)
    ('1 doubt below may change these scores.', '3 doubts below may change these scores.')
    """
    if doubts == 1:
        return say.fill("{doubts} doubt below may change these scores.", doubts=doubts)
    return say.fill("{doubts} doubts below may change these scores.", doubts=doubts)


LANES = {
    "left": "the left lane of {route}",
    "right": "the right lane of {route}",
    "upper": "the upper lane of {route}",
    "lower": "the lower lane of {route}",
}


def lane(side: str, route: str, say: Translator = ENGLISH) -> str:
    """Return one lane of a double route."""
    return say.fill(LANES[side], route=route)


def question(route: str, answers: Sequence[str], say: Translator = ENGLISH) -> str:
    """Return what a doubt asks.

    Examples
    --------
    >>> question("Chicago - Pittsburgh", ["blue", "empty"])
    'Is Chicago - Pittsburgh blue, or empty?'
    >>> question("the upper lane of Denver - Omaha", ["empty", "red", "blue"])
    'Is the upper lane of Denver - Omaha empty, red, or blue?'
    """
    *others, last = answers
    if not others:
        return say.fill("Is {route} {answer}?", route=route, answer=last)
    text = "Is {route} {answers}, or {last}?"
    return say.fill(text, route=route, answers=", ".join(others), last=last)


def station_question(place: str, answers: Sequence[str], say: Translator = ENGLISH) -> str:
    """Return what a doubt about a station asks.

    Examples
    --------
    >>> station_question("Edinburgh", ["blue", "black", "no station"])
    'Which station stands at Edinburgh: blue, black, or no station?'
    """
    *others, last = answers
    text = "Which station stands at {place}: {answers}, or {last}?"
    return say.fill(text, place=place, answers=", ".join(others), last=last)


def counts_as(answer: str, say: Translator = ENGLISH) -> str:
    """Return how a doubted route is scored for now."""
    return say.fill("Counted as {answer} for now.", answer=answer)


def answered(answer: str, say: Translator = ENGLISH) -> str:
    """Return that someone answered a doubt.

    Examples
    --------
    >>> answered("red")
    'You said: red.'
    """
    return say.fill("You said: {answer}.", answer=answer)


def left_out(photo: str, reason: str, say: Translator = ENGLISH) -> str:
    """Return the note that one of several photos told nothing.

    Examples
    --------
    >>> left_out("wall.jpg", "the board was not found")
    'wall.jpg was left out: the board was not found.'
    """
    return say.fill("{photo} was left out: {reason}.", photo=photo, reason=say(reason))


def read_in(seconds: float, say: Translator = ENGLISH) -> str:
    """Return how long the reading took."""
    number = f"{seconds:.1f}".replace(DECIMAL_SIGN, say(DECIMAL_SIGN))
    return say.fill("read in {seconds} s", seconds=number)
