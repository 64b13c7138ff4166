"""Runs random valid decks and asks of each what holds without a reference.

    tests/fuzz/combinations.py [--minutes M] [--seed S] [--decks N] [--only NAME] [--findings FOLDER]

Decks come from random_decks.py, one for each seed from S on, until the minutes or decks are used up. A finding is a deck that
breaks an invariant; it stays in FOLDER as SEED.ini with a first line that says what was wrong. Exit code 1 with findings, and
where too few decks ran to tell anything.
"""

import argparse
import collections
import concurrent.futures
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import campaign
from random_decks import DYNAMIC, beck_column, bent_ring, random_problem, smooth_problem, stiff_free_rod
from softrods.ensemble import DONE, OUT_OF_POINTS, PENDING, STATUS_NAMES, USABLE

TOOLS = pathlib.Path(campaign.RODEO).parent / "tests"
LIMIT = 60  # s, of one call of the program; decks are made to take a second or so
PATIENCE = 30  # s, in which a stop is obeyed
NOT_RESULTS = {"wall_seconds", "rank", "commit"}  # how a member ran, and a checksum that knows of it
BROKEN = re.compile(r"Sanitizer|runtime error:|terminate called|Assertion|Segmentation fault", re.IGNORECASE)


class Finding(Exception):
    """What a deck did that it must not do."""


class Refused(Exception):
    """A combination that no run is made of."""


class TooLong(Exception):
    """A deck that costs more than it is worth here."""


class Bench:
    """Runs decks in a folder of their own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def call(self, *arguments, ranks=None, threads=1, stop_after=None):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "false"}
        process = subprocess.Popen(campaign.command(*arguments, ranks=ranks), cwd=self.folder, env=environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            if stop_after is not None:
                try:
                    return self.outcome(process, stop_after)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGTERM)
            try:
                return self.outcome(process, LIMIT)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)
            self.outcome(process, PATIENCE)
            raise TooLong
        except subprocess.TimeoutExpired:
            raise Finding(f"{arguments[0]} does not stop within {PATIENCE} s") from None
        finally:
            process.kill()
            process.wait()

    def outcome(self, process, seconds):
        output, errors = process.communicate(timeout=seconds)
        if process.returncode == -signal.SIGTERM:  # before the program could ask for signals: nothing has begun
            return 75, output, errors
        if process.returncode < 0 or process.returncode >= 128 or BROKEN.search(errors):
            raise Finding(f"the program broke: exit code {process.returncode}\n{errors[-2000:]}")
        if process.returncode not in (0, 1, 2, 75):
            raise Finding(f"exit code {process.returncode}: {errors[-500:]}")
        return process.returncode, output, errors

    def lines_of(self, tool, *arguments):
        """What a program of tests/fuzz writes."""
        try:
            run = subprocess.run([TOOLS / tool, *arguments], cwd=self.folder, text=True, capture_output=True, timeout=LIMIT,
                                 env={**os.environ, "OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false"})
        except subprocess.TimeoutExpired:
            raise TooLong from None
        if run.returncode != 0:
            raise Finding(f"{tool}: exit code {run.returncode}: {run.stderr[-2000:]}")
        return run.stdout.splitlines()

    def write(self, deck, name="deck"):
        (self.folder / f"{name}.ini").write_text(deck.text())
        return f"{name}.ini"

    def check(self, deck):
        code, _, errors = self.call("check", self.write(deck))
        if code != 0:
            raise Refused(errors.strip())

    def run(self, deck, name="deck", **how):
        """What came of a deck. What `check` let pass must run."""
        code, _, errors = self.call("run", self.write(deck, name), "--output", f"{name}.h5", "--overwrite", **how)
        if code not in (0, 2):
            raise Finding(f"checked, and then refused: {errors.strip()}")
        return Results(self.folder / f"{name}.h5")


class Results:
    """The members of a file, and what they left."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.columns = {}
            file.visititems(self.take)
            self.names, self.parameters = (
                [name.decode() for name in file[f"members/{table}"].attrs["names"]] for table in ("observables", "parameters"))
        self.status = self.columns["members/status"]

    def take(self, name, item):
        leaf = name.rsplit("/", 1)[-1]
        if isinstance(item, h5py.Dataset) and not name.startswith(("running", "deck")) and leaf not in NOT_RESULTS:
            self.columns[name] = item[()]

    def __getitem__(self, observable):
        return self.columns["members/observables"][:, self.names.index(observable)]

    @property
    def ended_well(self):
        return bool(np.isin(self.status, USABLE).all())

    def positions(self, member):
        """Those of its frames and nodes; members of different numbers of elements stand one after the other in the file."""
        stored = self.columns["trajectories/position"]
        if "trajectories/offset" not in self.columns:
            return stored[member]
        frames = self.columns["trajectories/time"].shape[1]
        nodes = self.columns["trajectories/nodes"][member]
        first = self.columns["trajectories/offset"][member]
        return stored[first:first + frames * nodes].reshape(frames, nodes, 3)

    @property
    def last_nodes(self):
        """Those of the first member in its last frame."""
        return self.positions(0)[-1]

    def end(self):
        return ", ".join(sorted({STATUS_NAMES[status] for status in self.status}))


def bits_of(value):
    return np.ascontiguousarray(value).tobytes()


def demand_same_bits(a, b, what):
    if a.columns.keys() != b.columns.keys():
        raise Finding(f"{what}: other datasets: {sorted(a.columns.keys() ^ b.columns.keys())}")
    for name in a.columns:
        if bits_of(a.columns[name]) != bits_of(b.columns[name]):
            raise Finding(f"{what}: {name} differs")


# Invariants of any deck. Each gets the bench, the problem and the results of its first run.


def energy(bench, problem, results):
    """No member that ends well has gained energy without work."""
    for member in np.flatnonzero(np.isin(results.status, USABLE)):
        gain = results["energy_gain_relative"][member]
        if np.isfinite(gain) and gain > 0.02:
            raise Finding(f"member {member} is {STATUS_NAMES[results.status[member]]} with {100 * gain:.3g} % energy gained")


def finite(bench, problem, results):
    """Members that end well have finite places and energies."""
    well = np.isin(results.status, USABLE)
    for name in ("end_x", "end_y", "end_z", "total_energy"):
        if not np.isfinite(results[name][well]).all():
            raise Finding(f"{name} of a member that ended well is not finite")


def momentum(bench, problem, results):
    """Nothing changes the momentum of rods that nothing holds or loads."""
    sources = ("load", "gravity", "boundary", "ground", "motion", "actuation", "muscle", "fluid")
    deck = problem.deck
    damped = any(deck.get("rod", key) for key in ("damping", "relaxation_time", "damping_ratio"))
    if any(deck.has(section) for section in sources) or damped or problem.method not in DYNAMIC:
        return
    scale = problem.scales
    mass = scale.line_density * scale.length * scale.rods * 5
    for member in np.flatnonzero(np.isin(results.status, USABLE)):
        drift = results["momentum_drift"][member]
        fastest = np.sqrt(2 * (results["translational_energy"][member] + results["bending_energy"][member]) / mass)
        if np.isfinite(drift) and drift > 1e-4 * mass * (fastest + 1e-3 * scale.length / scale.period):
            raise Finding(f"momentum of member {member} drifts by {drift:.3g} kg m/s without a force")


def ranks(bench, problem, results):
    """Two ranks leave the bits of one."""
    demand_same_bits(results, bench.run(problem.deck, "two_ranks", ranks=2), "two ranks")


def threads(bench, problem, results):
    """Two threads leave the bits of one."""
    demand_same_bits(results, bench.run(problem.deck, "two_threads", threads=2), "two threads")


def evaluation(bench, problem, results):
    """Members that the library runs have the bits of the campaign's."""
    deck, members = problem.deck, results.columns
    repeats = int(members["members/repeat"].max()) + 1
    points = [",".join(float(value).hex() for value in row) for row in members["members/parameters"][::repeats]]
    lines = bench.lines_of("rodeo_evaluate", bench.write(deck, "evaluated"), str(repeats), ",".join(results.parameters), *points)
    if len(lines) != len(results.status):
        raise Finding(f"evaluate: {len(lines)} members instead of {len(results.status)}")
    for member, line in enumerate(lines):
        if results.status[member] == PENDING:
            continue  # none that its study asked for
        status, seed, steps, *values = line.split()
        if (int(status), int(seed), int(steps)) != tuple(int(members[f"members/{name}"][member]) for name in ("status", "seed", "steps")):
            raise Finding(f"evaluate: member {member} is {line[:80]}, and {results.end()} in the campaign")
        found = {name: float.fromhex(value) for name, _, value in (entry.partition("=") for entry in values)}
        # What the file has no column for has no number.
        stored = dict.fromkeys(found, np.nan) | dict(zip(results.names, members["members/observables"][member]))
        different = [name for name, value in stored.items() if not (value == found[name] or np.isnan([value, found[name]]).all())]
        if different:
            raise Finding(f"evaluate: {', '.join(different)} of member {member} differ")


def resumption(bench, problem, results):
    """A campaign that was stopped and resumed leaves the bits of one that was not."""
    deck = problem.deck.copy()
    deck.set("output", "checkpoint_interval", 0.01)
    whole = bench.run(deck, "whole")
    path = bench.folder / "resumed.h5"
    code, _, errors = bench.call("run", bench.write(deck, "resumed"), "--output", path.name, "--overwrite", stop_after=0.25)
    if code == 75 and not path.exists():
        return
    for _ in range(20):
        if code != 75:
            break
        code, _, errors = bench.call("resume", path.name)
    if code not in (0, 2):
        raise Finding(f"does not resume: {errors.strip()}")
    demand_same_bits(whole, Results(path), "stopped and resumed")


def pieces(bench, problem, results):
    """A member that goes on from slice to slice in other places leaves the bits of one that stays."""
    different = bench.lines_of("rodeo_pieces", bench.write(problem.deck, "pieces"))
    if different:
        raise Finding(f"pieces: {'; '.join(different[:5])}")


def nearest(a, b, c, d):
    """The least distance of the segments a b and c d."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
    determinant = uu * vv - uv * uv
    s = np.clip((uv * vw - vv * uw) / determinant, 0, 1) if determinant > 1e-12 * uu * vv else 0.0
    t = np.clip((uv * s + vw) / vv, 0, 1)
    s = np.clip((uv * t - uw) / uu, 0, 1)
    return np.linalg.norm(w + s * u - t * v)


def apart(bench, problem, results):
    """Rods with contact never share half their sections."""
    radius = float(problem.deck.get("rod", "radius") or 0)
    if not problem.deck.has("contact") or problem.deck.has("joint") or problem.scales.rods == 1 or problem.deck.get("rod", "end_radius"):
        return
    if problem.deck.has("connection"):
        return
    for member in np.flatnonzero(np.isin(results.status, USABLE)):
        for frame, places in enumerate(results.positions(member)):
            rods = places.reshape(problem.scales.rods, -1, 3)
            nodes = rods.shape[1]
            for first in range(len(rods)):
                for second in range(first):
                    gap = min(nearest(rods[first][i], rods[first][i + 1], rods[second][j], rods[second][j + 1])
                              for i in range(nodes - 1) for j in range(nodes - 1))
                    if gap < radius:
                        raise Finding(f"rods {second} and {first} of member {member} are {gap / radius:.3g} radii apart in frame {frame}, "
                                      f"which ended as {STATUS_NAMES[results.status[member]]}")


def above_ground(bench, problem, results):
    """The centre line of a rod that its own weight alone presses on a plane, whose springs are made for it, stays above it."""
    deck = problem.deck
    others = ("boundary", "motion", "load", "actuation", "muscle", "connection")
    has_others = problem.scales.rods > 1 or any(deck.has(section) for section in others)
    is_pressed = has_others or deck.get("rod", "point_masses") or deck.get("rod", "rest_shape")
    if deck.get("ground", "kind") != "plane" or is_pressed:
        return
    floor = float(deck.get("ground", "origin").split(",")[2])
    radius = float(deck.get("rod", "radius"))
    for member in np.flatnonzero(np.isin(results.status, USABLE)):
        heights = results.positions(member)[..., 2]
        if np.nanmin(heights[0]) < floor:
            continue  # it starts there
        lowest = np.nanmin(heights)
        if lowest < floor:
            raise Finding(f"member {member} is {(floor - lowest) / radius:.3g} radii below the plane, which ended as "
                          f"{STATUS_NAMES[results.status[member]]}")


def sinking_is_told(bench, problem, results):
    """A node that comes below a plane has taken its elements a radius deep: those that did not begin in the ground are told of."""
    deck = problem.deck
    if deck.get("ground", "kind") != "plane":
        return
    floor = float(deck.get("ground", "origin").split(",")[2])
    radius = max(float(deck.get("rod", key) or 0.0) for key in ("radius", "end_radius"))
    for member in np.flatnonzero(np.isin(results.status, USABLE)):
        heights = results.positions(member)[..., 2] - floor
        above = (heights[0] > 0.999 * radius).reshape(problem.scales.rods, -1)
        elements = np.pad(above[:, 1:] & above[:, :-1], ((0, 0), (1, 1)))
        counts = (elements[:, 1:] | elements[:, :-1]).ravel()
        lowest = np.nanmin(heights[:, counts], initial=0.0)
        told = results["ground_depth_relative"][member]
        if lowest < 0 and told < 1:
            raise Finding(f"member {member} is {-lowest / radius:.3g} radii below the plane, which ended as "
                          f"{STATUS_NAMES[results.status[member]]} with ground_depth_relative = {told:.3g}")


ANY = (energy, finite, momentum, apart, above_ground, sinking_is_told, pieces)
AGAIN = (ranks, threads, resumption, evaluation)


# Studies of smooth problems: what several runs must agree in. Each gets the bench and a seed.


def distance(a, b):
    return float(np.abs(a - b).max())


def methods_agree(bench, seed):
    """Explicit steps, implicit ones and `der` move a slender rod alike."""
    problem = smooth_problem(seed, held=seed % 2 == 0, joint="ball")
    scale = problem.scales
    end = 0.3 * scale.period
    problem.deck.add("output", "frames", 2)
    explicit_steps = int(np.ceil(end / scale.explicit_step))
    places = {}
    for method, steps in (("explicit", explicit_steps), ("generalized_alpha", 300), ("energy_momentum", 300), ("sdirk2", 300),
                          ("midpoint", 300), ("der_generalized_alpha", 300)):
        results = bench.run(problem.by(method, end, steps), method)
        if not results.ended_well:
            raise Finding(f"{method} of a smooth problem ended as {results.end()}")
        places[method] = results.last_nodes
    way = max(distance(places["explicit"], places["explicit"][0]), scale.length) * 1e-2
    for method, nodes in places.items():
        if distance(nodes, places["explicit"]) > way:
            raise Finding(f"{method} is {distance(nodes, places['explicit']) / scale.length:.3g} lengths from explicit steps")


def rest_agrees(bench, seed):
    """A damped rod comes to rest where the equilibrium is."""
    problem = smooth_problem(seed, held=True, joint="rigid")
    problem.deck.add("output", "frames", 2)
    problem.deck.set("rod", "elements", 24)  # with 8 those of cosserat and der may be 5e-3 lengths apart
    scale = problem.scales
    still = bench.run(problem.by("static", scale.period, 1), "static")
    still_der = bench.run(problem.by("static_der", scale.period, 1), "static_der")
    if not (still.ended_well and still_der.ended_well):
        raise Finding(f"equilibrium of a smooth problem: {still.end()}, by der {still_der.end()}")
    if distance(still.last_nodes, still_der.last_nodes) > 5e-3 * scale.length:
        raise Finding(f"equilibria of cosserat and der are {distance(still.last_nodes, still_der.last_nodes) / scale.length:.3g} lengths apart")
    if still.status[0] != DONE:
        return  # an equilibrium that it would leave
    if problem.deck.has("joint") or problem.deck.has("motion"):
        problem.deck.add("rod", "relaxation_time", 0.2 * scale.period)
    else:
        problem.deck.add("rod", "damping_ratio", 1.0)
    moved = bench.run(problem.by("generalized_alpha", 8 * scale.period, 400), "damped")
    if not moved.ended_well:
        raise Finding(f"damped motion of a smooth problem ended as {moved.end()}")
    if distance(moved.last_nodes, still.last_nodes) > 1e-3 * scale.length:
        raise Finding(f"comes to rest {distance(moved.last_nodes, still.last_nodes) / scale.length:.3g} lengths from its equilibrium")


def branches_agree(bench, seed):
    """Branches of cosserat and der come to the same place where both come to the end of their range."""
    problem = smooth_problem(seed, held=True, joint="rigid")
    scale = problem.scales
    problem.deck.set("rod", "elements", 24)
    for key, value in (("key", "load.end_force[1]"), ("to", 3 * scale.force), ("step", 0.1)):
        problem.deck.add("branch", key, value)
    ends = [bench.run(problem.by(method, scale.period, 1), method) for method in ("static", "static_der")]
    if any(end.status[0] == OUT_OF_POINTS for end in ends):
        return
    if not all(end.ended_well for end in ends):
        raise Finding(f"branch of a smooth problem: {ends[0].end()}, by der {ends[1].end()}")
    apart = math.dist(*([end[name][0] for name in ("end_x", "end_y", "end_z")] for end in ends))
    if not apart <= 1e-2 * scale.length:
        raise Finding(f"branches of cosserat and der end {apart / scale.length:.3g} lengths apart")


def steps_converge(bench, seed):
    """Halving the step changes half as much or less than halving it before did."""
    problem = smooth_problem(seed, held=seed % 2 == 0, joint="ball", ramped=True)
    problem.deck.add("output", "frames", 2)
    scale = problem.scales
    end = 0.4 * scale.period
    for method, order in (("backward_euler", 1), ("implicit_euler", 1), ("sdirk2", 2), ("midpoint", 2),
                          ("der_generalized_alpha", 2), ("generalized_alpha", 2), ("energy_momentum", 2)):
        places = []
        for steps in (320, 640, 1280):
            results = bench.run(problem.by(method, end, steps), f"{method}_{steps}")
            if not results.ended_well:
                raise Finding(f"{method} with {steps} steps of a smooth problem ended as {results.end()}")
            places.append(results.last_nodes)
        first, second = distance(places[0], places[1]), distance(places[1], places[2])
        floor = 1e-6 * scale.length
        if second > first / (1.5 if order == 1 else 2.5) + floor:
            raise Finding(f"{method}: halving the step changes {first / scale.length:.3g}, then {second / scale.length:.3g} lengths")


def elements_converge(bench, seed):
    """Halving elements changes half as much or less than halving them before did."""
    problem = smooth_problem(seed, held=True, joint="rigid")
    scale = problem.scales
    for method in ("static", "static_der"):
        ends = []
        for elements in (8, 16, 32):
            deck = problem.by(method, scale.period, 1)
            deck.set("rod", "elements", elements)
            results = bench.run(deck, f"{method}_{elements}")
            if not results.ended_well:
                raise Finding(f"{method} with {elements} elements of a smooth problem ended as {results.end()}")
            ends.append(np.array([results[f"end_{axis}"][0] for axis in "xyz"]))
        first, second = distance(ends[0], ends[1]), distance(ends[1], ends[2])
        if second > first / 1.8 + 1e-6 * scale.length:
            raise Finding(f"{method}: halving elements changes {first / scale.length:.3g}, then {second / scale.length:.3g} lengths")


def rings_hold(bench, seed):
    """A ring bent from a straight rod leaves its plane at the twist 2 pi sqrt(3) B/C (Mitchell 1889), however slender it is."""
    ratio, slenderness, deck = bent_ring(seed)
    results = bench.run(deck, "ring")
    if not results.ended_well:
        raise Finding(f"a ring of slenderness {slenderness:.3g} ended as {results.end()}")
    twist, right = results["critical_value"][0], 2 * np.pi * np.sqrt(3) / ratio
    if not abs(twist / right - 1) < 0.01:
        raise Finding(f"a ring of slenderness {slenderness:.3g} buckles at {twist:.6g} instead of {right:.6g}")


def columns_flutter(bench, seed):
    """A column under a force that follows its end flutters from 20.0509 B/L^2 on (Beck 1952), and vibrates below."""
    part, deck = beck_column(seed)
    results = bench.run(deck, "column")
    if not results.ended_well:
        raise Finding(f"a column under {part} times the load of flutter ended as {results.end()}")
    growing = results["unstable_modes"][0]
    if (growing > 0) != (part > 1) or (part > 1) != (results["decay_rate_1"][0] < 0):
        raise Finding(f"a column under {part} times the load of flutter has {growing:g} modes that grow")
    for key, value in (("key", "variable.p"), ("to", 1.5), ("stop", "first_flutter")):
        deck.add("branch", key, value)
    critical = bench.run(deck, "branch")["critical_value"][0]
    if not abs(critical - 1) < 5e-3:
        raise Finding(f"the branch of a column flutters from {critical:g} times the load of flutter on")


def stiff_rods_are_rigid(bench, seed):
    """A rod that hardly bends moves as a rigid one."""
    length, deck = stiff_free_rod(seed)
    stiff = bench.run(deck, "stiff")
    if not stiff.ended_well:
        raise TooLong
    for section, key in (("time", "method"), ("rod", "young_modulus"), ("rod", "poisson_ratio")):
        deck.remove(section, key)
    deck.add("model", "kind", "rigid")
    rigid = bench.run(deck, "rigid")
    if not rigid.ended_well:
        raise Finding(f"a rigid rod ended as {rigid.end()}, where a stiff one does not")
    way = max(abs(stiff[name][0] - rigid[name][0]) for name in ("end_x", "end_y", "end_z"))
    if not way <= 5e-3 * length:
        raise Finding(f"the end of a rigid rod is {way / length:.3g} of the length from that of a stiff one")


STUDIES = (methods_agree, rest_agrees, branches_agree, steps_converge, elements_converge, rings_hold, columns_flutter,
           stiff_rods_are_rigid)


def random_deck(bench, seed, counts):
    problem = random_problem(seed)
    bench.check(problem.deck)
    results = bench.run(problem.deck)
    for status in results.status:
        counts[f"ended as {STATUS_NAMES[status]}"] += 1
    # The runs that are made again take turns, since each costs as much as the first.
    for invariant in (*ANY, AGAIN[seed % len(AGAIN)]):
        invariant(bench, problem, results)
        counts[invariant.__name__] += 1
    return problem


def try_seed(seed, only, findings):
    """A finding's text or nothing, and what was tried."""
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="rodeo-combinations-") as folder:
        bench = Bench(folder)
        study = STUDIES[seed // 6 % len(STUDIES)] if seed % 6 == 5 else None
        name = study.__name__ if study else "random"
        if only and name != only:
            return None, counts
        try:
            if study:
                study(bench, seed)
                counts[name] += 1
            else:
                random_deck(bench, seed, counts)
            counts["decks that ran"] += 1
            return None, counts
        except Refused as refusal:
            if not refusal.args[0].startswith("rodeo: error"):
                return f"a refusal that is no sentence: {refusal}", counts
            counts["decks that were refused"] += 1
            if os.environ.get("COMBINATIONS_REFUSALS"):
                print(seed, refusal, flush=True)
            return None, counts
        except TooLong:
            counts["decks that took too long"] += 1
            return None, counts
        except OSError:
            raise
        except Exception as finding:  # one that is no Finding is a fault of the generator's own
            findings.mkdir(parents=True, exist_ok=True)
            text = f"{name}: {finding if isinstance(finding, Finding) else repr(finding)}"
            for deck in bench.folder.glob("*.ini"):
                kept = findings / f"{seed}_{deck.stem}.ini"
                kept.write_text("".join(f"# {line}\n" for line in text.splitlines()) + deck.read_text())
            return text, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--decks", type=int, default=10**9, help="at most so many seeds")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--only", default="", help="random, or the name of one of the studies")
    parser.add_argument("--findings", type=pathlib.Path, default=pathlib.Path("findings"))
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    counts, failures = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as pool:
        seeds = iter(range(arguments.seed, arguments.seed + arguments.decks))
        running = {}
        while True:
            while len(running) < arguments.processes and time.monotonic() < until and (seed := next(seeds, None)) is not None:
                running[pool.submit(try_seed, seed, arguments.only, arguments.findings)] = seed
            if not running:
                break
            for ended in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                seed = running.pop(ended)
                finding, tried = ended.result()
                counts += tried
                if finding:
                    failures += 1
                    print(f"seed {seed}: {finding}", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print(f"{counts['decks that ran']} passed, {failures} failed")
    if failures or counts["decks that ran"] < counts["decks that were refused"] + counts["decks that took too long"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
