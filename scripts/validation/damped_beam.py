"""A clamped beam of a Kelvin-Voigt material by all methods, against the roots of its two slowest bendings."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, at_most

TAU = 0.01  # s
TAU_OF_MODES = 1e-4  # s, of a beam of steel
WAVES = (1.8751040687119611, 4.694091132974174)  # k L of Euler's beam
STIFF = "rod.shear_stiffness=2e7"
METHODS = {
    "explicit": (STIFF, "time.method=dynamic", "time.step=1e-6"),
    "generalized_alpha": (STIFF,),
    "energy_momentum": (STIFF, "time.scheme=energy_momentum"),
    "der, generalized_alpha": ("time.method=dynamic", "model.kind=der", "time.scheme=generalized_alpha"),
    "der, sdirk2": ("time.method=dynamic", "model.kind=der", "time.scheme=sdirk2"),
    "der, midpoint": ("time.method=dynamic", "model.kind=der", "time.scheme=midpoint"),
}
BOTH = f"sweep.axis=rod.retardation_time : list(0, {TAU})"


def root(rate, tau=TAU):
    """s of a vibration whose angular frequency is `rate` without damping."""
    return np.roots([1, tau * rate**2, rate**2])[0]


def deflections(ensemble, member):
    """Times, and how far the beam is displaced as by each of its two slowest bendings."""
    time, position = ensemble.trajectory(member)
    arc = np.linspace(0, 1, position.shape[1])
    shapes = []
    for k in WAVES:
        ratio = (np.cos(k) + np.cosh(k)) / (np.sin(k) + np.sinh(k))
        shapes.append(np.cosh(k * arc) - np.cos(k * arc) - ratio * (np.sinh(k * arc) - np.sin(k * arc)))
    weights = np.full(len(arc), 1 / (len(arc) - 1))
    weights[[0, -1]] /= 2
    return time, np.array([(weights * shape) @ position[:, :, 0].T for shape in shapes])


def swings(ensemble, member):
    """The s of both bendings: eigenvalues of the linear map that takes several samples of the deflections to later ones (dynamic
    mode decomposition)."""
    time, deflection = deflections(ensemble, member)
    delays = 6
    count = len(time) - delays
    samples = np.vstack([deflection[:, k : k + count] for k in range(delays)])
    before, after = samples[:, :-1], samples[:, 1:]
    u, size, v = np.linalg.svd(before, full_matrices=False)
    kept = size > 1e-9 * size[0]
    u, size, v = u[:, kept], size[kept], v[kept]
    values = np.log(np.linalg.eigvals(u.T @ after @ v.T / size).astype(complex)) / (time[1] - time[0])
    return [values[np.argmin(np.abs(values - expected))]
            for expected in ((1j * k**2 if member == 0 else root(k**2)) for k in WAVES)]


def quantities(results):
    found = []
    modes = results["modes"].observables
    for mode, name in ((1, "modes: first bending"), (3, "modes: second bending")):
        rate = 2 * np.pi * modes[f"frequency_{mode}"][0]
        ours = complex(-modes[f"decay_rate_{mode}"][1], 2 * np.pi * modes[f"frequency_{mode}"][1])
        right = root(rate, TAU_OF_MODES)
        found.append(at_most(f"{name}, distance from the root over its decay rate", abs(ours - right) / abs(right.real), 1e-7))
    for method in METHODS:
        free, damped = swings(results[method], 0), swings(results[method], 1)
        for name, before, after in zip(("first", "second"), free, damped, strict=True):
            right = root(abs(before))
            found.append(Quantity(f"{method}: decay of the {name} bending over that of the root", after.real / right.real, 1.0, 1e-5))
            found.append(Quantity(f"{method}: frequency of the {name} bending over that of the root", after.imag / right.imag, 1.0, 1e-5))
    return found


def draw(results):
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    for axis, mode in zip(axes, (0, 1), strict=True):
        time, deflection = deflections(results["generalized_alpha"], 1)
        s = root(WAVES[mode] ** 2)
        right = np.exp(s.real * time) * np.sin(s.imag * time)
        axis.plot(time, right * np.abs(deflection[mode]).max() / np.abs(right).max(), color=INK, label="root")
        axis.plot(time, deflection[mode], "o", markersize=3, color=ACCENT, label="rodeo")
        axis.set_xlabel("time (s)")
        axis.set_ylabel(f"bending {mode + 1} (m)")
        axis.legend(frameon=False)
    return figure


CASE = Case(
    name="damped_beam",
    title="Clamped beam of a Kelvin-Voigt material",
    source="roots of s^2 + tau w^2 s + w^2 = 0, with the w of the same deck without damping",
    runs={
        "modes": Run("modes_clamped_free", (f"sweep.axis=rod.retardation_time : list(0, {TAU_OF_MODES})", "rod.elements=50",
                                            "rod.shear_stiffness=1e13")),
        **{method: Run("damped_beam", (*words, "study.kind=sweep", BOTH)) for method, words in METHODS.items()},
    },
    quantities=quantities,
    draw=draw,
)
