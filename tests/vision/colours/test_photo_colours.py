"""A photo says itself what its plastics look like, on looks made up for five players."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from railspotter.calibration.arrays import Float64s, Indices, Lab
from railspotter.vision.colours.photo_colours import (
    SCALE,
    PhotoColours,
    SeenPlastic,
    fit_train_looks,
    photo_colours,
)
from railspotter.vision.colours.train_colours import plastic

BOX = plastic("usa")
NAMES = [train.name for train in BOX]
INKS: dict[str, Lab] = {
    "grey": (65, 2, 12),
    "red": (45, 40, 25),
    "green": (45, -25, 20),
    "blue": (45, -8, -28),
    "yellow": (75, 0, 60),
    "black": (28, 0, 3),
    "orange": (60, 30, 45),
    "white": (85, 0, 5),
    "pink": (60, 35, 0),
}
NEUTRAL: dict[str, Lab] = {train.name: train.lab for train in BOX}
# The box's plastic by a camera of gamma 1.8: its green looks like the black that is known.
GAMMA: dict[str, Lab] = {
    "black": (2.2, 0.0, 0.9),
    "blue": (20.0, 4.0, -28.9),
    "green": (15.2, -17.0, 12.2),
    "red": (26.2, 42.4, 32.3),
    "yellow": (59.4, 2.5, 62.0),
}
# Plastic of another house, relit: its blue lies nearer to the green that is known than to the blue.
TEAL: dict[str, Lab] = {
    "blue": (52.0, -31.0, -6.0),
    "green": (50.0, -42.0, 17.0),
    "red": (49.0, 50.0, 32.0),
    "yellow": (70.0, 9.0, 59.0),
}
SCATTER = 2.0  # of routes of one colour, one standard deviation
SURE = 6.0  # what shape says, either way


class Route(NamedTuple):
    colour: str | None
    ink: str


@dataclass(frozen=True, eq=False)
class Photo:
    """What lies on a made-up board's routes: a few of each player's, and free ones of all inks."""

    routes: list[Route]
    looks: Float64s
    bare: Float64s

    @classmethod
    def of(cls, plastics: Mapping[str, Lab], seed: int = 0) -> "Photo":
        rng = np.random.default_rng(seed)
        colours = [name for name in plastics for _ in range(6)] + [None] * 45
        routes = [Route(name, [*INKS][i % len(INKS)]) for i, name in enumerate(colours)]
        bare = np.array([INKS[route.ink] for route in routes]) + rng.normal(0, 1, (len(routes), 3))
        seen = [
            bare[i] if route.colour is None else plastics[route.colour]
            for i, route in enumerate(routes)
        ]
        return cls(routes, np.array(seen) + rng.normal(0, SCATTER, bare.shape), bare)

    @property
    def inks(self) -> list[str]:
        return [route.ink for route in self.routes]

    @property
    def own(self) -> Indices:
        """The routes on which trains stand."""
        return np.array([r for r, route in enumerate(self.routes) if route.colour], np.intp)

    @property
    def whose(self) -> Indices:
        """Whose these are."""
        return np.array([NAMES.index(r.colour) for r in self.routes if r.colour], np.intp)

    def learned(self, in_play: Collection[str] = ()) -> PhotoColours:
        covered = np.array([-SURE if route.colour is None else SURE for route in self.routes])
        return photo_colours(BOX, self.looks, self.bare, self.inks, covered, in_play)

    def shares_of_truth(self) -> Float64s:
        """How much of each train is said to be its owner's."""
        shares = np.exp(self.learned().log_shares(self.looks[self.own]))
        return np.asarray(shares[np.arange(len(self.own)), self.whose], np.float64)


def shifted(by: Lab) -> dict[str, Lab]:
    return {name: (lab[0] + by[0], lab[1] + by[1], lab[2] + by[2]) for name, lab in NEUTRAL.items()}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "plastics",
    [
        pytest.param(NEUTRAL, id="as the box's"),
        pytest.param(shifted((-9, 6, 12)), id="warm and dark"),
        pytest.param(shifted((8, -4, -10)), id="cool and bright"),
        pytest.param(GAMMA, id="gamma 1.8"),
    ],
)
def test_what_a_camera_shifts_together_is_told_right(plastics: dict[str, Lab], seed: int) -> None:
    photo = Photo.of(plastics, seed)
    assert photo.shares_of_truth().min() > 0.95
    learned = photo.learned()
    assert learned.in_play.min() > 0.99
    assert np.abs(learned.lab - [plastics[name] for name in NAMES]).max() < 3.5


@pytest.mark.parametrize("seed", range(3))
def test_teal_beside_green_is_no_green(seed: int) -> None:
    """One colour does not look like two: what stands beside a player's own green is another's."""
    photo = Photo.of(TEAL, seed)
    assert photo.shares_of_truth().min() > 0.9
    plays = dict(zip(NAMES, photo.learned().in_play, strict=True))
    assert plays["blue"] > 0.95
    assert plays["green"] > 0.95


@pytest.mark.parametrize("seed", range(3))
def test_dark_green_beside_darker_black_is_green(seed: int) -> None:
    """And that though it is as near to the black that is known as to the green."""
    both = Photo.of({name: GAMMA[name] for name in ("green", "black")}, seed)
    assert both.shares_of_truth().min() > 0.95


def test_who_has_no_trains_is_not_in_play() -> None:
    photo = Photo.of({name: NEUTRAL[name] for name in ("red", "blue")})
    learned = photo.learned()
    for name, plays in zip(NAMES, learned.in_play, strict=True):
        assert plays > 0.99 if name in ("red", "blue") else plays < 0.3
    assert photo.shares_of_truth().min() > 0.99
    grey = np.array([INKS["grey"]])
    others = [NAMES.index(name) for name in ("black", "green", "yellow")]
    five = Photo.of(NEUTRAL).learned()
    assert np.all(learned.log_shares(grey)[0, others] < five.log_shares(grey)[0, others])


def test_who_is_known_to_play_does() -> None:
    photo = Photo.of({"red": NEUTRAL["red"]})
    learned = photo.learned(in_play=("black", "green"))
    plays = dict(zip(NAMES, learned.in_play, strict=True))
    assert all(plays[name] == pytest.approx(1, abs=1e-3) for name in ("black", "green", "red"))
    assert plays["blue"] < 0.6
    assert plays["yellow"] < 0.6
    shares = np.exp(learned.log_shares(photo.looks[photo.own]))
    assert shares[:, NAMES.index("red")].min() > 0.99


def test_a_board_without_trains_teaches_nothing() -> None:
    photo = Photo.of({})
    learned = photo.learned()
    assert np.abs(learned.lab - [train.lab for train in BOX]).max() < 2
    assert np.all((learned.in_play > 0.2) & (learned.in_play < 0.8))
    assert np.isfinite(learned.log_shares(photo.looks)).all()
    assert np.all(learned.unlike_bare(photo.looks, photo.bare, photo.inks) < 0)


def test_what_looks_like_no_plastic_is_nobodys() -> None:
    learned = Photo.of(NEUTRAL).learned()
    odd = np.array([(90.0, -80.0, -60.0), (50.0, 60.0, -60.0)])
    assert np.exp(learned.log_shares(odd)[:, -1]).min() > 0.9
    assert np.exp(learned.log_shares(np.array([*NEUTRAL.values()]))[:, -1]).max() < 0.01


def test_shape_that_is_wrong_here_and_there_teaches_nothing_wrong() -> None:
    """A free route that shape takes for covered, and one of a player's that it takes for free."""
    photo = Photo.of(NEUTRAL)
    covered = np.array([-SURE if route.colour is None else SURE for route in photo.routes])
    covered[[0, -1]] *= -1
    learned = photo_colours(BOX, photo.looks, photo.bare, photo.inks, covered)
    assert np.array_equal(learned.log_shares(photo.looks[photo.own]).argmax(axis=1), photo.whose)
    assert np.abs(learned.lab - photo.learned().lab).max() < 2


def test_plastic_is_unlike_bare_print_of_another_colour() -> None:
    photo = Photo.of(NEUTRAL)
    unlike = photo.learned().unlike_bare(photo.looks, photo.bare, photo.inks)
    is_other = np.array(
        [route.colour is not None and route.colour != route.ink for route in photo.routes]
    )
    is_free = np.array([route.colour is None for route in photo.routes])
    assert unlike[is_other].min() > 1
    assert unlike[is_free].max() < 0


def test_an_ink_that_looks_otherwise_in_this_photo_is_bare_all_the_same() -> None:
    """Grey prints, and no others, look browner than in the reference."""
    photo = Photo.of({"red": NEUTRAL["red"], "blue": NEUTRAL["blue"]})
    brown = np.array([-14.0, 6.0, 14.0])
    free_grey = [r for r, route in enumerate(photo.routes) if route == (None, "grey")]
    photo.looks[free_grey] += brown
    learned = photo.learned()
    seen = learned.bare_as_seen(photo.bare, photo.inks)
    assert np.abs(np.median((seen - photo.bare)[free_grey], axis=0) - brown).max() < 5
    others = [r for r, route in enumerate(photo.routes) if route.ink != "grey"]
    assert np.abs((seen - photo.bare)[others]).max() < 3.5
    unlike = learned.unlike_bare(photo.looks, photo.bare, photo.inks)
    assert unlike[free_grey].max() < 0


def plastic_of(photo: Photo) -> tuple[SeenPlastic, Float64s]:
    """What is learned once it is known where whose trains stand."""
    shares = np.zeros((len(photo.routes), len(BOX)))
    shares[photo.own, photo.whose] = 1.0
    return fit_train_looks(photo.learned(), photo.looks, shares)


@pytest.mark.parametrize("plastics", [NEUTRAL, GAMMA, {"red": NEUTRAL["red"]}])
def test_where_trains_stand_they_show_their_plastic(plastics: dict[str, Lab]) -> None:
    photo = Photo.of(plastics)
    seen, taken = plastic_of(photo)
    for name, lab in plastics.items():
        assert np.abs(seen.means[NAMES.index(name)] / SCALE - lab).max() < 3, name
    assert taken.shape == (len(photo.routes), len(BOX))
    free = [r for r in range(len(photo.routes)) if r not in photo.own]
    assert np.all(taken[free] == 0)
    for likeness in (
        seen.log_likeness(photo.looks),
        seen.log_likeness(photo.looks, (photo.looks, taken)),
    ):
        assert likeness.max() <= 0
        assert np.array_equal(likeness[photo.own].argmax(axis=1), photo.whose)


def test_no_route_speaks_for_itself() -> None:
    """One that looks like none of its colour's others is less like them than like itself."""
    photo = Photo.of(NEUTRAL)
    odd = int(photo.own[0])
    photo.looks[odd] += (20, 15, -15)
    seen, taken = plastic_of(photo)
    likely = seen.log_likeness(photo.looks)[odd, photo.whose[0]]
    without_itself = seen.log_likeness(photo.looks, (photo.looks, taken))
    alone = without_itself[odd, photo.whose[0]]
    assert alone < likely
    others = photo.own[1:6]
    assert (
        alone
        < seen.log_likeness(photo.looks, (photo.looks, taken))[others, photo.whose[0]].min() - 2
    )


def test_what_is_somebodys_in_one_light_is_not_nobodys() -> None:
    learned = Photo.of(NEUTRAL).learned()
    plain, odd = np.array([NEUTRAL["yellow"]]), np.array([(60.0, 60.0, -60.0)])
    assert learned.log_nobodys([odd]) > np.log(0.5)
    assert learned.log_nobodys([odd, plain]) == pytest.approx(learned.log_nobodys([plain]))
    assert learned.log_nobodys([plain]) < np.log(0.01)


def test_an_odd_route_hardly_moves_its_colour() -> None:
    photo = Photo.of(NEUTRAL)
    before, _ = plastic_of(photo)
    photo.looks[photo.own[0]] += (60, 40, -40)
    after, _ = plastic_of(photo)
    assert np.abs(after.means - before.means).max() < 4
