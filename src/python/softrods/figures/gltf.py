"""A member as one file of glTF 2.0: tubes of the rods' radius that move, for browsers, slides and Blender."""

from __future__ import annotations

import json
import math
import pathlib
import struct

import matplotlib.pyplot as plt
import numpy as np

from ..ensemble import Ensemble, EnsembleError
from ..own_files import MARK, staged
from .curves import FRAMES_A_SECOND, drawn_frames, y_is_up

SIDES = 8  # of a tube, whose normals are those of a round one
VERTICES, INDICES = 34962, 34963  # what a view of the buffer holds
TYPES = {"f": 5126, "u": 5125}
MOST_BYTES = 4.2e9  # of all numbers; what describes them takes the rest of 4 GiB


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def directions(points):
    """Unit vectors along a rod at its nodes [frames, nodes, 3]. An edge without length goes on as the one before it, the first as z."""
    edges = np.diff(points, axis=1)
    lengths = np.linalg.norm(edges, axis=2)
    long = lengths > 0
    known = np.maximum.accumulate(np.where(long, np.arange(1, lengths.shape[1] + 1), 0), axis=1)
    z = np.broadcast_to([0.0, 0.0, 1.0], (len(points), 1, 3))
    along = np.concatenate([z, edges / np.where(long, lengths, 1)[..., None]], axis=1)
    along = np.take_along_axis(along, known[..., None], axis=1)
    sums = along[:, :-1] + along[:, 1:]
    sizes = np.linalg.norm(sums, axis=2, keepdims=True)
    between = np.where(sizes > 1e-9, sums / np.maximum(sizes, 1e-9), along[:, 1:])
    return np.concatenate([along[:, :1], between, along[:, -1:]], axis=1)


def transported(normal, before, after):
    """A normal of the tangent `before`, turned by the smallest rotation that takes it to the tangent `after`."""
    axis = np.cross(before, after)
    beside = 1 + np.sum(before * after, axis=-1, keepdims=True)
    once = np.cross(axis, normal)
    opposite = beside <= 1e-9  # a normal of one is the other's
    turned = normal + np.where(opposite, 0, once + np.cross(axis, once) / np.where(opposite, 1, beside))
    return unit(turned - np.sum(turned * after, axis=-1, keepdims=True) * after)


def tube(points, radii):
    """Vertices and normals [frames, SIDES * (nodes + 2), 3] of the tube round a rod: a ring at each node, and one more at each end
    for the disc that closes it. Rings do not turn about the rod, neither along it nor in time, so that the shape half way between
    two frames is a tube too."""
    along = directions(points)
    normal = np.empty_like(points)
    normal[0, 0] = unit(np.cross(along[0, 0], np.eye(3)[np.argmin(np.abs(along[0, 0]))]))
    for frame in range(1, len(points)):
        normal[frame, 0] = transported(normal[frame - 1, 0], along[frame - 1, 0], along[frame, 0])
    for node in range(1, points.shape[1]):
        normal[:, node] = transported(normal[:, node - 1], along[:, node - 1], along[:, node])
    angles = 2 * np.pi * np.arange(SIDES)[:, None] / SIDES
    outward = np.cos(angles) * normal[:, :, None] + np.sin(angles) * np.cross(along, normal)[:, :, None]
    rings = points[:, :, None] + radii[..., None, None] * outward
    rings = np.concatenate([rings[:, :1], rings, rings[:, -1:]], axis=1)
    discs = np.repeat(along[:, [0, -1], None] * np.array([-1, 1])[:, None, None], SIDES, axis=2)
    normals = np.concatenate([discs[:, :1], outward, discs[:, 1:]], axis=1)
    return rings.reshape(len(points), -1, 3), normals.reshape(len(points), -1, 3)


def corners_of(nodes):
    """The corners of a tube's triangles, counter-clockwise from outside."""
    last = SIDES * (nodes + 1)
    sides = np.arange(1, SIDES - 1)
    ends = np.column_stack([0 * sides, sides + 1, sides, last + 0 * sides, last + sides, last + sides + 1])
    side = np.tile(np.arange(SIDES), nodes - 1)
    ring = SIDES * np.repeat(np.arange(1, nodes), SIDES)
    a, b = ring + side, ring + (side + 1) % SIDES
    return np.concatenate([ends.ravel(), np.column_stack([a, b, a + SIDES, b, b + SIDES, a + SIDES]).ravel()])


class Glb:
    """The numbers of a binary file, and the text that describes them."""

    def __init__(self):
        self.numbers, self.size, self.accessors, self.views = [], 0, [], []

    def begin_view(self, **view):
        """Begins a view of the numbers that are added until the next one."""
        self.views.append({"buffer": 0, "byteOffset": self.size, "byteLength": 0, **view})

    def add(self, numbers, bounds=False):
        """Adds float32 or uint32 numbers [count] or [count, 3], and returns the place of their accessor."""
        view = self.views[-1]
        accessor = {"bufferView": len(self.views) - 1, "byteOffset": self.size - view["byteOffset"], "componentType":
                    TYPES[numbers.dtype.kind], "type": "VEC3" if numbers.ndim > 1 else "SCALAR", "count": len(numbers)}  # fmt: skip
        if bounds:
            least, most = np.atleast_1d(numbers.min(axis=0)), np.atleast_1d(numbers.max(axis=0))
            accessor |= {"min": least.tolist(), "max": most.tolist()}
        self.numbers.append(numbers.tobytes())
        self.size += numbers.nbytes
        view["byteLength"] += numbers.nbytes
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def bytes(self, **description):
        """The whole file."""
        description |= {"accessors": self.accessors, "bufferViews": self.views, "buffers": [{"byteLength": self.size}]}
        text = json.dumps(description).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<4s3I4s", b"glTF", 2, 28 + len(text) + self.size, len(text), b"JSON")
        return b"".join([head, text, struct.pack("<I4s", self.size, b"BIN\0"), *self.numbers])


def parts_of(numbers):
    """The rods of each colour, by place: each colour is one part of the mesh, since parts are dear to those who draw."""
    parts = {}
    for place, number in enumerate(numbers):
        parts.setdefault(number % 10, []).append(place)
    return [parts[colour] for colour in sorted(parts)]


def material(numbers):
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in plt.get_cmap("tab10").colors[numbers[0] % 10])
    return {"name": f"rod {numbers[0]}" + (" and others" if len(numbers) > 1 else ""),
            "pbrMetallicRoughness": {"baseColorFactor": [red, green, blue, 1], "metallicFactor": 0, "roughnessFactor": 0.5}}  # fmt: skip


def primitive(glb, tubes):
    """The frames of a part: the first, and what is to be added to that, as it is stored, at each later one."""
    points, normals = (np.concatenate(vectors, axis=1) for vectors in zip(*tubes))
    stored = points[0].astype("<f4"), normals[0].astype("<f4")

    def add(places, directions):
        return {"POSITION": glb.add(places, bounds=True), "NORMAL": glb.add(directions)}

    part = {"attributes": add(*stored)}
    later = [add((p - stored[0]).astype("<f4"), (n - stored[1]).astype("<f4")) for p, n in zip(points[1:], normals[1:])]
    return part | ({"targets": later} if later else {})


def animation(glb, frames):
    """Weights that show one frame at its instant, and in between two of them."""
    glb.begin_view()
    sampler = {"input": glb.add((frames / FRAMES_A_SECOND).astype("<f4"), bounds=True),
               "output": glb.add(np.eye(len(frames), dtype="<f4")[:, 1:].ravel()), "interpolation": "LINEAR"}  # fmt: skip
    return {"name": "motion", "samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}


def write_glb(ensemble: Ensemble, member: int, path: pathlib.Path) -> None:
    """Writes a member's frames as a binary file. Raises EnsembleError where no frame can be drawn, the deck does not tell radii, or
    the file would be larger than 4 GiB, and NotOurs."""
    frames, time, rods, radii = drawn_frames(ensemble, member)
    if radii is None:
        raise EnsembleError(f"The deck does not tell the radii of member {member}: run it with output.fields = radius.")
    vertices = sum(SIDES * (rod.shape[1] + 2) for rod in rods)
    if vertices * (24.0 * len(frames) + 24) + 4.0 * len(frames) ** 2 > MOST_BYTES:
        raise EnsembleError(f"Member {member} is too large for glTF, whose files have 4 GiB at most: run it with fewer "
                            "output.frames or output.rods.")  # fmt: skip
    glb = Glb()
    glb.begin_view(target=VERTICES, byteStride=12)
    numbers = [int(number) for number in ensemble.rod_numbers(member)]
    parts = parts_of(numbers)
    primitives = [primitive(glb, [tube(rods[k], radii[k]) for k in part]) for part in parts]
    glb.begin_view(target=INDICES)
    for number, part in enumerate(parts):
        starts = np.cumsum([0, *(SIDES * (rods[k].shape[1] + 2) for k in part)])
        corners = np.concatenate([start + corners_of(rods[k].shape[1]) for start, k in zip(starts, part)])
        primitives[number] |= {"indices": glb.add(corners.astype("<u4")), "material": number}
    mesh = {"name": f"member {member}", "primitives": primitives}
    node = {"name": f"member {member}", "mesh": 0, "extras": {"time": time.tolist()}}
    if not y_is_up(ensemble):
        node["rotation"] = [-math.sqrt(0.5), 0, 0, math.sqrt(0.5)]
    moving = {}
    if len(frames) > 1:
        moving["animations"] = [animation(glb, frames)]
        mesh["extras"] = {"targetNames": [f"frame {frame}" for frame in frames[1:]]}
    materials = [material([numbers[k] for k in part]) for part in parts]
    with staged(path) as temporary:
        temporary.write_bytes(glb.bytes(asset={"generator": MARK, "version": "2.0"}, scene=0, scenes=[{"nodes": [0]}], nodes=[node],
                                        meshes=[mesh], materials=materials, **moving))  # fmt: skip
