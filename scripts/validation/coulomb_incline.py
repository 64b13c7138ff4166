import math

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Run, at_most, largest_error

GRAVITY, SLOPE = 9.81, 0.5  # m/s^2, tangent
DOWN, ONTO = GRAVITY * math.sin(math.atan(SLOPE)), GRAVITY * math.cos(math.atan(SLOPE))
SLIP_TOLERANCE = 1e-3  # m/s, that of the deck
NAMES = {"imc": "implicit contact model", "ipc": "incremental potential contact", "penalty": "explicit rods",
         "published": "implicit contact model, friction at centre lines"}
EXPLICIT = (
    "model.kind=cosserat", "contact.kind=penalty", "contact.stiffness=1e5", "contact.damping=20", "rod.shear_stiffness=2e5",
    "rod.stretch_stiffness=2e5", "rod.bend_stiffness=20", "rod.twist_stiffness=20", "time.step=5e-6",
)


def motion(ensemble):
    """mu, and the acceleration down the slope and the speed of the rod that lies on the rails, in the last frames."""
    accelerations, speeds = [], []
    for member in range(len(ensemble)):
        time, rods = ensemble.rods(member)
        height, step = rods[2][-3:, :, 2].mean(axis=1), time[-1] - time[-2]
        accelerations.append(np.diff(height, 2)[0] / step**2)
        speeds.append((height[-1] - height[-2]) / step)
    return ensemble.parameters["contact.friction"], np.array(accelerations), np.array(speeds)


def quantities(results):
    found = []
    for label, ensemble in results.items():
        friction, accelerations, speeds = motion(ensemble)
        if label != "published":
            rolling = np.maximum(2 / 3 * DOWN, DOWN - friction * ONTO)
            # Friction acts at half the rods' distance; ipc holds their surfaces apart by some 1 % of the radius.
            found.append(largest_error(f"{label}: acceleration of a rod that rolls, largest error", accelerations, rolling,
                                       4e-3 if label == "ipc" else 2e-3))
            continue
        slides = friction < SLOPE
        found += [
            largest_error(f"{label}: acceleration where mu < 0.5, largest error", accelerations[slides],
                          DOWN - friction[slides] * ONTO, 1e-3),
            at_most(f"{label}: creep where mu > 0.5, largest", speeds[~slides].max(), SLIP_TOLERANCE, "m/s"),
        ]
    return found


def draw(results):
    figure, panel = plt.subplots(figsize=(6.8, 5), layout="constrained")
    law = np.linspace(0, 1, 201)
    panel.plot(law, np.maximum(0, DOWN - law * ONTO), color=INK, label=r"Coulomb: $g(\sin\alpha - \mu\cos\alpha)$, at least 0")
    panel.plot(law, np.maximum(2 / 3 * DOWN, DOWN - law * ONTO), "--", color=INK, label=r"rolling: at least $2 g\sin\alpha/3$")
    for (label, ensemble), mark, colour in zip(results.items(), ("o", "x", "+", "."), (ACCENT, BLUE, INK, ACCENT)):
        friction, accelerations, _ = motion(ensemble)
        panel.plot(friction, accelerations, mark, color=colour, markersize=8, label=NAMES[label])
    panel.axvline(SLOPE, color=INK, linewidth=0.8, linestyle=":")
    panel.set_xlabel(r"coefficient of friction $\mu$")
    panel.set_ylabel("acceleration down the slope (m/s$^2$)")
    panel.legend(frameon=False)
    return figure


CASE = Case(
    name="coulomb_incline",
    title="Friction between rods: one rolls, or sticks and slides, on rails",
    source="Coulomb's law",
    runs={
        "imc": Run("coulomb_incline"),
        "ipc": Run("coulomb_incline", ("contact.kind=ipc",)),
        "penalty": Run("coulomb_incline", EXPLICIT),
        "published": Run("coulomb_incline", ("model.laws=published",)),
    },
    quantities=quantities,
    draw=draw,
)
