"""What holds of any deck of a kind, without a reference: small loads add up, deflections are reciprocal, the force in a rod is what lies
beyond it, observables are those of the frames. Each gets the bench and a seed, or the results of a deck, and raises a Finding.
"""

import numpy as np

from changes import elements_of, numbers, of_each, rods_of
from combinations import Finding, TooLong
from quantities import WITHOUT_VALUE, listed
from random_decks import Composer, Deck, Scales, smooth_problem
from softrods.ensemble import DONE


def rod_to_press(seed):
    """A rod that is held at one end or both, at rest without loads: composer and deck, by `cosserat` or `der`."""
    composer = Composer(seed)
    random, deck = composer.random, composer.deck
    length = composer.log(0.05, 1)
    composer.scales = scales = Scales(length, length / random.uniform(15, 120), composer.log(500, 8000), composer.log(1e5, 1e9), random.randint(4, 14))
    for key, value in (("elements", scales.elements), ("density", scales.density), ("young_modulus", scales.young_modulus),
                       ("poisson_ratio", random.choice((0.5, 0.3, 0.0)))):
        deck.add("rod", key, value)
    composer.shape(random.choice(("straight", "straight", "arc", "helix")))
    for key in ("intrinsic_curvature", "intrinsic_twist", "total_twist", "rest_shape"):
        deck.remove("rod", key)
    composer.section(touches=False)
    deck.remove("rod", "point_masses")
    deck.remove("rod", "point_mass_positions")
    first, last = random.choice((("clamped", "free"), ("clamped", "free"), ("free", "clamped"), ("clamped", "clamped")))
    for key, kind in (("first", first), ("last", last)):
        if kind != "free":
            deck.add("boundary", key, kind)
    composer.part(f"{first}-{last}")
    deck.add("model", "kind", random.choice(("cosserat", "der")))
    composer.part(deck.get("model", "kind"))
    deck.add("time", "method", "static")
    if deck.get("model", "kind") == "der":
        deck.add("newton", "tolerance", 1e-13)
    deck.add("output", "frames", 2)
    deck.add("output", "fields", "orientation")
    return composer, deck


def random_loads(composer, count):
    """So many small loads at places of their own: what it is, where, and its vector."""
    elements, scales, random = elements_of(composer.deck), composer.scales, composer.random
    loads = []
    for _ in range(count):
        if random.random() < 0.6:
            loads.append(("force", random.randint(1, elements - 1), composer.vector(1e-5 * scales.force)))
        else:
            loads.append(("couple", random.randint(0, elements - 1), composer.vector(1e-5 * scales.force * scales.length)))
    return loads


def under(deck, loads):
    """The deck with loads at nodes and elements."""
    deck = deck.copy()
    for kind, place, vector in loads:
        for axis, size in zip("xyz", vector):
            deck.add("actuation", kind, f"{axis}, {'node' if kind == 'force' else 'element'} {place} : {size!r}")
    return deck


def rested(bench, deck, name):
    results = bench.run(deck, name)
    if results.status[0] != DONE:
        raise TooLong
    return results


def way(results, rest, load):
    """How far a place moves or turns that a load acts on."""
    kind, place, _ = load
    if kind == "force":
        return results.last_nodes[place] - rest.last_nodes[place]
    frames = [outcome.columns["trajectories/orientation"][0][-1][place] for outcome in (results, rest)]
    w, v = frames[0][0], frames[0][1:]
    w0, v0 = frames[1][0], -frames[1][1:]
    turn = w * v0 + w0 * v + np.cross(v, v0)  # the vector of now * conjugate(then)
    return 2 * turn * np.sign(w * w0 - v @ v0)


def loads_add_up(bench, seed):
    """Small loads move a rod by the sum of what each of them does, and by turns as far: superposition, and Betti's reciprocity."""
    composer, deck = rod_to_press(seed)
    loads = random_loads(composer, 2)
    rest = rested(bench, deck, "rest")
    # The half of the difference of a load and its opposite has no second order.
    opposite = lambda load: (*load[:2], tuple(-v for v in load[2]))
    ways, moves = [], []
    for k, chosen in enumerate((loads[:1], loads[1:], loads)):
        there = rested(bench, under(deck, chosen), f"there{k}")
        back = rested(bench, under(deck, [opposite(load) for load in chosen]), f"back{k}")
        moves.append(0.5 * (there.last_nodes - back.last_nodes))
        ways.append([0.5 * (way(there, rest, load) - way(back, rest, load)) for load in loads])
    size = max(np.abs(move).max() for move in moves)
    off = np.abs(moves[2] - moves[0] - moves[1]).max()
    kinds = ", ".join(f"{kind} at {place}" for kind, place, _ in loads)
    if off > 1e-5 * size:
        raise Finding(f"{', '.join(composer.parts)}: {kinds}: both loads move it by {size:.6g} m, {off:.3g} m from the sum of each")
    first, second = np.dot(loads[0][2], ways[1][0]), np.dot(loads[1][2], ways[0][1])
    own = np.sqrt(abs(np.dot(loads[0][2], ways[0][0]) * np.dot(loads[1][2], ways[1][1])))
    if abs(first - second) > 1e-5 * own:
        raise Finding(f"{', '.join(composer.parts)}: {kinds}: works of one load on the way of the other are {first:.10g} and {second:.10g} J")


def forces_are_what_lies_beyond(bench, seed):
    """At rest the force in each element is the sum of the loads beyond it, and the couple at a clamp their moment."""
    composer, deck = rod_to_press(seed)
    random, scales = composer.random, composer.scales
    deck.remove("rod", "end_radius")
    deck.remove("boundary", "last")
    whole = deck.get("model", "kind") == "der" and composer.maybe(0.3)  # element that is held
    deck.set("boundary", "first", "clamped_element" if whole else "clamped")
    composer.part(deck.get("boundary", "first"))
    elements = elements_of(deck)
    loads = [(kind, place, tuple(1e4 * v for v in vector)) for kind, place, vector in random_loads(composer, 3)]
    spread, end, turning = (np.array(composer.vector(0.1 * scales.force * random.random())) for _ in range(3))
    turning = turning * scales.length
    if whole:  # what acts on it is what it is held against
        spread, loads = 0 * spread, [load for load in loads if load[1] > 1]
    for key, value in (("distributed_force", spread), ("end_force", end), ("end_couple", turning)):
        deck.add("load", key, tuple(float(v) for v in value))
    deck = under(deck, loads)
    for k in range(elements):
        for axis in "xyz":
            deck.add("measure", "define", f"f{axis}_{k} [N] : f{axis}(element {k})")
    results = rested(bench, deck, "loaded")
    force = scales.force
    nodes = results.last_nodes
    spread, end, turning = (numbers(deck.get("load", key)) for key in ("distributed_force", "end_force", "end_couple"))
    share = np.full(elements + 1, 1 / elements)
    share[[0, -1]] *= 0.5
    on_node = share[:, None] * spread
    on_node[-1] += end
    for kind, place, vector in loads:
        if kind == "force":
            on_node[place] += vector
    beyond = np.cumsum(on_node[::-1], axis=0)[::-1][1:]
    found = np.array([[results[f"f{axis}_{k}"][0] for axis in "xyz"] for k in range(elements)])
    found, beyond = found[whole:], beyond[whole:]
    off = np.abs(found - beyond).max()
    if off > 1e-6 * force:
        k = int(np.abs(found - beyond).max(axis=1).argmax())
        raise Finding(f"{', '.join(composer.parts)}: the force in element {k + whole} is {found[k]} instead of {beyond[k]} N")
    moment = np.cross(nodes - nodes[int(whole)], on_node)[int(whole):].sum(axis=0) + turning + sum(
        (np.array(vector) for kind, _, vector in loads if kind == "couple"), np.zeros(3))
    along = of_each(deck, "rod.direction")[0]
    along = along / np.linalg.norm(along)
    for name, right, allowed in (("end_force", beyond[0] @ along, force), ("end_couple", moment @ along, force * scales.length)):
        if abs(results[name][0] - right) > 1e-6 * allowed:
            raise Finding(f"{', '.join(composer.parts)}: {name} is {results[name][0]:.8g} instead of {right:.8g}")


def solid_angle(a, b, c):
    """Of triangles of directions (van Oosterom and Strackee 1983), which keeps its digits where arcsines lose theirs."""
    la, lb, lc = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    under = la * lb * lc + (a * b).sum(axis=-1) * lc + (b * c).sum(axis=-1) * la + (c * a).sum(axis=-1) * lb
    return 2 * np.arctan2((a * np.cross(b, c)).sum(axis=-1), under)


def gauss(a, b):
    """Gauss's integral of two polygons, by the areas that pairs of edges cover on the sphere of directions (Klenin, Langowski 2000)."""
    ways = b[None, :] - a[:, None]  # from nodes to nodes
    first, opposite = ways[:-1, :-1], ways[1:, 1:]
    return float((solid_angle(first, ways[1:, :-1], opposite) + solid_angle(first, opposite, ways[:-1, 1:])).sum() / (4 * np.pi))


def winding(nodes):
    """That of the last rod around the others."""
    return sum(gauss(other, nodes[-1]) for other in nodes[:-1])


def rounding_says(measure, nodes, reach):
    """Whether a measure of places jumps as they move so far: rods pass through each other or themselves."""
    draw = np.random.default_rng(0)
    return np.ptp([measure(nodes + reach * draw.standard_normal(nodes.shape)) for _ in range(6)]) > 0.25


def observables_are_those_of_frames(problem, results):
    """What places alone tell."""
    if results.status[0] != DONE or problem.deck.get("rod", "closed") or problem.deck.get("rod", "shape") == "ring" or problem.deck.has("branch"):
        return
    nodes = results.last_nodes.reshape(rods_of(problem.deck), -1, 3)
    size, far = problem.scales.length, np.abs(nodes).max()
    deviation = 1e-9 * (size + far)
    right = {f"end_{axis}": (x, deviation) for axis, x in zip("xyz", nodes[-1, -1])}
    if not rounding_says(twice_pairs, nodes[-1], 4 * deviation):
        right["writhe"] = twice_pairs(nodes[-1]), 1e-6
    if len(nodes) > 1 and not rounding_says(winding, nodes, 4 * deviation):
        right["winding"] = winding(nodes), 1e-6
    line = of_each(problem.deck, "rod.direction")[-1]
    line = line / np.linalg.norm(line)
    edges = np.diff(nodes[-1], axis=0)
    right["theta_max"] = max(np.arctan2(np.linalg.norm(np.cross(line, edge)), line @ edge) for edge in edges), 1e-7
    for name, (value, allowed) in right.items():
        found = results[name][0]
        if not abs(found - value) <= allowed:
            raise Finding(f"{name} is {found} instead of {value} by the last frame")


def twice_pairs(nodes):
    """Twice the Gauss integrals of the pairs of edges of one polygon that do not meet."""
    return 2 * sum(gauss(nodes[i:i + 2], nodes[i + 2:]) for i in range(len(nodes) - 2))


# Methods of one discretisation, of which the first of each has no error to speak of or is extrapolated as the others are.
FAMILIES = (("explicit", "generalized_alpha", "energy_momentum"), ("sdirk2", "midpoint", "der_generalized_alpha"))
ABOUT_STEPS = {"newton_iterations", "newton_iterations_per_step", "energy_gain", "energy_gain_relative", "energy_loss_relative", "end_distance_period",
               "scheme_loss"}
PLACES = {"x(end)": "m", "y(end)": "m", "z(end)": "m", "vx(end)": "m/s", "vy(end)": "m/s", "vz(end)": "m/s", "x(middle)": "m", "z(middle)": "m",
          "d1x(element -1)": "1", "d2z(element 0)": "1", "curvature_1(middle)": "1/m", "curvature_2(middle)": "1/m", "couple_1(start)": "N m",
          "couple_2(start)": "N m", "fx(element 0)": "N", "fy(element 0)": "N", "fz(element 0)": "N", "power_loads": "W", "power_gravity": "W"}


def methods_have_one_limit(bench, seed):
    """With the same elements all methods of a discretisation come to the same observables as their steps go to 0. What differs with steps
    that do not resolve fast vibrations does not with shorter ones.
    """
    problem = smooth_problem(seed, held=seed % 3 > 0, joint="rigid", ramped=True)
    scales, deck = problem.scales, problem.deck
    if rods_of(deck) == 1:
        for k, signal in enumerate(PLACES):
            deck.add("measure", "define", f"m{k} [1] : {signal}")
    deck.add("time", "slice_steps", 1)  # at whose end it is seen that loads are steady
    end = 0.4 * scales.period
    for counts in ((1000, 2000), (2000, 4000)):
        text = other_limit(bench, problem, FAMILIES[seed // 32 % 2], end, counts)
        if not text:
            return
    raise Finding(text)


def other_limit(bench, problem, family, end, counts):
    """Where one of the methods comes to another limit, by so many steps and by more; nothing if none does."""
    scales = problem.scales
    explicit_steps = int(np.ceil(end / scales.explicit_step))
    rows, values, changes = {}, {}, {}
    for method in family:
        rows[method] = []
        for steps in (explicit_steps,) if method == "explicit" else counts:
            results = bench.run(problem.by(method, end, steps), f"{method}_{steps}")
            if results.status[0] != DONE:
                raise Finding(f"{method} with {steps} steps of a smooth problem ended as {results.end()}")
            rows[method].append(dict(zip(results.names, results.columns["members/observables"][0])))
    names, first = list(dict.fromkeys(name for found in rows.values() for row in found for name in row)), family[0]
    for method in family:
        found = [np.array([row.get(name, np.nan) for name in names]) for row in rows[method]]
        values[method] = found[0] if len(found) == 1 else (4 * found[1] - found[0]) / 3
        changes[method] = np.zeros(len(found[0])) if len(found) == 1 else np.abs(found[1] - found[0])
    # What is next to nothing in each unit, of a problem whose loads are of the size of the rod's stiffness.
    mass, speed = scales.line_density * scales.length, scales.length / scales.period
    little = {"1": 1, "rad": 1, "m": scales.length, "s": scales.period, "1/m": 1 / scales.length, "N": scales.force, "N m": scales.force * scales.length,
              "J": scales.force * scales.length, "m/s": speed, "W": scales.force * speed, "kg m/s": mass * speed, "kg m^2/s": mass * speed * scales.length}
    for k, name in enumerate(names):
        signal = list(PLACES)[int(name[1:])] if name[1:].isdigit() else name
        if name in ABOUT_STEPS or name in WITHOUT_VALUE:
            continue
        unit = PLACES[signal] if signal in PLACES else listed("observables")[name]["unit"]
        vector = [k]  # beside which a component counts
        if "(" in signal:
            place = signal[signal.index("("):]
            vector = [names.index(f"m{j}") for j, other in enumerate(PLACES) if other.endswith(place) and PLACES[other] == unit]
        for method in family[1:]:
            got, right = values[method][k], values[first][k]
            # Forces, velocities and most of all their products have fast waves along the rod in them, and drifts begin at a step.
            share = 1e-2 if unit == "N" or name.endswith("_drift") else {"m/s": 1e-3, "W": 1e-1}.get(unit, 1e-4)
            allowed = 0.5 * (changes[method][k] + changes[first][k]) + share * np.linalg.norm(values[first][vector]) + 0.1 * share * little.get(unit, 0.0)
            if np.isnan(got) != np.isnan(right) or abs(got - right) > allowed:
                return (f"{', '.join(problem.parts)}: {signal} is {got:.8g} by {method} as its steps go to 0, {right:.8g} by {first}; "
                        f"halving steps changes it by {changes[method][k]:.2g}")
    return None


def joints_of_curved_rods_converge(bench, seed):
    """A rod that is curved by nature and one of joined pieces come together to second order in the elements."""
    composer, _ = rod_to_press(seed)
    random, scales = composer.random, composer.scales
    pieces = random.choice((2, 3, 5))
    kind = random.choice(("cosserat", "der"))
    curvature = [random.uniform(0.5, 2) * composer.sign() / scales.length for _ in range(2)]
    apart = []
    for elements in (2, 4, 8):  # of a piece
        ends = []
        for rods in (1, pieces):
            deck = Deck()
            for section, key, value in (
                    ("rod", "count", rods), ("rod", "elements", elements * pieces // rods), ("rod", "length", repr(scales.length / rods)),
                    ("rod", "radius", scales.radius), ("rod", "density", scales.density), ("rod", "young_modulus", scales.young_modulus),
                    ("rod", "poisson_ratio", 0.3), ("rod", "direction", (1.0, 0.0, 0.0)), ("rod", "normal", (0.0, 1.0, 0.0)),
                    ("rod", "intrinsic_curvature", curvature), ("model", "kind", kind), ("time", "method", "static")):
                deck.add(section, key, value)
            if rods == 1:
                deck.add("boundary", "first", "clamped")
            else:
                deck.add("joint", "kind", "rigid")
                deck.add("rod", "each", f"boundary.first : list({', '.join(['clamped'] + ['free'] * (rods - 1))})")
            results = rested(bench, deck, f"{rods}_of_{elements}")
            ends.append(np.array([results[f"end_{axis}"][0] for axis in "xyz"]))
        apart.append(np.linalg.norm(ends[1] - ends[0]) / scales.length)
    if apart[2] > 1e-9 and not apart[2] < apart[1] / 3:
        raise Finding(f"{pieces} pieces by {kind}: ends are {', '.join(f'{off:.3g}' for off in apart)} lengths from that of the whole "
                      f"with 2, 4, 8 elements a piece")


LAWS = (joints_of_curved_rods_converge, loads_add_up, forces_are_what_lies_beyond, methods_have_one_limit)
