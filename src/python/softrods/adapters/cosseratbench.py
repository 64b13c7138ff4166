"""rodeo as solvers of cosseratbench, the benchmark of rods and cables: explicit steps, implicit steps and equilibria of Cosserat
rods, and implicit steps of discrete elastic rods. `cosseratbench run --solver rodeo-explicit` finds them by their entry points.

A scenario becomes a deck, which the program runs as a process of its own, with as many threads as OMP_NUM_THREADS says. Rods
start as stretched as the scenario has them, and are straight by nature.
"""

from __future__ import annotations

import functools
import math
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from cosseratbench.scenario import Cylinder, End, EndCondition, Motion, Rod, Scenario
from cosseratbench.solver import Capability, Diverged
from cosseratbench.trajectory import Trajectory

from ..deck import Deck, value_text
from ..ensemble import Ensemble
from ..program import FAILED, RunError, find_program, run

HOLDS = {EndCondition.FREE: "free", EndCondition.PINNED: "pinned", EndCondition.CLAMPED: "clamped"}
ENDS = {End.START: "start", End.END: "end"}
SHEAR_COEFFICIENT = 4 / 3  # rodeo's own, of circular sections


class _Solver:
    """What all have in common: the deck of a scenario but for its steps and what they need, and the trajectory of its run."""

    name: str
    capabilities = frozenset(Capability)

    def __init__(self, time_step_scale: float = 1.0):
        self._scale = time_step_scale

    def run(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> Trajectory:
        deck = self.deck(scenario, n_elements, n_frames)
        with tempfile.TemporaryDirectory(prefix="rodeo-cosseratbench-") as folder:
            path = Path(folder) / "scenario.h5"
            try:
                file = run(deck, output=path, launcher=None, progress=False)
            except RunError as error:
                if error.code != FAILED or not path.exists():
                    raise
                raise Diverged(str(error), float(Ensemble(path).reached_rods(0)[0][-1])) from None
            positions, orientations = file.rods(0)[1], file.rods(0, "orientation")[1]
        at_rest = [0] + [1] * (n_frames - 1) if len(positions[0]) < n_frames else slice(None)  # of one equilibrium
        return Trajectory(np.linspace(0.0, scenario.duration, n_frames), tuple(rod[at_rest] for rod in positions),
                          tuple(_first_directors(rod[at_rest, :-1]) for rod in orientations))

    @functools.cached_property
    def backend_version(self) -> str:
        done = subprocess.run([find_program(), "--version"], capture_output=True, text=True, check=True)
        return " ".join(done.stdout.split()[1:4:2])  # of "rodeo VERSION", "revision REVISION"

    def settings(self, scenario: Scenario, *, n_elements: int, n_frames: int) -> dict[str, Any]:
        """What the scenario leaves open, by keys of the deck."""
        try:
            deck = self.deck(scenario, n_elements, n_frames)
        except NotImplementedError:  # which run says
            return {}
        return {key: deck[key] for key in deck
                if key.partition(".")[0] in ("model", "time", "newton", "contact", "ground") or key == "rod.relaxation_time"}

    def deck(self, scenario: Scenario, n_elements: int, n_frames: int) -> Deck:
        deck = Deck(time={"end": scenario.duration}, output={"frames": n_frames, "fields": "orientation"})
        _add_rods(deck, scenario.rods, n_elements)
        if any(scenario.gravity):
            deck.gravity.acceleration = scenario.gravity
        self._add_steps(deck, scenario, n_elements, scenario.duration / (n_frames - 1))
        return deck

    def _add_steps(self, deck: Deck, scenario: Scenario, n_elements: int, interval: float) -> None:
        raise NotImplementedError


def _first_directors(quaternions: np.ndarray) -> np.ndarray:
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=-1)


def _add_rods(deck: Deck, rods: tuple[Rod, ...], n_elements: int) -> None:
    """Rods, what holds and moves their ends, and what pulls at these."""
    columns = {
        "rod.radius": [rod.radius for rod in rods],
        "rod.density": [rod.material.density for rod in rods],
        "rod.young_modulus": [rod.material.youngs_modulus for rod in rods],
        "rod.shear_modulus": [rod.material.shear_modulus for rod in rods],
        **{f"rod.normal[{axis}]": [rod.normal[axis] for rod in rods] for axis in range(3)},
        "boundary.first": [_held(rod, End.START) for rod in rods],
        "boundary.last": [_held(rod, End.END) for rod in rods],
    }
    deck.rod = {
        "count": len(rods), "shape": "file", "rest_shape": "straight",
        "each": [f"{key} : list({value_text(values)})" for key, values in columns.items()],
        "lists": [f"{k} rod.{key} : {value_text(values)}" for k, rod in enumerate(rods)
                  for key, values in (("shape_nodes", rod.nodes(n_elements).ravel()), ("rest_lengths", rod.length / n_elements))],
    }  # fmt: skip
    tables, positions, rotations = [], [], []
    for k, rod in enumerate(rods):
        for end, place in ENDS.items():
            if (motion := rod.motion(end)) is not None:
                table = f"rod_{k}_{place}"
                columns, position, rotation = _course(motion, table)
                tables += [f"{table} : {name} : {value_text(values)}" for name, values in columns.items()]
                positions.append(f"rod {k}, {place} : {position}")
                rotations.append(f"rod {k}, {place} about {rotation}")
    if tables:
        deck.table.column, deck.motion = tables, {"position": positions, "rotation": rotations}
    forces = [f"{axis}, rod {k}, {ENDS[load.at]} : {value_text(force)}" for k, rod in enumerate(rods) for load in rod.loads
              for axis, force in zip("xyz", load.force) if force]  # fmt: skip
    if forces:
        deck.actuation.force = forces


def _held(rod: Rod, end: End) -> str:
    return "free" if rod.motion(end) is not None else HOLDS[rod.condition(end)]


def _course(motion: Motion, table: str) -> tuple[dict[str, np.ndarray], str, str]:
    """The columns of a table of a motion, linear between its times, and the formulas of motion.position and motion.rotation."""
    columns = {"t": np.array(motion.times)}

    def formula(name: str, values: np.ndarray) -> str:
        if not values.any():
            return "0"
        columns[name] = values
        return f"table({table}, t, {name})"

    position = [formula(name, values) for name, values in zip("xyz", np.array(motion.displacement, dtype=float).T)]
    rotation = np.array(motion.rotation, dtype=float)
    axis = rotation[np.argmax(np.linalg.norm(rotation, axis=1))]
    if motion.slides_along is not None:
        axis = motion.axis
        if np.count_nonzero(axis) != 1:
            raise NotImplementedError("an end that slides along no axis of the coordinates")
        position[np.flatnonzero(axis)[0]] = "free"
    axis = axis / np.linalg.norm(axis) if axis.any() else np.array([0.0, 0.0, 1.0])
    angles = rotation @ axis
    if not np.allclose(rotation, np.outer(angles, axis), atol=1e-12):
        raise NotImplementedError("an end that turns about an axis which changes")
    turn = " ".join(value_text(component) for component in axis)
    return columns, ", ".join(position), f"{turn} : {formula('angle', angles)}"


def _touching(scenario: Scenario) -> bool:
    return scenario.self_contact or len(scenario.rods) > 1


def _one(values: Iterable[float], what: str) -> float:
    found = set(values)
    if len(found) > 1:
        raise NotImplementedError(f"{what} that differs from one to the other")
    return found.pop() if found else 0.0


def _friction_of_rods(scenario: Scenario) -> float:
    return _one((max(one.friction, other.friction) for k, one in enumerate(scenario.rods) for other in scenario.rods[k:]),
                "friction of rods") if _touching(scenario) else 0.0  # fmt: skip


def _friction_of_ground(scenario: Scenario) -> float:
    return _one((max(rod.friction, obstacle.friction) for rod in scenario.rods for obstacle in scenario.obstacles),
                "friction of obstacles")  # fmt: skip


def _add_ground(deck: Deck, scenario: Scenario, n_elements: int, stiffness: float, damping: float) -> None:
    """Obstacles as ground on springs. Its cylinders have no ends, and are thinner by what an element sags between two nodes that
    stand where the rod's points do as it lies around them."""
    planes, cylinders = [], []
    thickness, chord = min(rod.radius for rod in scenario.rods), min(rod.length for rod in scenario.rods) / n_elements
    for obstacle in scenario.obstacles:
        if isinstance(obstacle, Cylinder):
            sagging = math.sqrt(max((obstacle.radius + thickness) ** 2 - (chord / 2) ** 2, 0)) - thickness
            cylinders += [*obstacle.center, *obstacle.unit_axis, max(sagging, obstacle.radius / 2)]
        else:
            planes += [*obstacle.point, *obstacle.unit_normal]
    for key, values in (("ground.planes", planes), ("ground.cylinders", cylinders)):
        if values:
            deck[key] = values
    deck.ground.response = "springs"
    deck.ground.stiffness = stiffness
    if damping:
        deck.ground.damping = damping
    friction = _friction_of_ground(scenario)
    if friction:
        deck.ground.static_friction = deck.ground.kinetic_friction = [friction] * 3


class Explicit(_Solver):
    """Explicit steps, half as long as they may be. What touches is as stiff as leaves them of a like length."""

    name = "rodeo-explicit"

    def _add_steps(self, deck, scenario, n_elements, interval):
        # Bounds of springs and dashpots over inertia, as include/rodeo/cosserat/stable_step.hpp has them.
        rods, mass = 0.0, math.inf
        for rod in scenario.rods:
            length = rod.length / n_elements
            stretch = rod.material.youngs_modulus / rod.material.density
            shear = SHEAR_COEFFICIENT * rod.material.shear_modulus / rod.material.density
            rods = max(rods, 4 * (stretch + shear) / length**2 + 4 * shear / rod.radius**2)
            mass = min(mass, rod.material.density * rod.area * length)
        springs, dashpots = rods, 0.0
        if _touching(scenario):
            friction = _friction_of_rods(scenario)
            pairs = (8 if len(scenario.rods) == 1 else 24) / mass
            stiffness = rods / pairs
            damping = 0.2 * math.sqrt(stiffness * mass)
            deck.contact = {"kind": "penalty", "stiffness": stiffness, "damping": damping}
            if friction:
                deck.contact.friction = friction
            springs += pairs * stiffness * (4 if friction else 1)
            dashpots += pairs * damping * (5 if friction else 1)
        if scenario.obstacles:
            stiffness = rods * mass / 12
            damping = math.sqrt(stiffness * mass)
            _add_ground(deck, scenario, n_elements, stiffness, damping)
            surfaces = 5 * min(len(scenario.obstacles), 2)
            springs += surfaces * stiffness / mass
            dashpots += surfaces * damping / mass
        if scenario.quasi_static:
            deck.rod.relaxation_time = 1 / (2 * scenario.slowest_frequency())
        limit = self._scale * 0.5 * 4 / (dashpots + math.sqrt(dashpots**2 + 4 * springs))
        deck.time.step = interval / math.ceil(interval / limit)


class _ImplicitSteps(_Solver):
    """Steps of a part of the slowest period. What touches gives by a little of a radius under the forces of the scenario."""

    def _add_steps(self, deck, scenario, n_elements, interval):
        if scenario.quasi_static:
            deck.rod.relaxation_time = 1 / (2 * scenario.slowest_frequency())
        steps = 100 if scenario.quasi_static else 1000
        limit = self._scale * 2 * math.pi / scenario.slowest_frequency() / steps
        deck.time.step = interval / math.ceil(interval / limit)
        _add_implicit_contact(deck, scenario, n_elements)


def _add_implicit_contact(deck: Deck, scenario: Scenario, n_elements: int) -> None:
    rods = scenario.rods
    radius, length = min(rod.radius for rod in rods), min(rod.length for rod in rods)
    if _touching(scenario):
        friction = _friction_of_rods(scenario)
        deck.contact = {"kind": "imc", "tolerance": 0.05 * radius}
        if friction:
            deck.contact.friction = friction
            deck.contact.slip_tolerance = 1e-4 * length
    if scenario.obstacles:
        weight = sum(rod.material.density * rod.area * rod.length for rod in rods) * np.linalg.norm(scenario.gravity)
        _add_ground(deck, scenario, n_elements, float(weight) / (0.05 * radius), 0.0)


class Implicit(_ImplicitSteps):
    """Implicit steps of Cosserat rods."""

    name = "rodeo-implicit"

    def _add_steps(self, deck, scenario, n_elements, interval):
        super()._add_steps(deck, scenario, n_elements, interval)
        deck.time.method = "implicit"
        if _friction_of_rods(scenario) or _friction_of_ground(scenario):
            deck.time.scheme = "backward_euler"


class Der(_ImplicitSteps):
    """Implicit steps of discrete elastic rods, which do not shear."""

    name = "rodeo-der"
    capabilities = _Solver.capabilities - {Capability.SHEAR}

    def _add_steps(self, deck, scenario, n_elements, interval):
        super()._add_steps(deck, scenario, n_elements, interval)
        deck.model.kind = "der"
        if not scenario.quasi_static and "contact.kind" not in deck and not scenario.obstacles:
            deck.time.scheme = "midpoint"


class Static(_Solver):
    """One equilibrium of Cosserat rods."""

    name = "rodeo-static"
    capabilities = _Solver.capabilities - {Capability.ROD_FRICTION}

    def _add_steps(self, deck, scenario, n_elements, interval):
        if not scenario.quasi_static:
            raise NotImplementedError("motion in time")
        if "motion.position" in deck:
            raise NotImplementedError("ends that are moved, and what rods do on the way")
        if _friction_of_rods(scenario) or _friction_of_ground(scenario):
            raise NotImplementedError("friction, which holds at rest what depends on how rods came there")
        deck.time.method, deck.output.frames = "static", 2
        _add_implicit_contact(deck, scenario, n_elements)
