"""What Hypothesis draws: networks, claims, cards. All of the tests' strategies stand here."""

from hypothesis import strategies as st
from railspotter.scoring.board import Board, Route, load_board
from railspotter.scoring.card_game.tickets import CardTicket
from railspotter.scoring.edition import Ticket, load_edition
from railspotter.scoring.game import TicketText
from railspotter.scoring.position import Position, Seat
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import (
    BoardJoined,
    Corrected,
    PinPlaced,
    PinTakenBack,
    Placed,
    TakenBack,
    TrainsAssigned,
)
from railspotter.table.game_log.course_facts import (
    GameEnded,
    GameMarked,
    GamePackedAway,
    GamePaused,
    GameRenamed,
    GameResumed,
    GameStarted,
    LastTurnsBegun,
    PointsCounted,
    Redone,
    TurnMarked,
    Undone,
)
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.facts import By, Event, Fact
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.log import checked_after
from railspotter.table.game_log.people_facts import (
    HandPassedOn,
    MarkerCompared,
    Player,
    PlayerCameIn,
    PlayerHandedOver,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    SeatsSwapped,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
)

CARD_COLOURS = ("blue", "green", "pink", "red")
BIG_CITIES = ("Dallas", "Miami")


def routes(most: int = 11, places: int = 7) -> st.SearchStrategy[list[Route]]:
    """Small networks: several parts, parallel routes and rounds are all likely."""
    ends = st.lists(st.sampled_from(range(places)), min_size=2, max_size=2, unique=True)
    edges = st.lists(st.tuples(ends, st.integers(1, 6)), min_size=0, max_size=most)
    return edges.map(
        lambda drawn: [
            Route(f"r{i}", f"p{a}", f"p{b}", length, "grey", ())
            for i, ((a, b), length) in enumerate(drawn)
        ]
    )


def claims(board: Board, colours: tuple[str, ...]) -> st.SearchStrategy[dict[str, str]]:
    """Who holds which routes, legal or not."""
    names = st.sampled_from([route.id for route in board.routes])
    return st.dictionaries(names, st.sampled_from(colours), max_size=40)


@st.composite
def positions(draw: st.DrawFn, edition_name: str) -> Position:
    """Positions of an edition with a full deck of tickets, legal or not."""
    edition = load_edition(edition_name)
    board = load_board(edition.board)
    colours = tuple(draw(st.permutations(edition.colours)))[: draw(st.integers(2, 4))]
    deck = draw(st.lists(st.sampled_from(edition.tickets), max_size=8, unique=True))
    tickets: dict[str, tuple[Ticket, ...]] = {}
    for ticket in deck:
        holder = draw(st.sampled_from(colours))
        tickets[holder] = (*tickets.get(holder, ()), ticket)
    stations: dict[str, tuple[str, ...]] = {}
    if edition.stations:
        places = st.sampled_from([place.id for place in board.places])
        for city in draw(st.lists(places, max_size=5, unique=True)):
            builder = draw(st.sampled_from(colours))
            if len(stations.get(builder, ())) < edition.stations:
                stations[builder] = (*stations.get(builder, ()), city)
    held = draw(claims(board, colours))
    return Position(edition, board, tuple(map(Seat, colours)), held, tickets, stations)


def stacks(most: int = 5) -> st.SearchStrategy[dict[str, int]]:
    """Cards on the track."""
    return st.fixed_dictionaries(
        {colour: st.integers(0, most) for colour in (*CARD_COLOURS, "locomotive")}
    )


def card_tickets(most: int = 9) -> st.SearchStrategy[list[CardTicket]]:
    """Tickets of one to five circles, at most two of one colour."""
    circles = st.dictionaries(
        st.sampled_from(CARD_COLOURS), st.integers(1, 2), min_size=1, max_size=3
    ).filter(lambda counts: sum(counts.values()) <= 5)
    cities = st.sampled_from(("Dallas", "Miami", "Omaha")).map(lambda city: (city, "Denver"))
    return st.lists(st.builds(CardTicket, cities, circles, st.integers(1, 12)), max_size=most)


ROUTES = ("helena--seattle", "portland--seattle--0", "portland--seattle--1")
SEATS = ("ann", "bob", "cleo")
FIRST_EVENT = Event(1, 0.0, GameStarted("usa", (Player("ann", "red"), Player("bob", "blue"))))


def facts() -> st.SearchStrategy[Fact]:
    """Facts about a few things, so that they meet; not each fits every game."""
    route, seat = st.sampled_from(ROUTES), st.sampled_from(SEATS)
    spot = st.builds(Spot, st.just("route"), route)
    colour = st.sampled_from(("red", "blue", "green"))
    maybe = st.none() | colour
    by: st.SearchStrategy[By] = st.sampled_from(("camera", "person"))
    ticket = st.sampled_from((TicketText("calgary", "phoenix"), TicketText("boston", "miami")))
    claimed = st.builds(Placed.on, spot, colour=colour, by=by, seen_to_change=st.booleans())
    return st.one_of(
        *(claimed, claimed, claimed),
        st.builds(TakenBack.on, spot, by=by, seen_to_change=st.booleans()),
        st.builds(Corrected.on, spot, was=maybe, now=maybe),
        st.builds(BoardJoined, routes=st.dictionaries(route, colour)),
        st.builds(PinPlaced, route, st.just(0)),
        st.builds(PinTakenBack, route),
        st.builds(PlayerRenamed, seat, st.sampled_from(("Ann", "Anna"))),
        st.builds(PlayerRecoloured, seat, colour),
        st.builds(TrainsAssigned, st.sampled_from(("white", "green")), maybe),
        st.builds(SeatsSwapped, seat, seat),
        st.builds(PlayerCameIn, st.builds(Player, seat, colour), st.none() | st.integers(0, 3)),
        st.builds(PlayerLeft, seat),
        st.builds(PlayerHandedOver, seat),
        st.builds(HandPassedOn, seat, st.none() | seat),
        st.builds(TicketTaken, seat, ticket),
        st.builds(TicketDropped, seat, ticket),
        st.builds(TicketRevealed, seat, ticket),
        st.builds(MarkerCompared, seat, st.integers(0, 100)),
        st.builds(GameRenamed, st.sampled_from(("Friday", "Saturday"))),
        st.builds(GameMarked, st.booleans()),
        st.builds(TurnMarked, seat),
        st.builds(LastTurnsBegun, seat),
        st.sampled_from(
            (GamePaused(), GamePackedAway(), GameResumed(), GameEnded(), PointsCounted())
        ),
        # So many events back: `logged_games` counts.
        *(st.builds(kind, st.integers(1, 8)) for kind in (Undone, Undone, Redone, Undone)),
    )


@st.composite
def logged_games(draw: st.DrawFn, most: int = 30) -> GameState:
    """Games folded event by event: of the drawn facts, those that fit."""
    state = begin(FIRST_EVENT)
    for fact in draw(st.lists(facts(), max_size=most)):
        seq = len(state.events) + 1
        if isinstance(fact, Undone | Redone):
            fact = type(fact)(max(1, seq - fact.event))
        try:
            state = checked_after(state, Event(seq, 0.0, fact))
        except EventError:
            continue
    return state
