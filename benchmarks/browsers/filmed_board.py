"""A drawn board before a phone's camera: a hand places trains, frame by frame."""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from railspotter.scoring.board import Board, RouteId
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Sensor
from railspotter.simulation.virtual_board.pieces import Piece, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.things import Thing
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photo_file import to_jpeg

SIZE_WH = (1280, 960)
VIEW = CameraSetup(SIZE_WH, tilt_deg=10)
FROM_BELOW_DEG = -90.0  # the way that the hand of a player at the bottom edge points
# How high a hand is over the train that it puts down, and how far it is on its way back.
HELD_MM, AWAY_MM = 30.0, 90.0
# A film shows each picture for a second, and before and after each claim the board at rest.
FILM_PER_S, STILL_S = 4, 4

# What a browser's page begins with whose camera is `window.film(JPEG in base 64)`.
CAMERA_SCRIPT = """
const canvas = document.createElement("canvas");
let picture = null;
const paint = (pen) => {
  pen.drawImage(picture, 0, 0);
  // No two pictures of a camera are the same: one that is sent twice is a photo.
  pen.fillStyle = `hsl(${360 * Math.random()} 50% 50%)`;
  pen.fillRect(0, 0, 4, 4);
};
setInterval(() => picture && paint(canvas.getContext("2d")), 100);
window.film = async (jpeg) => {
  const bytes = Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0));
  const next = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  if (picture) picture.close();
  else [canvas.width, canvas.height] = [next.width, next.height];
  picture = next;
};
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
"""


class FilmedBoard:
    """A drawn board and its camera; `jpeg` is the newest picture, in base 64."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._camera = VirtualCamera(board, view=VIEW, sensor=Sensor(seed=3))
        self._pieces: tuple[Piece, ...] = ()
        self._moment = 0
        self.jpeg = self._render()

    def route_length(self, route: RouteId) -> int:
        """Return the length of a route."""
        return self._board.route_by_id[route].length

    def place_route(self, route: RouteId, colours: Sequence[str]) -> Iterator[str]:
        """Place trains on a route, one by one in the given colours from `a` on; yield each frame.

        The last but one shows the hand on its way back, the last one the trains alone.
        """
        trains = place_trains(self._board, {route: colours[0]}, seed=1)
        for train, colour in zip(trains, colours, strict=True):
            dyed = replace(train, colour=colour)
            yield self._next_frame(self._hand(dyed, HELD_MM, colour))
            self._pieces += (dyed,)
            yield self._next_frame(self._hand(dyed, HELD_MM, None))
        yield self._next_frame(self._hand(dyed, AWAY_MM, None))
        yield self._next_frame()

    def clear(self) -> Iterator[str]:
        """Take all trains off; yield the empty board."""
        self._pieces = ()
        yield self._next_frame()

    def write_film(self, path: Path, routes: Sequence[tuple[RouteId, str]]) -> None:
        """Film the board while routes are claimed; the film ends with the last one's trains."""
        pictures = [self._next_frame() for _ in range(STILL_S)]
        for route, colour in routes:
            pictures += self.place_route(route, [colour] * self.route_length(route))
            pictures += [self._next_frame() for _ in range(STILL_S)]
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FILM_PER_S, SIZE_WH)
        for jpeg in pictures:
            picture = cv2.imdecode(np.frombuffer(b64decode(jpeg), np.uint8), cv2.IMREAD_COLOR)
            for _ in range(FILM_PER_S):
                film.write(np.asarray(picture))
        film.release()

    def _hand(self, train: Piece, z_mm: float, holds: str | None) -> Thing:
        return Thing("hand", train.xy_mm, FROM_BELOW_DEG, seed=7, z_mm=z_mm, holds=holds)

    def _next_frame(self, *things: Thing) -> str:
        self.jpeg = self._render(*things)
        return self.jpeg

    def _render(self, *things: Thing) -> str:
        self._moment += 1
        frame = self._camera.take(Scene(self._pieces, things, moment=self._moment))
        return b64encode(to_jpeg(frame.picture, 90)).decode("ascii")
