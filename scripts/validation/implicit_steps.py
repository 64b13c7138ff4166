"""Implicit steps of Cosserat rods: order in time, energy and momenta, and the time that slender steel takes."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, Case, Quantity, Run, at_most, orders

EXPLICIT = ("time.method=dynamic",)
ALPHA = ("time.scheme=generalized_alpha",)
SWING = 0.1  # m, of the steel wire's end


def end_of(ensemble):
    return np.column_stack([ensemble.observables[f"end_{axis}"] for axis in "xyz"])


def push_errors(results, run):
    ensemble = results[run]
    steps = ensemble.parameters["time.step"]
    return steps, np.linalg.norm(end_of(ensemble) - end_of(results["explicit"]), axis=1)


def relative_drift(ensemble):
    return ensemble.observables["energy_drift"][0] / ensemble.observables["total_energy"][0]


def quantities(results):
    found = []
    for run, scheme in (("alpha", "generalized_alpha"), ("energy", "energy_momentum")):
        steps, errors = push_errors(results, run)
        found += [Quantity(f"{scheme}: order, steps of {a:g} and {b:g} s", order, 2.0, 0.2)
                  for a, b, order in zip(steps, steps[1:], orders(1 / steps, errors))]
    flight = results["flight"].observables
    steel = results["steel"]
    explicit = results["explicit_steel"]
    error = np.linalg.norm(end_of(steel) - end_of(explicit)) / SWING
    return [
        *found,
        at_most("energy_momentum: drift of the energy in 100 periods, 20 steps each", relative_drift(results["swing"]), 1e-8),
        at_most("energy_momentum: drift of the energy in space", relative_drift(results["flight"]), 1e-8),
        at_most("energy_momentum: drift of the momentum", flight["momentum_drift"][0], 1e-11, "kg m/s"),
        at_most("energy_momentum: drift of the angular momentum", flight["angular_momentum_drift"][0], 1e-11, "kg m^2/s"),
        at_most("steel, L/r = 2000: error after a period, over the swing", error, 1e-3),
        at_most("steel, L/r = 2000: wall time over that of explicit steps", steel.wall_seconds[0] / explicit.wall_seconds[0],
                0.02),
    ]


def draw(results):
    figure, errors = plt.subplots(figsize=(6, 4.6), layout="constrained")
    for run, label, color in (("alpha", "generalised alpha", ACCENT), ("energy", "energy-momentum", BLUE)):
        steps, distance = push_errors(results, run)
        errors.loglog(steps, distance, "o-", color=color, label=label)
    errors.loglog(steps, 0.05 * (steps / steps[0]) ** 2, "--", color="0.6", label="second order")
    errors.set_xlabel("step (s)")
    errors.set_ylabel("error of the end (m)")
    errors.legend(frameon=False)
    return figure


CASE = Case(
    name="implicit_steps",
    title="Implicit steps of Cosserat rods",
    source="time.method = implicit: explicit steps of the same rods, and conservation",
    runs={
        "explicit": Run("implicit_push", (*EXPLICIT, "study.kind=single", "time.step=2e-4")),
        "alpha": Run("implicit_push", ALPHA),
        "energy": Run("implicit_push"),
        "swing": Run("implicit_swing"),
        "flight": Run("implicit_flight"),
        "steel": Run("implicit_steel"),
        "explicit_steel": Run("implicit_steel", (*EXPLICIT, "time.step=1.2e-7", "time.slice_steps=1000000")),
    },
    quantities=quantities,
    draw=draw,
)
