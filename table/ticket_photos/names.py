"""Names of places as a photo shows them: without accents, a letter wrong, a part missing.

A name costs 1 for each letter that is wrong, missing or too much (Levenshtein's distance). Signs
that look alike in the print of tickets cost nothing: they are one letter (`letters`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from railspotter.scoring.board import PlaceId
from railspotter.scoring.spot_names import without_accents

# Letters without a decomposition, and signs that the print of tickets makes look alike: its G has
# almost no bar (all 15 of two photos were read as C).
ALIKE = str.maketrans(
    {
        "ø": "o",
        "æ": "ae",
        "œ": "oe",
        "ł": "l",
        "đ": "d",
        "\u0131": "i",
        "g": "c",
        "0": "o",
        "1": "i",
    }
)
LETTERS_A_FAULT = 5  # so many letters of a name may have one wrong, rounded
BETWEEN_COST = 0.4  # of a sign between two names: an ornament that was read as a letter
MOST_BETWEEN = 2
BETWEEN_TWO = "oc"  # how two begin: 1912's ornament looks like OR, and "to" is a text's
LEAST_PART = 3  # letters of a name that is half hidden


def letters(text: str) -> str:
    """Return a text's letters and digits, alike where their print is.

    >>> letters("København"), letters("SAULT ST. MARIE"), letters("ÁNGORA") == letters("ANCORA")
    ('kobenhavn', 'saultstmarie', True)
    """
    plain = without_accents(text.casefold()).translate(ALIKE)
    return "".join(sign for sign in plain if sign.isalnum())


@dataclass(frozen=True, slots=True)
class Spelt:
    """A place whose name a text may be, or the two places of a ticket."""

    places: tuple[PlaceId, ...]
    cost: float
    ends: tuple[int, int]  # where the first name ends and the second begins, in letters


@dataclass(frozen=True)
class Names:
    """The names of a board's places."""

    name_by_id: Mapping[PlaceId, str]

    @cached_property
    def _spelt(self) -> tuple[tuple[PlaceId, str], ...]:
        return tuple((place, letters(name)) for place, name in self.name_by_id.items())

    @cached_property
    def longest(self) -> int:
        """Letters of the longest name."""
        return max((len(name) for _, name in self._spelt), default=0)

    def single(self, text: str) -> Spelt | None:
        """Return the place whose name is a text of letters; None for none, or for several."""
        found = sorted(
            (cost, place)
            for place, name in self._spelt
            if (cost := _starts(name, text).get(len(text))) is not None
        )
        if not found or (len(found) > 1 and found[0][0] == found[1][0]):
            return None
        cost, place = found[0]
        return Spelt((place,), cost, (len(text), len(text)))

    def pairs(self, text: str) -> list[Spelt]:
        """Return the pairs of places whose names are a text: the likeliest, and equals."""
        if not 6 <= len(text) <= 2 * self.longest + MOST_BETWEEN:
            return []
        first = {place: _starts(name, text) for place, name in self._spelt}
        back = text[::-1]
        last = {place: _starts(name[::-1], back) for place, name in self._spelt}
        second = {place: ends for place, ends in last.items() if ends}
        found: dict[tuple[PlaceId, PlaceId], Spelt] = {}
        for a, heads in first.items():
            for b, tails in second.items() if heads else ():
                for head, head_cost in heads.items():
                    for tail, tail_cost in tails.items():
                        between = len(text) - head - tail
                        cost = head_cost + tail_cost + BETWEEN_COST * between
                        if a == b or not 0 <= between <= MOST_BETWEEN:
                            continue
                        if between == 2 and text[head] not in BETWEEN_TWO:
                            continue
                        if (a, b) not in found or cost < found[a, b].cost:
                            found[a, b] = Spelt((a, b), cost, (head, len(text) - tail))
        least = min((one.cost for one in found.values()), default=0.0)
        return [one for one in found.values() if one.cost < least + 0.5]

    def begun(self, text: str) -> Iterator[tuple[Spelt, str]]:
        """Yield the names that a text begins or ends with, each with the letters that are left."""
        for place, name in self._spelt:
            for head, cost in _starts(name, text).items():
                yield Spelt((place,), cost, (head, head)), text[head:]
            for tail, cost in _starts(name[::-1], text[::-1]).items():
                left = len(text) - tail
                yield Spelt((place,), cost, (left, left)), text[:left]

    def partly(self, part: str) -> frozenset[PlaceId]:
        """Return the places whose names begin or end with some letters."""
        if len(part) < LEAST_PART:
            return frozenset()
        return frozenset(
            place for place, name in self._spelt if name.startswith(part) or name.endswith(part)
        )


def _starts(name: str, text: str) -> dict[int, float]:
    """Return what a name costs as the first so many letters of a text, where that is a few.

    >>> _starts("paris", "parjslondon")
    {5: 1}
    """
    most = (len(name) + LETTERS_A_FAULT // 2) // LETTERS_A_FAULT
    text = text[: len(name) + most]
    row = list(range(len(text) + 1))
    for n, letter in enumerate(name, 1):
        last, row = row, [n]
        for i, sign in enumerate(text):
            row.append(min(last[i] + (sign != letter), last[i + 1] + 1, row[i] + 1))
        if min(row) > most:
            return {}
    least = min(row)
    # A letter more or less at its end is no other reading of it, only a dearer one.
    return {end: cost for end, cost in enumerate(row) if cost == least}
