"""Runs pairs of decks that must give the same observables, or observables that a known rule changes.

    tests/fuzz/pairs.py [--minutes M] [--seed S] [--decks N] [--only NAME] [--findings FOLDER]

Decks come from random_decks.py, one for each seed; changes.py makes the other one of each pair: turned, mirrored, rescaled and so
on. All observables are compared, frames, and signals at random places. What differs by more than rounding is a finding only if it
exceeds what becomes of decks that differ in the 12th digit, so that what is chaotic is none. A finding's decks stay in FOLDER as
SEED_NAME_a.ini and _b.ini with a first line that says what was wrong. Exit code 1 with findings, and where too few decks ran.
"""

import argparse
import collections
import dataclasses
import os
import pathlib
import random
import re
import sys
import tempfile
import time

import numpy as np

import changes
from changes import NoPair, exact, numbers
from combinations import Bench, Finding, Refused, Results, TooLong
from quantities import KEY_KINDS, SIGNALS, WITHOUT_VALUE, Quantity, dimension, listed, observable
from random_decks import random_problem
from softrods.ensemble import STATUS_NAMES

EXACTLY = 1e-8  # of a value, by which the two of a pair may differ without a further look
TWINS = 4  # decks that differ from the first one in the 12th digit
SHOWN = 600  # characters of a finding; its deck has them all
SPREADS = 30.0  # a finding differs by more than so many times what these do


def pair_problem(seed):
    """A random problem without study and control."""
    problem = random_problem(seed)
    deck = problem.deck
    deck.lines = [line for line in deck.lines
                  if line[0] not in ("study", "sweep", "optimize", "convergence", "sensitivity", "refine", "control", "measure")
                  and not line[2].endswith(": drive")]
    deck.set("output", "fields", "velocity, dilatation, radius")
    if deck.get("model", "kind") == "der":
        deck.set("newton", "tolerance", 1e-9)
    return problem


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
        return Quantity(self.signal.kind, unit, "place")

    def lines(self, name, change, rods):
        """Those of measure.define in the changed deck; none if it has no such place."""
        place = change.place(self.rod, self.signal.of, self.index)
        if place is None:
            return []
        rod, index = place
        of = {"node": f"node {index}", "region": f"node {index}", "element": f"element {index}", "rod": ""}[self.signal.of]
        where = ", ".join(part for part in (f"rod {rod}" if rods > 1 or not of else "", of) if part)
        return [f"{name}_{k} [1] : {self.reduction}({signal}({where}))" for k, signal in enumerate(self.signal.names)]


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


FRAMES = {"frames of position": Quantity("point", "m", "frames"), "frames of velocity": Quantity("polar", "m/s", "frames"),
          "frames of dilatation": Quantity("scalar", "1", "frames"), "frames of radius": Quantity("scalar", "m", "frames"),
          "frames of time": Quantity("scalar", "s", "frames")}


# Faults that are known and not mended yet: change, observable, reason. A finding of these alone is no failure.
EXPECTED = (
    ("idle control", ".*", "a sampled output takes energy of second-order steps, 0.2 (omega h)^2 a sample"),
    (".*", "least_stiffness", "the iteration for close modes ends at its limit"),
)


class Pair:
    """A problem with what it gave, which changed ones are compared with."""

    def __init__(self, bench, problem, seed):
        self.bench, self.problem, self.seed = bench, problem, seed
        self.measures = random_measures(problem, seed)
        self.first = self.run(problem.deck, changes.Change(), "a")
        self.twins = None
        values = self.first.values
        scales = problem.scales
        self.energy = max([np.nanmax(np.abs(value), initial=0.0) for name, value in values.items() if name.endswith("energy")]
                          + [1e-4 * scales.bend_stiffness / scales.length])
        self.length = scales.length * scales.rods
        self.time = scales.period
        # What the iterations of an implicit step or an equilibrium leave of a number of the size of the problem.
        self.iteration = 1e-9 if problem.deck.get("model", "kind") == "der" else 1e-11
        self.step = float(problem.deck.get("time", "step") or self.time)
        self.stretch = 9 * scales.young_modulus * np.pi * scales.radius**2
        self.strain = np.sqrt(2 * np.nanmax(np.abs(values["stretch_energy"]), initial=0.0) / (self.stretch * self.length))

    def run(self, deck, change, name):
        """What came of a deck with the measures of the problem."""
        deck = deck.copy()
        for k, measure in enumerate(self.measures):
            for line in measure.lines(f"m{k}", change, changes.rods_of(deck)):
                deck.add("measure", "define", line)
        code, _, errors = self.bench.call("run", self.bench.write(deck, name), "--output", f"{name}.h5", "--overwrite")
        if code not in (0, 2):
            raise Refused(errors.strip())
        return Outcome(Results(self.bench.folder / f"{name}.h5"), self.measures)

    def quantity(self, name):
        if name in FRAMES:
            return FRAMES[name]
        if re.fullmatch(r"m\d+", name):
            return self.measures[int(name[1:])].quantity
        return observable(name, self.problem.deck.get("branch", "key"))

    def called(self, name):
        """Its name for people."""
        if re.fullmatch(r"m\d+", name):
            measure = self.measures[int(name[1:])]
            return f"{measure.reduction} of {', '.join(measure.signal.names)} at rod {measure.rod}, {measure.signal.of} {measure.index}"
        return name

    def rounding(self, name, unit, farthest):
        """What rounding leaves of a number in this unit: that of places makes strains, which make forces and run along the rod."""
        if name == "theta_max":
            return 1e-7  # of an arc cosine near 1
        scales = self.problem.scales
        strain = 1e-15 * farthest / (scales.length / scales.elements)
        force, speed = self.stretch * strain, np.sqrt(scales.young_modulus / scales.density) * strain
        mass = scales.line_density * self.length
        by_strain = {
            "1": strain, "rad": strain, "m": strain * self.length, "1/m": strain * scales.elements / scales.length, "m/s": speed,
            "rad/s": speed * scales.elements / scales.length, "N": force, "N m": force * self.length, "kg m/s": mass * speed,
            "kg m^2/s": mass * speed * self.length, "J": force * self.length * (self.strain + strain), "W": force * (speed + self.length / self.time)}
        length, mass, time = dimension(unit)
        small = self.length**length * (self.energy * self.time**2 / self.length**2)**mass * self.time**time
        if unit == "m/s":
            small += self.length / self.step
        return self.iteration * small + by_strain.get(unit, 0.0)

    def spread(self, name):
        """How far the twins are from the first deck, in what is compared; nothing if they end otherwise."""
        if self.twins is None:
            self.twins = []
            for k in range(TWINS):
                try:
                    self.twins.append(self.run(perturbed(self.problem.deck, self.seed + k), changes.Change(), f"twin{k}"))
                except Refused:
                    continue
        if any(twin.status != self.first.status for twin in self.twins) or not self.twins:
            return None
        return np.max([size_of(twin.values[name] - self.first.values[name], self.quantity(name).kind) for twin in self.twins], axis=0)

    def compare(self, change):
        """What differs in the changed deck: a list of texts."""
        try:
            second = self.run(change.deck(self.problem), change, change.name.replace(" ", "_"))
        except Refused as refusal:
            raise Finding(f"{change.name}: refused: {refusal}") from None
        if second.status != self.first.status:
            if self.spread("end") is None:
                return []
            return [f"ends as {STATUS_NAMES[second.status]} instead of {STATUS_NAMES[self.first.status]}"]
        found = []
        farthest = np.nanmax(np.abs(second.values.get("frames of position", second.values["end"])), initial=0.0) / change.unit("m")
        for name, value in self.first.values.items():
            quantity = self.quantity(name)
            if name not in second.values or not change.knows(name, quantity) or quantity.unit is None:
                continue
            right = change.expected(quantity, value)
            got = second.values[name]
            if quantity.kind == "size":
                right, got = np.abs(right), np.abs(got)
            if right.shape != got.shape:
                found.append(f"{self.called(name)} has the shape {got.shape} instead of {right.shape}")
                continue
            if (np.isnan(right) != np.isnan(got)).any():
                if name not in change.may_be_nan:
                    found.append(f"{self.called(name)} is {got} instead of {right}")
                continue
            factor = change.unit(quantity.unit) * change.times(quantity)
            off = size_of(got - right, quantity.kind)
            allowed = change.tolerance * (self.share(quantity) * size_of(right, quantity.kind) + factor * self.rounding(name, quantity.unit, farthest + self.length))
            if np.any(off > allowed):
                spread = self.spread(name)
                if spread is not None and np.any(off > allowed + SPREADS * factor * spread):
                    where = np.unravel_index(np.nanargmax(off - allowed), np.shape(off))
                    found.append(f"{self.called(name)} is {got[where]} instead of {right[where]}; twins are {np.max(spread):.2g} apart")
        return found

    def share(self, quantity):
        return 0.3 if quantity.scope == "steps" else EXACTLY


def size_of(difference, kind):
    """Of numbers their sizes, of vectors their norms."""
    if kind in ("scalar", "pseudo", "size"):
        return np.abs(difference)
    return np.linalg.norm(difference, axis=-1)


def perturbed(deck, seed):
    """The deck with numbers that differ in the 12th digit, in directions that it has not."""
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
    yield changes.Idle(draw.choice((1, 2, 5)), draw.choice(("zero", "linear")), draw.choice((0.0, 1e-13)), draw.uniform(0.5, 3))


def try_seed(seed, only, findings, counts):
    """The texts of what was found."""
    problem = pair_problem(seed)
    texts = []
    with tempfile.TemporaryDirectory(prefix="rodeo-pairs-") as folder:
        bench = Bench(folder)
        try:
            pair = Pair(bench, problem, seed)
        except (Refused, TooLong) as refusal:
            counts["decks that were refused or took too long"] += 1
            if os.environ.get("PAIRS_REFUSALS"):
                print(seed, refusal, flush=True)
            return []
        counts["decks that ran"] += 1
        for change in all_changes(problem, seed):
            if only and change.name != only:
                continue
            try:
                found = pair.compare(change)
                counts[change.name] += 1
            except NoPair:
                counts[f"{change.name}: no pair"] += 1
                continue
            except TooLong:
                continue
            except Finding as finding:
                found = [str(finding)]
            if found and all(any(re.fullmatch(of, change.name) and re.match(what, text) for of, what, _ in EXPECTED) for text in found):
                counts[f"{change.name}: expected findings"] += 1
            elif found:
                text = f"{change.name} ({', '.join([problem.method, *problem.parts])}): " + "; ".join(found)
                texts.append(text)
                findings.mkdir(parents=True, exist_ok=True)
                for letter, stem in (("a", "a"), ("b", change.name.replace(" ", "_"))):
                    kept = findings / f"{seed}_{change.name.replace(' ', '_')}_{letter}.ini"
                    kept.write_text("".join(f"# {line}\n" for line in text.splitlines()) + (bench.folder / f"{stem}.ini").read_text())
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--decks", type=int, default=10**9, help="at most so many seeds")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--only", default="", help="one of the changes")
    parser.add_argument("--findings", type=pathlib.Path, default=pathlib.Path("findings"))
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    counts, failures = collections.Counter(), 0
    for seed in range(arguments.seed, arguments.seed + arguments.decks):
        if time.monotonic() > until:
            break
        for text in try_seed(seed, arguments.only, arguments.findings, counts):
            failures += 1
            print(f"seed {seed}: {text[:SHOWN]}{' ...' if len(text) > SHOWN else ''}", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print(f"{counts['decks that ran']} decks, {failures} findings")
    if failures or counts["decks that ran"] < counts["decks that were refused or took too long"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
