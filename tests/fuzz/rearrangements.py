"""Changes of a deck after which its rods are described otherwise: from the other end, in another order, in pieces, held by motions."""

import re

import numpy as np

from changes import DRIVES, SHARES_OF_ENERGY, Change, NoPair, elements_of, exact, numbers, of_each, rods_of, say_normals, set_each, split_drive


def on_rods(text, becomes):
    """The text of a place, a connection or a drive with other numbers of rods."""
    return re.sub(r"\brod (\d+)", lambda match: f"rod {becomes(int(match[1]))}", text)


def refuse(deck, *keys, why="has no rule"):
    """No pair if the deck has one of these keys or sections."""
    for key in keys:
        if deck.has(key) if "." not in key else deck.get(*key.split(".")):
            raise NoPair(f"{key} {why}")


class FarCopy(Change):
    """All rods once more, far away."""

    name = "a far copy"
    of_iterations = 1e3
    unknown = frozenset({"angular_momentum_drift", *SHARES_OF_ENERGY})

    def __init__(self, problem, draw):
        if problem.method != "explicit":
            self.tolerance = 1e3  # the norms by which iterations end are those of all rods
        direction = self.along_ground(problem.deck, np.array([draw.gauss(0, 1) for _ in range(3)]))
        self.shift = direction / np.linalg.norm(direction) * problem.scales.length * draw.uniform(60, 200)
        self.rods = rods_of(problem.deck)

    @staticmethod
    def along_ground(deck, direction):
        """A direction in which a plane and cylinders look the same everywhere."""
        if cylinders := deck.get("ground", "cylinders"):
            direction = numbers(cylinders)[3:6]
        if deck.get("ground", "kind") == "plane":
            normal = numbers(deck.get("ground", "normal"))
            direction = direction - direction @ normal / (normal @ normal) * normal
        return direction

    def place(self, rod, of, index):
        return self.rods + rod, index

    def times(self, quantity):
        return 2.0 if quantity.scope == "sum" else 1.0

    def knows(self, name, quantity):
        if name == "winding":  # of the others there are some now, and the far ones count
            return False
        return quantity.scope not in ("frames", "modes", "steps") and super().knows(name, quantity)

    def deck(self, problem):
        deck = problem.deck.copy()
        refuse(deck, "joint", "ground.spheres", "ground.planes", "branch")
        origins = of_each(deck, "rod.origin")
        tethers = of_each(deck, "load.tether_point") if deck.get("load", "tether_stiffness") else None
        lines = []
        for section, key, text in deck.lines:
            if (section, key) == ("rod", "each"):
                head, _, values = text.partition(" : list(")
                text = f"{head} : list({values[:-1]}, {values[:-1]})"
            elif section in ("connection", "motion") or section == "actuation" and "rod " in text.partition(" : ")[0]:
                if section == "motion" and "rod " not in text:
                    text = f"rod 0, {text}"
                lines.append((section, key, on_rods(text, lambda rod: rod + self.rods)))
            lines.append((section, key, text))
        deck.lines = lines
        deck.set("rod", "count", 2 * self.rods)
        if modes := deck.get("modes", "count"):  # among which those are counted that grow where loads have no energy
            deck.set("modes", "count", 2 * int(modes))
        set_each(deck, "rod.origin", np.vstack([origins + self.shift, origins]))
        if tethers is not None:
            set_each(deck, "load.tether_point", np.vstack([tethers + self.shift, tethers]))
        return deck


class Permuted(Change):
    """Rods in another order."""

    name = "permuted"

    def __init__(self, problem, draw):
        self.to = list(range(rods_of(problem.deck)))
        while self.to == sorted(self.to) and len(self.to) > 1:
            draw.shuffle(self.to)

    def place(self, rod, of, index):
        return self.to[rod], index

    def knows(self, name, quantity):
        return quantity.scope not in ("frames", "last", "end", "held") and super().knows(name, quantity)

    def deck(self, problem):
        deck = problem.deck.copy()
        refuse(deck, "joint")
        if len(self.to) == 1:
            raise NoPair("one rod")
        lines = []
        for section, key, text in deck.lines:
            if (section, key) == ("rod", "each"):
                head, _, values = text.partition(" : list(")
                values = [value for _, value in sorted(zip(self.to, values[:-1].split(",")))]
                text = f"{head} : list({', '.join(value.strip() for value in values)})"
            elif section in ("connection", "motion", "actuation"):
                head, colon, formula = text.partition(" : ")
                text = on_rods(head, lambda rod: self.to[rod]) + colon + formula
            lines.append((section, key, text))
        deck.lines = lines
        return deck


class Reversed(Change):
    """Each rod from its other end: directors d2 and d3 turn round."""

    name = "reversed"
    SIGNS = {"point": (1, 1, 1), "polar": (1, 1, 1), "axial": (1, 1, 1), "d1": (1, 1, 1), "d2": (-1, -1, -1), "d3": (-1, -1, -1),
             "flux": (-1, -1, -1), "body_axial": (1, -1, -1), "body_polar": (1, -1, -1), "strain": (-1, 1, 1), "curvature": (-1, 1, 1)}

    def __init__(self, problem):
        self.elements = elements_of(problem.deck)
        # Those that are about the last node, or in which both ends are not alike.
        self.unknown = frozenset({"end", "tip_deflection", "end_twist", "forward_speed", "lateral_speed"})

    def vector(self, kind, vector):
        return vector * np.array(self.SIGNS[kind])[:np.shape(vector)[-1]]

    def place(self, rod, of, index):
        return rod, {"node": self.elements, "region": self.elements, "element": self.elements - 1, "rod": 0}[of] - index

    def knows(self, name, quantity):
        return quantity.scope != "frames" and super().knows(name, quantity)

    def place_text(self, text):
        """A place, or a connection of two, or a part of a rod, as seen from the other end."""
        swap = {"start": "end", "end": "start"}
        text = re.sub(r"\bs ([\d.e-]+) to ([\d.e-]+)", lambda m: f"s {1 - float(m[2])!r} to {1 - float(m[1])!r}", text)
        text = re.sub(r"\b(start|end)\b", lambda m: swap[m[1]], text)
        text = re.sub(r"\bnode (\d+)", lambda m: f"node {self.elements - int(m[1])}", text)
        return re.sub(r"\belement (\d+)", lambda m: f"element {self.elements - 1 - int(m[1])}", text)

    def deck(self, problem):
        deck = problem.deck.copy()
        refuse(deck, "joint", "rod.total_twist", "branch", "rod.end_width")
        shape = deck.get("rod", "shape")
        if shape in ("ring", "helix"):
            raise NoPair("no other end")
        say_normals(deck)
        directions = of_each(deck, "rod.direction")
        if shape == "file":
            nodes = numbers(deck.get("rod", "shape_nodes")).reshape(-1, 3)
            deck.set("rod", "shape_nodes", exact(nodes[::-1]))
        else:
            lengths = of_each(deck, "rod.length")
            set_each(deck, "rod.origin", of_each(deck, "rod.origin") + lengths * directions / np.linalg.norm(directions, axis=1)[:, None])
        set_each(deck, "rod.direction", -directions)
        if end_radius := deck.get("rod", "end_radius"):
            deck.set("rod", "end_radius", deck.get("rod", "radius"))
            deck.set("rod", "radius", end_radius)
        if places := deck.get("rod", "point_mass_positions"):
            deck.set("rod", "point_mass_positions", exact(float(deck.get("rod", "length")) - numbers(places)))
        for key in ("load.follower_force", "rod.intrinsic_curvature"):
            if text := deck.get(*key.split(".")):
                deck.set(*key.split("."), exact(self.vector("body_polar" if key.startswith("load") else "curvature", numbers(text))))
        if magnetization := deck.get("load", "magnetization"):
            deck.set("load", "magnetization", exact(-numbers(magnetization)))
        if deck.get("load", "tether_stiffness"):
            deck.set("load", "tether_place", repr(1 - float(deck.get("load", "tether_place") or 1)))
        first, last = deck.get("boundary", "first"), deck.get("boundary", "last")
        for key, value in (("first", last), ("last", first)):
            deck.remove("boundary", key)
            if value:
                deck.add("boundary", key, value)
        if first and last:
            self.unknown |= {"end_force", "end_couple"}
        self.turn_muscles(deck)
        self.turn_friction(deck)
        deck.lines = [(section, key, self.line(section, key, text)) for section, key, text in deck.lines]
        self.turn_end_loads(deck, directions)
        return deck

    def line(self, section, key, text):
        if section == "connection":
            head, colon, rest = text.partition(" : ")
            return self.place_text(head) + colon + rest
        if section == "motion":
            head, _, course = text.partition(" : ")
            return f"{self.place_text(head)} : {course}"
        if section == "actuation":
            axis, place, formula = split_drive(text)
            sign = self.vector(DRIVES[key][3], np.eye(3)[axis])[axis] if isinstance(axis, int) else 1.0
            word = text.partition(" : ")[0].partition(",")[0] if isinstance(axis, int) or not text.startswith("(") else f"({exact(axis)})"
            formula = re.sub(r"\bs\b", "(1 - s)", formula)
            return f"{word}{', ' if place else ''}{self.place_text(place)} : {sign!r} * ({formula})"
        return text

    def turn_muscles(self, deck):
        """A(s) sin(2 pi t/T + k s + phi)."""
        if not deck.has("muscle"):
            return
        refuse(deck, "muscle.axis")
        couples = deck.get("muscle", "kind") != "force"
        axis = {"d1": 0, "d2": 1, "d3": 2}[deck.get("muscle", "direction") or ("d1" if couples else "d3")]
        sign = self.SIGNS["curvature"][axis] if couples else (-1, 1, 1)[axis]
        deck.set("muscle", "amplitudes", exact(sign * numbers(deck.get("muscle", "amplitudes"))[::-1]))
        wave = float(deck.get("muscle", "wave_number") or 0)
        length = deck.get("rod", "length")
        if not length:
            raise NoPair("the length of muscles is that of the nodes")
        deck.set("muscle", "wave_number", repr(-wave))
        deck.set("muscle", "phase", repr(float(deck.get("muscle", "phase") or 0) + wave * float(length)))

    def turn_friction(self, deck):
        for key in ("static_friction", "kinetic_friction"):
            if text := deck.get("ground", key):
                forward, backward, rolling = numbers(text)
                deck.set("ground", key, exact([backward, forward, rolling]))

    def turn_end_loads(self, deck, directions):
        """Loads of the last end act on the first one now, which formulas reach; they have no energy for those who watch it."""
        loads = [("force", of_each(deck, "load.end_force")), ("couple", of_each(deck, "load.end_couple"))]
        axial = of_each(deck, "load.axial_force")
        loads.append(("force", -axial * directions / np.linalg.norm(directions, axis=1)[:, None]))
        for key in ("end_force", "end_couple", "axial_force"):
            deck.remove("load", key)
        if not any(rows.any() for _, rows in loads):
            return
        ramp = float(deck.get("load", "ramp_time") or 0)
        if ramp and not any(line[1] in ("distributed_force", "distributed_couple", "magnetic_flux_density") for line in deck.lines):
            deck.remove("load", "ramp_time")
        for kind, rows in loads:
            for rod, vector in enumerate(rows):
                for axis, size in zip("xyz", vector):
                    if size:
                        where = f"rod {rod}, start" if len(rows) > 1 else "start"
                        factor = f" * ramp(t, 0, {ramp!r})" if ramp else ""
                        deck.add("actuation", kind, f"{axis}, {where} : {float(size)!r}{factor}")
        self.unknown |= {"energy_drift", "energy_gain", "energy_gain_relative", "energy_loss_relative", "momentum_drift",
                         "angular_momentum_drift", "unstable_modes", "least_stiffness", "power_loads", "power_actuation"}


class Cut(Change):
    """A straight rod as many that are joined rigidly, end to end, with the same elements."""

    name = "cut"
    tolerance = 1e2
    of_iterations = 1e3
    unknown = frozenset({"tip_deflection", "connection_energy", "power_connections"})

    def __init__(self, problem, draw):
        elements = elements_of(problem.deck)
        self.pieces = problem.pieces or draw.choice([k for k in range(2, elements + 1) if elements % k == 0] or [1])
        self.each = elements // self.pieces
        self.by_connection = draw.random() < 0.5
        self.tension_of_regions = problem.method == "explicit" and problem.deck.get("model", "section") == "incompressible"
        if self.by_connection:  # whose energy is a thing of its own
            self.unknown |= {"bending_energy", "twist_energy", "total_energy", "energy_drift"}

    def place(self, rod, of, index):
        if of == "rod":
            return None, None
        if of == "region" and index % self.each == 0 and 0 < index < self.pieces * self.each:
            return None  # joints have no signals
        piece = min(index // self.each, self.pieces - 1)
        return piece, index - piece * self.each

    def knows(self, name, quantity):
        if quantity.scope == "element" and name in ("bending_energy", "twist_energy"):
            return False  # beside a joint elements have half of its energy, which is nobody's
        if self.tension_of_regions and name in ("fx", "fy", "fz", "tension"):
            return False  # nor have they the tension of its region
        return quantity.scope in ("sum", "whole", "end", "modes", "origin", "place", "rod", "element") and super().knows(name, quantity)

    def deck(self, problem):
        deck = problem.deck.copy()
        refuse(deck, "joint", "connection", "contact", "ground", "muscle", "motion", "control", "rod.total_twist", "rod.end_radius", "rod.end_width",
               "rod.damping_ratio", "rod.retardation_time", "rod.intrinsic_twist", "rod.intrinsic_curvature", "load.tether_stiffness", "load.middle_force",
               "boundary.twist", "boundary.slack", "rod.point_masses", "fluid")  # whose drag knows how long and thin a rod is
        if self.by_connection:
            refuse(deck, "branch", why="is of all rods")
        if rods_of(deck) > 1 or deck.get("rod", "shape") or self.pieces == 1:
            raise NoPair("not a straight rod of several elements")
        say_normals(deck)
        length, count = float(deck.get("rod", "length")), self.pieces
        along = of_each(deck, "rod.direction")[0]
        origins = of_each(deck, "rod.origin")[0] + np.arange(count)[:, None] / count * length * along / np.linalg.norm(along)
        deck.set("rod", "count", count)
        deck.set("rod", "length", exact(length / count))
        deck.set("rod", "elements", self.each)
        for key in ("distributed_force", "distributed_couple", "follower_force"):
            if text := deck.get("load", key):
                deck.set("load", key, exact(numbers(text) / count))
        for end, at in (("first", 0), ("last", count - 1)):
            if kind := deck.get("boundary", end):
                deck.remove("boundary", end)
                deck.add("rod", "each", f"boundary.{end} : list({', '.join(kind if rod == at else 'free' for rod in range(count))})")
        if self.by_connection:
            set_each(deck, "rod.origin", origins)
            for key in ("load.end_force", "load.end_couple", "load.axial_force"):
                if deck.get(*key.split(".")):
                    rows = np.zeros((count, len(of_each(deck, key)[0])))
                    rows[-1] = of_each(deck, key)[0]
                    set_each(deck, key, rows)
            for rod in range(1, count):
                deck.add("connection", "rigid", f"rod {rod - 1}, end to rod {rod}, start")
        else:
            deck.add("joint", "kind", "rigid")
            deck.set("rod", "origin", exact(origins[0]))
        deck.lines = [(section, key, line) for section, key, text in deck.lines
                      for line in (self.drives(key, text) if section == "actuation" else [text])]
        return deck

    def share(self, problem, values):
        """Joints of `der` bend by their angle, nodes within by twice its tangent of half the angle. Iterations of the others come on
        another way to each step, of whose change they leave 1e-8; explicit steps have none.
        """
        if problem.method == "explicit":
            return 0.0
        if problem.deck.get("model", "kind") != "der":
            return 1e-8 * np.nan_to_num(values["newton_iterations"] / values["newton_iterations_per_step"])
        most = max(values[name] for name in ("curvature_max", "m0", "m1", "m2"))  # at the end, and ever at some nodes
        return 10 * (most * problem.scales.length / problem.scales.elements) ** 2

    def drives(self, key, text):
        axis, place, formula = split_drive(text)
        word = text.partition(" : ")[0].partition(", start" if ", start" in text else ", end" if ", end" in text else " : ")[0]
        if key in ("curvature", "twist", "internal_couple", "stretch"):
            raise NoPair("a strain that joints have not")
        if place in ("start", "end"):
            return [f"{word}, rod {0 if place == 'start' else self.pieces - 1}, {place} : {formula}"]
        if place:
            raise NoPair("a place within")
        return [f"{word}, rod {rod} : " + re.sub(r"\bs\b", f"((s + {rod}) / {self.pieces})", formula) for rod in range(self.pieces)]


class HeldByMotion(Change):
    """Clamped and pinned ends that motions hold where they are."""

    name = "held by motions"
    may_be_nan = frozenset({"energy_gain", "energy_gain_relative", "energy_loss_relative", "unstable_modes"})
    unknown = frozenset({"end_force", "end_couple", "link", "end_twist", "energy_loss_relative", "newton_iterations",
                         "newton_iterations_per_step"})

    def deck(self, problem):
        if problem.method == "energy_momentum":
            raise NoPair("a scheme that has no motions")
        deck = problem.deck.copy()
        refuse(deck, "boundary.twist", "boundary.slack", "rod.damping_ratio", "rod.retardation_time", "motion", "joint", "branch")
        ends = [(end, deck.get("boundary", end)) for end in ("first", "last") if deck.get("boundary", end) in ("clamped", "pinned")]
        if not ends or deck.get("rod", "closed") or "sliding" in str(deck.get("boundary", "last")):
            raise NoPair("nothing is held")
        rods = rods_of(deck)
        for end, kind in ends:
            deck.remove("boundary", end)
            for rod in range(rods):
                place = ("start" if end == "first" else "end") if rods == 1 else f"rod {rod}, {'start' if end == 'first' else 'end'}"
                deck.add("motion", "position", f"{place} : 0, 0, 0")
                if kind == "clamped":
                    deck.add("motion", "rotation", f"{place} about 1 0 0 : 0")
        return deck


class Later(Change):
    """Rods at rest that are driven by formulas of the time, so many steps later."""

    name = "later"
    unknown = frozenset({"end_distance_max", "end_distance_period", "energy_loss_relative", "newton_iterations", "newton_iterations_per_step"})

    def __init__(self, steps):
        self.steps = steps

    def knows(self, name, quantity):
        return quantity.scope != "frames" and quantity.reduction == "last" and super().knows(name, quantity)

    def deck(self, problem):
        deck = problem.deck.copy()
        refuse(deck, "load", "gravity", "muscle", "rod.velocity", "boundary.motion_time", "rod.intrinsic_curvature", "rod.intrinsic_twist",
               "rod.total_twist", "contact", "ground", "fluid", "connection", "joint", "motion", "rod.rest_shape", "rod.damping_decay_time")
        drives = [line[2] for line in deck.lines if line[0] == "actuation"]
        if problem.method.startswith("static") or not drives or not all("smooth(t, 0, " in drive for drive in drives):
            raise NoPair("nothing begins, or does so at once")
        step = float(deck.get("time", "step"))
        delay = self.steps * step
        end = float(deck.get("time", "end"))
        deck.set("time", "end", repr(end + delay))
        lines = []
        for section, key, text in deck.lines:
            if section == "actuation":
                head, _, formula = text.partition(" : ")
                text = f"{head} : " + re.sub(r"\bt\b", f"(t - {delay!r})", formula)
            lines.append((section, key, text))
        deck.lines = lines
        return deck
