"""Runs pairs of decks that must give the same observables, or observables that a known rule changes.

    tests/fuzz/pairs.py [--minutes M] [--seed S] [--decks N] [--only NAME] [--findings FOLDER]

Decks come from random_decks.py, one for each seed; changes.py makes the other one of each pair: turned, mirrored, rescaled and so
on. All observables are compared, frames, and signals at random places. What differs by more than rounding is a finding only if it
exceeds what becomes of decks that differ in the 12th digit, so that what is chaotic is none. A finding's decks stay in FOLDER as
SEED_NAME_a.ini and _b.ini with a first line that says what was wrong. Exit code 1 with findings, and where too few decks ran.
"""

import argparse
import collections
import copy
import dataclasses
import os
import pathlib
import random
import re
import resource
import sys
import tempfile
import time

import numpy as np

import changes
import laws
import rearrangements
from changes import NoPair, exact, numbers
from combinations import Bench, Finding, Refused, Results, TooLong
from pair_decks import pair_problem
from quantities import KEY_KINDS, SIGNALS, WITHOUT_VALUE, Quantity, dimension, listed, observable
from softrods.ensemble import DONE, GAINED_ENERGY, SETTLED, STATUS_NAMES, UNSTABLE

EXACTLY = 1e-8  # of a value, by which the two of a pair may differ without a further look
TWINS = 12  # decks that differ from the first one in the 12th digit
LONGEST = 2.0  # s of a core, of a deck that has pairs
CHAOTIC = 1e-4  # of a value: what twins differ by where rounding decides, as on halving a step whose iteration wanders
SHOWN = 600  # characters of a finding; its deck has them all
UNRESOLVED = 0.05  # of the energy lost by steps that are too long for the motion
SPREADS = 30.0  # a finding differs by more than so many times what these do


@dataclasses.dataclass
class Measured:
    """A signal of a place, reduced over time."""

    signal: object
    rod: int
    index: int
    reduction: str

    @property
    def quantity(self):
        unit = self.signal.unit + (" s" if self.reduction == "integral" else "")
        if "/" in unit and self.reduction == "integral":
            unit = None
        return Quantity(self.signal.kind, unit, self.signal.of, self.reduction)

    def lines(self, name, change, rods):
        """Those of measure.define in the changed deck; none if it has no such place."""
        place = change.place(self.rod, self.signal.of, self.index)
        if place is None:
            return []
        rod, index = place
        of = {"node": f"node {index}", "region": f"node {index}", "element": f"element {index}", "rod": ""}[self.signal.of]
        where = ", ".join(part for part in (f"rod {rod}" if rods > 1 or not of else "", of) if part)
        where = f"({where})" if rod is not None else ""  # without a place, of all rods
        return [f"{name}_{k} [1] : {self.reduction}({signal}{where})" for k, signal in enumerate(self.signal.names)]


def random_measures(problem, seed):
    """Some of all signals, at places of their own."""
    draw, deck = random.Random(seed), problem.deck
    rods, elements = changes.rods_of(deck), changes.elements_of(deck)
    measures = []
    for signal in draw.sample(SIGNALS, len(SIGNALS)):
        if sum(len(measure.signal.names) for measure in measures) > 47:
            break
        if signal.section == "plane" and deck.get("ground", "kind") != "plane" or signal.section == "contact" and not deck.has("contact"):
            continue
        if signal.kind == "body_axial" and deck.get("model", "kind") == "der":
            continue
        if signal.section == "motion" and not deck.get("motion", "position" if signal.of == "node" else "rotation"):
            continue
        plain = signal.kind == "scalar"
        reduction = draw.choice(("last", "last", "max", "mean", "rms", "min") if plain else ("last", "last", "mean"))
        rod = draw.randrange(rods)
        index = {"node": draw.randint(0, elements), "region": draw.randint(0, elements), "element": draw.randrange(elements), "rod": 0}[signal.of]
        if signal.section == "motion":
            rod, index = 0, (elements // 2 if signal.of == "node" else (elements - 1) // 2)
        measures.append(Measured(signal, rod, index, reduction))
    return measures


class Outcome:
    """What a deck left: status, and values by name, three numbers for a vector."""

    def __init__(self, results, measures):
        self.results = results
        self.status = int(results.status[0])
        self.values = {}
        found = dict(zip(results.names, results.columns["members/observables"][0]))
        self.values["end"] = np.array([found.pop(f"end_{axis}") for axis in "xyz"])
        for k, measure in enumerate(measures):
            parts = [found.pop(f"m{k}_{j}", None) for j in range(len(measure.signal.names))]
            if parts[0] is not None:
                self.values[f"m{k}"] = np.array(parts)
        self.values |= {name: np.array(value) for name, value in found.items() if name not in WITHOUT_VALUE}
        if "trajectories/position" in results.columns:
            for field in ("position", "velocity", "dilatation", "radius", "time"):
                if field == "position":
                    self.values["frames of position"] = results.positions(0)
                elif f"trajectories/{field}" in results.columns:
                    self.values[f"frames of {field}"] = results.columns[f"trajectories/{field}"][0]


    def farthest(self):
        """How far anything is from the origin, in m."""
        return np.nanmax(np.abs(self.values.get("frames of position", self.values["end"])), initial=0.0)


OF_BRANCHES = {"bifurcations", "folds", "critical_value"}
FRAMES = {"frames of position": Quantity("point", "m", "frames"), "frames of velocity": Quantity("polar", "m/s", "frames"),
          "frames of dilatation": Quantity("scalar", "1", "frames"), "frames of radius": Quantity("scalar", "m", "frames"),
          "frames of time": Quantity("scalar", "s", "frames")}


class Pair:
    """A problem with what it gave, which changed ones are compared with."""

    def __init__(self, bench, problem, seed, has_short_steps=False):
        self.bench, self.problem, self.seed, self.has_short_steps = bench, problem, seed, has_short_steps
        self.measures = random_measures(problem, seed)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.first = self.run(problem.deck, changes.Change(), "a")
        if resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before > LONGEST:
            raise TooLong
        self.twins = self.finer = None
        held = [problem.deck.get("boundary", end) or "free" for end in ("first", "last")]
        # At rest such rods may stand in any of the ways that cost no energy.
        self.may_turn = problem.method.startswith("static") and not any("clamped" in end for end in held)
        values = self.first.values
        scales = problem.scales
        self.largest = max(abs(float(np.nan_to_num(value))) for name, value in values.items() if name.endswith("energy"))
        # Force times length: of a force F of which the rods keep F^2 L^3/B, or its like.
        self.energy = max(np.sqrt(self.largest * scales.bend_stiffness / scales.length), 1e-4 * scales.bend_stiffness / scales.length)
        self.length = scales.length * scales.rods
        self.time = scales.period
        self.step = float(problem.deck.get("time", "step") or self.time)
        self.stretch = 9 * scales.young_modulus * np.pi * scales.radius**2
        self.strain = np.sqrt(2 * abs(float(np.nan_to_num(values["stretch_energy"]))) / (self.stretch * self.length))

    def run(self, deck, change, name):
        """What came of a deck with the measures of the problem."""
        deck = deck.copy()
        for k, measure in enumerate(self.measures):
            for line in measure.lines(f"m{k}", change, changes.rods_of(deck)):
                deck.add("measure", "define", line)
        code, _, errors = self.bench.call("run", self.bench.write(deck, name), "--output", f"{name}.h5", "--overwrite")
        if code not in (0, 2) or "stand in the ground as they start" in errors:  # which throws them out
            raise Refused(errors.strip())
        return Outcome(Results(self.bench.folder / f"{name}.h5"), self.measures)

    def quantity(self, name):
        if name in FRAMES:
            return FRAMES[name]
        if re.fullmatch(r"m\d+", name):
            return self.measures[int(name[1:])].quantity
        return observable(name, self.problem.deck.get("branch", "key"))

    def signal_of(self, name):
        """The name of the observable, or of the signal that a measure is of."""
        return self.measures[int(name[1:])].signal.names[0] if re.fullmatch(r"m\d+", name) else name

    def called(self, name):
        """Its name for people."""
        if re.fullmatch(r"m\d+", name):
            measure = self.measures[int(name[1:])]
            return f"{measure.reduction} of {', '.join(measure.signal.names)} at rod {measure.rod}, {measure.signal.of} {measure.index}"
        return name

    def rounding(self, name, unit, farthest):
        """What rounding leaves of a number in this unit: that of places makes strains, which make forces and run along the rod."""
        if name in changes.SHARES_OF_ENERGY:
            return self.rounding("", "J", farthest) / self.largest if self.largest else np.inf
        scales = self.problem.scales
        ways = self.long_ways(farthest)
        if name == "theta_max":
            return 1e-7 + ways * scales.elements  # of an arc cosine near 1
        strain = 1e-15 * farthest / (scales.length / scales.elements)
        along = 0.01 * ways
        force, speed = self.stretch * (strain + along), np.sqrt(scales.young_modulus / scales.density) * strain
        turn = strain + 0.1 * force * scales.length**2 / scales.bend_stiffness  # of what such forces bend
        mass, size = scales.line_density * self.length, self.length
        by_strain = {
            "1": turn, "rad": turn, "m": turn * size, "1/m": strain * scales.elements / scales.length + turn / scales.length,
            "m/s": speed, "rad/s": speed / scales.radius, "N": force, "N m": force * size, "kg m/s": mass * speed,
            "kg m^2/s": mass * speed * size, "J": force * size * (self.strain + strain) + self.largest * turn,
            "W": force * (speed + size / self.time)}
        of_loads = mass * np.linalg.norm(numbers(self.problem.deck.get("gravity", "acceleration") or "0"))
        of_loads += sum(np.linalg.norm(numbers(self.problem.deck.get("load", key) or "0")) for key in ("axial_force", "end_force", "distributed_force"))
        of_loads += 2 * self.length * float(self.problem.deck.get("load", "tether_stiffness") or 0)
        by_strain["J"] += (1e-15 + self.lost_in_steps()) * of_loads * farthest
        # Of numbers of the size of the problem, what iterations leave; rates of what they leave of places are over a step.
        length_power, mass_power, time_power = dimension(unit)
        of_problem = size**length_power * (self.energy * self.time**2 / size**2)**mass_power * self.time**time_power
        rates = {"m/s": size, "rad/s": 1.0, "kg m/s": mass * size, "kg m^2/s": mass * size**2}
        return self.iteration(farthest) * (of_problem + rates.get(unit, 0.0) / self.step) + by_strain.get(unit, 0.0)

    def lost_in_steps(self):
        """What explicit steps lose of a place, over how far it is: they may all be shorter than its last digit."""
        if self.problem.method != "explicit":
            return 0.0
        return 1e-16 * float(self.problem.deck.get("time", "end")) / self.step

    def iteration(self, farthest):
        """What the iterations of an implicit step or an equilibrium leave of a number of the size of the problem.

        Those of `der` end where rounding of places leaves forces of the size of those that are left, which are at most 1e-4 of B/L^2,
        and else after long_ways().
        """
        return self.long_ways(farthest) or max(1e-11, self.forces_of_places(farthest))

    def long_ways(self, farthest):
        """The last ways of iterations of very slender rods of `der`, in lengths; a hundredth of them is along the rod."""
        part = self.forces_of_places(farthest)
        return 1e-8 * part / 1e-4 if part > 1e-4 else 0.0

    def forces_of_places(self, farthest):
        """The forces that rounding of places leaves in `der`, of B/L^2."""
        if self.problem.deck.get("model", "kind") != "der":
            return 0.0
        scales = self.problem.scales
        element = scales.length / scales.elements
        width, thickness = (float(self.problem.deck.get("rod", side) or 2 * scales.radius) for side in ("width", "thickness"))
        weaker, stiffer = (scales.bend_stiffness * ratio / (2 * scales.radius) ** 4 for ratio in (width * thickness**3, width**3 * thickness))
        stiffness = self.stretch / element + stiffer / element**3 + scales.line_density * element / (0.25 * self.step) ** 2
        return 1e-15 * farthest * stiffness * np.sqrt(scales.elements + 1) / (weaker / scales.length**2)

    def spread(self, name):
        """How far the twins are from the first deck, in what is compared; nothing if they end otherwise, or rounding decides."""
        if self.twins is None:
            self.twins = []
            for k in range(TWINS):
                try:
                    self.twins.append(self.run(perturbed(self.problem, self.seed + k), changes.Change(), f"twin{k}"))
                except Refused:
                    continue
        if any(twin.status != self.first.status for twin in self.twins) or not self.twins:
            return None

        def spread(name):
            kind = self.quantity(name).kind
            return np.max([size_of(twin.values[name] - self.first.values[name], kind) for twin in self.twins], axis=0)

        decides = any(spread(known) > CHAOTIC * np.linalg.norm(self.first.values[known]) for known in ("end", "total_energy"))
        return None if decides else spread(name)

    def error_of_step(self, name):
        """What halving the steps twice changes; nothing of steps that are so short for their stability alone."""
        if self.problem.method == "explicit" or self.problem.method.startswith("static"):
            return 0.0
        if self.finer is None:
            self.finer = []
            taken = float(self.first.values["newton_iterations"] / self.first.values["newton_iterations_per_step"])
            halved = 2.0 ** np.ceil(np.log2(max(1.0, taken * self.step / float(self.problem.deck.get("time", "end")))))
            for part in (0.5 / halved, 0.25 / halved):
                deck = self.problem.deck.copy()
                deck.set("time", "step", repr(part * self.step))
                self.finer.append(self.run(deck, changes.Change(), "finer"))
        if any(finer.status != self.first.status for finer in self.finer):
            return np.inf
        values = [outcome.values[name] for outcome in (self.first, *self.finer)]
        return sum(size_of(b - a, self.quantity(name).kind) for a, b in zip(values, values[1:]))

    def compare(self, change):
        """What differs in the changed deck: a list of texts."""
        try:
            second = self.run(change.deck(self.problem), change, change.name.replace(" ", "_"))
        except Refused as refusal:
            if change.refusal and re.search(change.refusal, str(refusal)):
                raise NoPair(str(refusal)) from None
            raise Finding(f"{change.name}: refused: {refusal}") from None
        if second.status != self.first.status:
            texts = self.compare_ends(change, second)
            return texts if not texts or self.differs_in_short_steps(change) else []
        if self.first.status not in (DONE, SETTLED) or self.may_turn or self.went_otherwise(second):
            return []
        texts = [text for name in self.first.values if (text := self.difference(change, second, name))]
        is_static = self.problem.method.startswith("static")
        return texts if not texts or not is_static or self.differs_in_short_steps(change) else []

    def differs_in_short_steps(self, change):
        """Whether the two differ in shorter steps too. In long ones rounding may choose between several equilibria, and whether a step
        between rods that rub is found at all, which both say.
        """
        if self.problem.method == "explicit" or self.has_short_steps:
            return True
        for part in (0.1, 0.01) if self.problem.method.startswith("static") else (0.5, 0.25):
            problem = copy.copy(self.problem)
            problem.deck = self.problem.deck.copy()
            problem.deck.set("time", "step", repr(part * (float(self.problem.deck.get("time", "step") or self.problem.deck.get("time", "end")))))
            try:
                pair = Pair(self.bench, problem, self.seed, has_short_steps=True)
                if not pair.compare(change):
                    return False
            except (Refused, TooLong):
                continue
        return True

    def compare_ends(self, change, second):
        """What is wrong if one is done and the other is not."""
        if self.problem.method.startswith("static") and not {self.first.status, second.status} & {DONE, SETTLED}:
            return []  # neither has found an equilibrium: rounding says how the search gave up
        if self.spread("end") is None:
            return []
        if self.problem.method.startswith("static") and self.iteration(second.farthest() / change.unit("m")) > 2 * self.iteration(self.first.farthest()):
            return []  # rounding of places far away leaves forces that hide whether rods rest
        if change.of_iterations > 1 and self.first.values.get("energy_loss_relative", 0) > UNRESOLVED:
            return []  # nor do steps that lose what they do not resolve
        if GAINED_ENERGY in (self.first.status, second.status) and "energy_gain" in change.unknown | change.may_be_nan:
            return []  # beside what works on it nobody knows
        if {self.first.status, second.status} == {DONE, UNSTABLE} and any(
                self.difference(change, second, name) for name in ("end", "stretch_energy", "theta_max")):
            return []  # one has left a straight equilibrium that the other has stayed at: rounding decides
        return [f"ends as {STATUS_NAMES[second.status]} instead of {STATUS_NAMES[self.first.status]}"]

    def difference(self, change, second, name):
        """What is wrong with a value of the changed deck; nothing if it is right, or cannot be told."""
        quantity = self.quantity(name)
        if self.problem.deck.has("branch") and name not in OF_BRANCHES:
            return None  # a branch that goes on where others cross it may go either way
        if quantity.scope == "steps" and self.problem.method.startswith("static"):
            return None  # the way to an equilibrium is not a result
        if name not in second.values or quantity.unit is None or not change.knows(self.signal_of(name), quantity):
            return None
        right, got = change.expected(quantity, self.first.values[name]), second.values[name]
        if quantity.kind == "size":
            right, got = np.abs(right), np.abs(got)
        if right.shape != got.shape:
            return f"{self.called(name)} has the shape {got.shape} instead of {right.shape}"
        if (np.isnan(right) != np.isnan(got)).any():
            # A distance that hardly changes swings by its last digits, more or less than twice.
            may_be = name in change.may_be_nan or name == "end_distance_period" or not self.is_number_in_twins(name)
            return None if may_be else f"{self.called(name)} is {got} instead of {right}"
        farthest = second.farthest() / change.unit("m")
        factor = change.unit(quantity.unit) * change.times(quantity)
        size, off = size_of(right, quantity.kind), size_of(got - right, quantity.kind)
        allowed = change.tolerance * (self.share(name, quantity) * size + factor * self.rounding(name, quantity.unit, farthest + self.length))
        allowed += change.share(self.problem, self.first.values) * np.max(size)
        if not np.any(off > allowed):
            return None
        allowed = allowed + change.of_step * self.error_of_step(name)
        spread = self.spread(name)
        spreads = SPREADS * (change.of_iterations if self.problem.method not in ("explicit", "static", "static_der") else 1)
        if spread is None or not np.any(off > allowed + spreads * factor * spread):
            return None
        where = np.unravel_index(np.nanargmax(off - allowed), np.shape(off))
        return f"{self.called(name)} is {got[where]} instead of {right[where]}; twins are {np.max(spread):.2g} apart"

    def is_number_in_twins(self, name):
        """Whether a number is one, or none, in all twins as in the first deck."""
        self.spread("end")
        return all((np.isnan(twin.values[name]) == np.isnan(self.first.values[name])).all() for twin in self.twins)

    def went_otherwise(self, second):
        """Whether steps were halved in one of two ways, which rounding may decide and first order shows."""
        if self.problem.method == "explicit" or self.problem.method.startswith("static"):
            return False
        a, b = (outcome.values["newton_iterations"] for outcome in (self.first, second))
        steps = {round(float(o.values["newton_iterations"] / o.values["newton_iterations_per_step"])) for o in (self.first, second)}
        strict = any(self.problem.deck.has(section) for section in ("contact", "ground"))
        return len(steps) > 1 or max(a, b) > (1.02 if strict else 1.15) * min(a, b)

    def share(self, name, quantity):
        if quantity.scope == "modes" or name == "least_stiffness":
            few_digits = quantity.scope == "modes" or self.problem.pieces  # joined pieces are stiff beside the whole
            return max(1e-6 if few_digits else EXACTLY, self.rounding_of_slowest(name))
        return 0.6 if quantity.scope == "steps" else EXACTLY

    def rounding_of_slowest(self, name):
        """What rounding of the matrix leaves of the slowest mode. Modes of Cosserat rods keep their digits in the mixed form; their
        stability has it only where the plain one leaves less than two digits.
        """
        scales = self.problem.scales
        if self.problem.deck.get("model", "kind") != "der":
            slenderness = scales.rods * scales.length / scales.radius  # shear turns elements, which are light
            return min(1e-2, 2e-16 * slenderness**4) if name == "least_stiffness" else 0.0
        slenderness = self.stretch * scales.length**2 / scales.bend_stiffness
        return 1e-17 * slenderness * scales.elements**2


def size_of(difference, kind):
    """Of numbers their sizes, of vectors their norms."""
    if kind in ("scalar", "pseudo", "size"):
        return np.abs(difference)
    return np.linalg.norm(difference, axis=-1)


def perturbed(problem, seed):
    """The deck with numbers that differ in the 12th digit, in directions that it has not."""
    deck, scales = problem.deck, problem.scales
    draw, other = np.random.default_rng(seed), deck.copy()
    lines = []
    for section, key, text in deck.lines:
        row = listed("keys").get(f"{section}.{key}")
        if row and row["type"] in ("real", "real_list") and section not in ("time", "output", "control") and key != "shape_nodes":
            values = numbers(text)
            size = np.linalg.norm(values) if KEY_KINDS.get(f"{section}.{key}") in ("polar", "axial", "point") else np.abs(values)
            if key not in ("direction", "poisson_ratio"):
                text = exact(values + 1e-12 * size * draw.standard_normal(len(values)))
        lines.append((section, key, text))
    other.lines = lines
    if not deck.has("gravity") and (deck.has("boundary") or not problem.method.startswith("static")):
        # Weight that bends about as much as rounding does: what stands straight under a load leaves that state by it, sooner or later.
        weight = 10.0 ** draw.uniform(-15, -12) * scales.force
        other.add("gravity", "acceleration", exact(weight / (scales.line_density * scales.length) * draw.standard_normal(3)))
    return other


def random_rotation(draw):
    """A rotation; all are equally likely."""
    w, x, y, z = (q := np.array([draw.gauss(0, 1) for _ in range(4)])) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def all_changes(problem, seed):
    """One of each kind, by numbers of their own."""
    draw = random.Random(seed)
    shift = problem.scales.length * np.array([draw.gauss(0, 1) for _ in range(3)])
    mirror = np.eye(3) - 2 * np.outer(n := random_rotation(draw)[0], n)
    quarter = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], dtype=float)
    yield changes.Similar("turned", random_rotation(draw))
    yield changes.Similar("turned by quarters", quarter)
    yield changes.Similar("mirrored", mirror)
    yield changes.Similar("carried", shift=shift)
    yield changes.Similar("rescaled", length=4.0**draw.randint(-6, 6), mass=4.0**draw.randint(-8, 8), time=4.0**draw.randint(-6, 6))
    yield changes.Rolled(draw.uniform(0, 2 * np.pi))
    yield rearrangements.FarCopy(problem, draw)
    yield rearrangements.Permuted(problem, draw)
    yield rearrangements.Reversed(problem)
    yield rearrangements.Cut(problem, draw)
    yield rearrangements.HeldByMotion()
    yield rearrangements.Later(draw.choice((1, 2, 3, 10)))
    yield changes.OnDevice()
    yield changes.Idle(draw.choice((1, 2, 5)), draw.choice(("zero", "linear")), draw.choice((0.0, 1e-13)), draw.uniform(0.5, 3))


class Search:
    """What was tried and found."""

    def __init__(self, findings, only):
        self.findings, self.only = findings, only
        self.counts, self.failures = collections.Counter(), 0

    def note(self, bench, seed, name, method, parts, texts, decks):
        """Keeps what was found, with the decks."""
        self.counts[name] += 1
        if not texts:
            return
        self.failures += 1
        text = f"{name} ({', '.join([method, *parts])}): " + "; ".join(texts)
        print(f"seed {seed}: {text[:SHOWN]}{' ...' if len(text) > SHOWN else ''}", flush=True)
        self.findings.mkdir(parents=True, exist_ok=True)
        for letter, stem in zip("ab", decks):
            kept = self.findings / f"{seed}_{name.replace(' ', '_')}_{letter}.ini"
            kept.write_text("".join(f"# {line}\n" for line in text.splitlines()) + (bench.folder / f"{stem}.ini").read_text())

    def try_law(self, bench, seed):
        law = laws.LAWS[seed // 8 % len(laws.LAWS)]
        if self.only and law.__name__ != self.only:
            return
        try:
            law(bench, seed)
            texts = []
        except TooLong:
            return
        except Finding as finding:
            texts = [str(finding)]
        last = max(bench.folder.glob("*.ini"), key=lambda path: path.stat().st_mtime).stem
        self.note(bench, seed, law.__name__, "static", [], texts, [last])

    def try_pairs(self, bench, seed):
        problem = pair_problem(seed)
        try:
            pair = Pair(bench, problem, seed)
        except (Refused, TooLong) as refusal:
            self.counts["decks that were refused or took too long"] += 1
            if os.environ.get("PAIRS_REFUSALS"):
                print(seed, refusal, flush=True)
            return
        self.counts["decks that ran"] += 1
        if not self.only:
            try:
                laws.observables_are_those_of_frames(problem, pair.first.results)
                texts = []
            except Finding as finding:
                texts = [str(finding)]
            self.note(bench, seed, "frames", problem.method, problem.parts, texts, ["a"])
        for change in all_changes(problem, seed):
            if self.only and change.name != self.only:
                continue
            try:
                texts = pair.compare(change)
            except NoPair:
                self.counts[f"{change.name}: no pair"] += 1
                continue
            except TooLong:
                continue
            except Finding as finding:
                texts = [str(finding)]
            self.note(bench, seed, change.name, problem.method, problem.parts, texts, ["a", change.name.replace(" ", "_")])

    def try_seed(self, seed):
        with tempfile.TemporaryDirectory(prefix="rodeo-pairs-") as folder:
            (self.try_law if seed % 8 == 5 else self.try_pairs)(Bench(folder), seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--decks", type=int, default=10**9, help="at most so many seeds")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--only", default="", help="one of the changes or laws")
    parser.add_argument("--findings", type=pathlib.Path, default=pathlib.Path("findings"))
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    search = Search(arguments.findings, arguments.only)
    for seed in range(arguments.seed, arguments.seed + arguments.decks):
        if time.monotonic() > until:
            break
        search.try_seed(seed)
    for name, count in sorted(search.counts.items()):
        print(f"{count:8} {name}")
    print(f"{search.counts['decks that ran']} decks, {search.failures} findings")
    if search.failures or search.counts["decks that ran"] < search.counts["decks that were refused or took too long"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
