"""Changes of a deck after which its problem is the same one in another place, size or description.

Each has `deck(problem)`, the changed deck, and says what quantities become (`expected`) and which place of the changed deck a
place is (`place`). What a change has no rule for is no pair: NoPair.
"""

import math
import os
import pathlib
import re

import numpy as np

from combinations import campaign
from quantities import KEY_KINDS, Quantity, dimension, listed
from random_decks import Deck, written


# What potentials of loads have of rounding counts in what these are shares of, and they grow with the distance from 0.
SHARES_OF_ENERGY = frozenset({"energy_gain_relative", "energy_loss_relative"})


class NoPair(Exception):
    """A deck that a change does not apply to."""


def exact(value):
    """Numbers as a deck has them, with all their digits."""
    return ", ".join(repr(float(v)) for v in np.ravel(value))


def numbers(text):
    return np.array([float(v) for v in text.split(",")])


def rods_of(deck):
    return int(deck.get("rod", "count") or 1)


def elements_of(deck):
    """Those of a rod."""
    if elements := deck.get("rod", "elements"):
        return int(elements)
    return len(numbers(deck.get("rod", "shape_nodes"))) // 3 - 1


def of_each(deck, key):
    """A row of numbers for each rod, as the deck, its lines rod.each or the default of the key have them; nothing if none has."""
    section, name = key.split(".")
    text = deck.get(section, name) or listed("keys")[key]["default"]
    lines = [line for line in deck.lines if line[:2] == ("rod", "each") and re.match(re.escape(key) + r"\W", line[2])]
    if not text and not lines:
        return None
    rows = np.tile(numbers(text) if text else np.zeros(listed("keys")[key]["entries"]), (rods_of(deck), 1))
    for _, _, line in lines:
        entry = int(re.match(r"[\w.]+\[(\d+)\]", line)[1]) if "[" in line.split(":")[0] else 0
        rows[:, entry] = numbers(re.search(r"list\((.*)\)", line)[1])
    return rows


def set_each(deck, key, rows):
    """Says a row of numbers for each rod."""
    section, name = key.split(".")
    deck.lines = [line for line in deck.lines if not (line[:2] == ("rod", "each") and re.match(re.escape(key) + r"\W", line[2]))]
    deck.remove(section, name)
    if (rows == rows[0]).all():
        deck.add(section, name, exact(rows[0]))
        return
    for entry in range(rows.shape[1]):
        index = f"[{entry}]" if listed("keys")[key]["entries"] else ""
        deck.add("rod", "each", f"{key}{index} : list({exact(rows[:, entry])})")


def say_normals(deck):
    """Gives rods the first director that they have by default."""
    if of_each(deck, "rod.normal") is not None:
        return
    along = of_each(deck, "rod.direction")
    along = along / np.linalg.norm(along, axis=1)[:, None]
    is_x = np.abs(along[:, :1]) > 1 - 1e-9
    set_each(deck, "rod.normal", np.where(is_x, [[0.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]]))


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0), "d1": 0, "d2": 1, "d3": 2}
# The units of what drives rods by formulas, per rest length and at a place, and how its components along directors change.
DRIVES = {
    "force": ("N/m", "N", "polar", "body_polar"), "couple": ("N", "N m", "axial", "body_axial"),
    "internal_couple": ("N m", "N m", "axial", "curvature"), "curvature": ("1/m", "1/m", "", "curvature"),
    "twist": ("1/m", "1/m", "", "curvature"), "stretch": ("1", "1", "", "strain"),
}
CONNECTION_UNITS = {
    "stiffness": "N/m", "damping": "kg/s", "rotational_stiffness": "N m", "rotational_damping": "N m s", "length": "m", "strength": "N/m",
}


def split_drive(text):
    """Axis, place and formula of a line of [actuation]."""
    head, _, formula = text.partition(" : ")
    match = re.match(r"(\([^)]*\)|\w+)(?:, (.*))?$", head)
    axis = AXES.get(match[1]) if match[1] in AXES else tuple(numbers(match[1].strip("()")))
    return axis, match[2] or "", formula


def is_a_point(place):
    return bool(place) and not re.fullmatch(r"(rod -?\d+)?,? ?(s [\d.e-]+ to [\d.e-]+)?", place)


class Change:
    """What all of them have; by itself it changes nothing."""

    name = "same"
    tolerance = 1.0  # of what is compared, besides that of rounding
    of_iterations = 1.0  # what iterations of implicit steps leave where they come on another way, over what twins differ by
    refusal = None  # of the program, with which it says that there is no such pair
    unknown = frozenset()  # observables that mean something else in the changed deck
    may_be_nan = frozenset()

    def deck(self, problem):
        return problem.deck.copy()

    def place(self, rod, of, index):
        """Rod and index of a node, region or element of the changed deck; None if it has none such."""
        return rod, index

    def vector(self, kind, vector):
        """What a vector, or components along directors, becomes."""
        return vector

    def number(self, kind, value):
        return value

    def unit(self, unit):
        """What a number in this unit is multiplied by."""
        return 1.0

    def times(self, quantity):
        """How often the changed deck has what the deck has once."""
        return 1.0

    def knows(self, name, quantity):
        return name not in self.unknown

    of_step = 0.0  # of what halving implicit steps changes, by which a value may differ

    def share(self, problem, values):
        """Of a value, by which that of the changed deck may differ since it is another problem, to second order."""
        return 0.0

    def expected(self, quantity, value):
        """What a value of the deck becomes, of one instant or many (a vector is the last axis)."""
        value = np.asarray(value, dtype=float) * self.unit(quantity.unit) * self.times(quantity)
        if quantity.kind in ("scalar", "pseudo", "size"):
            value = self.number(quantity.kind, value)
            return np.abs(value) if quantity.kind == "size" else value
        return self.vector(quantity.kind, value)


class Similar(Change):
    """x -> c + l Q x with a rotation Q, of which a mirror may be a part, and other units of length, mass and time."""

    def __init__(self, name, rotation=None, shift=(0, 0, 0), length=1.0, mass=1.0, time=1.0):
        self.name = name
        self.rotation = np.eye(3) if rotation is None else rotation
        self.turns = rotation is not None
        self.sign = float(np.sign(np.linalg.det(self.rotation)))
        self.shift, self.scales = np.asarray(shift, dtype=float), (length, mass, time)
        if self.shift.any():
            self.unknown = frozenset({"angular_momentum_drift", *SHARES_OF_ENERGY})

    def unit(self, unit):
        return math.prod(scale**power for scale, power in zip(self.scales, dimension(unit)))

    def number(self, kind, value):
        return self.sign * value if kind == "pseudo" else value

    def vector(self, kind, vector):
        if kind == "point":
            return vector @ self.rotation.T + self.shift
        if kind in ("polar", "flux", "d1", "d3"):
            return vector @ self.rotation.T
        if kind in ("axial", "d2"):
            return self.sign * (vector @ self.rotation.T)
        size = np.shape(vector)[-1]
        return vector * np.array({"body_polar": (1, self.sign, 1), "strain": (1, self.sign, 1), "body_axial": (self.sign, 1, self.sign),
                                  "curvature": (self.sign, 1, self.sign)}[kind])[:size]

    def formula(self, text, unit, sign=1.0):
        """A formula of t and s, of a number in this unit."""
        factor = sign * self.unit(unit)
        if self.scales[2] != 1:
            text = re.sub(r"\bt\b", f"(t / {self.scales[2]!r})", text)
        return text if factor == 1 else f"{factor!r} * ({text})"

    def deck(self, problem):
        old, new = problem.deck.copy(), Deck()
        if self.turns:
            say_normals(old)
        kinds = KEY_KINDS
        if self.sign < 0 and old.get("rod", "shape") in ("ring", "helix"):
            # They turn right-handed about rod.direction, which is an axis here; so nothing else may act along it.
            if any(old.get(*key) for key in (("load", "axial_force"), ("boundary", "slack"), ("boundary", "twist"), ("branch", "key"))):
                raise NoPair("something acts along the axis")
            kinds = {**KEY_KINDS, "rod.direction": "axial"}
            self.unknown = frozenset({"theta_max", "end_force", "end_couple", "forward_speed"})
        vectors = {key for key, kind in KEY_KINDS.items() if kind not in ("pseudo",) and listed("keys")[key]["entries"] == 3}
        given = {key for key in vectors if old.get(*key.split(".")) or any(
            line[:2] == ("rod", "each") and line[2].startswith(key) for line in old.lines)}
        # A default that would be turned or shifted has to be said.
        given |= {"rod.direction"} if self.turns else set()
        given |= {"rod.origin"} if self.shift.any() else set()
        if self.shift.any() and old.get("load", "tether_stiffness"):
            given |= {"load.tether_point"}
        if old.get("ground", "kind") == "plane":
            given |= {"ground.normal", "ground.origin"}
        for section, key, text in old.lines:
            name = f"{section}.{key}"
            if name not in vectors and not (name == "rod.each" and re.match(r"[\w.]+", text)[0] in vectors):
                for line in self.line(old, name, text):
                    new.lines.append((section, key, line))
        if count := old.get("rod", "count"):
            new.set("rod", "count", count)
        for key in sorted(given):
            quantity = Quantity(kinds[key], listed("keys")[key]["unit"], "")
            set_each(new, key, self.expected(quantity, of_each(old, key)))
        return new

    def line(self, deck, name, text):
        """What a line becomes: one, or several."""
        kind = listed("keys")[name]["type"]
        unit = listed("keys")[name]["unit"]
        section, key = name.split(".")
        if section == "actuation":
            return self.drive(key, text)
        if section == "connection":
            return [self.connection(text)]
        if section == "motion":
            return self.motion(key, text)
        if name == "rod.each":
            return [self.each(text)]
        if name == "rod.shape_nodes":  # which rod.origin moves
            return [exact(numbers(text).reshape(-1, 3) @ self.rotation.T * self.unit("m"))]
        if name in ("ground.planes", "ground.spheres", "ground.cylinders"):
            return [self.surfaces(key, numbers(text))]
        if name == "muscle.amplitudes":
            couples = deck.get("muscle", "kind") != "force"
            direction = deck.get("muscle", "direction") or ("d1" if couples else "d3")
            body = self.vector("curvature" if couples else "body_polar", np.ones(3))
            sign = 1.0 if deck.get("muscle", "axis") else body[AXES[direction]]
            return [exact(numbers(text) * sign * self.unit("N m" if couples else "N"))]
        if section == "branch" and unit == "as branch.key":
            unit = listed("keys")[re.sub(r"\[.*", "", deck.get("branch", "key"))]["unit"]
        if name == "branch.key" and re.sub(r"\[.*", "", text) in KEY_KINDS and self.turns:
            raise NoPair("a component of a vector")
        if kind in ("real", "real_list"):
            quantity = Quantity(KEY_KINDS.get(name, "scalar"), unit, "")
            return [exact(self.expected(quantity, numbers(text)))]
        if kind == "text" and name not in ("branch.key", "output.fields", "output.observables"):
            raise NoPair(f"no rule for {name}")
        return [text]

    def each(self, text):
        key, _, values = text.partition(" : ")
        name = re.sub(r"\[.*", "", key)
        row = listed("keys")[name]
        if row["type"] not in ("real", "real_list"):
            return text
        kind = KEY_KINDS.get(name, "scalar")
        if kind not in ("scalar", "pseudo"):
            raise NoPair(f"no rule for {name} of each rod")
        return f"{key} : list({exact(self.expected(Quantity(kind, row['unit'], ''), numbers(values[5:-1])))})"

    def drive(self, key, text):
        axis, place, formula = split_drive(text)
        per_length, at_place, laboratory, body = DRIVES[key]
        unit = at_place if is_a_point(place) else per_length
        if isinstance(axis, int):
            unit_vector = self.vector(body, np.eye(3)[axis])
            sign, word = unit_vector[axis], f"d{axis + 1}"
        else:
            sign, word = 1.0, f"({exact(self.vector(laboratory, np.array(axis)))})"
        return [f"{word}{', ' if place else ''}{place} : {self.formula(formula, unit, sign)}"]

    def connection(self, text):
        words = text.split()
        for k, word in enumerate(words):
            if word in CONNECTION_UNITS and k > words.index("to"):
                words[k + 1] = repr(float(words[k + 1]) * self.unit(CONNECTION_UNITS[word]))
            if word == "axis":
                words[k + 1:k + 4] = [repr(float(v)) for v in self.vector("axial", np.array([float(w) for w in words[k + 1:k + 4]]))]
        return " ".join(words)

    def motion(self, key, text):
        place, _, course = text.partition(" : ")
        if key == "position":
            parts = re.split(r",\s*(?![^()]*\))", course)
            if "free" in course or len(parts) != 3:
                raise NoPair("a motion that leaves a component free")
            turned = [" + ".join(f"{factor!r} * ({part})" for factor, part in zip(row, parts) if factor) or "0" for row in self.rotation]
            return [f"{place} : " + ", ".join(self.formula(part, "m") for part in turned)]
        place, _, axis = place.partition(" about ")
        axis = self.vector("axial", np.array([float(v) for v in axis.split()]))
        return [f"{place} about {' '.join(repr(float(v)) for v in axis)} : {self.formula(course, '1')}"]

    def surfaces(self, key, values):
        rows = values.reshape(-1, {"planes": 6, "spheres": 4, "cylinders": 7}[key])
        parts = [self.expected(Quantity("point", "m", ""), rows[:, :3])]
        if key != "spheres":
            parts.append(self.vector("polar", rows[:, 3:6]))
        if key != "planes":
            parts.append(rows[:, -1:] * self.unit("m"))
        return exact(np.hstack(parts).ravel())


class Rolled(Change):
    """A round rod with its first director turned about its axis."""

    name = "rolled"
    unknown = frozenset({"lateral_speed", "gait_width"})

    def __init__(self, angle):
        c, s = math.cos(angle), math.sin(angle)
        self.turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])  # of components

    def vector(self, kind, vector):
        if kind in ("body_axial", "body_polar", "strain", "curvature"):
            return vector @ self.turn[:np.shape(vector)[-1], :np.shape(vector)[-1]].T
        return vector

    def knows(self, name, quantity):
        return quantity.kind not in ("d1", "d2") and super().knows(name, quantity)

    def deck(self, problem):
        deck = problem.deck.copy()
        words = " ".join(line[2] for line in deck.lines if line[0] == "connection")
        if deck.get("rod", "section") or deck.has("muscle") or any(
                line[:2] == ("connection", "hinge") and "axis" not in line[2] for line in deck.lines) or "hinge" in words:
            raise NoPair("something depends on the first director")
        if deck.get("rod", "shape") == "file" and not deck.get("rod", "direction"):
            nodes = numbers(deck.get("rod", "shape_nodes")).reshape(-1, 3)
            along = np.tile(nodes[1] - nodes[0], (rods_of(deck), 1))
        elif deck.get("rod", "shape") in ("ring", "helix", "file"):
            raise NoPair("the normal says where the rod is")
        else:
            along = of_each(deck, "rod.direction")
        say_normals(deck)
        normal = of_each(deck, "rod.normal")
        along = along / np.linalg.norm(along, axis=1)[:, None]
        normal = normal - (normal * along).sum(1)[:, None] * along
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        set_each(deck, "rod.normal", self.turn[0, 0] * normal + self.turn[0, 1] * np.cross(along, normal))
        for key in ("load.follower_force", "rod.intrinsic_curvature"):
            if deck.get(*key.split(".")):
                deck.set(*key.split("."), exact(self.vector("body_polar", numbers(deck.get(*key.split("."))))))
        lines = []
        for section, key, text in deck.lines:
            if section == "actuation" and re.match(r"d[12]\b", text):
                axis, place, formula = split_drive(text)
                for k in range(2):
                    lines.append((section, key, f"d{k + 1}{', ' if place else ''}{place} : {self.turn[k, axis]!r} * ({formula})"))
            else:
                lines.append((section, key, text))
        deck.lines = lines
        return deck


class Idle(Change):
    """A sampled output beside, which a load uses that is zero or next to it."""

    name = "idle control"
    unknown = frozenset({"energy_loss_relative"})  # which beside a control is the scheme's own account
    may_be_nan = frozenset({"energy_gain", "energy_gain_relative"})

    def __init__(self, every, hold, force, frequency):
        self.every, self.hold, self.force, self.frequency = every, hold, force, frequency

    def deck(self, problem):
        deck = problem.deck.copy()
        if deck.has("control") or not deck.get("time", "step") or problem.method.startswith("static"):
            raise NoPair("no steps that a control would cut")
        if any(deck.get(*key) for key in (("load", "ramp_time"), ("boundary", "motion_time"))):
            self.unknown |= {"energy_drift", "momentum_drift", "angular_momentum_drift"}  # since loads became steady
        interval = self.every * float(deck.get("time", "step"))
        deck.add("control", "interval", repr(interval))
        deck.add("control", "hold", self.hold)
        deck.add("control", "output", f"idle : {self.force * problem.scales.force!r} * sin({self.frequency!r} * t / {interval!r} + 1)")
        deck.add("actuation", "force", f"z, rod 0, node {max(1, elements_of(deck) // 2)} : idle")
        return deck

    of_step = 0.3  # accelerations of implicit steps are found anew at each sample: an error of the step's order, and a part of it


class OnDevice(Change):
    """Explicit steps as a device takes them, by the library whose kernels run on the host (tests/device)."""

    name = "on a device"
    refusal = "= gpu has no|is not possible with model.device|scripts/device_library"

    def deck(self, problem):
        library = pathlib.Path(campaign.RODEO).parent / "tests" / "device" / "librodeo_device.so"
        if problem.method != "explicit" or not library.exists():
            raise NoPair("no steps for a device, or no library")
        os.environ["LD_LIBRARY_PATH"] = f"{library.parent}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
        deck = problem.deck.copy()
        deck.set("model", "device", "gpu")
        return deck
