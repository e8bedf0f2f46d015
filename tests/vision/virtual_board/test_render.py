"""The virtual board: its drawing, its camera against another projection, its truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from railspotter.scoring.board import Board, load_board, parse_board
from railspotter.vision.virtual_board import Frame, SceneError, Train, View, draw_board, render
from railspotter.vision.virtual_board.trains import HEIGHT_MM, TRAIN_INKS, stand_trains

Points = NDArray[np.float64]

CLAIMS = {
    "calgary--helena": "red",
    "duluth--helena": "blue",
    "el-paso--los-angeles": "black",
    "el-paso--houston": "green",
    "miami--new-orleans": "yellow",
}
VIEWS = {
    "from above": View((640, 480), tilt_deg=0),
    "from the chair": View((800, 600), tilt_deg=30),
    "from the left, camera turned": View((800, 600), tilt_deg=20, heading_deg=-90, roll_deg=35),
    "upside down, near": View((720, 720), tilt_deg=10, heading_deg=180, distance_mm=700),
    "partly out of the picture": View((640, 360), tilt_deg=40, heading_deg=60, fill=1.4),
}
CALM = View((800, 600), noise=0, blur_px=0, vignette=0, light_falloff=0)

any_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


def eye(view: View, board: Board) -> Points:
    """Where the camera is, from the words of `View` alone."""
    tilt, heading = np.deg2rad([view.tilt_deg, view.heading_deg])
    aside = view.distance_mm * np.sin(tilt) * np.array([np.sin(heading), np.cos(heading)])
    middle = np.array(board.size_mm) / 2
    return np.array([*(middle + aside), view.distance_mm * np.cos(tilt)])


def shadows(lens: Points, raised: Points) -> Points:
    """Where on the board the rays from the lens through raised points end, (N, 2)."""
    reach = lens[2] / (lens[2] - raised[:, 2])
    return np.asarray(lens[:2] + (raised[:, :2] - lens[:2]) * reach[:, None], np.float64)


def mapped(homography: Points, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0], np.float64)


def on_the_board(board: Board, frame: Frame) -> NDArray[np.uint8]:
    """The picture seen straight from above again, at 2 px to the millimetre."""
    pixel_from_mm = np.array([[2.0, 0, -0.5], [0, 2.0, -0.5], [0, 0, 1]])
    back = pixel_from_mm @ np.linalg.inv(frame.frame_from_board)
    size_wh = round(2 * board.size_mm[0]), round(2 * board.size_mm[1])
    return np.asarray(cv2.warpPerspective(frame.picture, back, size_wh), np.uint8)


def correlation(a: ArrayLike, b: ArrayLike) -> float:
    return float(np.corrcoef(np.ravel(a), np.ravel(b))[0, 1])


def chroma(ink: ArrayLike) -> Points:
    """The colour without what a highlight adds to all channels."""
    channels: Points = np.array(ink, dtype=np.float64)
    lifted: Points = channels - channels.min()
    return lifted


class TestDrawing:
    def test_is_full_of_features_everywhere(self, usa: Board) -> None:
        grey = cv2.cvtColor(draw_board(usa), cv2.COLOR_BGR2GRAY)
        found = np.array([point.pt for point in cv2.SIFT.create().detect(grey)])
        assert len(found) > 1000
        column, row = (found / grey.shape[::-1] * (12, 8)).astype(int).T
        spread = np.bincount(12 * row + column, minlength=96)
        assert spread.min() >= 20

    def test_prints_every_space_in_its_colour(self, usa: Board) -> None:
        drawing = draw_board(usa)
        inks: dict[str, list[NDArray[np.float64]]] = {}
        for route in usa.routes:
            for space in route.spaces:
                x, y = (round(2 * mm) for mm in space.xy_mm)
                inks.setdefault(route.colour, []).append(
                    np.median(drawing[y - 6 : y + 6, x - 6 : x + 6], axis=(0, 1))
                )
        typical = {colour: np.median(seen, axis=0) for colour, seen in inks.items()}
        for colour, seen in inks.items():
            for ink in seen:
                assert min(typical, key=lambda other: np.abs(typical[other] - ink).sum()) == colour

    def test_is_the_same_country_at_another_resolution(self, usa: Board) -> None:
        fine = draw_board(usa, px_per_mm=3.0, seed=4)
        coarse = draw_board(usa, px_per_mm=1.5, seed=4)
        other = draw_board(usa, px_per_mm=1.5, seed=5)
        shrunk = np.asarray(cv2.resize(fine, coarse.shape[1::-1], interpolation=cv2.INTER_AREA))
        inside = np.s_[40:-40, 40:-40]  # the score border is the same on all
        assert correlation(shrunk[inside], coarse[inside]) > 0.99
        assert correlation(other[inside], coarse[inside]) < 0.8

    def test_any_board_file_will_do(self) -> None:
        small = parse_board("""{
            "id": "toy", "title": "Toy", "size_mm": [300, 410.5],
            "places": [{"id": "a", "name": "A", "xy_mm": [60, 60]},
                       {"id": "b", "name": "Longer name", "xy_mm": [299, 1]}],
            "routes": [{
                "id": "a--b", "a": "a", "b": "b", "length": 1, "colour": "turquoise",
                "spaces": [{"xy_mm": [100, 100], "angle_deg": 300, "size_mm": [20, 8]}]
            }]
        }""")
        assert draw_board(small).shape == (821, 600, 3)
        assert render(small, {"a--b": "white"}, CALM).picture.shape == (600, 800, 3)


class TestCamera:
    @any_view
    def test_stands_where_the_view_says(self, usa: Board, view: View) -> None:
        """A pinhole sees a raised point and its shadow from the lens at the same pixel."""
        frame = render(usa, CLAIMS, view)
        lens = eye(view, usa)
        raised = np.vstack([train.corners() for train in frame.trains])
        homogeneous = np.column_stack([raised, np.ones(len(raised))]) @ frame.frame_from_scene.T
        assert np.allclose(
            homogeneous[:, :2] / homogeneous[:, 2:],
            mapped(frame.frame_from_board, shadows(lens, raised)),
            atol=1e-6,
        )

    @any_view
    def test_keeps_the_angles_of_a_pinhole(self, usa: Board, view: View) -> None:
        """Corners lie focal length times tangent of their angle from the picture's middle."""
        frame = render(usa, {}, view)
        width, height = usa.size_mm
        corners = np.array([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)])
        lens = eye(view, usa)
        axis = np.array([width / 2, height / 2, 0]) - lens
        rays = corners - lens
        cosines = rays @ axis / np.linalg.norm(rays, axis=1) / np.linalg.norm(axis)
        middle_px = (np.array(view.size_wh) - 1) / 2
        from_middle = np.linalg.norm(frame.corners_px - middle_px, axis=1)
        focal = from_middle / np.tan(np.arccos(cosines))
        assert np.allclose(focal, focal[0], rtol=1e-6)
        reach = np.abs(frame.corners_px - middle_px) / (np.array(view.size_wh) / 2)
        assert reach.max() == pytest.approx(view.fill)

    def test_roll_turns_the_picture_clockwise(self, usa: Board) -> None:
        top_left = render(usa, {}, View((500, 500), tilt_deg=0)).corners_px[0] - 249.5
        turned = render(usa, {}, View((500, 500), tilt_deg=0, roll_deg=90)).corners_px[0] - 249.5
        assert top_left.max() < 0
        assert turned[0] > 0 > turned[1]

    @any_view
    def test_the_board_is_where_the_truth_says(self, usa: Board, view: View) -> None:
        frame = render(usa, {}, replace(view, fill=min(view.fill, 0.95)))
        seen, drawn = (
            cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float64)
            for picture in (on_the_board(usa, frame), draw_board(usa))
        )
        window = cv2.createHanningWindow((seen.shape[1], seen.shape[0]), cv2.CV_64F)
        offset_px, _ = cv2.phaseCorrelate(drawn, seen, window)
        assert np.abs(offset_px).max() < 0.2  # a tenth of a millimetre


class TestTrains:
    @any_view
    def test_are_found_in_the_picture_by_their_colour(self, usa: Board, view: View) -> None:
        calm = replace(view, noise=0, blur_px=0, vignette=0, light_falloff=0)
        frame = render(usa, CLAIMS, calm)
        used = sorted(CLAIMS.values())
        lens = eye(view, usa)
        for train in frame.trains:
            roof = shadows(lens, train.corners()[4:])
            middle = mapped(frame.frame_from_board, roof).mean(axis=0)
            column, row = np.rint(middle).astype(int)
            if not (2 <= column < view.size_wh[0] - 2 and 2 <= row < view.size_wh[1] - 2):
                continue
            seen = np.median(frame.picture[row - 1 : row + 2, column - 1 : column + 2], (0, 1))
            off = {
                colour: np.abs(chroma(TRAIN_INKS[colour]) - chroma(seen)).sum() for colour in used
            }
            assert min(off, key=lambda colour: off[colour]) == train.colour, train

    def test_cover_what_their_boxes_cover_and_little_else(self, usa: Board) -> None:
        view = replace(CALM, light_height_deg=90.0, tilt_deg=25)
        frame = render(usa, CLAIMS, view)
        changed = (frame.picture != render(usa, {}, view).picture).any(axis=2)
        boxes = np.zeros(changed.shape, np.uint8)
        lens = eye(view, usa)
        for train in frame.trains:
            outline = mapped(frame.frame_from_board, shadows(lens, train.corners()))
            cv2.fillConvexPoly(boxes, cv2.convexHull(np.rint(outline).astype(np.int32)), 1)
        assert changed[boxes > 0].mean() > 0.9
        near = cv2.dilate(boxes, np.ones((13, 13), np.uint8))
        assert not changed[near == 0].any()

    def test_lean_away_from_the_camera(self, usa: Board) -> None:
        above, below = (
            render(usa, CLAIMS, replace(CALM, tilt_deg=35, heading_deg=heading))
            for heading in (180, 0)
        )
        for frame, direction in ((above, 1.0), (below, -1.0)):
            for train in frame.trains:
                foot, top = train.corners()[0], train.corners()[4]
                assert top[2] == HEIGHT_MM
                seen = np.linalg.inv(frame.frame_from_board) @ frame.frame_from_scene @ [*top, 1]
                assert (seen[1] / seen[2] - foot[1]) * direction > 0

    def test_darken_the_board_beside_them(self, usa: Board) -> None:
        """The lamp is low on the left: the shadows fall to the right."""
        view = replace(CALM, tilt_deg=0, light_from_deg=180, light_height_deg=30)
        claims = {"denver--santa-fe": "yellow"}  # runs from north to south
        with_trains, without = (
            on_the_board(usa, render(usa, some, view)).astype(int).sum(axis=2)
            for some in (claims, {})
        )
        for train in stand_trains(usa, claims):
            x, y = np.rint(2 * np.array(train.xy_mm)).astype(int)
            beside = slice(y - 8, y + 8), slice(x + 16, x + 28)
            assert with_trains[beside].mean() < 0.75 * without[beside].mean()

    def test_stay_when_another_route_is_claimed(self, usa: Board) -> None:
        some = stand_trains(usa, {"duluth--helena": "blue"}, seed=3)
        more = stand_trains(usa, {"calgary--helena": "red", "duluth--helena": "blue"}, seed=3)
        assert set(some) < set(more)
        assert not set(some) & set(stand_trains(usa, {"duluth--helena": "blue"}, seed=4))

    def test_stand_on_their_spaces(self, usa: Board) -> None:
        trains = stand_trains(usa, dict.fromkeys(usa.route_by_id, "red"))
        off_mm = np.array(
            [
                np.subtract(train.xy_mm, usa.route_by_id[train.route].spaces[train.space].xy_mm)
                for train in trains
            ]
        )
        assert len(trains) == 309
        assert 0.5 < off_mm.std() < 1.0
        assert np.abs(off_mm).max() < 4.0


class TestTruth:
    def test_names_every_space(self, usa: Board) -> None:
        frame = render(usa, CLAIMS, CALM)
        assert frame.claims == CLAIMS
        assert set(frame.spaces) == set(usa.route_by_id)
        assert frame.spaces["duluth--helena"] == ("blue",) * 6
        assert frame.spaces["boston--montreal--0"] == (None, None)
        standing = {(train.route, train.space): train.colour for train in frame.trains}
        for route, spaces in frame.spaces.items():
            assert [standing.get((route, i)) for i in range(len(spaces))] == list(spaces)

    def test_same_seed_same_bytes(self, usa: Board) -> None:
        view = View((640, 480), seed=7)
        first, again = (render(usa, CLAIMS, view, board_seed=2, trains_seed=5) for _ in range(2))
        assert first.picture.tobytes() == again.picture.tobytes()
        assert np.array_equal(first.frame_from_scene, again.frame_from_scene)
        drawn, *_, again_drawn = (draw_board(usa, 1.0, seed=seed) for seed in (2, 8, 9, 2))
        assert drawn.tobytes() == again_drawn.tobytes()  # no drawing is kept for so long
        for other in (
            render(usa, CLAIMS, replace(view, seed=8), board_seed=2, trains_seed=5),
            render(usa, CLAIMS, view, board_seed=3, trains_seed=5),
            render(usa, CLAIMS, view, board_seed=2, trains_seed=6),
        ):
            assert other.picture.tobytes() != first.picture.tobytes()


class TestRefusals:
    def test_unknown_route(self, usa: Board) -> None:
        with pytest.raises(SceneError, match="board 'usa' has no route 'seattle--paris'"):
            render(usa, {"seattle--paris": "red"})

    def test_unknown_colour(self, usa: Board) -> None:
        with pytest.raises(SceneError, match="no train is 'beige'; there are black, blue, green"):
            render(usa, {"duluth--helena": "beige"})

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"tilt_deg": 76}, "tilt_deg is 76, allowed are 0 to 75"),
            ({"fill": 0}, "fill is 0, allowed are 0.05 to 5"),
            ({"noise": -1}, "noise is -1"),
            ({"light": float("nan")}, "light is nan"),
            ({"size_wh": (640, 9000)}, r"size_wh is \(640, 9000\)"),
        ],
        ids=["tilt", "fill", "noise", "light", "size"],
    )
    def test_impossible_view(self, change: dict[str, float], message: str) -> None:
        with pytest.raises(SceneError, match=message):
            View(**change)  # type: ignore[arg-type]

    def test_camera_inside_the_board(self, usa: Board) -> None:
        with pytest.raises(SceneError, match="too near to the board's edge"):
            render(usa, {}, View(tilt_deg=70, distance_mm=300))


def test_a_train_keeps_its_size_when_it_turns() -> None:
    straight = Train("red", "a--b", 0, (100.0, 100.0), 0.0).corners()
    turned = Train("red", "a--b", 0, (100.0, 100.0), 33.0).corners()
    for corners in (straight, turned):
        assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(25.5)
        assert np.linalg.norm(corners[2] - corners[1]) == pytest.approx(8.6)
        assert corners.mean(axis=0) == pytest.approx([100.0, 100.0, HEIGHT_MM / 2])
