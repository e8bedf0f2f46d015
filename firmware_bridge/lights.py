"""Lights: a scoreboard as the colours of an LED strip.

Each player has a segment of the strip, in turn order, with a dark LED between two. Its first part
is the score, running along like the scoring track around the board: 0 to 100, then round again in
white on top of the own colour. Its last fifth says how many trains are left.

Who has the longest path breathes. A claim sends a white spot along the segment. When the last
turns begin everything flashes, then only the trains left do, until the game is over. Nothing
flashes faster than once a second, far below what photosensitive eyes must not see (three, WCAG
2.3.1).

While somebody has to lay a player's pieces, as many single lights take slow turns with that
player's score. The light before them is dark, and a score begins with a lit one: so the two are
told apart in whatever colours somebody sees.

A palette says which light stands for which colour of trains. Light cannot be black, so black trains
glow in a faint, cold white. What an LED shows at full brightness is meant: dimming keeps the hue.
Trains of the house's own get the light that their name means, or the likest one that is free.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import ImageColor
from railspotter.scoring.edition import Colour
from railspotter.table.display_control import PiecesToLay

from .errors import DisplayError
from .scoreboard import PlayerScore, Scoreboard

Lights = npt.NDArray[np.uint8]  # the colours of a strip's LEDs: (N, 3) uint8 array, RGB

MOST_LEDS = 1000
LAP = 100  # points in one round of the printed scoring track
BREATH_S = 2.0
CHASE_S = 1.5
FLASH_S = 1.0
ALARM_S = 8.0  # Seconds that everything flashes when the last turns begin. Chosen.
# The brightness while a camera reads. Chosen: bright LEDs blind cameras.
DIMMED = 0.15
Rgb = tuple[int, int, int]
PLAIN = "plain"  # the palette of lights close to the plastic

FADED = 0.3  # The brightness of a score while the table cannot see its board. Chosen.
BLINK_S = 2.0
BLIND: Rgb = (255, 0, 0)  # the first light blinks so then, in every palette
TRACK = 0.04  # the level of a segment's unlit part, so that its extent is visible
LED_MA = 20.0  # one colour of one LED at full, from the WS2812B's data sheet


UNKNOWN: Rgb = (160, 110, 60)  # trains of a colour that no palette knows, where none is free
# From the lights in play to that of a colour's name, so that nobody confuses them: as far as the
# nearest two of the plain palette. Levels of red, green and blue.
APART_LEVELS = 120.0


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lights that stand for the colours of trains."""

    about: str  # whom it is for, and how it was chosen
    lights: dict[Colour, Rgb]


@cache
def palettes() -> dict[str, Palette]:
    """Return the palettes by their names, as `palettes.json` has them."""
    content = resources.files(__package__).joinpath("palettes.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, Palette])


def palette(name: str) -> Palette:
    """Return a palette; raises `DisplayError` when there is none of that name."""
    if name not in palettes():
        raise DisplayError(f"there is no palette {name!r}: one of {', '.join(palettes())}")
    return palettes()[name]


@cache
def lights_of(colours: tuple[Colour, ...], palette_name: str) -> Mapping[Colour, Rgb]:
    """Return the light of each colour in play, all different as long as there are enough.

    >>> lights_of(("red", "teal", "yellow", "gold"), "plain")["teal"]
    (0, 255, 255)
    >>> len({*lights_of(("red", "teal", "sand", "moss"), "red-green").values()})
    4
    """
    known = palette(palette_name).lights
    found = {colour: known[colour] for colour in colours if colour in known}
    for colour in colours:
        if colour not in found:
            free = [light for light in known.values() if light not in found.values()]
            wanted = _named_light(colour)
            if wanted is not None and palette_name == PLAIN and _is_apart(wanted, found.values()):
                free = [wanted]
            likest = sorted(free, key=lambda light: math.dist(light, wanted or UNKNOWN))
            found[colour] = next(iter(likest), UNKNOWN)
    return found


def _is_apart(light: Rgb, others: Iterable[Rgb]) -> bool:
    return all(math.dist(light, other) >= APART_LEVELS for other in others)


def _named_light(colour: Colour) -> Rgb | None:
    """Return the light of a colour's usual English name, as bright as an LED is."""
    name = colour.replace(" ", "").replace("-", "")
    if name not in ImageColor.colormap:
        return None
    red, green, blue, *_ = ImageColor.getrgb(name)
    scale = 255 / max(red, green, blue, 1)
    return round(red * scale), round(green * scale), round(blue * scale)


@dataclass(frozen=True, slots=True)
class Strip:
    """The settings of an LED strip."""

    leds: int
    brightness: float = 0.25  # 0 to 1; the LEDs at full are far too bright for a table
    palette: str = PLAIN  # a name of `palettes`
    is_reversed: bool = False  # whether the strip's first LED is at the far end
    # The power supply's limit; the lights are dimmed to stay below it.
    most_ma: float = 2000.0

    def __post_init__(self) -> None:
        if not 0 < self.leds <= MOST_LEDS:
            raise DisplayError(f"a strip of {self.leds} LEDs: there can be 1 to {MOST_LEDS}")
        if not 0 <= self.brightness <= 1:
            raise DisplayError(f"a brightness of {self.brightness}: it goes from 0 to 1")
        palette(self.palette)


@dataclass(frozen=True, slots=True)
class DisplayMoment:
    """The time-dependent inputs of the lights."""

    t_s: float = 0.0  # the time; lights that move depend on it
    is_reading: bool = False  # whether a camera reads the board and must not be blinded
    is_blind: bool = False  # whether the table does not see its board


def lights(scoreboard: Scoreboard, strip: Strip, moment: DisplayMoment) -> Lights:
    """Return the colours of the strip's LEDs.

    >>> board = Scoreboard((PlayerScore("red", 50), PlayerScore("blue", 0, trains_left=0)))
    >>> for red, green, blue in lights(board, Strip(21, brightness=1.0), DisplayMoment()):
    ...     print("R" if red > 99 else "B" if blue > 99 else "." if red + blue else " ", end="")
    RRRR....RR ..........
    """
    glow = np.zeros((strip.leds, 3))
    colours = lights_of(tuple(one.colour for one in scoreboard.players), strip.palette)
    flash = _flash(moment.t_s)
    is_alarm = scoreboard.is_last_turns and moment.t_s - scoreboard.last_turns_s < ALARM_S
    segments_of = segments(len(scoreboard.players), strip.leds)
    for player, segment in zip(scoreboard.players, segments_of, strict=True):
        is_newest = scoreboard.newest_claim == player.colour
        glow[segment] = _segment(
            player,
            np.asarray(colours[player.colour]) / 255,
            segment.stop - segment.start,
            laying=player.laying_at(moment.t_s),
            breath=_breath(moment.t_s) if player.has_longest_path else 1.0,
            flash=flash if scoreboard.is_last_turns else 1.0,
            chase_s=moment.t_s - scoreboard.claimed_s if is_newest else math.inf,
        )
    glow *= strip.brightness
    if is_alarm:
        glow *= flash
    if moment.is_reading:
        glow *= DIMMED
    if moment.is_blind:
        # The score that stands is an old one: it fades, and the first light blinks red.
        glow *= FADED
        glow[0] = np.array(BLIND) / 255 * strip.brightness * (moment.t_s % BLINK_S < BLINK_S / 2)
    taken_ma = glow.sum() * LED_MA
    if taken_ma > strip.most_ma:
        glow *= strip.most_ma / taken_ma
    if strip.is_reversed:
        glow = glow[::-1]
    return np.rint(glow * 255).astype(np.uint8)


def segments(players: int, leds: int) -> tuple[slice, ...]:
    """Return each player's part of the strip; all are equally long.

    What remains at the end is dark. Where LEDs are few there is no gap between the segments, and
    where they are fewer than players the last players have none.

    >>> [(s.start, s.stop) for s in segments(3, 32)]
    [(0, 10), (11, 21), (22, 32)]
    """
    if not players:
        return ()
    gap = 1 if leds >= 8 * players else 0
    length = max(1, (leds - gap * (players - 1)) // players)
    starts = (i * (length + gap) for i in range(players))
    return tuple(slice(min(s, leds), min(s + length, leds)) for s in starts)


def _segment(
    player: PlayerScore,
    colour: npt.NDArray[np.float64],
    length: int,
    *,
    laying: PiecesToLay | None,
    breath: float,
    flash: float,
    chase_s: float,
) -> npt.NDArray[np.float64]:
    stock_leds = length // 5
    score_leds = length - stock_leds
    stock = _bar(player.trains_left / max(1, player.trains), stock_leds)
    laps, points = divmod(max(0, player.score), LAP)
    bar = np.ones(score_leds) if laps else _bar(points / LAP, score_leds)
    again = _bar(points / LAP, score_leds) if laps else np.zeros(score_leds)
    if laying is not None:
        # No breathing, so that people can count them.
        bar, again, breath = _single_lights(laying.left, score_leds), np.zeros(score_leds), 1.0
    level = np.concatenate((bar * breath, stock * 0.5 * flash))
    glow = np.maximum(level, TRACK)[:, None] * colour
    # The second round of the track is white with a touch of the own colour.
    glow[:score_leds] += again[:, None] * breath * 0.5 * (1 - glow[:score_leds])
    if chase_s < CHASE_S and score_leds:
        spot = chase_s / CHASE_S * score_leds
        near = np.clip(1 - np.abs(np.arange(score_leds) + 0.5 - spot) / 1.5, 0, 1)
        glow[:score_leds] += near[:, None] * (1 - glow[:score_leds])
    return glow


def _bar(share: float, leds: int) -> npt.NDArray[np.float64]:
    """Return each LED's level, 0 to 1, in a bar: the last one is lit in part."""
    return np.clip(share * leds - np.arange(leds), 0, 1)


def _single_lights(count: int, leds: int) -> npt.NDArray[np.float64]:
    """Light `count` LEDs after a dark one, with gaps between them if there is room.

    >>> _single_lights(3, 8).astype(int).tolist(), _single_lights(3, 5).astype(int).tolist()
    ([0, 1, 0, 1, 0, 1, 0, 0], [0, 1, 1, 1, 0])
    """
    step = 2 if 2 * count <= leds else 1
    lit = np.zeros(leds)
    lit[1 : 1 + count * step : step] = 1.0
    return lit


def _breath(t_s: float) -> float:
    return 0.7 + 0.3 * math.cos(2 * math.pi * t_s / BREATH_S)


def _flash(t_s: float) -> float:
    return 1.0 if t_s % FLASH_S < FLASH_S / 2 else 0.15
