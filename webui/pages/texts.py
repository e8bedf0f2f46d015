"""Texts of the photo pages that depend on values; the templates' variable `texts`."""

from collections.abc import Sequence

from railspotter.scoring.sentence import Sentence, together

from ..access.gate import MOST_BYTES
from ..sessions.photo_queue import NO_FILE as NO_FILE

PICTURE = Sentence(
    "The board from above, with everything that was claimed outlined in its player's colour"
)

EMPTY = Sentence("empty")
NO_STATION = Sentence("no station")
NOBODY = Sentence("nobody")
WHO_PLAYS = Sentence("Who plays these trains ({routes})?")
NOT_IN_GAME = Sentence("They are of a colour that nobody in this game has.")
NOT_COUNTED = Sentence("Not counted for now.")
COUNTED = Sentence("Counted as {answer} for now.")  # how a doubted route is scored
ANSWERED = Sentence("You said: {answer}.")
READ_AS = Sentence("Read as: {answer}.")  # what was corrected
UNSEEN = Sentence("not seen")
LISTED = Sentence("{spot}: {now}")
LEFT_OUT = Sentence("{photo} was left out: {reason}.")  # of one of several photos

TOO_OFTEN = Sentence("That was a lot of photos at once. Wait a few seconds and send yours again.")
# By HTTP status; other 4xx codes have 400's text.
ERRORS = {
    400: Sentence("This request could not be understood. Go back and try again."),
    403: Sentence(
        "This upload came from another site's page, so it was refused. Send it from this page."
    ),
    404: Sentence("There is no such page here."),
    413: Sentence(
        "The photo is larger than {most} MB. Send a smaller one.", most=MOST_BYTES // 2**20
    ),
    421: Sentence("This computer has no such name. Open the address that the table's code has."),
    500: Sentence(
        "Something went wrong in the program, not with your photo. Its host finds more on the"
        " computer."
    ),
}
GONE = Sentence("This result is no longer kept. Read the photo again.")
# The heading of the stock column, by an edition's word for trains.
TRAINS_LEFT = {
    "train": Sentence("Trains left"),
    "taxi": Sentence("Taxis left"),
    "bus": Sentence("Buses left"),
    "shape": Sentence("Shapes left"),
}
LANES = {
    "left": Sentence("the left lane of {route}"),
    "right": Sentence("the right lane of {route}"),
    "upper": Sentence("the upper lane of {route}"),
    "lower": Sentence("the lower lane of {route}"),
}


def error(code: int) -> Sentence:
    """Return the sentence for an HTTP status."""
    return ERRORS.get(code, ERRORS[500 if code >= 500 else 400])


def not_playing(colours: Sequence[str]) -> Sentence:
    """Return the line about colours without pieces."""
    return Sentence("Not on the board: {colours}.", colours=together(colours, ", "))


def may_change(doubts: int) -> Sentence:
    """Return the warning that doubts may change the scores.

    >>> may_change(3)
    'Not sure of 3 spots below: they may change these scores.'
    """
    if doubts == 1:
        return Sentence("Not sure of {n} spot below: it may change these scores.", n=doubts)
    return Sentence("Not sure of {n} spots below: they may change these scores.", n=doubts)


def question(route: str, answers: Sequence[str]) -> Sentence:
    """Return the question of a doubt.

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
    """Return the question of a doubt about a station.

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


def read_in(seconds: float) -> Sentence:
    """Return the line with the reading's duration.

    >>> read_in(0.84)
    'read in 0.8 s'
    """
    whole, _, tenths = f"{seconds:.1f}".partition(".")
    return Sentence("read in {whole}.{tenths} s", whole=whole, tenths=tenths)
