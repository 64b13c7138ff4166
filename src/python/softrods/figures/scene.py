"""What a page of rods in three dimensions holds (rods.html): positions, sections and fields of members, packed, and what stands
around them."""

from __future__ import annotations

import base64
import math
import pathlib

import numpy as np

from ..ensemble import EnsembleError
from ..texts import printable
from .film import Strands, bending_strain, view_axes
from .style import label_of, moments
from .surroundings import grouped, planes

MOST_FRAMES = 200  # of a page
STORED = {"int16": "i2", "uint8": "u1", "float32": "f4"}
FINE = 50  # steps of whole numbers in the thinnest radius: where these are too coarse for that, numbers are reals
CLIPPED = 99.5  # percentile of a field's values that colours reach to, so that a few do not make all others one colour
TURN = (0.45, 0.32)  # from where rods are first seen, radians
LEVEL = 0.02  # of the largest extent: rods without weight that extend less along z are seen along it
PARAMETERS_SHOWN = 4


def text_of(values, **more):
    return {"kind": STORED[values.dtype.name], "text": base64.b64encode(np.ascontiguousarray(values).tobytes()).decode(), **more}


def packed(values, step):
    """Numbers, along whose last axis each has a middle of its own, as whole ones of 16 bits, or as reals where their steps would be
    larger than `step`."""
    low, high = values.reshape(-1, values.shape[-1]).min(axis=0), values.reshape(-1, values.shape[-1]).max(axis=0)
    middle, scale = 0.5 * (low + high), max(float((high - low).max()) / 65534, 1e-300)
    if scale > step:
        return text_of(values.astype("<f4"))
    return text_of(np.round((values - middle) / scale).astype("<i2"), scale=scale, offset=middle.tolist())


def at_nodes(values, counts):
    """Values of elements [frames, nodes, ...], which stand at their first nodes, as means of the elements that meet at a node."""
    parts = np.split(values, np.cumsum(counts)[:-1], axis=1)
    return np.concatenate([np.concatenate([part[:, :1], 0.5 * (part[:, :-2] + part[:, 1:-1]), part[:, -2:-1]], axis=1) for part in parts], axis=1)


def stored(ensemble, member, field, frames):
    """A field of some frames [frames, nodes, components], or None."""
    try:
        return ensemble.trajectory(member, field)[1][frames]
    except EnsembleError:  # not among output.fields
        return None


def elongation(rods):
    """How much longer elements are than in the first frame, at the first of their nodes."""
    parts = []
    for rod in rods:
        lengths = np.linalg.norm(np.diff(rod, axis=1), axis=2)
        parts.append(np.concatenate([lengths / np.maximum(lengths[:1], 1e-300) - 1, np.zeros((len(rod), 1))], axis=1))
    return np.concatenate(parts, axis=1)


class Member:
    """The rods of a member at the frames that a page has."""

    def __init__(self, ensemble, member, mode):
        self.ensemble, self.member, self.mode = ensemble, member, mode
        self.deck = ensemble.of_member(member)
        self.time, self.rods = ensemble.reached_rods(member) if mode is None else ensemble.vibration(member, mode)
        self.counts = [rod.shape[1] for rod in self.rods]
        self.radii = ensemble.node_radii(member)

    def take(self, chosen):
        """Keeps these frames, as far as the member has come."""
        reached = chosen[chosen < len(self.time)]
        self.time, self.rods = self.time[reached], [rod[reached] for rod in self.rods]
        self.nodes = np.concatenate(self.rods, axis=1)
        self.radius = np.concatenate(self.radii or [[0.01 * np.ptp(self.nodes.reshape(-1, 3), axis=0).max()] * n for n in self.counts])
        # Frames of the file, from which fields come; those that were not reached are not among them.
        self.of_file = None
        if self.mode is None:
            self.of_file = np.flatnonzero(np.isfinite(self.ensemble.trajectory(self.member)[0]))[reached]

    def fields(self):
        """Values [frames, nodes] by their names, which colours tell."""
        measure = self.ensemble.strain_measure(self.member)
        found = {measure: np.array([bending_strain(frame, Strands(self.counts, np.split(self.radius, np.cumsum(self.counts)[:-1])), measure)
                                    for frame in self.nodes])}  # fmt: skip
        if self.of_file is None:
            return found
        dilatation = stored(self.ensemble, self.member, "dilatation", self.of_file)
        if dilatation is not None:
            found["stretch"] = at_nodes(dilatation[..., 0] - 1, self.counts)
        elif len(self.time) > 1:
            found["stretch since the first frame"] = at_nodes(elongation(self.rods), self.counts)
        velocity = stored(self.ensemble, self.member, "velocity", self.of_file)
        if velocity is not None:
            found["speed (m/s)"] = np.linalg.norm(velocity, axis=2)
        return found

    def sections(self):
        """Of each rod its shape, and half of its width and thickness over the radius of the circle of its area; None of round ones,
        and of those of which the file does not tell how they are turned."""
        shape = (self.deck.deck_values("rod.section") or ["circle"])[0]
        widths, thicknesses = (self.ensemble.values_of_rods(f"rod.{name}", self.member) for name in ("width", "thickness"))
        directors = None if self.of_file is None else stored(self.ensemble, self.member, "orientation", self.of_file)
        if shape == "circle" or directors is None or not widths or not thicknesses or self.radii is None:
            return None, None, shape != "circle"
        share = 0.25 if shape == "ellipse" else 1 / math.pi
        ratios = [[shape, 0.5 * width / math.sqrt(share * width * thickness), 0.5 * thickness / math.sqrt(share * width * thickness)]
                  for width, thickness in zip(widths, thicknesses)]  # fmt: skip
        w, x, y, z = np.moveaxis(directors, 2, 0)
        first = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=2)
        return ratios, at_nodes(first, self.counts), False

    def content(self, axes, label, colours):
        """`colours`: lowest and highest of each field's values in the page."""
        ratios, first, _ = self.sections()
        fields = []
        for name, values in self.fields().items():
            low, high = colours[name]
            scale = (high - low) / 255 or 1.0
            fields.append({"name": name, "low": low, "high": high,
                           "values": text_of(np.round(np.clip((values - low) / scale, 0, 255)).astype("u1"), scale=scale, offset=low)})  # fmt: skip
        flat = [[*(axes @ point), *(axes @ normal)] for point, normal in planes(self.deck)]
        balls = [[*(axes @ ball[:3]), ball[3]] for ball in grouped(self.deck.deck_numbers("ground.spheres"), 4)]
        tubes = [[*(axes @ tube[:3]), *(axes @ tube[3:6]), tube[6]] for tube in grouped(self.deck.deck_numbers("ground.cylinders"), 7)]
        turned = {} if first is None else {"director": text_of(np.round(first @ axes.T * 32767).astype("<i2"), scale=1 / 32767, offset=0)}
        return {"label": label, "nodes": self.counts, "rods": [int(rod) for rod in self.ensemble.rod_numbers(self.member)],
                "radius": text_of(self.radius.astype("<f4")), "position": packed(self.nodes @ axes.T, self.radius.min() / FINE),
                "fields": fields, "sections": ratios, **turned, "planes": flat, "spheres": balls, "cylinders": tubes}  # fmt: skip


def common_axes(member):
    """Rows: right, up and towards the viewer; up is against gravity, else out of the first plane, else z, but where all lies across
    it."""
    down = np.array(member.deck.deck_numbers("gravity.acceleration") or [0.0, 0.0, 0.0])
    flat, extent = planes(member.deck), np.ptp(member.nodes.reshape(-1, 3), axis=0)
    if not np.any(down) and flat:
        down = -flat[0][1]
    elif not np.any(down) and extent[2] > LEVEL * extent.max():
        down = np.array([0.0, 0.0, -1.0])
    return view_axes(member.nodes, down, (0.0, 0.0))


def scene(ensemble, numbers, mode, most):
    """What the page of these members holds, with so many numbers of positions at most."""
    members = [Member(ensemble, number, mode) for number in numbers]
    longest = max(members, key=lambda member: len(member.time))
    total = len(longest.time)
    kept = min(total, MOST_FRAMES, max(1, most // (3 * sum(sum(member.counts) for member in members))))
    chosen = np.unique(np.linspace(0, total - 1, kept).round().astype(int)) if kept > 1 else np.array([total - 1])
    said = moments(ensemble, longest.member, longest.time)
    for member in members:
        member.take(chosen if kept > 1 else np.array([len(member.time) - 1]))
    axes = common_axes(longest)
    values = [member.fields() for member in members]
    colours = {}
    for name in dict.fromkeys(name for fields in values for name in fields):
        every = np.concatenate([fields[name].ravel() for fields in values if name in fields])
        low = min(0.0, float(np.percentile(every, 100 - CLIPPED)))
        colours[name] = (low, max(low + 1e-6, float(np.percentile(every, CLIPPED))))
    notes = [f"{len(chosen)} of {total} frames"] if len(chosen) < total else []
    if any(member.sections()[2] for member in members):
        notes.append("sections drawn round, with their area (output.fields = orientation shows them)")
    if any(member.radii is None for member in members):
        notes.append("thickness not to scale")
    name = printable(pathlib.Path(ensemble.path).name)
    shown = list(ensemble.parameters)[:PARAMETERS_SHOWN]
    labels = [name if len(ensemble) == 1 else f"member {number}" + (f": {label_of(ensemble, shown, number)}" if shown else "") for number in numbers]
    strain = next(iter(colours))
    return {"title": f"{name}: rods", "turn": TURN, "moments": [said[k] for k in chosen], "notes": notes,
            "colours": strain if len(longest.rods) == 1 else "rod",
            "members": [member.content(axes, printable(label), colours) for member, label in zip(members, labels)]}  # fmt: skip
