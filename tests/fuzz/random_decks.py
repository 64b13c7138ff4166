"""Random valid decks: shapes x sections x supports x loads x contact x ground x connections x motions x methods x studies.

Numbers are drawn in the units of the rod at hand (bend stiffness over length squared for forces, the slowest bending period
for times), so that most of what is drawn is a problem of mechanics and not a heap of overflows; some are extreme.
"""

import dataclasses
import math
import random

# The methods by which a deck of rods can be advanced, and what a deck says to ask for them.
METHODS = {
    "explicit": (("model", "kind", "cosserat"), ("time", "method", "dynamic")),
    "backward_euler": (("model", "kind", "der"), ("time", "scheme", "backward_euler")),
    "sdirk2": (("model", "kind", "der"), ("time", "scheme", "sdirk2")),
    "midpoint": (("model", "kind", "der"), ("time", "scheme", "midpoint")),
    "der_generalized_alpha": (("model", "kind", "der"), ("time", "scheme", "generalized_alpha")),
    "implicit_euler": (("time", "method", "implicit"), ("time", "scheme", "backward_euler")),
    "generalized_alpha": (("time", "method", "implicit"), ("time", "scheme", "generalized_alpha")),
    "energy_momentum": (("time", "method", "implicit"), ("time", "scheme", "energy_momentum")),
    "static": (("model", "kind", "cosserat"), ("time", "method", "static")),
    "static_der": (("model", "kind", "der"), ("time", "method", "static")),
}
DYNAMIC = ("explicit", "backward_euler", "sdirk2", "midpoint", "der_generalized_alpha", "implicit_euler",
           "generalized_alpha", "energy_momentum")
GRAVITY = 9.81


def written(value):
    """A number, a word or a list of them as decks have it."""
    if isinstance(value, (tuple, list)):
        return ", ".join(written(v) for v in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Deck:
    """The lines of a deck, by section."""

    def __init__(self, lines=()):
        self.lines = list(lines)  # of section, key, value

    def add(self, section, key, value):
        self.lines.append((section, key, written(value)))

    def set(self, section, key, value):
        self.remove(section, key)
        self.add(section, key, value)

    def remove(self, section, key=None):
        self.lines = [line for line in self.lines if line[0] != section or key not in (None, line[1])]

    def get(self, section, key):
        return next((line[2] for line in self.lines if line[:2] == (section, key)), None)

    def has(self, section):
        return any(line[0] == section for line in self.lines)

    def copy(self):
        return Deck(self.lines)

    def text(self):
        sections = dict.fromkeys(line[0] for line in self.lines)
        return "\n".join(
            f"[{section}]\n" + "".join(f"{key} = {value}\n" for name, key, value in self.lines if name == section)
            for section in sections
        )


@dataclasses.dataclass
class Scales:
    """What numbers of a deck are drawn in units of."""

    length: float
    radius: float
    density: float
    young_modulus: float
    elements: int
    rods: int = 1

    @property
    def bend_stiffness(self):
        return self.young_modulus * math.pi * self.radius**4 / 4

    @property
    def line_density(self):
        return self.density * math.pi * self.radius**2

    @property
    def period(self):
        """That of the slowest bending of a rod that is clamped at one end."""
        return 2 * math.pi / 3.516 * self.length**2 * math.sqrt(self.line_density / self.bend_stiffness)

    @property
    def force(self):
        return self.bend_stiffness / self.length**2

    @property
    def explicit_step(self):
        """A fifth of what a wave takes through an element or along a radius."""
        speed = math.sqrt(self.young_modulus / self.density)
        return 0.2 * min(self.length / self.elements, self.radius) / speed


@dataclasses.dataclass
class Problem:
    """A deck, how it is advanced, and the names of the parts that it was put together of."""

    deck: Deck
    method: str
    scales: Scales
    parts: list
    pieces: int = 0  # in which it can be cut

    def by(self, method, end, steps):
        """The deck with another method and so many steps until `end`."""
        deck = self.deck.copy()
        for section, key in (("model", "kind"), ("model", "section"), ("time", "method"), ("time", "scheme"),
                             ("time", "step"), ("time", "end")):
            deck.remove(section, key)
        for line in METHODS[method]:
            deck.add(*line)
        if method == "explicit":
            deck.add("model", "section", "rigid")
        deck.add("time", "step", repr(end / steps))
        deck.add("time", "end", repr(end))
        return deck


class Composer:
    """Puts a problem together, one part after the other."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.deck = Deck()
        self.parts = []
        self.closed = self.moving_ends = False

    def maybe(self, probability):
        return self.random.random() < probability

    def log(self, low, high):
        return math.exp(self.random.uniform(math.log(low), math.log(high)))

    def sign(self):
        return self.random.choice((-1.0, 1.0))

    def vector(self, size):
        direction = [self.random.gauss(0, 1) for _ in range(3)]
        norm = math.hypot(*direction)
        return tuple(size * d / norm for d in direction)

    def part(self, name):
        self.parts.append(name)

    def rods(self, extreme):
        length = self.log(1e-3, 10) if extreme else self.log(0.05, 1)
        slenderness = self.log(5, 1e5) if extreme else self.log(15, 150)
        elements = self.random.choice((1, 2, 3, 60)) if extreme else self.random.randint(4, 16)
        self.scales = Scales(length, length / slenderness, self.log(100, 2e4), self.log(1e4, 2e11), elements)
        deck, scales = self.deck, self.scales
        deck.add("rod", "elements", elements)
        deck.add("rod", "density", scales.density)
        deck.add("rod", "young_modulus", scales.young_modulus)
        deck.add("rod", "poisson_ratio", self.random.choice((0.5, 0.3, 0.0, self.random.uniform(0, 0.5))))

    def shape(self, shape=None):
        deck, length = self.deck, self.scales.length
        shape = shape or self.random.choice(("straight",) * 5 + ("ring", "helix", "arc", "zigzag"))
        self.part(shape)
        if shape in ("arc", "zigzag"):
            deck.add("rod", "shape", "file")
            count = self.scales.elements + 1
            nodes = []
            for k in range(count):
                share = k / max(1, count - 1)
                if shape == "arc":
                    angle = math.pi * share
                    nodes += [length / math.pi * math.sin(angle), 0.0, length / math.pi * (1 - math.cos(angle))]
                else:
                    nodes += [0.99 * length * share, 0.05 * length / count * (k % 2), 0.0]
            deck.remove("rod", "elements")
            deck.add("rod", "shape_nodes", tuple(nodes))
            deck.add("rod", "normal", (0.0, 1.0, 0.0))
            if shape == "zigzag":
                deck.add("rod", "direction", (1.0, 0.0, 0.0))  # what acts along it needs it
            if self.maybe(0.3):
                deck.add("rod", "rest_shape", "straight")
            return
        deck.add("rod", "length", length)
        if shape == "straight":
            deck.add("rod", "direction", (1.0, 0.0, 0.0) if self.maybe(0.7) else self.vector(1.0))
        else:
            deck.add("rod", "shape", shape)
            if shape == "helix":
                turns = self.random.uniform(0.1, max(0.2, self.scales.elements / 4))
                deck.add("rod", "helix_radius", 0.5 * length / (2 * math.pi * turns))
                deck.add("rod", "helix_pitch", self.sign() * math.sqrt(0.75) * length / turns)
            elif self.maybe(0.5):
                deck.add("rod", "closed", "no")
            else:
                self.closed = True
                self.part("closed")
        if self.maybe(0.1):
            deck.add("rod", "intrinsic_curvature", (self.random.gauss(0, 2) / length, self.random.gauss(0, 2) / length))
        if self.maybe(0.1):
            deck.add("rod", "intrinsic_twist", self.random.gauss(0, 3) / length)
        if self.maybe(0.1):
            deck.add("rod", "total_twist", self.random.gauss(0, 2))

    def section(self, touches):
        """What touches something has a circular section."""
        deck, radius = self.deck, self.scales.radius
        kind = self.random.choice(("circle",) * 4 + (("taper",) if touches else ("ellipse", "rectangle", "taper")))
        if kind in ("circle", "taper"):
            deck.add("rod", "radius", radius)
            if kind == "taper":
                deck.add("rod", "end_radius", self.random.uniform(0.4, 1.5) * radius)
        else:
            deck.add("rod", "section", kind)
            deck.add("rod", "width", 2 * radius * self.random.uniform(1, 3))
            deck.add("rod", "thickness", 2 * radius * self.random.uniform(0.6, 1))
        if kind != "circle":
            self.part(kind)
        if self.maybe(0.1) and deck.get("rod", "length"):
            self.part("point mass")
            deck.add("rod", "point_masses", self.scales.line_density * self.scales.length * self.random.uniform(0.1, 3))
            deck.add("rod", "point_mass_positions", self.scales.length)

    def damping(self):
        kind = self.random.choice(("none", "damping", "relaxation_time") + (() if self.closed else ("damping_ratio",)))
        if kind == "damping":
            self.deck.add("rod", "damping", self.scales.line_density / self.scales.period * self.log(0.1, 30))
        elif kind == "relaxation_time":
            self.deck.add("rod", "relaxation_time", self.scales.period * self.log(0.1, 10))
        elif kind == "damping_ratio":
            self.deck.add("rod", "damping_ratio", self.random.uniform(0.1, 1.5))
        if kind != "none":
            self.part(kind)

    def material_damping(self):
        """Of so little time that explicit steps still bear it; nothing where the deck cannot have it."""
        deck = self.deck
        if deck.get("boundary", "twist") or deck.get("motion", "rotation") or deck.get("joint", "kind") == "rigid":
            return
        if deck.get("connection", "rigid") or deck.get("connection", "hinge"):
            return
        self.part("material damping")
        deck.add("rod", "retardation_time", self.scales.explicit_step * self.log(0.03, 1))

    def support(self):
        if self.closed:
            return
        first, last = self.random.choice((
            ("free", "free"), ("clamped", "free"), ("clamped", "free"), ("clamped", "free"), ("pinned", "free"),
            ("clamped", "clamped"), ("pinned", "pinned_sliding"), ("clamped", "clamped_sliding"), ("free", "clamped"),
        ))
        if first != "free":
            self.deck.add("boundary", "first", first)
        if last != "free":
            self.deck.add("boundary", "last", last)
        self.part(f"{first}-{last}")
        if "free" not in (first, last) and "sliding" not in last and self.maybe(0.5):
            self.part("ends that move")
            self.deck.add("boundary", "slack", self.random.uniform(-0.005, 0.3) * self.scales.length)
            if first == last == "clamped" and self.maybe(0.5):
                self.deck.add("boundary", "twist", self.random.gauss(0, 3))
            self.moving_ends = True
        if (first, last) == ("free", "free") and self.maybe(0.3):
            self.part("velocity")
            self.deck.add("rod", "velocity", self.vector(self.log(0.01, 1) * self.scales.length / self.scales.period))

    def loads(self, probability=0.25):
        deck, scales = self.deck, self.scales
        size = lambda: scales.force * self.log(0.05, 8)
        if self.maybe(0.4):
            self.part("gravity")
            share = self.log(0.05, 10) * scales.bend_stiffness / (scales.line_density * scales.length**3)
            deck.add("gravity", "acceleration", self.vector(share) if self.maybe(0.3) else (0.0, 0.0, -share))
        choices = {
            "end_force": lambda: deck.add("load", "end_force", self.vector(size())),
            "end_couple": lambda: deck.add("load", "end_couple", self.vector(size() * scales.length)),
            "axial_force": lambda: deck.add("load", "axial_force", self.sign() * size()),
            "distributed_force": lambda: deck.add("load", "distributed_force", self.vector(size())),
            "distributed_couple": lambda: deck.add("load", "distributed_couple", self.vector(size() * scales.length)),
            "follower_force": lambda: deck.add("load", "follower_force", self.vector(size())),
            "magnet": self.magnet,
            "tether": self.tether,
            "muscle": self.muscle,
            "actuation.force": lambda: deck.add(
                "actuation", "force", f"{self.random.choice('xyz')}, {self.random.choice(('start', 'end'))} : "
                                      f"{written(size())} * sin(2 * pi * t / {written(scales.period)})"),
            "actuation.curvature": lambda: deck.add(
                "actuation", "curvature", f"{self.random.choice(('d1', 'd2'))} : {written(self.random.gauss(0, 2) / scales.length)}"
                                          f" * sin(2 * pi * (t / {written(scales.period)} - s))"),
            "actuation.twist": lambda: deck.add("actuation", "twist", f"d3 : {written(self.random.gauss(0, 1) / scales.length)}"
                                                                      f" * ramp(t, 0, {written(scales.period)})"),
            "actuation.stretch": lambda: deck.add("actuation", "stretch", "d3 : 1 + 0.02 * "
                                                  f"sin(2 * pi * t / {written(scales.period)})"),
            "actuation.couple": lambda: deck.add("actuation", "couple", f"{self.random.choice('xyz')}, middle : "
                                                                        f"{written(size() * scales.length)}"),
        }
        for name, add in choices.items():
            if self.maybe(probability * 0.3):
                self.part(name)
                add()
        if deck.has("load") and self.maybe(0.3):
            ramped = ("end_force", "end_couple", "axial_force", "distributed_force", "distributed_couple")
            if any(deck.get("load", key) for key in ramped):
                deck.add("load", "ramp_time", scales.period * self.random.uniform(0.1, 1))

    def magnet(self):
        scales = self.scales
        flux = 0.01
        moment = scales.force * self.log(0.1, 5) / (flux * math.pi * scales.radius**2)
        self.deck.add("load", "magnetization", moment)
        self.deck.add("load", "magnetic_flux_density", self.vector(flux))

    def tether(self):
        scales, deck = self.scales, self.deck
        deck.add("load", "tether_point", self.vector(scales.length * self.log(0.02, 1)))
        deck.add("load", "tether_stiffness", scales.force / scales.length * self.log(0.1, 30))
        if self.maybe(0.5):
            deck.add("load", "tether_hardening", scales.force / scales.length**3 * self.log(0.1, 30))
        if self.maybe(0.4):
            deck.add("load", "tether_length", scales.length * self.log(0.02, 1))
        if self.maybe(0.4):
            deck.add("load", "tether_place", round(self.random.random(), 3))

    def muscle(self):
        size = self.scales.force * self.scales.length * self.log(0.05, 1)
        self.deck.add("muscle", "amplitudes", tuple(self.random.uniform(-1, 1) * size for _ in range(self.random.randint(2, 6))))
        self.deck.add("muscle", "period", self.scales.period * self.random.uniform(0.3, 2))
        self.deck.add("muscle", "wave_number", 2 * math.pi / self.scales.length)

    def fluid(self):
        if self.maybe(0.1):
            self.part("fluid")
            self.deck.add("fluid", "viscosity", self.log(1e-3, 1))

    def several_rods(self):
        """Straight rods one above the other, every second of them across."""
        scales, deck = self.scales, self.deck
        count = self.random.choice((2, 2, 3))
        scales.rods = count
        gap = scales.radius * self.random.uniform(2.2, 4)
        self.part(f"{count} rods")
        deck.add("rod", "count", count)
        if self.maybe(0.6):
            across = [k % 2 for k in range(count)]
            self.part("crossed")
        else:
            across = [0] * count
        for axis, values in enumerate(([1 - a for a in across], across)):
            deck.add("rod", "each", f"rod.direction[{axis}] : list({written(values)})")
            deck.add("rod", "each", f"rod.origin[{axis}] : list({written([-0.5 * scales.length * v for v in values])})")
        deck.add("rod", "each", "rod.direction[2] : list(" + written([0] * count) + ")")
        deck.add("rod", "each", f"rod.origin[2] : list({written([gap * k for k in range(count)])})")
        deck.add("rod", "normal", (0.0, 0.0, 1.0))
        if self.maybe(0.3):
            deck.add("rod", "each", "rod.velocity[2] : list(" + written(
                [-0.2 * k * scales.length / scales.period for k in range(count)]) + ")")
            self.part("velocity")

    def chain(self, joints):
        """Rods of which each goes on from the one before."""
        self.scales.rods = self.random.choice((2, 2, 3))
        joint = self.random.choice(joints)
        self.part(f"{self.scales.rods} rods on {joint} joints")
        self.deck.add("rod", "count", self.scales.rods)
        self.deck.add("joint", "kind", joint)

    def contact(self, method):
        scales, deck = self.scales, self.deck
        if method == "explicit":
            deck.add("contact", "kind", "penalty")
            # A spring that a rod's own mass meets within some twenty explicit steps.
            deck.add("contact", "stiffness", scales.line_density * scales.length / scales.elements / (20 * scales.explicit_step) ** 2)
            if self.maybe(0.5):
                deck.add("contact", "damping", 0.2 * scales.line_density * scales.length / scales.elements / scales.explicit_step / 20)
        else:
            deck.add("contact", "kind", self.random.choice(("imc", "ipc")))
            deck.add("contact", "tolerance", self.random.choice((0.01, 0.05, 0.05, 0.15, 0.5)) * scales.radius)
        self.part(f"contact {deck.get('contact', 'kind')}")
        if self.maybe(0.4) and not method.startswith("static"):
            self.part("friction")
            deck.add("contact", "friction", self.random.uniform(0.1, 0.8))
            if method != "explicit":
                deck.add("contact", "slip_tolerance", 0.01 * scales.length / scales.period)

    def ground(self, method):
        scales, deck = self.scales, self.deck
        kind = self.random.choice(("plane", "plane", "sphere", "cylinder"))
        self.part(f"ground {kind}")
        depth = -scales.radius * self.random.uniform(1.01, 3)
        lowest = 0.0
        if kind == "plane":
            deck.add("ground", "kind", "plane")
            deck.add("ground", "normal", (0.0, 0.0, 1.0))
            deck.add("ground", "origin", (0.0, 0.0, lowest + depth))
        elif kind == "sphere":
            ball = scales.length * self.random.uniform(0.02, 0.3)
            deck.add("ground", "spheres", (0.5 * scales.length, 0.0, lowest + depth - ball, ball))
        else:
            peg = scales.length * self.random.uniform(0.01, 0.2)
            deck.add("ground", "cylinders", (0.5 * scales.length, 0.0, lowest + depth - peg, 0.0, 1.0, 0.0, peg))
        share = self.log(0.2, 20) * scales.bend_stiffness / (scales.line_density * scales.length**3)
        deck.set("gravity", "acceleration", (0.0, 0.0, -share))
        deck.add("ground", "response", "springs")
        deck.add("ground", "stiffness", 20 * scales.line_density * scales.length / scales.elements * share / scales.radius)
        if not method.startswith("static"):
            deck.add("ground", "damping", 0.3 * math.sqrt(20 * share / scales.radius) * scales.line_density * scales.length / scales.elements)
            if self.maybe(0.4):
                self.part("friction of the ground")
                mu = self.random.uniform(0.1, 0.8)
                deck.add("ground", "static_friction", (mu, mu, mu))
                deck.add("ground", "kinetic_friction", (0.7 * mu, 0.7 * mu, 0.7 * mu))

    def connections(self):
        kind = self.random.choice(("spring", "ball", "rigid", "hinge"))
        self.part(f"connection {kind}")
        element = (self.scales.elements - 1) // 2
        places = f"rod 0, element {element} to rod 1, element {element}"
        stiffness = self.scales.force / self.scales.length * self.log(1, 1000)
        if kind == "spring":
            self.deck.add("connection", kind, f"{places} : stiffness {written(stiffness)}")
        elif kind == "ball":
            self.deck.add("connection", kind, f"{places} : stiffness {written(stiffness)} damping {written(stiffness * self.scales.period / 50)}")
        else:
            turning = stiffness * self.scales.length**2
            self.deck.add("connection", kind,
                          f"{places} : stiffness {written(stiffness)} damping {written(stiffness * self.scales.period / 50)} "
                          f"rotational_stiffness {written(turning)} rotational_damping {written(turning * self.scales.period / 50)}")

    def motion(self):
        """Of the middle, which no end condition holds."""
        self.part("motion")
        scales = self.scales
        if self.deck.get("rod", "damping_ratio"):  # is that of a rod which only its ends hold
            self.deck.remove("rod", "damping_ratio")
            self.deck.add("rod", "relaxation_time", scales.period)
        rod = "rod 0, " if scales.rods > 1 else ""
        way = 0.1 * scales.length * self.random.uniform(0.1, 1)
        if self.maybe(0.6):
            self.deck.add("motion", "position",
                          f"{rod}node {scales.elements // 2} : 0, 0, {written(way)} * sin(2 * pi * t / {written(scales.period)})")
        else:
            self.deck.add("motion", "rotation",
                          f"{rod}element {(scales.elements - 1) // 2} about 0 1 0 : {written(self.random.gauss(0, 1))} * sin(2 * pi * t / {written(scales.period)})")

    def time(self, method):
        scales, deck = self.scales, self.deck
        for line in METHODS[method]:
            deck.add(*line)
        if method.startswith("static"):
            deck.lines = [line for line in deck.lines if line[:2] != ("rod", "velocity") and "rod.velocity" not in str(line[2])]
            if self.maybe(0.5):
                deck.add("time", "step", repr(scales.period / self.random.randint(1, 4)))
            deck.add("time", "end", repr(scales.period))
            end = scales.period
        elif method == "explicit":
            steps = self.random.randint(50, 1500)
            deck.add("time", "step", scales.explicit_step)
            end = steps * scales.explicit_step
            deck.add("time", "end", end)
            deck.add("time", "slice_steps", self.random.choice((7, 100, 1000)))
        else:
            step = scales.period / self.random.choice((20, 50, 100, 300))
            deck.add("time", "step", repr(step))
            end = step * self.random.randint(3, 25)
            deck.add("time", "end", repr(end))
            deck.add("time", "slice_steps", self.random.choice((1, 5, 1000)))
            if method.endswith("generalized_alpha") and self.maybe(0.3):
                deck.add("time", "spectral_radius", self.random.choice((0.0, 0.5, 0.8, 1.0)))
        if self.moving_ends:
            deck.add("boundary", "motion_time", repr(end * self.random.uniform(0.3, 1)))
        deck.add("output", "frames", self.random.choice((2, 3, 6)))

    def control(self):
        """Feedback from the end of the first rod on a force or a curvature there."""
        deck, scales = self.deck, self.scales
        if not deck.get("time", "step"):
            return
        self.part("control")
        interval = self.random.choice((1, 2, 5, 20)) * float(deck.get("time", "step"))
        deck.add("control", "interval", repr(interval))
        deck.add("control", "hold", self.random.choice(("zero", "linear")))
        delay = f" delay {interval * self.random.randint(1, 4)!r}" if self.maybe(0.3) else ""
        noise = f" noise {written(0.01 * scales.length)}" if self.maybe(0.3) else ""
        deck.add("control", "signal", f"seen[3] : k == 0 ? x(rod 0, end) : k == 1 ? y(rod 0, end) : z(rod 0, end){delay}{noise}")
        deck.add("control", "state", f"turn : 0, 2 * pi / {written(scales.period)} + seen[0] / {written(scales.length)}")
        size, kind = self.random.choice(((scales.force, "force"), (1 / scales.length, "curvature")))
        deck.add("control", "output", f"drive : {written(size)} * tanh(seen[2] / {written(scales.length)} + 0.3 * sin(turn))")
        place = f"{self.random.choice('xyz')}, rod 0, end" if kind == "force" else f"{self.random.choice(('d1', 'd2'))}, rod 0"
        deck.add("actuation", kind, f"{place} : drive")
        deck.add("measure", "define", "worked [J] : last(control_work)")

    def study(self, method):
        deck = self.deck
        kinds = ["sweep", "optimize", "boundary"]
        if not (deck.has("contact") or deck.has("ground")):
            kinds.append("sensitivity")  # takes 128 members at least
        if self.scales.rods == 1 and deck.get("rod", "elements"):
            kinds.append("convergence")
        kind = self.random.choice(["single"] * 5 + kinds)
        if method in ("static", "static_der") and self.maybe(0.1):
            kind = "branch"
        modulus = self.scales.young_modulus
        objective = "end_z" if self.maybe(0.5) else "end_x"
        if kind == "single":
            return
        self.part(kind)
        deck.add("study", "kind", kind)
        deck.add("study", "seed", self.random.randint(1, 1000))
        axis = f"rod.young_modulus : linspace(0.8*{written(modulus)}, {written(modulus)}, 2 + 3)"
        if kind == "sweep":
            deck.add("sweep", "axis", axis)
            if self.maybe(0.3) and deck.get("control", "signal"):  # which may have noise
                deck.add("study", "repeats", 2)
        elif kind == "boundary":
            deck.add("sweep", "axis", axis)
            deck.add("sweep", "axis", f"rod.density : linspace({written(self.scales.density)}, {written(1.3 * self.scales.density)}, 5)")
        elif kind == "convergence":
            deck.add("convergence", "axis", "rod.elements : list(3, 6, 12)")
        elif kind == "optimize":
            deck.add("study", "objective", objective)
            deck.add("optimize", "parameter",
                     f"rod.young_modulus : [{written(0.5 * modulus)}, {written(modulus)}] start {written(0.8 * modulus)}")
            deck.add("optimize", "generations", 2)
            deck.add("optimize", "population", 4)
            if int(deck.get("study", "seed")) % 2:
                deck.add("optimize", "learning", "adapted")
        elif kind == "sensitivity":
            deck.add("sensitivity", "parameter", f"rod.young_modulus : uniform({written(0.8 * modulus)}, {written(modulus)})")
            deck.add("sensitivity", "parameter", f"rod.density : lognormal({written(self.scales.density)}, 0.05)")
            deck.add("sensitivity", "observable", objective)
            deck.add("sensitivity", "evaluations", 128)
        elif kind == "branch":
            if self.closed:
                if not deck.has("motion"):
                    deck.add("motion", "position", "node 0 : 0, 0, 0")
                deck.add("branch", "key", "load.middle_force[0]")
            else:
                deck.add("branch", "key", "load.axial_force")
            deck.add("branch", "to", self.sign() * self.scales.force * self.random.choice((1.0, 5.0, 30.0)))
            deck.add("branch", "points", 30)
            deck.add("output", "observables", "branch_value, unstable_modes")


def random_problem(seed):
    """A problem that may hold anything; the same one for a seed. Some combinations are refused by `rodeo check`."""
    composer = Composer(seed)
    several = composer.maybe(0.3)
    contact = composer.maybe(0.6 if several else 0.2)
    ground = composer.maybe(0.2)
    joined = several and composer.maybe(0.25)
    moved = composer.maybe(0.1)
    lacking = set()  # methods that do not know what the deck is to hold
    if contact or ground or moved:
        lacking.add("energy_momentum")
    if contact or ground:
        lacking |= {"sdirk2", "midpoint", "der_generalized_alpha"}
    method = composer.random.choice([name for name in METHODS if name not in lacking])
    composer.rods(extreme=composer.maybe(0.15))
    composer.shape("straight" if several else None)
    if several and not joined and composer.maybe(0.3):
        composer.chain(("ball", "rigid"))
    elif several:
        composer.deck.remove("rod", "direction")
        composer.several_rods()
    composer.section(touches=contact or ground)
    composer.damping()
    composer.support()
    composer.loads()
    if not method.startswith("static"):
        composer.fluid()
    if contact:
        composer.contact(method)
    if ground:
        composer.ground(method)
    if joined:
        composer.connections()
    if moved:
        composer.motion()
    composer.time(method)
    composer.study(method)
    if composer.maybe(0.15) and method != "rigid":
        composer.control()
    if composer.maybe(0.15) and method != "rigid" and not method.startswith("static"):
        composer.material_damping()
    return Problem(composer.deck, method, composer.scales, composer.parts)


def smooth_problem(seed, *, held, joint, ramped=False):
    """A slender rod, or two halves of one on such a joint, with small smooth loads, which explicit steps, implicit steps and `der` move alike: they differ in
    shear and rotary inertia only, which a slender rod hardly knows. Ramped loads do not set off the fast vibrations along
    it that no step resolves."""
    composer = Composer(seed)
    random = composer.random
    length, slenderness = composer.log(0.05, 1), random.uniform(60, 120)
    composer.scales = scales = Scales(length, length / slenderness, composer.log(500, 8000), composer.log(1e5, 1e9), random.randint(8, 14))
    deck = composer.deck
    for key, value in (("elements", scales.elements), ("density", scales.density), ("young_modulus", scales.young_modulus),
                       ("poisson_ratio", random.choice((0.5, 0.3, 0.0))), ("radius", scales.radius), ("length", length),
                       ("direction", composer.vector(1.0))):
        deck.add("rod", key, value)
    composer.part("smooth")
    if composer.maybe(0.3):
        composer.chain((joint,))
        deck.set("rod", "length", length / scales.rods)
        deck.set("rod", "elements", max(4, scales.elements // scales.rods))
    if held:
        deck.add("boundary", "first", "clamped")
    elif composer.maybe(0.5):
        deck.add("rod", "velocity", composer.vector(scales.length / scales.period))
    if ramped:
        load = random.choice(("end_force", "distributed_force"))
        composer.part(load)
        deck.add("load", load, composer.vector(random.uniform(0.2, 2) * scales.force))
        deck.add("load", "ramp_time", 0.2 * scales.period)
    elif composer.maybe(0.7):
        composer.part("gravity")
        deck.add("gravity", "acceleration", composer.vector(random.uniform(0.2, 3) * scales.bend_stiffness / (scales.line_density * length**3)))
    else:
        composer.part("end force")
        deck.add("load", "end_force", composer.vector(random.uniform(0.2, 2) * scales.force))
    if not ramped and composer.maybe(0.25):
        composer.part("tether")
        deck.add("load", "tether_point", composer.vector(length * random.random()))
        deck.add("load", "tether_stiffness", random.uniform(0.1, 1) * scales.force / length)
        deck.add("load", "tether_hardening", random.uniform(0, 1) * scales.force / length**3)
        deck.add("load", "tether_length", length * random.choice((0, random.random())))
        deck.add("load", "tether_place", random.choice((0.5, 1)))
    return Problem(deck, "", scales, composer.parts)


def bent_ring(seed):
    """A straight rod bent into a ring that is twisted until it leaves its plane: C/B, length over radius, the deck. Where
    it is slender and its elements are many rounding hides from `der` where the branch goes on."""
    composer = Composer(seed)
    kind = composer.random.choice(("cosserat", "der"))
    length, ratio = composer.log(1e-3, 10), composer.random.uniform(0.5, 2)
    slenderness = composer.log(100, 1e6 if kind == "cosserat" else 500)
    bend = composer.log(1e-9, 1e3)
    stretch = 4 * bend * (slenderness / length) ** 2
    deck = Deck()
    for section, key, value in (
            ("time", "method", "static"), ("rod", "shape", "ring"), ("rod", "rest_shape", "straight"), ("rod", "length", length),
            ("rod", "elements", composer.random.randint(60, 400 if kind == "cosserat" else 200)), ("rod", "radius", length / slenderness),
            ("rod", "mass", composer.log(1e-9, 10)), ("rod", "bend_stiffness", bend), ("rod", "twist_stiffness", ratio * bend),
            ("rod", "stretch_stiffness", stretch), ("model", "kind", kind), ("branch", "key", "rod.total_twist"), ("branch", "to", 1.3 * 2 * math.pi * math.sqrt(3) / ratio),
            ("branch", "stop", "first_bifurcation"), ("branch", "points", 300)):
        deck.add(section, key, value)
    if kind == "cosserat":
        deck.add("rod", "shear_stiffness", stretch * composer.random.uniform(0.3, 0.5))
    return ratio, slenderness, deck


def stiff_free_rod(seed):
    """A free rod under loads, so stiff that it hardly bends: its length and the deck, by implicit steps."""
    composer = Composer(seed)
    random, deck = composer.random, composer.deck
    length, force = composer.log(1e-3, 10), composer.log(1e-6, 100)
    radius, elements = length / composer.log(8, 40), random.randint(3, 12)
    mass = composer.log(1e-6, 10)
    composer.scales = Scales(length, radius, mass / (math.pi * radius**2 * length), 0.0, elements)
    deck.add("rod", "elements", elements)
    composer.shape(random.choice(("straight", "helix", "arc")))
    for key in ("intrinsic_curvature", "intrinsic_twist", "total_twist", "rest_shape"):
        deck.remove("rod", key)
    area = math.pi * radius**2
    for key, value in (("radius", radius), ("density", composer.scales.density), ("young_modulus", 1e6 * force * 4 * math.pi * length**2 / area**2),
                       ("poisson_ratio", 0.5)):
        deck.add("rod", key, value)
    time = math.sqrt(length * mass / force)  # in which the force moves the rod by half of its length
    if composer.maybe(0.5):
        deck.add("rod", "velocity", composer.vector(length / time * random.random()))
    if composer.maybe(0.3):
        deck.add("rod", "damping", mass / length / time * composer.log(0.1, 3))
    if composer.maybe(0.5):
        deck.add("gravity", "acceleration", composer.vector(force / mass * random.random()))
    for load in random.sample(("end_force", "distributed_force", "follower_force"), random.randint(0, 2)):
        deck.add("load", load, composer.vector(0.3 * force * random.random()))
    if composer.maybe(0.4):
        deck.add("load", "end_couple", composer.vector(0.05 * force * length))
    if composer.maybe(0.4):
        deck.add("load", "magnetization", 0.05 * force / area)
        deck.add("load", "magnetic_flux_density", composer.vector(1.0))
    if composer.maybe(0.5):
        deck.add("load", "tether_point", composer.vector(length * random.random()))
        deck.add("load", "tether_stiffness", force / length * composer.log(0.1, 3))
        deck.add("load", "tether_length", length * random.choice((0, random.random())))
        deck.add("load", "tether_place", random.choice((0.5, 1, round(random.random(), 3))))
    for section, key, value in (("time", "method", "implicit"), ("time", "step", time / 300), ("time", "end", time)):
        deck.add(section, key, value)
    return length, deck


def beck_column(seed):
    """A clamped rod that a force presses which follows its end: that force over the one from which on it flutters, the deck."""
    composer = Composer(seed)
    length, slenderness, part = composer.log(1e-3, 10), composer.log(300, 1e5), composer.random.choice((0.3, 0.97, 1.03, 2))
    bend = composer.log(1e-9, 1e3)
    stretch = 4 * bend * (slenderness / length) ** 2
    mass = composer.log(1e-9, 10)
    deck = Deck()
    for section, key, value in (
            ("time", "method", "static"), ("rod", "length", length), ("rod", "elements", composer.random.randint(40, 300)),
            ("rod", "radius", length / slenderness), ("rod", "mass", mass), ("rod", "bend_stiffness", bend),
            ("rod", "twist_stiffness", bend * composer.random.uniform(0.5, 2)),
            ("rod", "stretch_stiffness", stretch), ("rod", "shear_stiffness", stretch * composer.random.uniform(0.3, 0.5)),
            ("boundary", "first", "clamped"), ("modes", "count", composer.random.randint(4, 12)), ("variable", "p", part),
            ("actuation", "force", f"d3, end : -p * {20.0509 * bend / length**2}")):
        deck.add(section, key, value)
    return part, deck
