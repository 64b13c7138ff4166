"""The decks that pairs.py changes: random ones, rods that can be cut in pieces, and rods at rest that formulas drive."""

import random

import numpy as np

from changes import rods_of, set_each
from random_decks import DYNAMIC, METHODS, Composer, Problem, Scales, random_problem, written


def whole_rod(seed):
    """A straight rod that can be cut in 2 to 40 pieces, at rest with its vibrations or moving."""
    composer = Composer(seed)
    random, deck = composer.random, composer.deck
    pieces, length = random.randint(2, 40), composer.log(0.05, 1)
    elements = pieces * random.randint(1, 4)
    composer.scales = scales = Scales(length, length / composer.log(60, 1000), composer.log(500, 8000), composer.log(1e5, 1e9), elements)
    for key, value in (("elements", elements), ("density", scales.density), ("young_modulus", scales.young_modulus), ("poisson_ratio", 0.3),
                       ("radius", scales.radius), ("length", length), ("direction", composer.vector(1.0))):
        deck.add("rod", key, value)
    composer.part(f"{pieces} pieces")
    first, last = random.choice((("clamped", "free"), ("clamped", "free"), ("free", "clamped"), ("clamped", "clamped"), ("pinned", "pinned_sliding"),
                                 ("clamped", "clamped_sliding"), ("free", "free")))
    for key, kind in (("first", first), ("last", last)):
        if kind != "free":
            deck.add("boundary", key, kind)
    composer.part(f"{first}-{last}")
    if last in ("free", "clamped_sliding", "pinned_sliding") and first != "free" and composer.maybe(0.6):
        composer.part("axial_force")
        deck.add("load", "axial_force", random.uniform(-5, 25) * scales.force)
    elif composer.maybe(0.7) and first != "free":
        composer.loads(0.15)
    method = random.choice(("static", "static_der", "static", "static_der", *DYNAMIC))
    for line in METHODS[method]:
        deck.add(*line)
    if not method.startswith("static"):
        if composer.maybe(0.5):
            deck.add("rod", "relaxation_time", scales.period * composer.log(0.1, 10))
        if (first, last) == ("free", "free"):
            deck.add("rod", "velocity", composer.vector(scales.length / scales.period))
        steps = random.randint(50, 300) if method == "explicit" else random.randint(3, 20)
        step = scales.explicit_step if method == "explicit" else scales.period / random.choice((20, 100, 300))
        deck.add("time", "step", repr(step))
        deck.add("time", "end", repr(step * steps))
        if composer.maybe(0.2):
            composer.material_damping()
    else:
        deck.add("time", "end", repr(scales.period))
    deck.add("output", "frames", 2)
    return Problem(deck, method, scales, composer.parts, pieces)


def driven_rod(seed):
    """A straight rod at rest that nothing but formulas of the time drives."""
    composer = Composer(seed)
    random, deck = composer.random, composer.deck
    composer.rods(extreme=False)
    composer.shape("straight")
    for key in ("intrinsic_curvature", "intrinsic_twist", "total_twist"):
        deck.remove("rod", key)
    composer.section(touches=False)
    if composer.maybe(0.5):
        deck.add("rod", "relaxation_time", composer.scales.period * composer.log(0.1, 10))
    first, last = random.choice((("clamped", "free"), ("free", "free"), ("pinned", "pinned_sliding"), ("clamped", "clamped")))
    for key, kind in (("first", first), ("last", last)):
        if kind != "free":
            deck.add("boundary", key, kind)
    composer.part(f"driven, {first}-{last}")
    scales = composer.scales
    period, whole = written(scales.period), written(scales.force * scales.length)
    begins = f"smooth(t, 0, {written(0.3 * scales.period)})"
    # Between two clamps rods only become shorter: longer ones buckle as rounding says.
    wave = f"- 0.02 * sin(2 * pi * t / {period})^2" if (first, last) == ("clamped", "clamped") else f"+ 0.02 * sin(2 * pi * t / {period})"
    for quantity, line in random.sample((
            ("curvature", f"d1 : {written(2 / scales.length)} * sin(2 * pi * (t / {period} - s)) * {begins}"),
            ("twist", f"d3 : {written(1 / scales.length)} * cos(2 * pi * s) * {begins}"),
            ("stretch", f"d3 : 1 {wave} * s * {begins}"),
            ("force", f"{random.choice('xyz')} : {written(scales.force / scales.length)} * sin(2 * pi * t / {period}) * {begins}"),
            ("couple", f"{random.choice('xyz')}, middle : {whole} * {begins}"),
            ("internal_couple", f"d2, s 0.2 to 0.8 : {whole} * spline(s, 0, 1, 0.4) * {begins}")), random.randint(1, 3)):
        deck.add("actuation", quantity, line)
    composer.time(random.choice(DYNAMIC))
    method = next(name for name in DYNAMIC if all(deck.get(*line[:2]) == line[2] for line in METHODS[name]))
    return Problem(deck, method, scales, composer.parts)


def pair_problem(seed):
    """A random problem without study and control."""
    problem = {3: whole_rod, 6: driven_rod, 7: whole_rod}.get(seed % 8, random_problem)(seed)
    deck = problem.deck
    deck.lines = [line for line in deck.lines
                  if line[0] not in ("study", "sweep", "optimize", "convergence", "sensitivity", "refine", "control", "measure")
                  and not line[2].endswith(": drive")]
    draw = random.Random(seed)
    if problem.method == "explicit" and draw.random() < 0.5:
        deck.set("model", "section", draw.choice(("incompressible", "published")))
        problem.parts.append(deck.get("model", "section"))
    if problem.method == "explicit" and not deck.has("ground") and draw.random() < 0.3:
        # One that nothing comes near, about all of it.
        problem.parts.append("hollow cylinder")
        scales = problem.scales
        deck.add("ground", "cylinders", (0.0, 0.0, 0.0, *(draw.gauss(0, 1) for _ in range(3)), -9 * scales.length * scales.rods))
        deck.add("ground", "stiffness", scales.line_density * scales.length / scales.elements / (20 * scales.explicit_step) ** 2)
        deck.add("ground", "damping", 0.0)
        deck.add("ground", "response", draw.choice(("net_force", "springs")))
    if deck.has("joint") and deck.get("rod", "damping_ratio"):  # is that of a rod with two ends of its own
        deck.remove("rod", "damping_ratio")
        deck.add("rod", "relaxation_time", problem.scales.period)
    if deck.has("joint") and not deck.get("rod", "shape") and draw.random() < 0.5:
        problem.parts.append("at angles")
        set_each(deck, "rod.direction", np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(rods_of(deck))]))
    if problem.method.startswith("static") and not deck.has("boundary"):
        deck.remove("load", "tether_length")  # where a tether is just slack a free rod may rest, and rounding says on which side
    if problem.method.startswith("static") and deck.get("boundary", "slack") and not deck.has("gravity") and not deck.has("load"):
        # Without an imperfection rounding says which way a straight rod buckles, and whether a search leaves the straight equilibrium.
        weight = 1e-2 * problem.scales.force / (problem.scales.line_density * problem.scales.length)
        deck.add("gravity", "acceleration", tuple(weight * draw.gauss(0, 1) for _ in range(3)))
    deck.set("output", "fields", "velocity, dilatation, radius")
    if deck.get("model", "kind") == "der":
        deck.set("newton", "tolerance", 1e-13)
    if problem.method.startswith("static") and not deck.has("branch"):
        deck.add("modes", "count", 4)
    return problem
