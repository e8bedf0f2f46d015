"""The path tracer: a scene of meshes, lamps and a camera becomes light on a sensor.

Mitsuba 3 does it, in its `scalar_rgb` or `llvm_ad_rgb` variant; the latter needs LLVM, of which
DRJIT_LIBLLVM_PATH says where it lies. Mitsuba's red, green and blue hold our blue, green and red:
it treats the three alike.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s
from railspotter.simulation.virtual_board.camera import Projection

from hardships.renderings import to_linear
from teaching.relighting import lamp_bgr
from traced.meshes import Mesh
from traced.room import Lamp

BRIGHTEST_PRINT = 0.86  # what white paper throws back
REFRACTION = 1.49  # of plastic and varnish
MOST_BOUNCES = 4  # a path's bounces, the lens counted
LEAST_ALBEDO = 0.03  # paint that reflects less is taken for so bright where grain is smoothed away
GRAIN_PX, GRAIN = 7, 0.4  # over so many pixels light is smoothed that differs so little, in its log
BRIGHTEST_PATH = 8.0  # a path that is brighter is a speck that few samples make

mi: Any = None  # Mitsuba, imported by `start_mitsuba`: whoever only type-checks has none


@dataclass(frozen=True, eq=False)
class Scene:
    """The meshes, the lamps and the camera."""

    meshes: Sequence[Mesh]
    lamps: Sequence[Lamp]
    panorama: Float32s  # (h, w, 3) float32, BGR: the light of the walls, a panorama
    middle_mm: tuple[float, float]  # of the board: lamps are told from there
    pinhole: Projection


def start_mitsuba(variant: str) -> None:
    """Initialise a variant of Mitsuba, on one thread.

    Several would add up the light of a pixel in any order, and a seed would be several pictures.

    Raises `ImportError` where Mitsuba is not installed.
    """
    global mi
    mi = importlib.import_module("mitsuba")
    mi.set_variant(variant)
    importlib.import_module("drjit").set_thread_count(1)


def trace(scene: Scene, samples: int, seed: int) -> Float32s:
    """Return the light on every pixel, (H, W, 3) float32, BGR."""
    middle = np.array([*scene.middle_mm, 0.0])
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)  # a panorama's top is at y
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {
            "type": "aov",
            "aovs": "paint:albedo",
            "light": {"type": "path", "max_depth": MOST_BOUNCES},
        },
        "sensor": _mitsuba_sensor(scene.pinhole, middle, samples),
        "around": {"type": "envmap", "bitmap": mi.Bitmap(scene.panorama), "to_world": upright},
    }
    for number, mesh in enumerate(scene.meshes):
        parts[f"mesh{number}"] = _mitsuba_mesh(f"mesh{number}", mesh, middle)
    for number, lamp in enumerate(scene.lamps):
        parts[f"lamp{number}"] = _mitsuba_lamp(lamp)
    planes = np.array(mi.render(mi.load_dict(parts), spp=samples, seed=seed), np.float32)
    return _denoise(np.clip(planes[..., :3], 0, BRIGHTEST_PATH), planes[..., -3:])


def _denoise(light: Float32s, paint: Float32s) -> Float32s:
    """Return the light denoised, separately from the textures."""
    paint = np.maximum(paint, np.float32(LEAST_ALBEDO))
    falling = np.log(light / paint + np.float32(0.01))
    smooth = cv2.bilateralFilter(falling, GRAIN_PX, GRAIN, GRAIN_PX / 3)
    return np.asarray(np.maximum(np.exp(smooth) - 0.01, 0) * paint, np.float32)


def _to_world(points_mm: Float64s, middle: Float64s) -> Float64s:
    """Return points in Mitsuba's coordinates: from the board's middle, y up."""
    return np.asarray((points_mm - middle) * (1, -1, 1), np.float64)


def _mitsuba_sensor(pinhole: Projection, middle: Float64s, samples: int) -> dict[str, Any]:
    lens = pinhole.lens
    width, height = pinhole.size_wh
    x, y = lens.centre_px
    sensor = np.array([(lens.focal_px, 0, x), (0, lens.focal_px, y), (0, 0, 1)])
    turn = np.linalg.inv(sensor) @ pinhole.frame_from_scene[:, :3] * (1, -1, 1)
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    to_world = np.eye(4)
    to_world[:3, :3] = (turn * np.array([[-1], [-1], [1]])).T
    to_world[:3, 3] = _to_world(pinhole.eye, middle)
    return {
        "type": "perspective",
        "fov": float(np.rad2deg(2 * np.arctan(width / 2 / lens.focal_px))),
        "fov_axis": "x",
        "near_clip": 10.0,
        "far_clip": 1e5,
        "to_world": mi.ScalarTransform4f(to_world),
        "sampler": {"type": "multijitter", "sample_count": samples},
        "film": {
            "type": "hdrfilm",
            "width": width,
            "height": height,
            "rfilter": {"type": "gaussian", "stddev": 0.45},
            "pixel_format": "rgb",
        },
    }


def _mitsuba_mesh(name: str, mesh: Mesh, middle: Float64s) -> Any:
    light = BRIGHTEST_PRINT * to_linear(mesh.texture)
    paint = {"type": "bitmap", "bitmap": mi.Bitmap(light), "raw": True, "wrap_mode": "mirror"}
    shining: dict[str, Any] = {"type": "diffuse", "reflectance": paint}
    if mesh.roughness is not None:
        shining = {
            "type": "roughplastic",
            "diffuse_reflectance": paint,
            "int_ior": REFRACTION,
            "alpha": mesh.roughness,
        }
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict({"type": "twosided", "bsdf": shining})
    properties["face_normals"] = True
    count = len(mesh.corners)
    made = mi.Mesh(name, count, len(mesh.faces), has_vertex_texcoords=True, props=properties)
    values = mi.traverse(made)
    fields = {
        "vertex_positions": _to_world(mesh.corners, middle).astype(np.float32),
        "faces": mesh.faces.astype(np.uint32),
        "vertex_texcoords": mesh.uv.astype(np.float32),
    }
    for field, value in fields.items():
        values[field] = type(values[field])(value.ravel())
    values.update()
    return made


def _mitsuba_lamp(lamp: Lamp) -> dict[str, Any]:
    """Return a lamp that gives its share of the light at the board's middle."""
    at = np.array(lamp.at_mm) * (1, -1, 1)
    away = float(np.linalg.norm(at))
    colour = lamp.share * lamp_bgr(lamp.kelvin)
    falling = at[2] / away  # cosine, on the board
    if lamp.kind == "sun":
        area = np.pi * lamp.size_mm[0] ** 2
        shape: dict[str, Any] = {"type": "sphere", "center": at.tolist(), "radius": lamp.size_mm[0]}
        leaving = 1.0
    else:
        wide, high = lamp.size_mm
        area = wide * high
        # Ceilings shine down, windows across the room, lamps at the board.
        target = {"ceiling": at * (1, 1, 0), "window": at * (0, 0, 1)}.get(lamp.kind, 0 * at)
        up = [0, 1, 0] if lamp.kind == "ceiling" else [0, 0, 1]
        ahead = (target - at) / np.linalg.norm(target - at)
        leaving = float(ahead @ -at / away)
        place = mi.ScalarTransform4f().look_at(origin=at.tolist(), target=target.tolist(), up=up)
        place = place @ mi.ScalarTransform4f().scale([wide / 2, high / 2, 1])
        shape = {"type": "rectangle", "to_world": place}
    radiance = colour * away**2 / (area * falling * max(leaving, 0.05))
    shape["emitter"] = {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}}
    return shape
