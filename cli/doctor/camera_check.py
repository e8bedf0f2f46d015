"""Checks of a camera: its picture, its modes, the light, and whether profiles fit."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.alignment import CLEAR_AGREEMENT
from railspotter.calibration.finding.feature_pose import FrameFeatures
from railspotter.calibration.finding.finder import AnotherBoard, find_by_print, reason_of_any
from railspotter.calibration.finding.picture_faults import fault_of
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.picture_quality import measure_picture
from railspotter.calibration.profiles.profile import CameraMode, Profile
from railspotter.calibration.profiles.quality import Grade, grade_of, judge_picture
from railspotter.table.errors import TableError
from railspotter.table.live_calibration.profile_text import picture_json, picture_text
from railspotter.table.set_up.cameras import is_live
from railspotter.vision.sources.cameras import Camera
from railspotter.vision.sources.grabber import FROZEN_S, Grabber, hanging
from railspotter.vision.sources.source import Frame, Source

from ..terminal.watching import wait_for_picture
from .report import CheckResult, State

TIMEOUT_S = 10.0
SETTLE_S = 2.0  # approximate time for the exposure and focus of a camera that was just opened
# Picture sizes that are requested; webcams deliver the nearest that they have.
MODES = ((640, 480), (1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
STATE_OF_GRADE = {Grade.GOOD: State.WELL, Grade.USABLE: State.NOTE, Grade.POOR: State.ATTENTION}


def take_picture(source: Source, timeout_s: float = TIMEOUT_S, settle_s: float = SETTLE_S) -> Frame:
    """Take a picture from a source, with `settle_s` for a camera to adjust; 0 for any picture.

    Otherwise, while a camera repeats one picture, another is waited for until it hangs for sure.
    """
    with Grabber(source) as grabber:
        try:
            wait_for_picture(grabber, timeout_s)
        except TableError as error:
            raise TableError(grabber.status.said) from error
        frame = grabber.latest()
        settled_s = time.monotonic() + settle_s
        while frame is not None and is_live(source):
            over_s, status = time.monotonic() - settled_s, grabber.status
            may_hang = 0 < frame.same_for_s < FROZEN_S and settle_s and status.openings == 1
            if status.is_over or over_s >= (2 * FROZEN_S if may_hang else 0):
                break
            frame = grabber.latest(frame.number, 0.2) or frame
    if frame is None:
        raise TableError(grabber.status.said)
    return frame


def working_modes(
    camera: Camera, asked: Sequence[tuple[int, int]] = MODES
) -> tuple[tuple[int, int], ...]:
    """Try picture sizes on a camera; return those that it delivers, smallest first."""
    given = set()
    for size_wh in asked:
        try:
            picture = take_picture(replace(camera, size_wh=size_wh), settle_s=0.0).picture
        except TableError:
            continue
        given.add((picture.shape[1], picture.shape[0]))
    return tuple(sorted(given))


def check_camera(source: Source, name: str) -> tuple[CheckResult, Picture | None]:
    """Check that a source gives pictures; return the result and a picture."""
    try:
        frame = take_picture(source)
    except TableError as error:
        advice = ("check that it is plugged in and that no other program is using it",)
        return CheckResult("camera", State.ATTENTION, f"{name}: {error}", advice), None
    if frame.same_for_s >= FROZEN_S:
        advice = ("unplug it and plug it in again, or start its program anew",)
        hangs = hanging(name, frame.same_for_s)
        return CheckResult("camera", State.ATTENTION, hangs, advice), None
    picture = frame.picture
    height, width = picture.shape[:2]
    said, details = f"{name} gives {width} x {height} pixels", {"size_wh": [width, height]}
    if isinstance(source, Camera):
        modes = working_modes(source)
        said += "; it has " + ", ".join(f"{w} x {h}" for w, h in modes) if modes else ""
        details["modes"] = [list(mode) for mode in modes]
    return CheckResult("camera", State.WELL, said, (), {"name": name, **details}), picture


def check_picture(
    picture: Picture, profiles: Sequence[Profile], mode: CameraMode, *, is_one_asked_for: bool
) -> Iterator[CheckResult]:
    """Check a camera's picture against the boards that have profiles."""
    features = FrameFeatures(picture)
    poses = [find_by_print(features, profile) for profile in profiles]
    findings = [
        _check_profile(picture, pose, profile, mode)
        for pose, profile in zip(poses, profiles, strict=True)
    ]
    fitting = [finding for finding in findings if finding.details["fits"]]
    fault = None if fitting else fault_of(picture)
    if fault is not None:
        yield CheckResult("light", State.ATTENTION, fault.reason)
    elif not fitting and all(profile.is_drawn for profile in profiles):
        lost = reason_of_any(pose for pose in poses if isinstance(pose, NotFound))
        yield CheckResult("camera", State.ATTENTION, f"no board was recognised: {lost.reason}")
        return
    for profile, finding in zip(profiles, findings, strict=True):
        if finding.details["fits"] or is_one_asked_for or not fitting:
            yield finding
        elif not profile.is_drawn:
            yield replace(finding, state=State.NOTE)


def _check_profile(
    picture: Picture, pose: Pose | NotFound, profile: Profile, mode: CameraMode
) -> CheckResult:
    what = f"profile {profile.name!r}"
    if profile.is_drawn:
        what = f"the board {profile.board!r}"
    details = {"profile": profile.name, "board": profile.board, "fits": False}
    if isinstance(pose, AnotherBoard):  # nobody chose this one
        said = f"{what}: the picture shows another board, {pose.board!r}"
        return CheckResult("profile", State.ATTENTION, said, (), details)
    if isinstance(pose, NotFound):
        return CheckResult("profile", State.ATTENTION, f"{what}: {pose.reason}", (), details)
    measured = measure_picture(picture, pose)
    remarks = judge_picture(measured)
    grade = grade_of(remarks)
    details |= {
        "fits": True,
        "agreement": round(pose.agreement, 3),
        "grade": grade.name.lower(),
        "picture": picture_json(measured),
    }
    advice: list[str] = [remark.words for remark in remarks]
    state = STATE_OF_GRADE[grade]
    fit = "is seen, and would be read by numbers"
    if not profile.is_drawn:
        fit = f"fits, {100 * pose.agreement:.0f} % of its print is seen"
        if pose.agreement < CLEAR_AGREEMENT:
            state = min(state, State.NOTE, key=[State.ATTENTION, State.NOTE, State.WELL].index)
            advice.append(
                "much of the print is covered or looks different: take away what lies on the board;"
                " if the light is another one for good, calibrate again"
            )
    other = profile.made_with.difference(mode) if profile.made_with is not None else None
    if other is not None:
        advice.append(f"{other}: if it is read badly, calibrate with this one")
    said = f"{what} {fit}; the picture is {grade.words} ({picture_text(measured)})"
    return CheckResult("profile", state, said, tuple(advice), details)
