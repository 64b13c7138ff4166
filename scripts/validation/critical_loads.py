"""Loads at which equilibria become unstable, found on their branches (branch.stop = first_bifurcation, first_flutter), against closed forms."""

import matplotlib.pyplot as plt
import numpy as np

from .case import Case, Quantity, Run, at_most, runge_kutta

TANGENT_ROOT = 4.493409457909064  # of tan x = x
SHEAR = 1e6  # N


def hinged_root():
    """Of tan x = x (1 - x^2 B/(S1 L^2)): the column between clamp and hinge."""
    x = TANGENT_ROOT
    for _ in range(50):
        x = np.pi + np.arctan(x * (1 - x * x / SHEAR))
    return x


def twisted_root():
    """Of tan x = x / (1 + 4 x^2 B/(S1 L^2)): the rod between clamps that turn."""
    x = TANGENT_ROOT
    for _ in range(50):
        x = np.pi + np.arctan(x / (1 + 4 * x * x / SHEAR))
    return x


def torsion_constant(long, short):
    """Of a rectangle, m^4: Saint-Venant's series."""
    n = np.arange(1, 201, 2)
    ratio = short / long
    return long * short**3 * (1 / 3 - 64 / np.pi**5 * ratio * np.sum(np.tanh(n * np.pi / (2 * ratio)) / n**5))


def strip(thickness, width=0.004, young=2.1e11, poisson=0.3):
    """B1, B2 and C (N m^2), S1, S2 and S3 (N) of the steel strips of critical_lateral.ini and critical_strip.ini."""
    shear_modulus = young / (2 * (1 + poisson))
    bend = young * width * thickness / 12 * np.array([thickness**2, width**2])
    twist = shear_modulus * torsion_constant(max(width, thickness), min(width, thickness))
    shear = 5 / 6 * shear_modulus * width * thickness
    return np.array([*bend, twist]), np.array([shear, shear, young * width * thickness])


def secant(f, a, b):
    """A root of f near a and b."""
    fa, fb = f(a), f(b)
    for _ in range(50):
        if fa == fb or abs(b - a) < 1e-13 * abs(b):
            break
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
        fb = f(b)
    return b


def from_the_tip(load, slope, stiffness, shear, steps=100):
    """Of a cantilever of 1 m whose end is pushed across with a force that stays, at its clamp: the force along it (N),
    zero where `slope` is that of its end, and the determinant of the turns out of the plane of two solutions that are
    free at the end, zero where it turns over.

    In the plane M' = -(v x f)_1, f' = -k x f, k = M/B1, v = e3 + f/S. For a small turn phi of the frames (body components)
    and mu, the change of the couple: phi' = B^-1 (mu - phi x m) - k x phi, mu' = -k x mu - (phi x v - S^-1 (phi x f)) x f.
    """

    def rate(_, y):
        moment, f2, f3 = y[:3]
        k = moment / stiffness[0]
        v2, v3 = f2 / shear[1], 1 + f3 / shear[2]
        phi2, phi3, mu2, mu3 = y[3:].reshape(4, 2)
        along = phi2 * v3 - phi3 * v2 - (phi2 * f3 - phi3 * f2) / shear[0]
        return np.concatenate([
            [v3 * f2 - v2 * f3, k * f3, -k * f2],
            (mu2 - moment * phi3) / stiffness[1] + k * phi3,
            (mu3 + moment * phi2) / stiffness[2] - k * phi2,
            k * mu3 + along * f3,
            -k * mu2 - along * f2,
        ])

    y = np.array([0, -load * np.cos(slope), load * np.sin(slope), 1, 0, 0, 1, 0, 0, 0, 0])
    for _ in range(steps):
        y = runge_kutta(rate, 0, y, -1 / steps)
    (phi2, phi3) = y[3:7].reshape(2, 2)
    return y[2], phi2[0] * phi3[1] - phi2[1] * phi3[0]


def lateral_load(thickness):
    """The force at which a strip turns over, N."""
    stiffness, shear = strip(thickness)

    def determinant(load):
        small = load / (2 * stiffness[0])
        slope = secant(lambda slope: from_the_tip(load, slope, stiffness, shear)[0], 0.9 * small, small)
        return from_the_tip(load, slope, stiffness, shear)[1]

    prandtl = 4.0126 * np.sqrt(stiffness[1] * stiffness[2])
    return secant(determinant, prandtl, 1.01 * prandtl)


def weak_column(share):
    """The force at which a column of critical_strip.ini buckles whose length is a half wave times sqrt(share), N."""
    stiffness, shear = strip(0.008)
    load = euler = share * np.pi**2 * stiffness[1]
    for _ in range(50):
        load = euler / (1 - load / shear[2] + load / shear[0])
    return load


EULER = {
    ("pinned", "pinned_sliding"): ("hinges", np.pi**2),
    ("clamped", "free"): ("clamp and free end", np.pi**2 / 4),
    ("clamped", "clamped_sliding"): ("clamps", 4 * np.pi**2),
    ("clamped", "pinned_sliding"): ("clamp and hinge", hinged_root() ** 2),
}
WEAK = {
    "pinned_sliding": ("strip between hinges", 1),
    "free": ("strip, clamp and free end", 0.25),
    "clamped_sliding": ("strip between clamps", 4),
}
# Where p^2 + 2 w^2 (1 + cos a cosh b) + p w sin a sinh b, with a^2, b^2 = sqrt(p^2/4 + w^2) +- p/2, has a double root w.
BECK = 20.050953618972926
GREENHILL = 7.837347436  # N/m: 9/4 j^2, j the first zero of the Bessel function of order -1/3
TWIST = 2 * twisted_root() / 0.7
RING = 2 * np.pi * np.sqrt(3) / 2
LINES = {
    "euler_line": ("Fig. 14b, {} stiffnesses", lambda stiffness: np.pi**2 * stiffness),
    "length_line": ("Fig. 14c, {} lengths", lambda length: np.pi**2 / length**2),
    "mitchell_line": ("Fig. 15a, {} ratios of stiffness", lambda ratio: 2 * np.sqrt(3) * np.pi / ratio),
}


def ladders(results):
    """Name, closed form, elements and critical values of each ladder."""
    euler = results["euler"]
    values = euler.observables["critical_value"]
    supports = list(zip(*([euler.parameter_text(key, value) for value in euler.parameters[key]]
                          for key in ("boundary.first", "boundary.last"))))
    for ends, (name, load) in EULER.items():
        own = np.array([each == ends for each in supports])
        yield f"column, {name}", load, euler.parameters["rod.elements"][own], values[own]
    weak = results["weak"]
    ends = np.array([weak.parameter_text("boundary.last", value) for value in weak.parameters["boundary.last"]])
    for end, (name, share) in WEAK.items():
        own = ends == end
        yield name, weak_column(share), weak.parameters["rod.elements"][own], weak.observables["critical_value"][own]
    lateral = results["lateral"]
    for thickness in np.unique(lateral.parameters["rod.thickness"]):
        own = lateral.parameters["rod.thickness"] == thickness
        name = f"cantilever that turns over, {1000 * thickness:.0f} mm tall"
        yield (name, lateral_load(thickness), lateral.parameters["rod.elements"][own],
               np.abs(lateral.observables["critical_value"][own]))
    for run, name, load in (("greenhill", "column under its weight", GREENHILL), ("twist", "twisted rod", TWIST),
                            ("ring", "twisted ring", RING), ("beck", "column that flutters", BECK)):
        ensemble = results[run]
        yield name, load, ensemble.parameters["rod.elements"], np.abs(ensemble.observables["critical_value"])


def extrapolated(values):
    """The limit to which the last two of levels by factors of two point, if they are of second order."""
    return values[-1] + (values[-1] - values[-2]) / 3


def line_errors(results, run, closed_form):
    """Of critical values along a line relative to the closed form."""
    ensemble = results[run]
    (key, axis), = ensemble.parameters.items()
    return axis, ensemble.observables["critical_value"] / closed_form(axis) - 1


def quantities(results):
    found = []
    for name, load, elements, values in ladders(results):
        found.append(Quantity(f"{name}, n = {elements[-1]:.0f}", values[-1], load, 2.5e-5, "", relative=True))
        found.append(Quantity(f"{name}, extrapolated", extrapolated(values), load, 1e-6, "", relative=True))
    for run, (name, closed_form) in LINES.items():
        axis, errors = line_errors(results, run, closed_form)
        found.append(at_most(f"{name.format(len(axis))}: largest relative error", errors[np.argmax(np.abs(errors))], 1e-4))
    return found


def draw(results):
    figure, panel = plt.subplots(figsize=(7, 5), layout="constrained")
    for name, load, elements, values in ladders(results):
        panel.loglog(elements, np.abs(values / load - 1), "o-", label=name)
    panel.loglog(elements, 4.0 * elements**-2.0, "--", color="0.6", label="second order")
    panel.set_xlabel("elements $n$")
    panel.set_ylabel("relative error of the critical load")
    panel.legend(frameon=False, fontsize=9)
    return figure


CASE = Case(
    name="critical_loads",
    title="Critical loads",
    source="Euler 1744; Greenhill 1881 and 1883; Mitchell 1889, [A] eq. F3; Prandtl 1899, with the deflection before; Beck 1952",
    runs={
        "euler": Run("critical_euler"),
        "greenhill": Run("critical_greenhill"),
        "twist": Run("critical_twist"),
        "weak": Run("critical_strip"),
        "lateral": Run("critical_lateral"),
        "ring": Run("critical_ring"),
        "beck": Run("critical_beck"),
        "euler_line": Run("../studies/euler_critical", quick=("sweep.axis=rod.bend_stiffness : linspace(0.2, 2, 10)",)),
        "length_line": Run("../studies/euler_length_critical", quick=("sweep.axis=rod.length : linspace(0.6, 1.5, 10)",)),
        "mitchell_line": Run("../studies/mitchell_critical", quick=("sweep.axis=rod.twist_to_bend_ratio : linspace(0.5, 5, 10)",)),
    },
    quantities=quantities,
    draw=draw,
)
