"""From the words of photos to the tickets of a deck.

A ticket is certain where both of its places are read as this deck prints them: names on one line,
one above the other, or beside their places on a little map. Names that stand otherwise are no
ticket: a board's, a list's, a newspaper's. What is only half a ticket is a doubt, which names the
likeliest ones.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import PlaceId
from railspotter.scoring.edition import Ticket
from railspotter.scoring.sentence import Sentence
from railspotter.vision.words.word_reader import Word, read_small_words

from ..photo_file import to_jpeg
from .deck import Ends, TicketDeck
from .lines import MOST_TURN_COS, Floats, Line, WordMap
from .names import LEAST_PART
from .titles import FAULTS_A_LETTER, Title, TitleFinder

Corners = tuple[tuple[float, float], ...]

LIKELIEST = 3
SURE_LOG_ODDS = 3.0  # of points that contradict
TEXT_GAP = 2.0  # a ticket has so much room beside its title, and so much above and below it
TEXT_PITCH = (0.6, 1.75)
TEXT_SIZES = (0.75, 1.33)
TEXT_NUMBER = 14.0  # numbers so near on its line are larger, or a timetable's
# Titles are centred: lines that begin below each other are a list's, be they so far apart.
LIST_EDGE = 0.4
LIST_LINES = ((4.5, 2), (14.0, 4))  # so near, so many of them
MOST_IN_TEXT = 2  # more doubts of that kind are a page, with nothing to ask about
SMALL_PRINT = (0.8, 20.0)  # a pair so much smaller than a title so near is its card's small print
MOST_LONE = 3  # more names that stand alone are a board's
PAGE_WORDS = 25  # of other words: a page of text
LIKE_SIZES = (0.8, 1.25)
FEW_WORDS = 3
CROP_PX = 56  # the height of a crop

LONE = Sentence("only {place} could be read")
PART = Sentence("{place} could be read, and a part of another name")
FAULTY = Sentence("its names could not be read well")
LACKS = Sentence("{deck} has no ticket {a} - {b}")
OTHER_POINTS = Sentence("it shows {shown} points; in {deck} this ticket has {known}")
IN_TEXT = Sentence("it stands in a text or a list, as tickets do not")


class SeenTicket(msgspec.Struct, frozen=True):
    """A ticket that lies in a photo."""

    a: PlaceId
    b: PlaceId
    points: int
    outline: Corners  # around its names, in pixels of the photo
    confirmed: bool = False  # whether its points were read too
    photo: int = 0
    crop: bytes = b""  # its names, upright, as JPEG

    @property
    def ends(self) -> Ends:
        """Both places, in no order."""
        return frozenset((self.a, self.b))


class TicketDoubt(msgspec.Struct, frozen=True):
    """What may be a ticket, with the likeliest ones."""

    why: Sentence
    read: str
    likeliest: tuple[Ticket, ...]
    outline: Corners
    photo: int = 0
    crop: bytes = b""


class SeenTickets(msgspec.Struct, frozen=True, tag="tickets"):
    """The tickets of photos, and what is in doubt."""

    tickets: tuple[SeenTicket, ...]
    doubts: tuple[TicketDoubt, ...]


def read_tickets(pictures: Iterable[Picture], deck: TicketDeck) -> SeenTickets:
    """Read the tickets in photos of one hand; the same ticket in two of them counts once.

    Raises `VisionError` where the nets that read words are missing.
    """
    photos: list[SeenTickets] = []
    for n, picture in enumerate(pictures):
        seen = tickets_among(read_small_words(picture), deck)
        tickets = (replace(t, photo=n, crop=_crop(picture, t.outline)) for t in seen.tickets)
        doubts = (replace(d, photo=n, crop=_crop(picture, d.outline)) for d in seen.doubts)
        photos.append(SeenTickets(tuple(tickets), tuple(doubts)))
    return _together(photos, deck)


def tickets_among(words: Sequence[Word], deck: TicketDeck) -> SeenTickets:
    """Tell the tickets among the words of one photo."""
    return _Reading(WordMap(words), deck).seen()


def own_tickets(seen: SeenTickets, deck: TicketDeck) -> SeenTickets:
    """Return only what the deck has of tickets that somebody says were seen."""

    def is_own(ticket: SeenTicket | Ticket) -> bool:
        own = deck.tickets.get(ticket.ends)
        return own is not None and own.points == ticket.points

    doubts = (replace(one, likeliest=tuple(filter(is_own, one.likeliest))) for one in seen.doubts)
    return SeenTickets(tuple(filter(is_own, seen.tickets)), tuple(doubts))


def _together(photos: Sequence[SeenTickets], deck: TicketDeck) -> SeenTickets:
    """Add up photos: each ticket as often as the photo with most of it, and as the deck has it."""
    tickets: list[SeenTicket] = []
    for photo in photos:
        here: Counter[Ends] = Counter()
        for ticket in photo.tickets:
            here[ticket.ends] += 1
            counted = sum(ticket.ends == one.ends for one in tickets)
            if counted < here[ticket.ends] <= deck.copies[ticket.ends]:
                tickets.append(ticket)
    whole = {(ticket.ends, ticket.photo) for photo in photos for ticket in photo.tickets}

    def is_open(doubt: TicketDoubt) -> bool:  # no other photo shows it whole
        likely = {ticket.ends for ticket in doubt.likeliest}
        return not any(ends in likely and n != doubt.photo for ends, n in whole)

    doubts = (doubt for photo in photos for doubt in photo.doubts if is_open(doubt))
    return SeenTickets(tuple(tickets), tuple(doubts))


class _Reading:
    """One photo's words, taken apart into titles of tickets and the rest."""

    def __init__(self, words: WordMap, deck: TicketDeck) -> None:
        self.words, self.deck = words, deck
        self.finder = TitleFinder(words, deck)
        self.used: set[int] = set()
        self.titles: list[Title] = []
        self.known: set[int] = set()  # words of titles that are the deck's
        self.names = self.finder.names()
        self.named = {n for line, _ in self.names for n in line.words}

    def seen(self) -> SeenTickets:
        """Return the tickets and doubts."""
        titles: list[Title] = []
        for title in sorted(self.finder.titles(), key=self._order):
            if self.used.isdisjoint(title.line.words):
                self.used |= set(title.line.words)
                titles.append(title)
                if any(frozenset(pair) in self.deck.tickets for pair in title.pairs):
                    self.known |= set(title.line.words)
        titles = [title for title in titles if not self._is_small_print(title, titles)]
        self.titles = titles
        said = [one for title in titles if (one := self._said_of(title))]
        tickets = tuple(one for one in said if isinstance(one, SeenTicket))
        doubts = [one for one in said if isinstance(one, TicketDoubt)]
        is_page = self._other_words() > PAGE_WORDS
        if sum(one.why == IN_TEXT for one in doubts) > MOST_IN_TEXT:
            doubts = [one for one in doubts if one.why != IN_TEXT]
            if not any(ticket.confirmed for ticket in tickets):  # the rest of a list
                tickets = ()
        lone = [(line, one.places[0]) for line, one in self.names if self._is_unused(line)]
        if is_page or len(lone) > MOST_LONE + len(tickets):  # it has a board's names
            kept = (FAULTY.template, OTHER_POINTS.template)
            doubts = [one for one in doubts if one.why.template in kept]
        else:
            doubts += self._parts()
            heights = [title.height for title in titles]
            doubts += (
                self._doubt(LONE.filled(place=self.deck.name(place)), line, near)
                for line, place in lone
                if (near := self.deck.with_one_of([place])) and self._is_card(line, heights)
            )
        return SeenTickets(tickets, tuple(doubts))

    def _order(self, title: Title) -> tuple[bool, float, int]:
        """Sort titles: tickets of the deck first, then the best read, of the fewest words."""
        is_known = any(frozenset(pair) in self.deck.tickets for pair in title.pairs)
        return not (is_known and title.is_good), title.cost, len(title.line.words)

    def _is_unused(self, line: Line) -> bool:
        return self.used.isdisjoint(line.words)

    def _is_small_print(self, title: Title, titles: Sequence[Title]) -> bool:
        """Tell whether a title is the second pair of a card; only some boxes have such."""
        return "stack" in self.deck.how.kinds and any(
            title.height < SMALL_PRINT[0] * other.height
            and np.linalg.norm(title.line.centre - other.line.centre)
            < SMALL_PRINT[1] * other.height
            for other in titles
        )

    def _said_of(self, title: Title) -> SeenTicket | TicketDoubt | None:
        """Tell whether a title is a ticket, a doubt, or nothing."""
        deck = self.deck
        pairs = [frozenset(pair) for pair in title.pairs]
        known = [deck.tickets[ends] for ends in pairs if ends in deck.tickets]
        if not known:
            if len(pairs) > 1 or not title.is_good or self._is_in_text(title.line):
                return None
            a, b = (deck.name(place) for place in title.pairs[0])
            near = deck.with_one_of(pairs[0])
            near.sort(key=lambda ticket: ticket.points not in title.points)
            return self._doubt(LACKS.filled(deck=deck.title, a=a, b=b), title.line, near)
        ticket = known[0]
        is_confirmed = ticket.points in title.points
        if len(known) > 1 or not title.is_good:
            if title.cost > 2 * FAULTS_A_LETTER * len(title.line.text):
                return None
            return self._doubt(FAULTY, title.line, known)
        if not is_confirmed and self._is_in_text(title.line):
            return self._doubt(IN_TEXT, title.line, known)
        if title.points and not is_confirmed and self._is_contradicted(title, ticket):
            shown = " / ".join(map(str, sorted(title.points)))
            why = OTHER_POINTS.filled(shown=shown, deck=deck.title, known=ticket.points)
            return self._doubt(why, title.line, known)
        outline = _corners(title.line.outline)
        return SeenTicket(ticket.a, ticket.b, ticket.points, outline, is_confirmed)

    def _is_contradicted(self, title: Title, ticket: Ticket) -> bool:
        """Tell whether other points than a ticket's are read beside it, and not badly."""
        if self.deck.others.get(ticket.ends) in title.points:
            return True  # as another edition prints them
        worths = {one.points for one in self.deck.tickets.values()}
        # One figure of two may be all that was read.
        other = {n for n in title.points & worths if str(n) not in str(ticket.points)}
        return title.points_log_odds >= SURE_LOG_ODDS and bool(other)

    def _is_in_text(self, line: Line) -> bool:
        """Tell whether other words stand as near as they do in a text."""
        height = self.words.height(line)
        half = line.width / height / 2
        if self._is_in_list(line, height):
            return True
        for n, (x, y) in self.words.around(line, half + 12.0):
            own_half = self.words.widths[n] / height / 2
            size = self.words.heights[n] / height
            runs_along = self.words.along[n] @ line.axes[0] > MOST_TURN_COS
            is_number = self.words.words[n].text.isdigit()
            if not (is_number or len(self.words.texts[n]) > 1) or not runs_along:
                continue
            if not TEXT_SIZES[0] < size < TEXT_SIZES[1]:
                continue
            gap = abs(x) - half - own_half
            reach = TEXT_NUMBER if is_number else TEXT_GAP
            if abs(y) < 0.5 and n not in self.known and gap < reach:
                return True
            is_next_line = TEXT_PITCH[0] < abs(y) < TEXT_PITCH[1] and abs(x) < half + own_half
            if is_next_line and n in self.used | self.named:
                return True
        return any(sign.isdigit() for n in line.words for sign in self.words.words[n].text[-2:])

    def _is_in_list(self, line: Line, height: float) -> bool:
        """Tell whether other titles begin right above or below, though they are not as long."""
        far: list[float] = []
        for other in self.titles:
            x, y = line.seen_from(other.line.outline[[0, 3]].mean(0), height)
            is_other = abs(y) > 0.5 and abs(other.line.width - line.width) > height
            if is_other and abs(x + line.width / height / 2) < LIST_EDGE:
                far.append(abs(y))
        return any(sum(y < reach for y in far) >= lines for reach, lines in LIST_LINES)

    def _other_words(self) -> int:
        """Count the words that are no names."""
        others = set(range(len(self.words.words))) - self.named - self.used
        return sum(len(self.words.texts[n]) > 3 for n in others)

    def _is_card(self, line: Line, heights: Sequence[float]) -> bool:
        """Tell whether a name that stands alone is a ticket's, of which the rest is hidden.

        It is as large as those of whole tickets, has points in reach, or is the only name.
        """
        if not self._is_unused(line) or self._is_in_text(line):
            return False
        height = self.words.height(line)
        if heights:
            return any(LIKE_SIZES[0] < height / other < LIKE_SIZES[1] for other in heights)
        has_points = bool(self.finder.points(line, anywhere=True)[1])
        return has_points or (len(self.names) == 1 and self._other_words() <= FEW_WORDS)

    def _parts(self) -> Iterator[TicketDoubt]:
        """Yield the titles of which one name is half hidden."""
        best: dict[tuple[int, ...], tuple[float, TicketDoubt]] = {}
        for line in self.words.lines():
            if not self._is_unused(line) or len(line.text) > 2 * self.deck.names.longest:
                continue
            for one, part in self.deck.names.begun(line.text):
                others = self.deck.names.partly(part) if len(part) >= LEAST_PART else frozenset()
                near = self.deck.with_one_of(one.places, others) if others else []
                if near and (line.words not in best or one.cost < best[line.words][0]):
                    why = PART.filled(place=self.deck.name(one.places[0]))
                    best[line.words] = one.cost, self._doubt(why, line, near)
        for words, (_, doubt) in sorted(best.items(), key=lambda it: (it[1][0], -len(it[0]))):
            if self.used.isdisjoint(words):
                self.used |= set(words)
                yield doubt

    def _doubt(self, why: Sentence, line: Line, near: Sequence[Ticket]) -> TicketDoubt:
        read = " ".join(self.words.words[n].text for n in line.words)
        return TicketDoubt(why, read, tuple(near[:LIKELIEST]), _corners(line.outline))


def _corners(outline: Floats) -> Corners:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline)


def _crop(picture: Picture, corners: Corners) -> bytes:
    """Return what is inside corners, upright, with a rim, as JPEG."""
    outline = np.array(corners, np.float32)
    wide = max(float(np.linalg.norm(outline[1] - outline[0])), 1.0)
    high = max(float(np.linalg.norm(outline[3] - outline[0])), 1.0)
    scale = min(CROP_PX / high / 1.4, 600 / wide)
    rim = 0.2 * high * scale
    size = round(wide * scale + 2 * rim), round(high * scale + 2 * rim)
    right, bottom = size[0] - rim, size[1] - rim
    inside = np.array([[rim, rim], [right, rim], [right, bottom], [rim, bottom]], np.float32)
    turn = cv2.getPerspectiveTransform(outline, inside)
    return to_jpeg(np.asarray(cv2.warpPerspective(picture, turn, size), np.uint8), 80)
