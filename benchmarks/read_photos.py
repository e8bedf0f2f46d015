"""Read labelled photos of real boards and say how well it went, beside what is true.

    python benchmarks/read_photos.py [--reader cues colour] [--photos DIR] [--only GLOB]
                                     [--profile-from PHOTO] [--json FILE]

Each board that there are photos and a photo of it empty for is read with a profile made from that
one photo. Several readers are handed the same found boards, so they can be compared.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from photo_judgement import JudgedPhoto, Seconds, judge, worst_corner_mm
from photo_report import report
from photo_set import (
    PHOTOS,
    REFERENCES,
    LabelledPhoto,
    labelled_photos,
    load_label,
    reference_profile,
)
from photo_summary import Row, groups_of, summarise
from railspotter.calibration.pose import NotFound
from railspotter.scoring import Board, Edition, board_names, load_board, load_edition, standing
from railspotter.table.photo_file import load_photo
from railspotter.table.photo_score import PhotoScorer
from railspotter.vision.cue_weights import cue_weights
from railspotter.vision.readers import DEFAULT_READER, READERS

T = TypeVar("T")
