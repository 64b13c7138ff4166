"""A simulator of PyElastica as a deck: rods as they stand, what holds, drives, joins and damps them, and what they touch.

What has no counterpart is refused by its name, or named in a warning where only steps and data are concerned. PyElastica itself is
not imported: a simulator brings it. Versions 0.3.3 and 1.0 are tested.
"""

from __future__ import annotations

import collections
import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..deck import Deck, value_text
from ..deck_keys import all_keys
from ..errors import RodeoError

TOLERANCE = 1e-9  # relative, up to which numbers count as equal
SHEAR_COEFFICIENT = 27 / 28  # of PyElastica's circles
# The lists of a simulator that is not finalized, with what an entry names its class by.
FEATURES = {"_constraints_list": "_bc_cls", "_ext_forces_torques": "_forcing_cls", "_damping_list": "_damper_cls",
            "_connections": "_connect_cls", "_contacts": "_contact_cls"}  # fmt: skip
# The groups of one that is.
GROUPS = ("_feature_group_synchronize", "_feature_group_constrain_values", "_feature_group_constrain_rates",
          "_feature_group_damping")  # fmt: skip


class NoCounterpart(RodeoError):
    """A simulator that has what no deck says; the text names all of it."""


class NotTheSame(UserWarning):
    """What a deck says a little differently than the simulator, or leaves out."""


def from_pyelastica(simulator: Any, final_time: float, time_step: float, *, frames: int = 101, clamps: str = "elements",
                    without: Sequence[str] = ()) -> Deck:
    """The deck of an assembled simulator of PyElastica, finalized or not, whose rods start as they stand and move now.

    `final_time` (s) and `time_step` (s) are those of the integration. Clamps hold the first node and the whole first element, as
    PyElastica has it, or with `clamps="ends"` the end alone (`boundary.first = clamped`), which converges faster. Classes of one's
    own and all else that has no counterpart raise NoCounterpart, which lists them; those named in `without` are left out. What
    remains different is a warning (NotTheSame)."""
    if clamps not in ("elements", "ends"):
        raise ValueError(f"clamps is 'elements' or 'ends', not {clamps!r}")
    return _Conversion(simulator, final_time, time_step, frames, clamps, set(without)).deck()


class _Feature:
    """An object of PyElastica that acts on systems: a constraint, a force, a damper, a joint or a contact."""

    def __init__(self, acting: Any, systems: Sequence[int], places: Sequence[Any] = ()):
        self.acting, self.systems, self.places = acting, systems, places
        self.name = type(acting).__name__
        self.own = not type(acting).__module__.startswith("elastica.")


def _features(simulator: Any, systems: list) -> Iterable[_Feature]:
    """What acts in a simulator; that of one which is not finalized is made as PyElastica would."""
    for name, kind in FEATURES.items():
        for entry in getattr(simulator, name, None) or ():
            if not hasattr(entry, kind):
                raise NoCounterpart(f"An entry of the simulator's {name} has no class: its using(...) is missing.")
            of = entry.id()
            of = of if isinstance(of, tuple) else (of,)
            needs_system = name in ("_constraints_list", "_damping_list")
            acting = entry.instantiate(systems[of[0]]) if needs_system else entry.instantiate()
            yield _Feature(acting, of[:2], of[2:4])
    if not getattr(simulator, "_finalize_flag", False):
        return
    found = set()
    for group in GROUPS:
        for operator in getattr(simulator, group, ()):
            acting = getattr(getattr(operator, "func", operator), "__self__", None)
            if acting is None:
                yield _Feature(operator, ())  # which is refused by its name
                continue
            if id(acting) in found:
                continue
            found.add(id(acting))
            words = getattr(operator, "keywords", {})
            named = [words[word] for word in ("system", "rod", "system_one", "system_two") if word in words]
            named += [value for value in getattr(operator, "args", ()) if any(value is system for system in systems)]
            of = [k for value in named for k, system in enumerate(systems) if value is system]
            places = [words[word] for word in ("index_one", "index_two") if word in words]
            yield _Feature(acting, of, places)


def _is_rod(system: Any) -> bool:
    return hasattr(system, "bend_matrix") and not type(system).__name__.startswith("MemoryBlock")


def _is_block(system: Any) -> bool:
    return type(system).__name__.startswith("MemoryBlock")


def _same(one: Any, other: Any, scale: float | None = None) -> bool:
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    scale = max(np.abs(one).max(initial=0), np.abs(other).max(initial=0)) if scale is None else scale
    return bool(np.abs(one - other).max(initial=0) <= TOLERANCE * scale)


def _alike(one: Any, other: Any) -> bool:
    """Whether two rods have the same value of a key, but for its rounding."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return np.shape(one) == np.shape(other) and _same(one, other)


def _formula(numbers: Iterable[float]) -> str:
    return ", ".join(value_text(float(number)) for number in numbers)


def _axis(vector: np.ndarray) -> str:
    return " ".join(value_text(float(component)) for component in vector)


class _Rod:
    """The keys of a rod: what it is at rest, and how it starts."""

    def __init__(self, rod: Any, refuse: Callable[[str], None], label: str):
        self.label, self._refuse = label, refuse
        self.closed = bool(getattr(rod, "ring_rod_flag", False))
        self.elements, self.nodes = int(rod.n_elems), int(rod.n_elems) + (not self.closed)
        self.positions, self.velocities = np.array(rod.position_collection).T, np.array(rod.velocity_collection).T
        self.directors, self.spins = np.moveaxis(np.array(rod.director_collection), -1, 0), np.array(rod.omega_collection).T
        self.rest_lengths = np.array(rod.rest_lengths)
        self.length = float(self.rest_lengths.sum())
        self.keys: dict[str, Any] = {"rod.elements": self.elements}
        self._add_sections(rod)
        self._add_shape(rod)

    def _add_sections(self, rod: Any) -> None:
        keys = self.keys
        radius = np.sqrt(np.array(rod.volume) / (math.pi * self.rest_lengths))  # at rest: rod.radius follows the stretch
        middle = np.cumsum(self.rest_lengths) - 0.5 * self.rest_lengths
        first, slope = float(radius[0]), 0.0
        if not _same(radius, radius[0]):
            slope, first = (float(number) for number in np.polyfit(middle, radius, 1))
            if self.closed or not _same(first + slope * middle, radius):
                self._refuse(f"{self.label}, whose radius neither is the same everywhere nor tapers linearly")
            keys["rod.end_radius"] = first + slope * self.length
        keys["rod.radius"] = first
        area = math.pi * first**2
        density = np.array(rod.density)
        if not _same(density, density[0]):
            self._refuse(f"{self.label}, whose density is not the same everywhere")
        keys["rod.density"] = float(density[0])
        taper = radius / first
        shear, bend = np.array(rod.shear_matrix), np.array(rod.bend_matrix)
        for matrix, what in ((shear, "shear_matrix"), (bend, "bend_matrix")):
            if not _same(matrix * (1 - np.eye(3))[..., None], 0 * matrix, np.abs(matrix).max()):
                self._refuse(f"{self.label}, whose {what} couples directions")
        along_nodes = taper if self.closed else 0.5 * (taper[1:] + taper[:-1])
        for matrix, places, power, names in (
            (shear, taper, 2, ("rod.shear_stiffness", "rod.second_shear_stiffness", "rod.stretch_stiffness")),
            (bend, along_nodes, 4, ("rod.bend_stiffness", "rod.second_bend_stiffness", "rod.twist_stiffness")),
        ):
            for k, name in enumerate(names):
                at_first = matrix[k, k] / places[: matrix.shape[-1]] ** power
                spread = np.ptp(at_first) / at_first.max()
                # The mean of two elements that taper is not that of their radii.
                if spread > (TOLERANCE if not slope else 0.1):
                    self._refuse(f"{self.label}, whose {name.partition('.')[2]} is not the same everywhere")
                keys[name] = float(at_first[0])
        for kind in ("shear_stiffness", "bend_stiffness"):
            name, second = f"rod.{kind}", f"rod.second_{kind}"
            if _same(keys[name], keys[second]):
                del keys[second]
        self.mass_per_length = float(density[0]) * area
        self._add_masses(rod, density, radius)

    def _add_masses(self, rod: Any, density: np.ndarray, radius: np.ndarray) -> None:
        of_elements = density * math.pi * radius**2 * self.rest_lengths
        expected = np.zeros(self.nodes)
        if self.closed:
            expected += of_elements
        else:
            expected[:-1] += 0.5 * of_elements
            expected[1:] += 0.5 * of_elements
        more = np.array(rod.mass) - expected
        heavy = np.abs(more) > TOLERANCE * expected.max()
        if heavy.any():
            if (more[heavy] < 0).any() or self.closed:
                self._refuse(f"{self.label}, whose nodes have other masses than its density gives")
            place = np.concatenate([[0.0], np.cumsum(self.rest_lengths)])
            self.keys["rod.point_masses"], self.keys["rod.point_mass_positions"] = more[heavy], place[heavy]
        inertia, inverse = np.array(rod.mass_second_moment_of_inertia), np.array(rod.inv_mass_second_moment_of_inertia)
        product = np.einsum("ijk,jlk->ilk", inertia, inverse)
        if not _same(product, np.eye(3)[..., None] + 0 * product):
            self._refuse(f"{self.label}, whose inv_mass_second_moment_of_inertia is not the inverse of its "
                         "mass_second_moment_of_inertia")
        if not _same(inertia * (1 - np.eye(3))[..., None], 0 * inertia, np.abs(inertia).max()):
            self._refuse(f"{self.label}, whose mass_second_moment_of_inertia couples directions")
        moments = of_elements * radius**2 / 4
        ratios = np.array([inertia[k, k] / (moments * (2 if k == 2 else 1)) for k in range(3)])
        if not _same(ratios, ratios[0, 0]):
            self._refuse(f"{self.label}, whose moments of inertia are not in one ratio to those of circles")
        if not _same(ratios[0, 0], 1):
            self.keys["rod.inertia_ratio"] = float(ratios[0, 0])

    def _add_shape(self, rod: Any) -> None:
        voronoi = 0.5 * (self.rest_lengths[1:] + self.rest_lengths[:-1])
        of_rod = np.array(rod.rest_voronoi_lengths)
        if self.closed:  # the seam stands first or last
            seam = 0.5 * (self.rest_lengths[-1] + self.rest_lengths[0])
            likely = (np.append(voronoi, seam), np.insert(voronoi, 0, seam))
        else:
            likely = (voronoi,)
        if not any(np.shape(of_rod) == np.shape(one) and _same(of_rod, one) for one in likely):
            self._refuse(f"{self.label}, whose rest_voronoi_lengths are not those of its elements")
        kappa, sigma = np.array(rod.rest_kappa).T, np.array(rod.rest_sigma).T
        if not _same(sigma, 0 * sigma, 1):
            self._refuse(f"{self.label}, whose natural strains (rest_sigma) are not zero")
        at_start = _curvature(self.directors, self.rest_lengths, self.closed)
        scale = 1 / self.rest_lengths.min()
        naturally_straight = _same(kappa, 0 * kappa, scale)
        if self.closed or (not naturally_straight and _same(kappa, at_start, scale)):
            self._add_curve(naturally_straight, _same(kappa, at_start, scale))
            return
        if not naturally_straight:
            if not _same(kappa, kappa[0], scale):
                self._refuse(f"{self.label}, whose natural curvature (rest_kappa) is neither that of its start nor uniform")
            self.keys["rod.intrinsic_curvature"] = tuple(map(float, kappa[0, :2]))
            if kappa[0, 2]:
                self.keys["rod.intrinsic_twist"] = float(kappa[0, 2])
        tangent = self.directors[0, 2]
        straight = self.positions[0] + np.outer(np.concatenate([[0.0], np.cumsum(self.rest_lengths)]), tangent)
        self.uneven = not _same(self.rest_lengths, self.rest_lengths[0])
        if self.uneven:
            self.lists = {"rod.shape_nodes": straight.ravel()}
        else:
            self.keys |= {"rod.length": self.length, "rod.origin": tuple(map(float, self.positions[0])),
                          "rod.direction": tuple(map(float, tangent))}
        self.keys["rod.normal"] = tuple(map(float, self.directors[0, 0]))
        resting = _same(self.positions, straight, self.length) and _same(self.directors, self.directors[0], 1)
        self.displaced = not resting

    uneven, displaced = False, False
    lists: dict[str, np.ndarray] = {}

    def needs_state(self, nodes: set[int], elements: set[int]) -> bool:
        """Whether it does not start at rest, as its shape says; motions say it of the places that they hold or move."""
        for rates, driven in ((self.velocities, nodes), (self.spins, elements)):
            free = np.array([k not in driven for k in range(len(rates))], dtype=bool)
            self.displaced = self.displaced or bool(rates[free].any())
        return self.displaced

    def _add_curve(self, naturally_straight: bool, natural: bool) -> None:
        """A rod whose natural shape is the one that it starts with, or a closed one."""
        # PyElastica takes a ring without natural curvature for one that is at rest as it starts, once it is finalized.
        if not (naturally_straight or natural):
            self._refuse(f"{self.label}, a closed one whose natural curvature (rest_kappa) is not that of its start")
        edges = np.diff(np.concatenate([self.positions, self.positions[:1]]) if self.closed else self.positions, axis=0)
        tangents = edges / np.linalg.norm(edges, axis=1)[:, None]
        if not _same(_transported(tangents, self.directors[0, 0]), self.directors[:, 0], 1e3):
            self._refuse(f"{self.label}, whose directors turn about its curved centre line")
        self.lists = {"rod.shape_nodes": self.positions.ravel(), "rod.rest_lengths": self.rest_lengths}
        self.keys["rod.normal"] = tuple(map(float, self.directors[0, 0]))
        self.uneven = True

    def state_lists(self) -> dict[str, np.ndarray]:
        turns = [_quaternion(directors.T) for directors in self.directors]
        return {"rod.state_positions": self.positions.ravel(), "rod.state_orientations": np.ravel(turns),
                "rod.state_velocities": self.velocities.ravel(), "rod.state_angular_velocities": self.spins.ravel()}


def _quaternion(turn: np.ndarray) -> np.ndarray:
    """w, x, y, z of a rotation matrix, by its largest part."""
    squares = 1 + np.array([np.trace(turn), *(2 * np.diag(turn) - np.trace(turn))])
    k = int(np.argmax(squares))
    if k == 0:
        parts = [squares[0], turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        parts = [turn[m, j] - turn[j, m], 0.0, 0.0, 0.0]
        parts[1 + i], parts[1 + j], parts[1 + m] = squares[k], turn[j, i] + turn[i, j], turn[m, i] + turn[i, m]
    return np.array(parts) / (2 * math.sqrt(squares[k]))


def _curvature(directors: np.ndarray, rest_lengths: np.ndarray, closed: bool) -> np.ndarray:
    """The curvatures between elements along their directors."""
    after = np.roll(directors, -1, axis=0) if closed else directors[1:]
    lengths = 0.5 * (np.roll(rest_lengths, -1) + rest_lengths if closed else rest_lengths[1:] + rest_lengths[:-1])
    found = []
    for first, second, length in zip(directors, after, lengths):
        w, *vector = _quaternion(first @ second.T)
        vector = np.array(vector) * (1 if w >= 0 else -1)
        size = np.linalg.norm(vector)
        found.append((2 * math.atan2(size, abs(w)) / size if size > 0 else 2.0) * vector / length)
    return np.array(found).reshape(-1, 3)


def _transported(tangents: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The normals of elements that turn from one tangent to the next and not about it."""
    normals = [normal]
    for before, after in zip(tangents, tangents[1:]):
        axis = np.cross(before, after)
        cosine = float(before @ after)
        turned = normals[-1] * cosine + np.cross(axis, normals[-1]) + axis * (axis @ normals[-1]) / (1 + cosine)
        normals.append(turned)
    return np.array(normals)


class _Conversion:
    def __init__(self, simulator: Any, final_time: float, time_step: float, frames: int, clamps: str, without: set[str]):
        self._step, self._clamps, self._without = time_step, clamps, without
        self._refused: list[str] = []
        self._noted: list[str] = []
        self._systems = [system for system in simulator if not _is_block(system)]
        self._features = list(_features(simulator, list(simulator)))
        self._has_callbacks = any(True for _ in getattr(simulator, "_callback_list", ())) or any(
            True for _ in getattr(simulator, "_feature_group_callback", ()))
        self._place: dict[int, int] = {}  # of a system among the rods
        rods = []
        for k, system in enumerate(self._systems):
            if _is_rod(system):
                self._place[k] = len(rods)
                rods.append(_Rod(system, self._refuse, f"rod {len(rods)}"))
        self._rods = rods
        if not rods:
            raise NoCounterpart("The simulator has no Cosserat rods.")
        self._lines: dict[str, list[str]] = collections.defaultdict(list)
        self._of_rods: list[dict[str, Any]] = [dict(rod.keys) for rod in rods]
        # Sections of that law have no energy that they keep, whose growth would be a sign of something wrong.
        self._common: dict[str, Any] = {"model.section": "published", "observe.energy_tolerance": 1e9, "time.step": time_step,
                                        "time.end": final_time, "output.frames": frames}  # fmt: skip
        self._loads = collections.defaultdict(lambda: np.zeros(3))  # (key, rod): sum
        self._gravity: dict[int, np.ndarray] = {}
        self._held: dict[int, list[tuple[str, int]]] = collections.defaultdict(list)
        self._driven: dict[tuple[str, int], set[int]] = collections.defaultdict(set)
        self._end_forces: list[tuple[int, np.ndarray, np.ndarray, float]] = []
        self._touching: dict[str, list] = collections.defaultdict(list)
        self._fluid: dict[int, float] = {}

    def _refuse(self, what: str) -> None:
        self._refused.append(what)

    def _note(self, text: str) -> None:
        if text not in self._noted:
            self._noted.append(text)

    def deck(self) -> Deck:
        for feature in self._features:
            self._convert(feature)
        self._end_constraints()
        self._end_loads()
        self._end_contacts()
        self._end_systems()
        if self._refused:
            raise NoCounterpart("rodeo has no counterpart of: " + "; ".join(dict.fromkeys(self._refused)))
        if self._has_callbacks:
            self._note("callbacks are left out: output.frames and output.fields say what is stored")
        for text in self._noted:
            warnings.warn(text, NotTheSame, stacklevel=3)
        return self._written()

    # What acts.

    def _convert(self, feature: _Feature) -> None:
        if feature.name in ("FreeBC", "NoForces", "NoContact") or feature.name.startswith("_Constrain"):
            return
        if feature.name in self._without:
            self._note(f"{feature.name} is left out")
            return
        convert = None if feature.own else getattr(self, f"_{feature.name}", None)
        if convert is None:
            self._refuse(feature.name + (", a class of your own" if feature.own else ""))
            return
        if any(k not in self._place for k in feature.systems) and "Contact" not in feature.name:
            bodies = {type(self._systems[k]).__name__ for k in feature.systems if k not in self._place}
            if feature.name not in ("FixedConstraint", "OneEndFixedBC", "GravityForces"):
                self._refuse(f"{feature.name} of {' and '.join(sorted(bodies))}")
            elif feature.name != "GravityForces":
                self._held[feature.systems[0]].append(("node", 0))
            return
        convert(feature, *(self._place.get(k, -1) for k in feature.systems))

    def _number_of(self, rod: int, index: int, nodes: bool) -> int:
        count = self._rods[rod].nodes if nodes else self._rods[rod].elements
        return int(index) + (count if index < 0 else 0)

    def _hold(self, feature: _Feature, rod: int, positions: bool = True, directors: bool = True) -> None:
        acting = feature.acting
        for kind, indices, wanted in (("node", acting._constrained_position_idx, positions),
                                      ("element", acting._constrained_director_idx, directors)):
            if wanted:
                self._held[rod] += [(kind, self._number_of(rod, index, kind == "node")) for index in np.ravel(indices)]

    def _OneEndFixedBC(self, feature: _Feature, rod: int) -> None:
        self._held[rod] += [("node", 0), ("element", 0)]

    def _FixedConstraint(self, feature: _Feature, rod: int) -> None:
        self._hold(feature, rod)

    def _GeneralConstraint(self, feature: _Feature, rod: int) -> None:
        acting = feature.acting
        moved, turned = np.array(acting.translational_constraint_selector), np.array(acting.rotational_constraint_selector)
        self._hold(feature, rod, positions=moved.all(), directors=turned.all())
        if len(acting._constrained_director_idx) and turned.any() and not turned.all():
            self._refuse("GeneralConstraint that leaves an element free about some axes (rotational_constraint_selector)")
        if moved.any() and not moved.all():
            course = ", ".join("0" if held else "free" for held in moved)
            for index in np.ravel(acting._constrained_position_idx):
                self._lines["motion.position"].append(f"rod {rod}, node {self._number_of(rod, index, True)} : {course}")

    def _HelicalBucklingBC(self, feature: _Feature, rod: int) -> None:
        acting = feature.acting
        time = float(acting.twisting_time)
        way, turn = time * np.array(acting.shrink_vel), time * np.array(acting.ang_vel)
        angle = float(np.linalg.norm(turn))
        last = self._rods[rod].nodes - 1, self._rods[rod].elements - 1
        for node, element, sign in ((0, 0, 1), (*last, -1)):
            self._driven["node", rod].add(node)
            self._driven["element", rod].add(element)
            course = ", ".join(f"{value_text(float(sign * part))} * ramp(t, 0, {value_text(time)})" for part in way)
            self._lines["motion.position"].append(f"rod {rod}, node {node} : {course}")
            # The angular velocity is along the directors of the end elements, whose third one is the axis.
            tangent = self._rods[rod].directors[element, 2]
            local = self._rods[rod].directors[element].T @ turn
            if angle and not _same(abs(local @ tangent), angle):
                self._refuse("HelicalBucklingBC of a rod that is not along z with directors along the axes")
            axis = local / angle if angle else tangent
            self._lines["motion.rotation"].append(
                f"rod {rod}, element {element} about {_axis(axis)} : {value_text(sign * angle)} * ramp(t, 0, {value_text(time)})")

    def _GravityForces(self, feature: _Feature, rod: int) -> None:
        self._gravity[rod] = self._gravity.get(rod, np.zeros(3)) + np.array(feature.acting.acc_gravity, dtype=float)

    def _EndpointForces(self, feature: _Feature, rod: int) -> None:
        acting = feature.acting
        self._end_forces.append((rod, np.array(acting.start_force, dtype=float), np.array(acting.end_force, dtype=float),
                                 float(acting.ramp_up_time)))  # fmt: skip

    def _force_at(self, rod: int, node: int, vector: np.ndarray, factor: str) -> None:
        for axis, part in zip("xyz", vector):
            if part:
                self._lines["actuation.force"].append(f"{axis}, rod {rod}, node {node} : {value_text(float(part))} * {factor}")

    def _EndpointForcesSinusoidal(self, feature: _Feature, rod: int) -> None:
        acting, begin = feature.acting, value_text(float(feature.acting.ramp_up_time))
        for node, size in ((0, acting.start_force_mag), (self._rods[rod].nodes - 1, acting.end_force_mag)):
            normal, roll = float(size) * np.array(acting.normal_direction), float(size) * np.array(acting.roll_direction)
            self._force_at(rod, node, normal, f"(t < {begin} ? -2 : sin(0.5 * pi * (t - {begin})))")
            self._force_at(rod, node, roll, f"(t < {begin} ? 0 : cos(0.5 * pi * (t - {begin})))")

    def _UniformForces(self, feature: _Feature, rod: int) -> None:
        self._loads["load.distributed_force", rod] += np.ravel(feature.acting.force)
        if self._rods[rod].closed:
            self._note("UniformForces gives the first and the last node of a ring half as much as others; rodeo all the same")

    def _UniformTorques(self, feature: _Feature, rod: int) -> None:
        self._loads["load.distributed_couple", rod] += np.ravel(feature.acting.torque)

    def _MuscleTorques(self, feature: _Feature, rod: int) -> None:
        acting, of = feature.acting, self._rods[rod]
        # The wave counts its places from the last node; a couple acts between two elements.
        place = np.concatenate([[0.0], np.cumsum(of.rest_lengths)[:-1]]) / of.length
        size = np.array(acting.my_spline)[::-1]
        if not _same(np.array(acting.s)[::-1][1:], 1 - place[1:], 1):
            self._refuse("MuscleTorques whose rest_lengths are not those of its rod")
        table = f"muscle_{rod}_{len(self._lines['table.column'])}"
        self._lines["table.column"] += [f"{table} : s : {_formula([*place, 1.0])}",
                                        f"{table} : size : {_formula([*size, size[-1]])}"]  # fmt: skip
        wave = (f"ramp(t, 0, {value_text(float(acting.ramp_up_time))}) * table({table}, s, size) * "
                f"sin({value_text(float(acting.angular_frequency))} * t - {value_text(float(acting.wave_number))} * (1 - s) + "
                f"{value_text(float(acting.phase_shift))})")
        for axis, part in zip("xyz", np.ravel(acting.direction)):
            if part:
                self._lines["actuation.internal_couple"].append(f"{axis}, rod {rod} : {value_text(float(part))} * {wave}")

    def _SlenderBodyTheory(self, feature: _Feature, rod: int) -> None:
        self._fluid[rod] = float(feature.acting.dynamic_viscosity)

    def _AnalyticalLinearDamper(self, feature: _Feature, rod: int) -> None:
        acting, of = feature.acting, self._rods[rod]
        # By the factors of a step, whatever time_step they were made for; constants have no more digits.
        moving, turning = (np.vectorize(lambda rate: float(f"{rate:.10g}"))(-np.log(np.array(factor, dtype=float)) / self._step)
                           for factor in (acting._translational_damping_coefficient, acting._rotational_damping_coefficient))
        keys = self._of_rods[rod]
        if moving.ndim == 0 and turning.ndim == 0:
            if moving > 0:
                keys["rod.relaxation_time"] = 1 / float(moving)
        elif moving.ndim == 0:
            keys |= {"rod.damping": float(moving) * of.mass_per_length, "rod.damping_law": "published"}
            if "rod.end_radius" in keys:
                self._refuse("AnalyticalLinearDamper of a rod that tapers")
        else:
            element = self._systems[feature.systems[0]]
            moments = np.diagonal(np.array(element.mass_second_moment_of_inertia)).T[2]
            of_nodes, of_elements = moving * np.array(element.mass), turning[2] * moments
            keys |= {"rod.damping": float(of_nodes[1] / of.rest_lengths[0]),
                     "rod.rotational_damping": float(of_elements[0] / of.rest_lengths[0])}  # fmt: skip
            if of.uneven or np.ptp(of_nodes) > 1e-6 * of_nodes.max():
                self._refuse("AnalyticalLinearDamper with a translational_damping_constant on a rod of uneven elements")
            self._note("AnalyticalLinearDamper with a translational_damping_constant damps the nodes at the ends as much as "
                       "others; rodeo half as much, as their mass is half")

    def _LaplaceDissipationFilter(self, feature: _Feature, rod: int) -> None:
        self._note("LaplaceDissipationFilter is left out: it smooths velocities after each step. Damp the rod, or take implicit "
                   "steps")

    # Joints.

    def _between(self, feature: _Feature, one: int, other: int) -> str:
        places = [self._number_of(rod, index, True) for rod, index in zip((one, other), feature.places)]
        return " to ".join(f"rod {rod}, node {place}" for rod, place in zip((one, other), places))

    def _is_one_place(self, feature: _Feature) -> bool:
        if all(np.ndim(place) == 0 for place in feature.places) and len(feature.places) == 2:
            return True
        self._refuse(f"{feature.name} of several places at once")
        return False

    def _join(self, kind: str, feature: _Feature, one: int, other: int, more: str = "") -> None:
        acting = feature.acting
        springs = f"stiffness {value_text(float(acting.k))} damping {value_text(float(acting.nu))}"
        self._lines[f"connection.{kind}"].append(f"{self._between(feature, one, other)} : {springs}{more}")

    def _FreeJoint(self, feature: _Feature, one: int, other: int) -> None:
        if self._is_one_place(feature):
            self._join("ball", feature, one, other)

    def _HingeJoint(self, feature: _Feature, one: int, other: int) -> None:
        if not self._is_one_place(feature):
            return
        acting = feature.acting
        self._note("HingeJoint keeps the second rod in a plane of the laboratory; rodeo's hinge leaves turns about its axis free, "
                   "which moves with the first rod")
        self._join("hinge", feature, one, other,
                   f" axis {_axis(np.ravel(acting.normal_direction))} rotational_stiffness {value_text(float(acting.kt))}")

    def _FixedJoint(self, feature: _Feature, one: int, other: int) -> None:
        if not self._is_one_place(feature):
            return
        acting = feature.acting
        first, second = (self._rods[rod].directors[min(self._number_of(rod, index, True), self._rods[rod].elements - 1)]
                         for rod, index in zip((one, other), feature.places))
        if not _same(first @ second.T, acting.rest_rotation_matrix, 1e3):
            self._refuse("FixedJoint whose rest_rotation_matrix is not the turn between the elements at the start")
        damping = f" rotational_damping {value_text(float(acting.nut))}" if acting.nut else ""
        self._join("rigid", feature, one, other, f" rotational_stiffness {value_text(float(acting.kt))}{damping}")

    # Contact.

    def _RodRodContact(self, feature: _Feature, one: int, other: int) -> None:
        self._touching["rods"].append((min(one, other), max(one, other), float(feature.acting.k), float(feature.acting.nu)))
        self._note("RodRodContact adds the force by which elements press on each other to that of their overlap; rodeo's contact "
                   "is the springs alone")

    def _RodSelfContact(self, feature: _Feature, one: int, other: int) -> None:
        self._touching["rods"].append((one, one, float(feature.acting.k), float(feature.acting.nu)))

    def _plane(self, feature: _Feature, rod: int, static: Sequence[float], kinetic: Sequence[float], slip: float | None) -> None:
        acting = feature.acting
        self._note("PyElastica's planes hold rods from 0.1 mm above their surface on; rodeo's where they touch")
        self._touching["planes"].append((feature.systems[1], rod, (float(acting.k), float(acting.nu), tuple(map(float, static)),
                                                                  tuple(map(float, kinetic)), slip)))  # fmt: skip

    def _RodPlaneContact(self, feature: _Feature, rod: int, _: int) -> None:
        self._plane(feature, rod, (0, 0, 0), (0, 0, 0), None)

    def _RodPlaneContactWithAnisotropicFriction(self, feature: _Feature, rod: int, _: int) -> None:
        acting = feature.acting
        self._plane(feature, rod, (acting.static_mu_forward, acting.static_mu_backward, acting.static_mu_sideways),
                    (acting.kinetic_mu_forward, acting.kinetic_mu_backward, acting.kinetic_mu_sideways),
                    float(acting.slip_velocity_tol))  # fmt: skip
        self._note("RodPlaneContactWithAnisotropicFriction shares the weight out between sliding along and across; rodeo's friction "
                   "is that of either by itself, does not turn round what slides, and balances the load at rest")

    def _body(self, feature: _Feature, rod: int) -> None:
        acting = feature.acting
        if float(acting.friction_coefficient):
            self._refuse(f"{feature.name} with friction")
        self._note(f"{feature.name} takes elements to stand half an element farther along the rod than they do")
        self._touching["bodies"].append((feature.systems[1], rod, (float(acting.k), float(acting.nu))))

    def _RodSphereContact(self, feature: _Feature, rod: int, _: int) -> None:
        self._body(feature, rod)

    def _RodCylinderContact(self, feature: _Feature, rod: int, _: int) -> None:
        self._note("rodeo's cylinders have no ends")
        self._body(feature, rod)

    # What follows from all of it together.

    def _end_constraints(self) -> None:
        for k, places in self._held.items():
            if k not in range(len(self._rods)):
                continue
            of, left = self._rods[k], dict.fromkeys(places)
            for kind, number in places:
                self._driven[kind, k].add(number)
            for end, node, element in (("first", 0, 0), ("last", of.nodes - 1, of.elements - 1)):
                if self._clamps == "elements" or ("node", node) not in left or of.closed:
                    continue
                clamped = ("element", element) in left
                self._of_rods[k][f"boundary.{end}"] = "clamped" if clamped else "pinned"
                del left["node", node]
                left.pop(("element", element), None)
            for kind, number in left:
                if kind == "node":
                    self._lines["motion.position"].append(f"rod {k}, node {number} : 0, 0, 0")
                else:
                    self._lines["motion.rotation"].append(f"rod {k}, element {number} about 0 0 1 : 0")

    def _end_loads(self) -> None:
        rods = range(len(self._rods))
        if self._gravity and all(_same(self._gravity.get(rod, np.zeros(3)), self._gravity.get(0, np.zeros(3))) for rod in rods):
            self._common["gravity.acceleration"] = tuple(map(float, self._gravity[0]))
        else:
            for rod, gravity in self._gravity.items():
                if "rod.end_radius" in self._of_rods[rod] or "rod.point_masses" in self._of_rods[rod]:
                    self._refuse("gravity on some rods only, of which one tapers or bears masses")
                self._loads["load.distributed_force", rod] += gravity * self._rods[rod].mass_per_length * self._rods[rod].length
        for (key, rod), load in self._loads.items():
            self._of_rods[rod][key] = tuple(map(float, load))
        at_last = not self._loads and len({rod for rod, *_ in self._end_forces}) == len(self._end_forces)
        times = {time for *_, time in self._end_forces}
        if at_last and len(times) == 1 and not any(start.any() for _, start, _, _ in self._end_forces):
            for rod, _, end, _ in self._end_forces:
                self._of_rods[rod]["load.end_force"] = tuple(map(float, end))
            self._common["load.ramp_time"] = times.pop()
        else:
            for rod, start, end, time in self._end_forces:
                for node, force in ((0, start), (self._rods[rod].nodes - 1, end)):
                    self._force_at(rod, node, force, f"ramp(t, 0, {value_text(time)})")
        if self._fluid:
            if len(self._fluid) < len(self._rods) or len(set(self._fluid.values())) > 1:
                self._refuse("SlenderBodyTheory that is not the same for all rods")
            self._common["fluid.viscosity"] = next(iter(self._fluid.values()))
            self._note("SlenderBodyTheory drags elements by the mean velocity of their nodes; rodeo each node by its own")

    def _end_contacts(self) -> None:
        rods = range(len(self._rods))
        if pairs := self._touching["rods"]:
            if len({pair[2:] for pair in pairs}) > 1:
                self._refuse("contacts between rods with different k or nu")
            asked = {pair[:2] for pair in pairs}
            missing = [pair for pair in itertools.combinations_with_replacement(rods, 2) if pair not in asked]
            if missing:
                names = ", ".join(f"rods {one} and {other}" if one != other else f"rod {one} with itself"
                                  for one, other in missing[:5])  # fmt: skip
                self._note("rodeo's contact is between all rods and of each with itself; the simulator has none of "
                           + names + (" and others" if len(missing) > 5 else ""))
            self._common |= {"contact.kind": "penalty", "contact.stiffness": pairs[0][2], "contact.damping": pairs[0][3]}
        planes, bodies = self._touching["planes"], self._touching["bodies"]
        if not planes and not bodies:
            return
        for surface in dict.fromkeys(which for which, *_ in planes + bodies):
            if {rod for which, rod, _ in planes + bodies if which == surface} != set(rods):
                self._refuse(f"contact of some rods only with a {type(self._systems[surface]).__name__}")
        materials = {material for *_, material in planes} | {(*material, (0.0,) * 3, (0.0,) * 3, None) for *_, material in bodies}
        if len(materials) > 1:
            self._refuse("contacts with surfaces of different k, nu or friction")
        stiffness, damping, static, kinetic, slip = next(iter(materials))
        self._common |= {"ground.stiffness": stiffness, "ground.damping": damping}
        if any(static):
            self._common["ground.static_friction"] = static
        if any(kinetic):
            self._common["ground.kinetic_friction"] = kinetic
        if slip is not None and (any(static) or any(kinetic)):
            self._common["ground.velocity_threshold"] = slip
        surfaces = [self._systems[which] for which in dict.fromkeys(which for which, *_ in planes)]
        for k, plane in enumerate(surfaces):
            point, normal = (tuple(map(float, np.ravel(vector))) for vector in (plane.origin, plane.normal))
            if k == 0:
                self._common |= {"ground.kind": "plane", "ground.origin": point, "ground.normal": normal}
            else:
                self._common["ground.planes"] = (*self._common.get("ground.planes", ()), *point, *normal)
        for which in dict.fromkeys(which for which, *_ in bodies):
            self._add_body(which)

    def _add_body(self, which: int) -> None:
        body, name = self._systems[which], type(self._systems[which]).__name__
        if which not in self._held:
            self._refuse(f"a {name} that moves: rodeo's are held (FixedConstraint)")
        middle, radius = np.array(body.position_collection)[:, 0], float(np.ravel(body.radius)[0])
        if name == "Sphere":
            self._common["ground.spheres"] = (*self._common.get("ground.spheres", ()), *map(float, middle), radius)
        else:
            axis = np.array(body.director_collection)[2, :, 0]
            before = self._common.get("ground.cylinders", ())
            self._common["ground.cylinders"] = (*before, *map(float, middle), *map(float, axis), radius)
        self._common["ground.response"] = "springs"

    def _end_systems(self) -> None:
        touched = {which for kind in ("planes", "bodies") for which, *_ in self._touching[kind]}
        for k, system in enumerate(self._systems):
            if k not in self._place and k not in touched and not _is_block(system) and type(system).__name__ not in self._without:
                self._refuse(f"a {type(system).__name__} that no rod touches")

    def _written(self) -> Deck:
        rods = self._rods
        deck = Deck()
        if len(rods) > 1:
            deck["rod.count"] = len(rods)
        each: list[str] = []
        columns = self._of_rods
        if any(rod.uneven for rod in rods):
            self._add_files(columns)
        for key in dict.fromkeys(key for keys in columns for key in keys):
            values = [keys[key] if key in keys else self._default(key) for keys in columns]
            if all(_alike(value, values[0]) for value in values):
                deck[key] = values[0]
            elif isinstance(values[0], tuple):
                each += [f"{key}[{k}] : list({value_text([value[k] for value in values])})" for k in range(len(values[0]))]
            elif isinstance(values[0], np.ndarray):
                raise NoCounterpart(f"rodeo has no counterpart of: rods that differ in {key}")
            else:
                each.append(f"{key} : list({', '.join(value_text(value) for value in values)})")
        if each:
            deck["rod.each"] = each
        with_states = any([rod.needs_state(self._driven["node", k], self._driven["element", k]) for k, rod in enumerate(rods)])
        lists: dict[str, list[np.ndarray]] = collections.defaultdict(list)
        for rod in rods:
            own = dict(rod.lists) | (rod.state_lists() if with_states else {})
            for key, numbers in own.items():
                lists[key].append(numbers)
        if len(rods) == 1:
            for key, (numbers,) in lists.items():
                deck[key] = numbers
        elif lists:
            deck["rod.lists"] = [f"{k} {key} : {value_text(numbers)}" for key, several in lists.items()
                                 for k, numbers in enumerate(several)]  # fmt: skip
        for key, value in self._common.items():
            deck[key] = value
        for key, lines in sorted(self._lines.items()):
            if lines:
                deck[key] = lines
        return deck

    def _add_files(self, columns: list[dict[str, Any]]) -> None:
        """Where one rod has a shape of nodes all have."""
        if len({rod.closed for rod in self._rods}) > 1:
            raise NoCounterpart("rodeo has no counterpart of: closed rods beside open ones")
        for rod, keys in zip(self._rods, columns):
            for key in ("rod.elements", "rod.length", "rod.origin", "rod.direction"):
                keys.pop(key, None)
            keys["rod.shape"] = "file"
            if rod.closed:
                keys["rod.closed"] = "yes"
            if not rod.lists:
                straight = rod.positions[0] + np.outer(np.concatenate([[0.0], np.cumsum(rod.rest_lengths)]), rod.directors[0, 2])
                rod.lists = {"rod.shape_nodes": straight.ravel()}
            rod.lists = {"rod.rest_lengths": rod.rest_lengths, **rod.lists}

    @staticmethod
    def _default(key: str) -> Any:
        default = all_keys()[key].default
        if default is None:
            raise NoCounterpart(f"rodeo has no counterpart of: rods of which some have {key} and others have not")
        values = [float(part) if part.strip().lstrip("-").replace(".", "").replace("e", "").isdigit() else part.strip()
                  for part in default.split(",")]
        return values[0] if len(values) == 1 else tuple(values)
