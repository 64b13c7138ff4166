import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Quantity, Run

GRAVITY, ROD_MASS, LENGTH, AREA = 9.81, 1.0, 1.0, 1e-3


def spring(young, end_mass, xi):
    """Period T* and largest length L + 2 Delta L* of the mass on a spring (eqs 3.12 and 3.13)."""
    stiffness = young * AREA / LENGTH
    period = 2 * np.pi * np.sqrt((end_mass + ROD_MASS / xi) / stiffness)
    return period, 2 * GRAVITY * (end_mass + ROD_MASS / 2) / stiffness


def measured(results):
    ensemble = results["sweep"]
    young = ensemble.parameters["rod.young_modulus"]
    return young, ensemble.observables["end_distance_period"], ensemble.observables["end_distance_max"] - LENGTH


def case(name, title, end_mass, xi, quick):
    def quantities(results):
        young, period, extension = (values[-1] for values in measured(results))
        expected = spring(young, end_mass, xi)
        return [
            Quantity(f"period at E = {young:g} Pa", period, expected[0], 1e-3, "s", relative=True),
            Quantity(f"largest extension at E = {young:g} Pa", extension, expected[1], 1e-3, "m", relative=True),
        ]

    def draw(results):
        young, period, extension = measured(results)
        expected = spring(young, end_mass, xi)
        figure, (course, norms, limits) = plt.subplots(1, 3, figsize=(14.5, 4.4), layout="constrained", width_ratios=(1.3, 1, 1))
        distances = []
        for member, (one_period, largest) in enumerate(zip(*expected)):
            time, position = results["sweep"].trajectory(member)
            length = np.linalg.norm(position[:, -1] - position[:, 0], axis=1)
            phase = time / one_period
            analytic = LENGTH + (1 - np.cos(2 * np.pi * phase)) * largest / 2
            error = np.abs(length - analytic) / largest
            distances.append((error.max(), error.mean(), np.sqrt((error**2).mean())))
            course.plot(phase, (length - LENGTH) / largest, color=ACCENT, linewidth=1, alpha=0.25 + 0.75 * (member + 1) / len(young))
        fine = np.linspace(0, phase[-1], 400)
        course.plot(fine, (1 - np.cos(2 * np.pi * fine)) / 2, "--", color=INK, linewidth=1.2, label="spring (3.12)")
        course.plot([], [], color=ACCENT, label="rodeo, darker for larger E")
        course.set_ylim(-0.1, 2.1)  # the softest rods fall out of the picture
        course.set_xlabel("time over $T^*$")
        course.set_ylabel(r"$(L(t) - \hat L)/2\Delta L^*$")
        course.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2)
        for values, colour, label in zip(np.transpose(distances), (INK, BLUE, ACCENT), (r"$L^\infty$", "$L^1$", "$L^2$")):
            norms.loglog(young, values, "o-", color=colour, label=label)
        norms.set_xlabel("Young's modulus (Pa)")
        norms.set_ylabel(r"norm of $|L(t) - L^E(t)|$ over $2\Delta L^*$")
        norms.legend(frameon=False)
        limits.loglog(young, np.abs(period / expected[0] - 1), "o-", color=BLUE, label="period $T^*$")
        limits.loglog(young, np.abs(extension / expected[1] - 1), "s-", color=ACCENT, label=r"largest extension $2\Delta L^*$")
        limits.set_xlabel("Young's modulus (Pa)")
        limits.set_ylabel("relative distance from the spring")
        limits.legend(frameon=False)
        return figure

    return Case(
        name=name,
        title=title,
        source="[A] eqs 3.12 and 3.13, Fig. 4, in the limit of a stiff rod",
        runs={"sweep": Run(name, ("output.frames=251",), quick)},
        quantities=quantities,
        draw=draw,
    )


HEAVY = case("vertical_oscillation_heavy", "Vertical oscillation with a heavy end", 100.0, 3.0,
             ("rod.elements=25", "time.step_per_crossing=1.2587297142e-3", "time.slice_steps=50"))
LIGHT = case("vertical_oscillation_light", "Vertical oscillation under the rod's own weight", 0.0, np.pi**2 / 4,
             ("rod.elements=25", "time.step_per_crossing=4e-4", "time.slice_steps=10"))
