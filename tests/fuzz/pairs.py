"""Runs pairs of decks that must give the same observables, or observables that a known rule changes.

    tests/fuzz/pairs.py [--minutes M] [--seed S] [--decks N] [--only NAME] [--findings FOLDER]

Decks come from random_decks.py, one for each seed; changes.py makes the other one of each pair: turned, mirrored, rescaled and so
on. All observables are compared, frames, and signals at random places. What differs is a finding only if it exceeds many times what
becomes of twins of both decks, which differ from them in the 12th digit: these say what rounding, iterations and chaos leave of each
number where the deck has its rods, at this length, slenderness and distance. A finding's decks stay in FOLDER as SEED_NAME_a.ini and
_b.ini with a first line that says what was wrong. Exit code 1 with findings, and where too few decks ran.
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
NOTHING = 1e-12  # of what the problem's length, mass and period make in a unit: smaller numbers are none
TWINS = (1, 4, 12)  # of a deck: more are run where fewer do not explain a difference
LONGEST = 2.0  # s of a core, of a deck that has pairs
CHAOTIC = 1e-4  # of a value: what twins differ by where rounding decides, as on halving a step whose iteration wanders
SHOWN = 600  # characters of a finding; its deck has them all
UNRESOLVED = 0.05  # of the energy lost by steps that are too long for the motion
SPREADS = 30.0  # a finding differs by more than so many times what twins do


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
    if deck.get("model", "kind") == "der" and rods == 1:  # by which Cut.share() goes
        curvature = next(signal for signal in SIGNALS if signal.names == ("curvature",))
        measures = [Measured(curvature, 0, index, "max") for index in (0, elements // 2, elements)]
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


OF_BRANCHES = {"bifurcations", "folds", "critical_value"}
FRAMES = {"frames of position": Quantity("point", "m", "frames"), "frames of velocity": Quantity("polar", "m/s", "frames"),
          "frames of dilatation": Quantity("scalar", "1", "frames"), "frames of radius": Quantity("scalar", "m", "frames"),
          "frames of time": Quantity("scalar", "s", "frames")}


class Run:
    """A deck with what came of it and of its twins."""

    def __init__(self, pair, deck, change, name):
        self.pair, self.deck, self.change, self.name = pair, deck, change, name
        self.outcome, self.twins = pair.run(deck, change, name), []

    @property
    def status(self):
        return self.outcome.status

    @property
    def values(self):
        return self.outcome.values

    def farthest(self):
        """How far anything is from the origin, in m."""
        return np.nanmax(np.abs(self.values.get("frames of position", self.values["end"])), initial=0.0)

    def some_twins(self, count):
        """What came of so many twins; of fewer where some were refused."""
        for k in range(len(self.twins), count):
            deck = perturbed(self.deck, self.pair.problem, self.change, self.farthest(), self.pair.seed + k)
            try:
                self.twins.append(self.pair.run(deck, self.change, f"{self.name}_twin{k}"))
            except Refused:
                self.twins.append(None)
        return [twin for twin in self.twins[:count] if twin]

    def spread(self, name, count=TWINS[-1]):
        """How far so many twins are from the deck, in what is compared; nothing if they end otherwise, or rounding decides."""
        twins = self.some_twins(count)
        if not twins or any(twin.status != self.status for twin in twins):
            return None

        def spread(name):
            kind = self.pair.quantity(name).kind
            return max(np.nanmax(size_of(twin.values[name] - self.values[name], kind), initial=0.0) for twin in twins)

        scales, unit = self.pair.problem.scales, self.change.unit
        least = {"end": scales.length * unit("m"), "total_energy": 1e-6 * scales.bend_stiffness / scales.length * unit("J")}
        decides = any(spread(known) > CHAOTIC * max(np.linalg.norm(self.values[known]), size) for known, size in least.items())
        return None if decides else spread(name)

    def numbers_differ(self, name):
        """Whether a number is none in some twins and one in others."""
        return any((np.isnan(twin.values[name]) != np.isnan(self.values[name])).any() for twin in self.some_twins(TWINS[-1]))


class Pair:
    """A problem with what it gave, which changed ones are compared with."""

    def __init__(self, bench, problem, seed, has_short_steps=False):
        self.bench, self.problem, self.seed, self.has_short_steps = bench, problem, seed, has_short_steps
        self.measures = random_measures(problem, seed)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.first = Run(self, problem.deck, changes.Change(), "a")
        if resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before > LONGEST:
            raise TooLong
        self.finer = None
        held = [problem.deck.get("boundary", end) or "free" for end in ("first", "last")]
        # At rest such rods may stand in any of the ways that cost no energy.
        self.may_turn = problem.method.startswith("static") and not any("clamped" in end for end in held)
        self.step = float(problem.deck.get("time", "step") or problem.scales.period)

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

    def nothing(self, name, unit, farthest):
        """The size of numbers that are none, where twins may be alike by chance: a part of what the problem's length, mass and period
        make, and what a rod has of it whose strain is that of rounded places, or loads of potential there. Explicit steps may all be
        shorter than the last digit of these, which twins lose alike.
        """
        if name == "theta_max":
            return 1e-7  # of an arc cosine near 1
        if name in changes.SHARES_OF_ENERGY:
            largest = max(abs(float(np.nan_to_num(value))) for known, value in self.first.values.items() if known.endswith("energy"))
            return self.nothing("", "J", farthest) / largest if largest else np.inf
        scales = self.problem.scales
        steps = float(self.problem.deck.get("time", "end")) / self.step if self.problem.method == "explicit" else 0.0
        of_place = (1e-15 + 1e-16 * steps) * farthest
        strain = of_place * scales.elements / scales.length
        force, speed = 9 * scales.young_modulus * np.pi * scales.radius**2 * strain, np.sqrt(scales.young_modulus / scales.density) * strain
        mass, length = scales.line_density * scales.length, scales.length
        loads = mass * np.linalg.norm(numbers(self.problem.deck.get("gravity", "acceleration") or "0"))
        loads += sum(np.linalg.norm(numbers(self.problem.deck.get("load", key) or "0")) for key in ("axial_force", "end_force", "distributed_force"))
        of_strain = {
            "1": strain, "rad": strain, "m": strain * length, "1/m": strain * scales.elements / length, "m/s": speed, "rad/s": speed / scales.radius,
            "N": force, "N m": force * length, "kg m/s": mass * speed, "kg m^2/s": mass * speed * length, "J": force * length * strain + loads * of_place,
            "W": force * (speed + length / scales.period)}
        length_power, mass_power, time_power = dimension(unit)
        return NOTHING * length**length_power * mass**mass_power * scales.period**time_power + of_strain.get(unit, 0.0)

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
            second = Run(self, change.deck(self.problem), change, change.name.replace(" ", "_"))
        except Refused as refusal:
            if change.refusal and re.search(change.refusal, str(refusal)):
                raise NoPair(str(refusal)) from None
            raise Finding(f"{change.name}: refused: {refusal}") from None
        is_static = self.problem.method.startswith("static")
        if second.status != self.first.status:
            texts = self.compare_ends(change, second)
            if not texts:
                return []
            is_chance = not self.differs_in_short_steps(change) if is_static else self.ends_as_steps_say(change, second)
            return [] if is_chance else texts
        if self.first.status not in (DONE, SETTLED) or self.may_turn or self.went_otherwise(second):
            return []
        texts = [text for name in self.first.values if (text := self.difference(change, second, name))]
        return texts if not texts or not is_static or self.differs_in_short_steps(change) else []

    def in_steps(self, part):
        """The pair in steps of a part of the length."""
        problem = copy.copy(self.problem)
        problem.deck = self.problem.deck.copy()
        problem.deck.set("time", "step", repr(part * (float(self.problem.deck.get("time", "step") or self.problem.deck.get("time", "end")))))
        return Pair(self.bench, problem, self.seed, has_short_steps=True)

    def differs_in_short_steps(self, change):
        """Whether two equilibria differ in shorter steps too: in long ones rounding may choose between several."""
        if self.has_short_steps:
            return True
        for part in (0.1, 0.01):
            try:
                if not self.in_steps(part).compare(change):
                    return False
            except (Refused, TooLong):
                continue
        return True

    def ends_as_steps_say(self, change, second):
        """Whether implicit steps that are a little shorter end otherwise: then it is chance whether a step is found at all, as between
        rods that rub.
        """
        for part in (0.999, 0.99, 0.97, 0.9) if self.problem.method != "explicit" else ():
            try:
                pair = self.in_steps(part)
                other = pair.run(change.deck(pair.problem), change, "other")
            except (Refused, TooLong):
                continue
            if (pair.first.status, other.status) != (self.first.status, second.status):
                return True
        return False

    def compare_ends(self, change, second):
        """What is wrong if one is done and the other is not."""
        if self.problem.method.startswith("static") and not {self.first.status, second.status} & {DONE, SETTLED}:
            return []  # neither has found an equilibrium: rounding says how the search gave up
        if any(run.spread("end") is None for run in (self.first, second)):
            return []
        if self.may_turn and self.problem.deck.has("contact"):
            return []  # contact bounds the steps of a search, and such rods may swing far
        if self.problem.method == "static_der" and second.farthest() / change.unit("m") > 2 * self.first.farthest():
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
            may_be = name in change.may_be_nan or name == "end_distance_period" or any(run.numbers_differ(name) for run in (self.first, second))
            return None if may_be else f"{self.called(name)} is {got} instead of {right}"
        factor = change.unit(quantity.unit) * change.times(quantity)
        size, off = size_of(right, quantity.kind), size_of(got - right, quantity.kind)
        allowed = change.tolerance * self.share(name, quantity) * size + change.share(self.problem, self.first.values) * np.max(size)
        allowed = allowed + factor * self.nothing(name, quantity.unit, second.farthest() / change.unit("m"))
        if not np.any(off > allowed):
            return None
        allowed = allowed + change.of_step * self.error_of_step(name)
        spreads = SPREADS * (change.of_iterations if self.problem.method not in ("explicit", "static", "static_der") else 1)
        for count in TWINS:
            first, other = (run.spread(name, count) for run in (self.first, second))
            if first is None or other is None or not np.any(off > allowed + spreads * (factor * first + other)):
                return None
        where = np.unravel_index(np.nanargmax(off - allowed), np.shape(off))
        return (f"{self.called(name)} is {got[where]} instead of {right[where]}; twins are {other:.2g} and {factor * first:.2g} apart")

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
            return 1e-6 if quantity.scope == "modes" or self.problem.pieces else EXACTLY  # joined pieces are stiff beside the whole
        return 0.6 if quantity.scope == "steps" else EXACTLY


KEPT = {"rod.direction", "rod.poisson_ratio", "rod.shape_nodes"}  # by twins


def size_of(difference, kind):
    """Of numbers their sizes, of vectors their norms."""
    if kind in ("scalar", "pseudo", "size"):
        return np.abs(difference)
    return np.linalg.norm(difference, axis=-1)


def forces_of_places(problem, farthest):
    """The forces that rounding of places leaves in iterations of `der`, of B/L^2."""
    scales, deck = problem.scales, problem.deck
    element = scales.length / scales.elements
    width, thickness = (float(deck.get("rod", side) or 2 * scales.radius) for side in ("width", "thickness"))
    weaker, stiffer = (scales.bend_stiffness * ratio / (2 * scales.radius) ** 4 for ratio in (width * thickness**3, width**3 * thickness))
    step = float(deck.get("time", "step") or scales.period)
    stiffness = 9 * scales.young_modulus * np.pi * scales.radius**2 / element + stiffer / element**3 + scales.line_density * element / (0.25 * step) ** 2
    return 1e-15 * farthest * stiffness * np.sqrt(scales.elements + 1) / (weaker / scales.length**2)


def perturbed(deck, problem, change, farthest, seed):
    """A deck of the problem, as it is or changed, with numbers that differ in the 12th digit, in directions that it has not. Iterations
    of `der` end a little earlier, as those that rounding ends may elsewhere.
    """
    scales = problem.scales
    draw, other = np.random.default_rng(seed), deck.copy()
    lines = []
    for section, key, text in deck.lines:
        name, head, values = f"{section}.{key}", "", text
        if name == "rod.each" and " : list(" in text:
            head, _, values = text[:-1].partition(" : list(")
            name, head = re.match(r"[\w.]+", head)[0], f"{head} : list("
        row = listed("keys").get(name)
        if name not in KEPT and row and row["type"] in ("real", "real_list") and section not in ("time", "output", "control", "newton"):
            values = numbers(values)
            size = np.linalg.norm(values) if head or KEY_KINDS.get(name) in ("polar", "axial", "point") else np.abs(values)
            text = f"{head}{exact(values + 1e-12 * size * draw.standard_normal(len(values)))}{')' if head else ''}"
        lines.append((section, key, text))
    if deck.get("model", "kind") == "der":
        tolerance = max(float(deck.get("newton", "tolerance")), 4 * forces_of_places(problem, farthest / change.unit("m")))
        lines = [line for line in lines if line[:2] != ("newton", "tolerance")]
        lines.append(("newton", "tolerance", repr(min(1e-3, tolerance * 10 ** draw.uniform(0, 1)))))
    other.lines = lines
    if not deck.has("gravity") and (problem.deck.has("boundary") or not problem.method.startswith("static")):
        # Weight that bends about as much as rounding does: what stands straight under a load leaves that state by it, sooner or later.
        weight = 10.0 ** draw.uniform(-15, -12) * scales.force / (scales.line_density * scales.length) * change.unit("m/s^2")
        other.add("gravity", "acceleration", exact(weight * draw.standard_normal(3)))
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
                laws.observables_are_those_of_frames(problem, pair.first.outcome.results)
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
