"""What each command refuses: exit code 2, one sentence on standard error, and nothing written."""

import shlex
from pathlib import Path

import drawn
import philly
import pytest
from railspotter.calibration.board_making.draft import board_text
from railspotter.cli.command import main
from railspotter.cli.commands.render import MOST_PICTURES
from railspotter.table.home import ProfileStore

RIGHT, BOTTOM = drawn.WIDTH - 1, drawn.HEIGHT - 1
A, B, C, D = CORNERS = ("0,0", f"{RIGHT},0", f"{RIGHT},{BOTTOM}", f"0,{BOTTOM}")
ENDLESS = "9" * 5000  # more digits than Python turns into a number
# Files beside the photos, by what is in them.
FILES = {
    "berlin.json": '{"duluth--berlin": null}',
    "pink.json": '{"duluth--helena": "pink"}',
    "red.json": '{"duluth--helena": "red"}',
    "word.json": "red",
    "open.json": "{",
    "many.json": f'{{"edition": {ENDLESS}}}',
    "twice.json": '{"edition": "usa", "edition": "europe"}',
    "own-board.json": '{"edition": "usa", "board": "none.json"}',
    "empty.railspotter": "",
    "letter.railspotter": "Dear Railspotter",
    "ours.json": board_text(philly.philly()),
}
READ, CALIBRATE = "read game.jpg --board usa", "calibrate empty.png --board usa"
AT, NUDGE = f"--corners {' '.join(CORNERS)}", "calibrate --board usa --nudge"
TWO = "play --players Ann:red Bo:blue"
OURS = f"{TWO} --board ours.json --source none --no-page"
SIX = "--trains white=#eeeeee --players A:red B:blue C:green D:black E:yellow F:white"
HALL, SEEN = "hall --mqtt mqtt://b", "colours --board usa --trains"
# What is typed in a folder with photos and a home with one profile, and a part of what is said.
REFUSED = {
    # calibrate
    "calibrate letter.jpg --board usa": "letter.jpg: ",
    "calibrate cut.jpg --board usa": "cut.jpg: the picture is damaged or cut short",
    "calibrate tiny.png --board usa": "only 1 x 1 pixels",
    "calibrate missing.jpg --board usa": "No such file",
    "calibrate --board usa": "name a photo of the empty board",
    f"{CALIBRATE} --corners {A} {C} {B} {D}": "cross",
    f"{CALIBRATE} --corners {D} {C} {B} {A}": "wrong way round",
    f"{CALIBRATE} --corners {A} 9999,0 {C} {D}": "outside",
    f"{CALIBRATE} --corners {A} {B} {C}": "--corners",
    f"{CALIBRATE} --corners {A} {B} {C} left": "write it as x,y",
    f"{CALIBRATE} --corners {A} {B} {C} nan,0": "four corners",
    f"{CALIBRATE} {AT} --profile 'My board'": "small letters",
    f"{CALIBRATE} {AT} --annotate x.txt": ".png or .jpg",
    f"calibrate empty.png --board philly {AT}": "not measured",
    f"{CALIBRATE} {AT} --annotate empty.png": "is the photo itself",
    f"{CALIBRATE} --source nothing.jpg": "leave the photo or '--source' out",
    f"{CALIBRATE} --corners -1,-2 {B} {C} {B}": "cross",
    f"{READ} --annotate game.jpg": "is the photo itself",
    "read game.jpg ./game.jpg --board usa --annotate x.png": "2 photos are called 'game'",
    "markers -o game.jpg": "must end in .pdf or .svg",
    "display preview --png game.jpg": "must end in .png",
    "serve --board moon": "there is no board 'moon'",
    "serve --board usa --colours red,purpel": "no trains of the colour 'purpel'",
    f"{CALIBRATE} {AT} --width-mm 79.5": "in millimetres",
    "calibrate nothing.jpg --board newyork": "give the four corners",
    "calibrate nothing.jpg --board usa --markers": "no markers are seen",
    "calibrate --board usa --source nothing": "nothing",
    "calibrate --board usa --lens-from nothing.jpg": "in 0 of 1 photos",
    f"{NUDGE} nowhere 1 0": "no route or space 'nowhere'",
    f"{NUDGE} helena--seattle 40 0": "at most 30 mm",
    f"{NUDGE} helena--seattle 1 0 --nudge no--where 1 0": "no--where",
    f"{NUDGE} helena--seattle x 0": "'x 0' are not two numbers of millimetres",
    f"{NUDGE} helena--seattle nan 0": "'nan 0' are not two numbers of millimetres",
    f"{NUDGE} helena--seattle inf 1": "'inf 1' are not two numbers of millimetres",
    "calibrate --board usa --no-nudge helena--seattle": "was not moved",
    "calibrate --board usa --nudges --profile other": "no profile 'other'",
    "calibrate photo.jpg --board usa --nudges": "nudges need no photo",
    "calibrate --board europe --profile drawn --nudges": "is of the board 'usa', not 'europe'",
    "calibrate --board europe --nudges": "there is no profile of the board 'europe' yet",
    # colours
    f"{SEEN} red=mauve": "'red=mauve' is no colour of trains",
    f"{SEEN} a:b": "'a:b' is no colour of trains",
    "colours --board usa --on calgary--helena/2": "--on names 1 spaces for 5 colours",
    f"{SEEN} red --on calgary--helena/9": "write a route and a number from 1 to 4",
    f"{SEEN} red --on x/1": "has no route 'x'",
    f"{SEEN} red blue --on calgary--helena/1 calgary--helena/1": "--on names a space twice",
    "colours --board europe": "railspotter calibrate",
    # doctor, games, hall, markers
    "doctor --source no-such": "no source",
    "doctor --source missing.mp4": "no file or folder",
    "doctor --profile ../x": "cannot be a profile's name",
    "doctor --port 70000": "is not a number from 0 to 65535",
    "doctor --report --json": "not allowed with",
    "games exprot friday": "'railspotter games' has no action 'exprot': did you mean 'export'",
    "games show one two": "unrecognized arguments: two (see 'railspotter games show --help')",
    "games import missing.railspotter": "cannot read 'missing.railspotter': No such file",
    "games import empty.railspotter": "empty.railspotter: this is no game that railspotter",
    "games import letter.railspotter": "letter.railspotter: this is no game that railspotter",
    "hall": "--mqtt",
    "hall --mqtt broker.local": "a broker is written",
    "hall --mqtt mqtt://hall:secret@b": "leave the password out",
    "hall --mqtt mqtt://b/+": "beginning of topics",
    f"{HALL} --mqtt-password-file none": "the password cannot be read",
    f"{HALL} --tables 3": "no option '--tables'",
    "markers -o no/such/folder.pdf": "cannot write",
    "markers": "-o",
    "markers -o a.pdf --paper a3": "a3",
    # display
    "display test --display own:": "names no port",
    "display preview --turn 9999": "turns 0 to",
    "display preview --leds 0": "--leds",
    "display preview --leds x": "--leds",
    "display preview --brightness nan": "--brightness",
    "display preview --palette loud": "--palette",
    # play
    f"{TWO} --no-page --source 0": "which board",
    "play --no-page --source 0 --board usa": "who plays",
    "play --no-page": "say what watches the board",
    "play --no-page --resume friday": "say what watches the board",
    "play --board atlantis": "no board 'atlantis'",
    "play --source no-such": "no source",
    "play --resume friday": "no game 'friday'",
    "play --not-over": "say with '--resume' which",
    "play --resume friday --not-over": "no game 'friday'",
    f"play --players {'Ann' * 30}:red": "at most 80 long",
    "play --source 0 --board usa --players Ann:mauve": "'mauve'",
    "play --source 0 --board usa --players Ann:red Bo:red": "red",
    f"{TWO} --source no-such --board usa": "no source",
    f"{TWO} --source 0 --board philly": "not measured",
    "play --source 0 --resume friday": "no game 'friday'",
    f"{TWO} --source demo": "leave '--players' out",
    "play --source demo --board europe": "leave '--board' out",
    "play --source demo --computer easy:blue": "leave '--computer' out",
    "play --source demo --cards phones": "leave '--cards' out",
    "play --board usa --cards table --computer easy:blue": "leave '--cards table' out",
    "play --source none --resume friday --any-number": "leave '--any-number' out",
    "play --resume friday --house-rule trains=30": "leave '--house-rule' out",
    f"{TWO} --source none --resume friday": "already: leave",
    "play --source none --board usa --players Ann:pink": "no pink: it has black, blue",
    f"{TWO} --source none --board usa --record x": "'--record' is for what a camera sees",
    "play --source none --resume friday --profile own": "leave it out",
    "play --source none --board newyork --players Ann:blue": "2 to 4 people play New York (2018),"
    " not 1; with '--any-number' they do",
    f"play --source 0 --board usa --edition usa-10th {SIX}": "2 to 5 people play USA, 10th"
    " Anniversary, not 6",
    f"{OURS} --house-rule wings=1": "no house rule 'wings' here",
    f"{OURS} --house-rule trains": "'trains' is no house rule: say NAME=NUMBER",
    f"{OURS} --house-rule site_points=3,101": "0 to 100, not 3, 101",
    f"{OURS} --house-rule trains=30,40": "5 to 45, not 30, 40",
    f"{OURS} --house-rule replaced_locomotive=2": "it is 1 or 0, not 2",
    "play --board usa --port 0 --house-rule trains=1": "5 to 45, not 1",
    "play --port 0 --house-rule trains=1": "choose the edition first",
    "play --source env:NOT_THERE": "there is nothing in the variable 'NOT_THERE'",
    "play --source @nowhere.txt": "cannot read 'nowhere.txt'",
    "play --allow-camera cam.local": "'cam.local' is no camera's address: it is written as http://",
    # read
    "read letter.jpg --board usa": "letter.jpg: this is not a picture",
    "read cut.jpg --board usa": "cut.jpg: the picture is damaged or cut short",
    "read tiny.png --board usa": "only 1 x 1 pixels",
    "read missing.jpg --board usa": "No such file",
    "read letter.jpg": "letter.jpg: this is not a picture",
    "read game.jpg --board mars": "known are europe",
    "read game.jpg --board philly": "not measured",
    f"{READ} --profile attic": "there are: drawn",
    f"{READ} --profile ../drawn": "profile's name",
    "read game.jpg --board europe --profile drawn": "of the board 'usa'",
    f"{READ} --colours red,mauve": "'mauve'",
    f"{READ} --edition mars": "mars",
    f"{READ} --edition europe": "not 'usa'",
    f"{READ} --annotate out.gif": "must end in .png",
    f"{READ} --annotate no/out.png": "no such folder",
    f"{READ} --fast": "--fast",
    f"{READ} --corners {A} {C} {B} {D}": "the corners cross",
    f"read a.jpg b.jpg --board usa {AT}": "--corners are one photo's",
    f"read a.jpg {AT}": "add --board",
    f"{READ} --answers berlin.json": "no route 'duluth--berlin'",
    f"{READ} --answers pink.json": "'pink' is not in play",
    f"{READ} --answers red.json --colours blue,green": "say blue, green",
    f"{READ} --answers word.json": "one JSON object",
    "read game.jpg again.jpg --answers red.json": "name only one photo",
    "read --borad usa a.jpg": "'railspotter read' has no option '--borad': did you mean '--board'?"
    " (see 'railspotter read --help')",
    "read a.jpg --xyz=1": "'railspotter read' has no option '--xyz' (see 'railspotter read",
    "raed a.jpg": "'railspotter' has no command 'raed': did you mean 'read'?",
    # render, replay, score, serve
    "render --out out --board philly": "the board 'philly' was not measured yet",
    "render --out out --board atlantis": "'atlantis'",
    "render --out out --board usa --edition europe": "is played on the board 'europe', not 'usa'",
    "render --out out --board usa --size 1280": "'1280' is not a size like 1280x720",
    "render --out out --board usa --size 199x400": "each side 200 to 4096",
    "render --out out --board usa --count 0": f"'0' is not a number from 1 to {MOST_PICTURES}",
    "render --out out --board usa --seed -1": "'-1' is not a number",
    "render --out out --board usa --scene wild": "wild",
    "render --out letter.jpg --board usa": "cannot write to",
    "replay friday": "no game 'friday'",
    "score missing.json": "railspotter: cannot read 'missing.json': No such file or directory",
    "score open.json": "open.json: this is no JSON: it cannot be read from line 1, column 2 on",
    "score own-board.json": "own-board.json: cannot read the board file 'none.json': No such file",
    "serve --port=-1": "is not a number from 0 to 65535",
    "serve --port 65536": "is not a number from 0 to 65535",
    "serve --port http": "is not a number from 0 to 65535",
    "serve --port 1e3": "is not a number from 0 to 65535",
    # numbers of thousands of digits
    f"serve --port {ENDLESS}": "99...",
    f"render --out out --board usa --size {ENDLESS}x720": "99...",
    f"render --out out --board usa --seed {ENDLESS}": "99...",
    f"display preview --turn {ENDLESS}": "99...",
    f"doctor --source {ENDLESS}": "there is no file or folder '999",
    f"doctor --source /dev/{ENDLESS}": "there is no file or folder '/dev/999",
    "doctor --source ~nobody-of-this-name/x": "there is no file or folder '~nobody",
    f"{SEEN} red --on calgary--helena/{ENDLESS}": "write a route and a number from 1 to 4",
    f"{OURS} --house-rule trains={ENDLESS}": "is no house rule: say NAME=NUMBER",
    f"board propose empty.png --size-mm 800 530 -o {ENDLESS}.json": "name is too long",
    "score many.json": "many.json: a number in it is too large",
    "score twice.json": "twice.json: 'edition' is written twice",
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that stays as it is, with one profile."""
    folder = tmp_path_factory.mktemp("home")
    ProfileStore(folder).save(drawn.profile())
    return folder


@pytest.fixture(scope="module")
def folder(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos, and files that are none, in the folder where the commands run."""
    made = tmp_path_factory.mktemp("refused")
    for picture in pictures.iterdir():
        (made / picture.name).hardlink_to(picture)
    for name, content in FILES.items():
        (made / name).write_text(content)
    return made


def contents(folder: Path) -> dict[Path, tuple[int, int]]:
    """What is in a folder, by when it was written, and how large it is."""
    files = {path: path.stat() for path in folder.rglob("*")}
    return {path: (file.st_mtime_ns, file.st_size) for path, file in files.items()}


@pytest.mark.parametrize("typed", REFUSED, ids=lambda typed: typed[:80])
def test_it_is_refused_in_a_sentence_and_nothing_is_written(
    typed: str,
    folder: Path,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(kept))
    monkeypatch.chdir(folder)
    before = contents(folder), contents(kept)
    try:
        code = main(shlex.split(typed))
    except SystemExit as ended:
        code = int(str(ended.code))
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert (code, out, line.startswith("railspotter: ")) == (2, "", True)
    assert REFUSED[typed] in line
    assert "secret" not in line
    assert before == (contents(folder), contents(kept))


@pytest.mark.parametrize("words", ["", " --profile drawn"], ids=["the newest", "by name"])
def test_a_corrupt_profile_is_named(
    words: str, folder: Path, calibrated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = calibrated / "profiles" / "drawn.npz"
    file.write_bytes(file.read_bytes()[:-1000])
    assert main(["read", str(folder / "game.jpg"), "--board", "usa", *words.split()]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "damaged" in line
    assert "calibrate anew" in line
