"""Every text of the pages for photos, in one place; templates know it as `texts`."""

from __future__ import annotations

from collections.abc import Sequence

from railspotter.scoring.sentence import Sentence, together

from ..access.gate import MOST_BYTES

TITLE = Sentence("Railspotter")
TAGLINE = Sentence("One photo of the board, and the score is counted.")
FOOTER = Sentence(
    "Railspotter is made by players. It is unofficial and not affiliated with the game's publisher."
)
PRIVACY = Sentence(
    "Photos stay on the computer that runs this page, and are forgotten when the program ends."
)

SEND_HEADING = Sentence("Photograph the board")
SEND_HINT = Sentence("Have the whole board in the picture, from as high above as you can reach.")
REST_HEADING = Sentence("Photograph the rest")
REST_HINT = Sentence("Both photos are read as one board. What is still missing is hatched.")
CAMERA = Sentence("Take a photo")
GALLERY_QUESTION = Sentence("Have a photo already?")
GALLERY = Sentence("Choose one photo, or several of the same board")
READ = Sentence("Read the board")
READING = Sentence("Reading the board. This takes a second or two…")
BEFORE = Sentence("Photos that are read before yours: {n}")
PREVIEW = Sentence("The photo you chose")
READ_ANOTHER = Sentence("Read another photo")
PAST_GAMES = Sentence("Past games")
BOARDS = Sentence("Boards of your own")
CARD_GAME = Sentence("Count The Card Game")

ADVICE_HEADING = Sentence("What helps")
ADVICE = (
    Sentence("All four corners of the board are in the picture."),
    Sentence("No hands, boxes or cards lie over the board."),
    Sentence("The light is even, without a glaring lamp in the picture."),
)

CORNERS_HEADING = Sentence("Or show where the board is")
CORNERS_HINT = Sentence(
    "Drag the four rings onto the corners of the printed picture: any print of the map is then"
    " read. With the keyboard: Tab to a ring, arrow keys move it, with Shift further."
)
CORNERS_LABEL = Sentence("The photo with the board's corners")
CORNERS = (
    Sentence("Top left corner"),
    Sentence("Top right corner"),
    Sentence("Bottom right corner"),
    Sentence("Bottom left corner"),
)
WHICH_BOARD = Sentence("Which board is it?")
READ_THERE = Sentence("Read the board there")

STATIONS_LEFT = Sentence("Stations left")
RESULT_HEADING = Sentence("Your board")
SCORES_HEADING = Sentence("Scores")
PLAYER = Sentence("Player")
ROUTE_POINTS = Sentence("Route points")
LONGEST_PATH = Sentence("Longest path")
LONGEST = Sentence("longest")
ROUTES_ONLY = Sentence("Tickets and bonuses are not in these points yet.")
NO_TRAINS = Sentence("No trains stand on the board.")
POINTS_HEADING = Sentence("Where the points come from")
PICTURE_HEADING = Sentence("What was seen")
PICTURE = Sentence(
    "The board from above, with everything that was claimed outlined in its player's colour"
)
OPEN_PICTURE = Sentence("Open the picture in full size")
DOUBTS_HEADING = Sentence("Please check")
NO_DOUBTS = Sentence("No doubts: everything could be read clearly.")
ANSWER_HINT = Sentence("Look at the board and tap what is there. The scores follow.")
ANOTHER_COLOUR = Sentence("Another colour")
UNDO = Sentence("Undo")
SECOND_PHOTO = Sentence(
    "A second photo from another side, or in another light, settles more than"
    " these questions: choose both photos together, and they are read as one."
)
NOTES_HEADING = Sentence("About the photo")

# Of trains, prints and cards: they stand in other sentences.
COLOURS = (
    Sentence("black"),
    Sentence("blue"),
    Sentence("green"),
    Sentence("grey"),
    Sentence("orange"),
    Sentence("pink"),
    Sentence("purple"),
    Sentence("red"),
    Sentence("white"),
    Sentence("yellow"),
)
EMPTY = Sentence("empty")
NO_STATION = Sentence("no station")
NOBODY = Sentence("nobody")
WHO_PLAYS = Sentence("Who plays these trains ({routes})?")
NOT_IN_GAME = Sentence("They are of a colour that nobody in this game has.")
NOT_COUNTED = Sentence("Not counted for now.")

NO_FILE = Sentence("No photo was chosen. Take or choose one first.")
TOO_OFTEN = Sentence("That was a lot of photos at once. Wait a few seconds and send yours again.")
# What each refusal says; other codes of the 400s say what 400 does.
ERRORS = {
    400: Sentence("This request could not be understood. Go back and try again."),
    403: Sentence(
        "This upload came from another site's page, so it was refused. Send it from this page."
    ),
    404: Sentence("There is no such page here."),
    413: Sentence(
        "The photo is larger than {most} MB. Send a smaller one.", most=MOST_BYTES // 2**20
    ),
    421: Sentence("This computer has no such name. Open the address that the terminal shows."),
    500: Sentence(
        "Something went wrong in the program, not with your photo. The terminal says more."
    ),
}
GONE = Sentence("This result is no longer kept. Read the photo again.")


def error(code: int) -> Sentence:
    """Return the sentence for an HTTP status."""
    return ERRORS.get(code, ERRORS[500 if code >= 500 else 400])


# The heading of the stock, by an edition's word for trains.
TRAINS_LEFT = {
    "train": Sentence("Trains left"),
    "taxi": Sentence("Taxis left"),
    "bus": Sentence("Buses left"),
    "shape": Sentence("Shapes left"),
}


def not_playing(colours: Sequence[str]) -> Sentence:
    """Return the line about the colours of which no train was seen."""
    return Sentence("Not on the board: {colours}.", colours=together(colours, ", "))


def may_change(doubts: int) -> Sentence:
    """Return the warning that answers to the doubts weigh in the scores.

    Examples
    --------
    >>> may_change(1), may_change(3)
    ('1 doubt below may change these scores.', '3 doubts below may change these scores.')
    """
    if doubts == 1:
        return Sentence("{doubts} doubt below may change these scores.", doubts=doubts)
    return Sentence("{doubts} doubts below may change these scores.", doubts=doubts)


LANES = {
    "left": Sentence("the left lane of {route}"),
    "right": Sentence("the right lane of {route}"),
    "upper": Sentence("the upper lane of {route}"),
    "lower": Sentence("the lower lane of {route}"),
}


def question(route: str, answers: Sequence[str]) -> Sentence:
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
        return Sentence("Is {route} {answer}?", route=route, answer=last)
    some = together(others, ", ")
    return Sentence("Is {route} {answers}, or {last}?", route=route, answers=some, last=last)


def station_question(place: str, answers: Sequence[str]) -> Sentence:
    """Return what a doubt about a station asks.

    Examples
    --------
    >>> station_question("Edinburgh", ["blue", "black", "no station"])
    'Which station stands at Edinburgh: blue, black, or no station?'
    """
    *others, last = answers
    return Sentence(
        "Which station stands at {place}: {answers}, or {last}?",
        place=place,
        answers=together(others, ", "),
        last=last,
    )


def counts_as(answer: str) -> Sentence:
    """Return how a doubted route is scored for now."""
    return Sentence("Counted as {answer} for now.", answer=answer)


def answered(answer: str) -> Sentence:
    """Return that someone answered a doubt.

    Examples
    --------
    >>> answered("red")
    'You said: red.'
    """
    return Sentence("You said: {answer}.", answer=answer)


def left_out(photo: str, reason: Sentence) -> Sentence:
    """Return the note that one of several photos told nothing.

    Examples
    --------
    >>> left_out("wall.jpg", Sentence("the board was not found"))
    'wall.jpg was left out: the board was not found.'
    """
    return Sentence("{photo} was left out: {reason}.", photo=photo, reason=reason)


def read_in(seconds: float) -> Sentence:
    """Return how long the reading took.

    Examples
    --------
    >>> read_in(0.84)
    'read in 0.8 s'
    """
    whole, _, tenths = f"{seconds:.1f}".partition(".")
    return Sentence("read in {whole}.{tenths} s", whole=whole, tenths=tenths)
