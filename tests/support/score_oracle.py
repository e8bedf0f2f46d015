"""The final score once more, from a game's exported text and its board alone.

It knows nothing of the program: what the rulebooks say stands here as numbers, paths are tried one
by one, and who is connected is found by walking.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
LONGEST = {"usa-accessible": 10, "usa-10th": 10}  # points for the longest path; elsewhere none
SITES = (6, 13, 21, 30, 40, 51, 63, 76, 90, 105, 121, 138)  # for so many
MODES = {"B", "N", "R", "S", "T"}


@dataclass(frozen=True)
class Score:
    """Everyone's points, and who has won."""

    totals: dict[str, int]
    winners: set[str]


def board_score(game: Json, board: Json) -> Score:
    """Score a game on a board."""
    routes = {one["id"]: one for one in board["routes"]}
    players = [one["colour"] for one in game["players"]]
    held = {c: [routes[r] for r, whose in game["claims"].items() if whose == c] for c in players}
    tickets = {c: game.get("tickets", {}).get(c, []) for c in players}
    done = {
        c: [t for t in tickets[c] if t["b"] in reached(held[c], [t["a"]]) and touches(held[c], t)]
        for c in players
    }
    length = {c: longest(held[c]) for c in players}
    has_card = {c: int(length[c] == max(length.values()) > 0) for c in players}
    totals = {}
    for c in players:
        total = sum(POINTS[one["length"]] for one in held[c])
        total += sum(t["points"] * (1 if t in done[c] else -1) for t in tickets[c])
        total += LONGEST.get(game["edition"], 0) * has_card[c]
        if game["edition"] == "newyork":
            ends = {end for one in held[c] for end in (one["a"], one["b"])}
            total += sum(
                bool(one.get("attraction")) for one in board["places"] if one["id"] in ends
            )
        if game["edition"] == "philly":
            total += sites_and_modes(game, board, c, held[c], done[c])
        totals[c] = total
    last = {"usa-accessible": has_card, "usa-10th": length}.get(game["edition"], {})
    ranks = {c: (totals[c], len(done[c]), last.get(c, 0)) for c in players}
    return Score(totals, {c for c in players if ranks[c] == max(ranks.values())})


def sites_and_modes(
    game: Json, board: Json, colour: str, held: list[Json], done: list[Json]
) -> int:
    """Philly's two bonuses, of what hangs on a completed ticket."""
    near = reached(held, [t["a"] for t in done])
    station = {one["id"]: one["station"] for one in board["sites"]}
    mine = [s for s, whose in game.get("sites", {}).items() if whose == colour]
    count = sum(station[site] in near for site in mine)
    modes = {one["mode"] for one in held if one["a"] in near}
    return (SITES[count - 1] if count else 0) + 10 * (modes >= MODES)


def reached(held: list[Json], begin: list[str]) -> set[str]:
    """The places that routes connect with some."""
    there = set(begin)
    while more := {
        end
        for one in held
        if {one["a"], one["b"]} & there
        for end in (one["a"], one["b"])
        if end not in there
    }:
        there |= more
    return there


def touches(held: list[Json], ticket: Json) -> bool:
    return any(ticket["a"] in (one["a"], one["b"]) for one in held)


def longest(held: list[Json]) -> int:
    """The most spaces that a walk passes, no route twice: every walk is tried."""

    def from_place(place: str, left: frozenset[int]) -> int:
        best = 0
        for i in left:
            ends = [held[i]["a"], held[i]["b"]]
            if place in ends:
                ends.remove(place)
                best = max(best, held[i]["length"] + from_place(ends[0], left - {i}))
        return best

    every = frozenset(range(len(held)))
    places = {one["a"] for one in held} | {one["b"] for one in held}
    return max((from_place(place, every) for place in places), default=0)


def card_game_score(game: Json) -> Score:
    """Score a game of The Card Game whose completed tickets were put aside."""
    players = [one["colour"] for one in game["players"]]
    done = {c: game.get("completed", {}).get(c, []) for c in players}
    open_ = {c: game.get("tickets", {}).get(c, []) for c in players}
    bonuses: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    for city, points in game["city_bonuses"].items():
        counts = {c: sum(city in ticket["cities"] for ticket in done[c]) for c in players}
        for c in players:
            if counts[c] == max(counts.values()) > 0:
                bonuses[c] += points
                cards[c] += 1
    totals = {
        c: sum(t["points"] for t in done[c]) - sum(t["points"] for t in open_[c]) + bonuses[c]
        for c in players
    }
    ranks = {c: (totals[c], len(done[c]), cards[c]) for c in players}
    return Score(totals, {c for c in players if ranks[c] == max(ranks.values())})


def is_paid(ticket: Json, cards: dict[str, int]) -> bool:
    """Whether these cards complete a ticket: its colours, Locomotives in the place of any."""
    own = {colour: n for colour, n in cards.items() if colour != "locomotive"}
    wanted = ticket["circles"]
    fits = all(n <= wanted.get(colour, 0) for colour, n in own.items())
    return fits and sum(cards.values()) == sum(wanted.values())
