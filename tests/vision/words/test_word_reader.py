"""Words are read whichever way they run, and said to be missing where a build has no nets."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.vision.errors import WordsMissingError
from railspotter.vision.words import nets
from railspotter.vision.words.word_reader import read_words

WORDS = ("Helena", "NEW ORLEANS", "El Paso")

needs_nets = pytest.mark.skipif(
    not (nets.FOLDER / "nets.json").exists(), reason="this build could not fetch the nets of words"
)


def written(angle_deg: float) -> Picture:
    """Return a card with words on it, turned."""
    card = np.full((900, 900, 3), (190, 215, 225), np.uint8)
    for line, word in enumerate(WORDS):
        at = (250, 320 + 140 * line)
        cv2.putText(card, word, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, (40, 40, 60), 3, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((450, 450), angle_deg, 1)
    return np.asarray(cv2.warpAffine(card, turn, (900, 900), borderValue=(190, 215, 225)), np.uint8)


@needs_nets
@pytest.mark.parametrize("angle_deg", [0, 30, 90, 135, 180, 270])
def test_words_are_read_in_any_direction(angle_deg: float) -> None:
    words = read_words(written(angle_deg))
    assert {word.text.replace(" ", "") for word in words} == {w.replace(" ", "") for w in WORDS}
    assert all(word.log_odds > 2 for word in words)
    for word in words:
        along = word.outline[1] - word.outline[0]
        runs_deg = np.degrees(np.arctan2(-along[1], along[0]))
        assert abs((runs_deg - angle_deg + 180) % 360 - 180) < 5


@needs_nets
def test_a_picture_without_words_has_none() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    for picture in (noise, cv2.GaussianBlur(noise, (0, 0), 12), np.zeros((400, 30, 3), np.uint8)):
        assert read_words(np.asarray(picture, np.uint8)) == []


def test_a_build_without_nets_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nets, "FOLDER", tmp_path)
    nets._net.cache_clear()
    with pytest.raises(WordsMissingError, match="install railspotter again"):
        read_words(written(0))
    nets._net.cache_clear()
