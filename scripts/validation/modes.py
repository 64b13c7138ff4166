"""Vibrations about equilibria (modes.count) against closed forms."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, largest_error, orders

YOUNG, POISSON, DENSITY, LENGTH = 2e11, 0.3, 7800.0, 1.0
TENSION = 20.0  # N
COUNT = 5  # of each kind


class Section:
    """What a round rod resists with, and its inertia per length."""

    def __init__(self, radius):
        area = np.pi * radius**2
        self.stretch = YOUNG * area
        self.shear = 4 / 3 * self.stretch / (2 * (1 + POISSON))
        self.bend = YOUNG * area * radius**2 / 4
        self.twist = 2 * self.bend / (2 * (1 + POISSON))
        self.mass = DENSITY * area
        self.inertia = DENSITY * area * radius**2 / 4


BEAM, STRING, RING = Section(0.005), Section(0.001), Section(0.002)


def root(function, low, high):
    """Where a function changes its sign, by bisection."""
    at_low = function(low) > 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) > 0) == at_low else (low, middle)
    return low


def lowest_rate(strains, masses):
    """The lowest angular frequency of three coordinates, by pairs of a stiffness and the coefficients of its strain."""
    scale = 1 / np.sqrt(masses)
    stiffness = sum(value * np.outer(scale * strain, scale * strain) for value, strain in strains)
    return np.sqrt(np.linalg.eigvalsh(stiffness)[0])


def beam_frequencies(held_first, held_last, euler):
    """Frequencies (Hz) of Timoshenko's beam; `held_...` are those of w, phi, M, V that vanish at an end, `euler` the roots of the
    characteristic equation of Euler's beam."""

    def mismatch(rate):
        system = np.zeros((4, 4))
        system[0, 1], system[0, 3] = 1, 1 / BEAM.shear
        system[1, 2] = 1 / BEAM.bend
        system[2, 1], system[2, 3] = -BEAM.inertia * rate**2, -1
        system[3, 0] = -BEAM.mass * rate**2
        free = [k for k in range(4) if k not in held_first]
        values, vectors = np.linalg.eig(system)
        along = (vectors * np.exp(LENGTH * values)) @ np.linalg.inv(vectors)
        return np.linalg.det(along.real[np.ix_(held_last, free)])

    rates = np.array(euler) ** 2 / LENGTH**2 * np.sqrt(BEAM.bend / BEAM.mass)
    return np.array([root(mismatch, 0.9 * rate, 1.1 * rate) for rate in rates]) / (2 * np.pi)


def hinged_frequencies(section, tension):
    """Frequencies of a rod between hinges that stretches, shears and turns under a tension, by a quadratic equation of each."""
    frequencies = []
    stretch = 1 + tension / section.stretch
    excess = stretch * section.shear - tension
    for k in np.arange(1, COUNT + 1) * np.pi / LENGTH:
        across, turning = section.shear * k**2, section.bend * k**2 + stretch * excess
        equation = [section.mass * section.inertia, -(across * section.inertia + turning * section.mass),
                    across * turning - (excess * k) ** 2]
        frequencies.append(np.sqrt(np.roots(equation).min()) / (2 * np.pi))
    return np.array(frequencies)


def ring_frequencies():
    """Frequencies of a round ring by the waves around it: in its plane, and out of it."""
    radius = LENGTH / (2 * np.pi)
    inside, outside = [], []
    for n in np.arange(2, 6):
        # Radial and tangential displacement and turn; then axial displacement, turns about the radius and the ring's line.
        stretch, shear, bend = [1, n, 0], [-n, -1, -radius], [0, 0, n]
        strains = [(RING.stretch, stretch), (RING.shear, shear), (RING.bend, bend)]
        inside.append(lowest_rate([(s / radius**2, np.array(v)) for s, v in strains], np.array([RING.mass, RING.mass, RING.inertia])))
        shear, bend, twist = [n, radius, 0], [0, n, 1], [0, 1, n]
        strains = [(RING.shear, shear), (RING.bend, bend), (RING.twist, twist)]
        masses = np.array([RING.mass, RING.inertia, 2 * RING.inertia])
        outside.append(lowest_rate([(s / radius**2, np.array(v)) for s, v in strains], masses))
    return np.array([inside, outside]) / (2 * np.pi)


HINGED = np.arange(1, COUNT + 1) * np.pi
BEAMS = {
    "clamped_free": ("clamped and free", lambda: beam_frequencies((0, 1), (2, 3), (1.875104, 4.694091, 7.854757, 10.995541, 14.137168))),
    "free_free": ("free", lambda: beam_frequencies((2, 3), (2, 3), (4.730041, 7.853205, 10.995608, 14.137165, 17.278760))),
    "pinned": ("between hinges", lambda: beam_frequencies((0, 2), (0, 2), HINGED)),
    "string_beam": ("in tension", lambda: hinged_frequencies(STRING, TENSION)),
}


def found(ensemble):
    """Elements of the members, and their frequencies in order [members, modes]."""
    names = [name for name in ensemble.observables if name.startswith("frequency_")]
    return ensemble.parameters["rod.elements"], np.column_stack([ensemble.observables[name] for name in names])


def ring_modes():
    """The frequencies of the ring in order, each twice."""
    return np.repeat(np.sort(ring_frequencies().ravel()), 2)


def extrapolated(frequencies):
    """From the last two numbers of elements, at second order."""
    return frequencies[-1] + (frequencies[-1] - frequencies[-2]) / 3


# Beside the load from which on a column flutters, the square of its growth rate is linear.
BECK, BECK_LOADS, BECK_ELEMENTS = 20.05095, (20.06, 20.07), (50, 100)


def flutter_load(ensemble):
    low, high = ensemble.observables["decay_rate_1"] ** 2
    return BECK_LOADS[0] - low * (BECK_LOADS[1] - BECK_LOADS[0]) / (high - low)


# What bends between free ends or hinges has errors of fourth order, but for its shear: too small for an order to be read.
OF_SECOND_ORDER = ("clamped_free", "string_beam")


def quantities(results):
    listed = []
    for name, (words, closed_form) in BEAMS.items():
        elements, frequencies = found(results[name])
        reference = closed_form()
        errors = np.abs(frequencies[:, ::2] / reference - 1)
        most = 5e-5 if name in OF_SECOND_ORDER else 5e-7
        listed += [
            largest_error(f"{words}: frequencies 1 to 5, n = 400", frequencies[-1, ::2], reference, most),
            largest_error(f"{words}: modes 1 to 10, extrapolated from n = 200 and 400", extrapolated(frequencies),
                          np.repeat(reference, 2), 1e-6),
            largest_error(f"{words}: the one plane against the other", frequencies[-1, 1::2], frequencies[-1, ::2], 1e-8),
            *(Quantity(f"{words}: order of mode {2 * k + 1}, n = 100 to 200", orders(elements[:2], errors[:2, k])[0], 2.0, 0.05)
              for k in (0, COUNT - 1) if name in OF_SECOND_ORDER),
        ]
    _, frequencies = found(results["ring"])
    reference = ring_modes()
    coarse, fine = (flutter_load(results[f"beck_{elements}"]) for elements in BECK_ELEMENTS)
    return [
        *listed,
        Quantity("Beck's column: load of flutter P L^2/B, n = 100", fine, BECK, 1e-2),
        Quantity("Beck's column: load of flutter P L^2/B, extrapolated from n = 50 and 100", (4 * fine - coarse) / 3, BECK, 1e-4),
        largest_error("ring: two waves around it, n = 400", frequencies[-1, :4], reference[:4], 5e-5),
        largest_error("ring: two to five waves, n = 400", frequencies[-1], reference, 1e-4),
        largest_error("ring: two to five waves, extrapolated from n = 200 and 400", extrapolated(frequencies), reference, 1e-6),
    ]


def draw(results):
    figure, (errors, rings) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    for name, (words, closed_form) in BEAMS.items():
        elements, frequencies = found(results[name])
        errors.loglog(elements, np.abs(frequencies[:, ::2] / closed_form() - 1).max(axis=1), "o-", label=words)
    elements, frequencies = found(results["ring"])
    reference = ring_modes()
    errors.loglog(elements, np.abs(frequencies / reference - 1).max(axis=1), "s-", label="ring")
    errors.loglog(elements, 30 * elements**-2.0, "--", color="0.6", label="second order")
    errors.set_xlabel("elements $n$")
    errors.set_ylabel("largest relative error of a frequency")
    errors.legend(frameon=False)
    closed_form = ring_frequencies()
    waves = np.arange(2, 2 + closed_form.shape[1])
    # Where each of the listed modes stands among those of the closed form.
    computed = np.empty(closed_form.size)
    computed[np.argsort(closed_form.ravel())] = frequencies[-1, ::2]
    for kind, style, computed_kind, label in zip(closed_form, ("-", "--"), computed.reshape(2, -1), ("in its plane", "out of it")):
        rings.plot(waves, kind, style, color=INK, label=label)
        rings.plot(waves, computed_kind, "o", color=ACCENT)
    rings.set_xlabel("waves around the ring")
    rings.set_ylabel("frequency (Hz)")
    rings.legend(frameon=False)
    return figure


CASE = Case(
    name="modes",
    title="Vibrations about equilibria",
    source="modes.count: Timoshenko 1921, by the fundamental matrix of his equations; a rod in tension and a ring, by the equations of "
           "Cosserat rods for waves",
    runs={
        **{name: Run(f"modes_{name}") for name in (*BEAMS, "ring")},
        **{
            f"beck_{elements}": Run("beck_column", (f"rod.elements={elements}", "sweep.axis=variable.p : list(20.06, 20.07)"))
            for elements in BECK_ELEMENTS
        },
    },
    quantities=quantities,
    draw=draw,
)
