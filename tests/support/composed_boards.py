"""Composed boards for the tests: few photos, coarse, made once."""

from functools import cache

from railspotter.scoring.board import load_board

from composed.library import Library
from composed.source import Source
from composed.stage import Stage, make_stage
from composed.table import ComposedTable

BLANK = "IMG_4172_1008"
STAGED, PLAYED = "IMG_4152_1008", "IMG_4076_1008"  # a staged board and a played one, in other light
SIZE_WH = (1280, 720)


@cache
def library() -> Library:
    return Library(load_board("usa"), px_per_mm=1.6)


@cache
def stage() -> Stage:
    return make_stage(library(), BLANK, size_wh=SIZE_WH)


def source(name: str) -> Source:
    return library().source(name)


@cache
def shared_table() -> ComposedTable:
    """One table for the tests that do not mind what was laid before."""
    return new_table()


def new_table() -> ComposedTable:
    return ComposedTable(library().board, stage(), [source(STAGED), source(PLAYED)])
