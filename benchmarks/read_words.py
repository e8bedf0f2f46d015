"""Read the words of real tickets and boards: how many names are found, how fast, in what memory.

    python benchmarks/read_words.py [--longest-side 1280]

A name is exact if a line of letters has it, and near if one letter is wrong, or one in five. Two
lines count as one where the second stands right below the first. Photos are those of
../shared/photos, and names those of our own board files, so a place whose print differs (SAULT ST.
MARIE) is near at best. Seconds are of the processor, beside those of decoding and shrinking the
same photos, which a busy machine slows as well; memory is the process's own at its peak, less what
it held when the pictures were decoded.
"""

import argparse
import json
import resource
import time
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import load_board
from railspotter.table.photo_file import load_photo
from railspotter.vision.words.word_reader import LONGEST_SIDE_PX, Word, read_words

from photos.labelled import PHOTOS

TICKETS = PHOTOS / "tickets"
BOARDS = (
    "usa/IMG_4134_12mp",
    "usa/other_copy_1_1920",
    "europe/house7_12mp",
    "europe/house5_1500",
)
LETTERS_A_FAULT = 5
BELOW = 1.8  # heights from a line to the one below it, and half as much to the side of its middle


def letters(text: str) -> str:
    """Return a text's letters, without accents."""
    plain = unicodedata.normalize("NFKD", text.upper().replace("Ø", "O").replace("ST.", "SAINT"))
    return "".join(sign for sign in plain if "A" <= sign <= "Z")


def faults(name: str, line: str) -> int:
    """Return how many letters of a name are wrong, missing or too many in a part of a line."""
    row = [0] * (len(line) + 1)
    for done, letter in enumerate(name, 1):
        before, row = row, [done]
        for at, other in enumerate(line):
            row.append(min(before[at + 1] + 1, row[at] + 1, before[at] + (letter != other)))
    return min(row)


def lines_of(words: Sequence[Word]) -> Iterator[str]:
    """Yield what lines of letters say, and each with the one below it."""
    middles = [word.outline.mean(axis=0) for word in words]
    for word, middle in zip(words, middles, strict=True):
        said = word.text.replace("ST.", "SAINT").replace("St.", "Saint")
        yield letters(said)
        along = word.outline[1] - word.outline[0]
        along = along / max(float(np.linalg.norm(along)), 1e-9)
        for other, there in zip(words, middles, strict=True):
            x, y = np.array([along, [-along[1], along[0]]]) @ (there - middle) / word.height_px
            if 0.4 < y < BELOW and abs(x) < BELOW:
                yield letters(said) + letters(other.text)


def wanted() -> Iterator[tuple[str, Path, list[str]]]:
    """Yield photos with the names in them, and the row of the table that each counts in."""
    truth = json.loads((TICKETS / "truth.json").read_text("utf-8"))
    for file, about in truth.items():
        if not about.get("tickets") or about["board"] not in ("usa", "europe", "newyork"):
            continue
        names = {place.id: place.name for place in load_board(about["board"]).places}
        ends = [end for a, b, *_ in about["tickets"] for end in (a, b)]
        if set(ends) <= set(names):
            yield f"tickets {about['board']}", TICKETS / file, [names[end] for end in ends]
    for stem in BOARDS:
        about = json.loads((PHOTOS / f"{stem}.json").read_text("utf-8"))
        board = load_board(about["board"])
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * board.size_mm
        to_photo = cv2.getPerspectiveTransform(
            corners.astype(np.float32), np.array(about["corners_px"], np.float32)
        )
        places = np.array([[place.xy_mm for place in board.places]], np.float32)
        at = cv2.perspectiveTransform(places, to_photo)[0]
        inside = ((at > 0) & (at < about["size_px"])).all(axis=1)
        names_inside = [p.name for p, seen in zip(board.places, inside, strict=True) if seen]
        yield "boards", (PHOTOS / stem).with_suffix(".jpg"), names_inside


def shrunk(path: Path) -> Picture:
    """Return a photo decoded, as it is."""
    picture = load_photo(path)
    cv2.resize(picture, (LONGEST_SIDE_PX, LONGEST_SIDE_PX), interpolation=cv2.INTER_AREA)
    return picture


def peak_mb() -> int:
    """Return the most memory that this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Read all, and print a line for each photo and a row for each kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--longest-side", type=int, default=LONGEST_SIDE_PX, metavar="PX")
    asked = parser.parse_args()
    rows: dict[str, list[float]] = {}
    photos = list(wanted())
    shrunk(max((path for _, path, _ in photos), key=lambda path: path.stat().st_size))
    before_mb = peak_mb()
    for kind, path, names in photos:
        times = [time.process_time()]
        picture = shrunk(path)
        times.append(time.process_time())
        found = list(lines_of(read_words(picture, asked.longest_side)))
        times.append(time.process_time())
        least = [min(faults(letters(name), line) for line in (*found, "")) for name in names]
        near = [
            fault <= max(1, len(letters(name)) // LETTERS_A_FAULT)
            for name, fault in zip(names, least, strict=True)
        ]
        missed = [name for name, is_near in zip(names, near, strict=True) if not is_near]
        took = np.diff(times)
        got = [len(names), sum(near), least.count(0), *took]
        rows[kind] = [a + b for a, b in zip(rows.get(kind, [0] * 5), got, strict=True)]
        print(f"{path.name}: {sum(near)} of {len(names)}, {took[1]:.1f} s", *missed, sep=", ")
    for kind, (count, near_count, exact, decoding_s, reading_s) in rows.items():
        print(
            f"{kind}: {near_count:.0f} of {count:.0f}, {exact:.0f} exact; {reading_s:.1f} s of the"
            f" processor, {reading_s / decoding_s:.1f} times decoding"
        )
    print(f"peak {peak_mb()} MB, {peak_mb() - before_mb} MB of it by reading")


if __name__ == "__main__":
    main()
