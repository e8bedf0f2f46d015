"""`railspotter display` lists, tries and previews; and what it says is so."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from fake_displays import FakeFirmware
from house.project import ROOT
from PIL import Image
from railspotter.cli.command import build_parser, main
from railspotter.firmware_bridge.lights import DisplayMoment, Strip, palettes
from railspotter.firmware_bridge.made_up_game import made_up_scoreboards
from railspotter.firmware_bridge.ports import found_ports, likely_display
from railspotter.firmware_bridge.preview import preview, to_ansi, to_png


def test_list_names_every_port(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["display", "list"]) == 0
    out = capsys.readouterr().out
    assert out
    for port in found_ports():
        assert port.url in out


@pytest.mark.parametrize(
    ("vendor", "product", "display"),
    [
        (0x2341, 0x0058, "Arduino"),  # a Nano Every
        (0x1A86, 0x7523, "CH340"),
        (0x10C4, 0xEA60, "CP2102"),
        (0x303A, 0x1001, "Espressif"),  # an ESP32-S3 without a chip for USB
        (0x046D, 0xC52B, ""),  # a mouse
    ],
)
def test_boards_are_known_by_their_usb_numbers(vendor: int, product: int, display: str) -> None:
    found = likely_display(vendor, product, "")
    assert found.startswith(display)
    assert bool(found) == bool(display)


def test_a_test_shows_a_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeFirmware(tmp_path / "port") as device:
        seen = []
        device.ignores = lambda number: bool(seen.append(device.lights))  # type: ignore[func-returns-value]
        assert main(["display", "test", "--display", str(device.link), "--seconds", "2"]) == 0
    assert len({bytes(lights) for lights in seen}) > 10
    assert "fake firmware: 100 LEDs" in capsys.readouterr().out


def test_no_display_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "nothing")
    assert main(["display", "test", "--display", missing, "--seconds", "1"]) == 3
    assert f"there is no port {missing}" in capsys.readouterr().out


def test_a_picture_that_cannot_be_written_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["display", "preview", "--png", "no/such/folder/x.png"]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_a_preview_is_drawn_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    png = tmp_path / "lights.png"
    assert main(["display", "preview", "--leds", "40", "--turn", "60", "--png", str(png)]) == 0
    out = capsys.readouterr().out
    assert out.count("●") == 40
    for player in made_up_scoreboards()[60].players:
        assert f"{player.colour}: {player.score} points, {player.trains_left} trains left" in out
    with Image.open(png) as picture:
        assert picture.width == 40 * 16


def test_terminal_and_picture_show_the_same_lights() -> None:
    shown = preview(made_up_scoreboards()[50], Strip(30), DisplayMoment())
    assert shown.colours.max() == 255
    assert ((shown.colours > 0) == (shown.lights > 0)).all()
    text = re.findall(r"38;2;(\d+);(\d+);(\d+)m●", to_ansi(shown, width=7))
    assert np.array_equal(np.array(text, int), shown.colours)
    with Image.open(io.BytesIO(to_png(shown))) as picture:
        middles = [picture.getpixel((16 * i + 8, 16)) for i in range(30)]
    assert np.array_equal(np.array(middles), shown.colours)


def test_the_guide_tells_every_option() -> None:
    told = (ROOT / "docs" / "guide-display.md").read_text("utf-8")
    for verb in ("list", "test", "preview"):
        assert f"$ railspotter display {verb}" in told
    for option in (
        "display",
        "seconds",
        "leds",
        "brightness",
        "palette",
        "reversed",
        "turn",
        "png",
    ):
        assert f"`--{option}`" in told
    for line in re.findall(r"^\$ railspotter (.+)$", told, re.MULTILINE):
        build_parser().parse_args(line.split())
    assert set(palettes()) <= set(re.findall(r"`([a-z-]+)`", told))
