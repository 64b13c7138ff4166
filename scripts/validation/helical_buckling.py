from softrods.figures import convergence as convergence_figure
import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, NORMS, Case, Quantity, Run, at_most, ladder_orders

# Closed form for Phi = 27 turns, D = 3 m, L = 100 m, alpha = 1.345, beta = 0.789 N m^2 (section 3.4.1).
LENGTH, SLACK, TWIST, ALPHA, BETA = 100.0, 3.0, 54 * np.pi, 1.345, 0.789


def closed_form(slack):
    """m_h, t_h by bisection on the branch from the straight rod."""
    def twist(t):
        m = np.sqrt(4 * t - (np.pi * t * slack / LENGTH) ** 2)
        return 2 * np.pi * m * ALPHA / BETA + 4 * np.arccos(m / (2 * np.sqrt(t)))

    lower, upper = 1e-9, 2 / (np.pi * slack / LENGTH) ** 2
    for _ in range(100):
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if twist(middle) < TWIST else (lower, middle)
    return np.sqrt(4 * lower - (np.pi * lower * slack / LENGTH) ** 2), lower


def angle_and_force(slack):
    """Largest angle between the tangent and the axis (rad), and tension (N)."""
    m, t = closed_form(slack)
    return np.arccos(1 - (4 * t - m**2) / (2 * t)), 4 * np.pi**2 * ALPHA * t / LENGTH**2


SOON = ("rod.damping=0.05", "time.end=2500")  # the same state of rest

M_H, T_H = closed_form(SLACK)
WIDTH = np.sqrt(4 * T_H - M_H**2)
THETA_MAX, FORCE = angle_and_force(SLACK)
COUPLE = 2 * np.pi * ALPHA * M_H / LENGTH  # N m


# Bend and twist of the localised helix: [A] prints (M_h Phi + T_h D)/2, 0.46 % more.
ENERGY = COUPLE**2 * LENGTH / (2 * BETA) + FORCE * SLACK  # J


def ladder_quantities(ladder):
    """Orders of the errors. On the finest of many levels a fifth of the error stays however many elements there are, since the closed
    form is that of a rod without ends: there orders are those of the differences between levels."""
    quantities = ladder_orders(ladder, 0.2)
    if len(ladder["n"]) < 4:
        return quantities
    differences = [-np.diff(ladder[norm][-3:]) for norm in NORMS]
    return quantities[:-len(NORMS)] + [
        Quantity(f"order in {norm}, differences, n = {ladder['n'][-3]} to {ladder['n'][-1]}", np.log2(coarse / fine), 2.0, 0.1)
        for norm, (coarse, fine) in zip(NORMS, differences)
    ]


def quantities(results):
    ensemble, undamped = results["ladder"], results["undamped"]
    finest = {name: values[-1] for name, values in ensemble.observables.items()}
    n = ensemble.convergence["n"][-1]
    coarse = max(1.0, (800 / n) ** 2)  # the errors are of second order
    free = int(undamped.deck_values("rod.elements")[0])
    drift = undamped.observables["energy_drift"][-1] / ENERGY
    return [
        Quantity(f"theta_max, n = {n}", finest["theta_max"], THETA_MAX, 5e-3 * coarse, "rad", relative=True),
        Quantity(f"end couple, n = {n}", finest["end_couple"], COUPLE, 1e-3, "N m", relative=True),
        Quantity(f"end force, n = {n}", finest["end_force"], FORCE, 5e-3 * coarse, "N", relative=True),
        Quantity(f"energy at rest, n = {n}", finest["total_energy"], ENERGY, 1e-3, "J", relative=True),
        at_most(f"undamped, n = {free}: change of the energy since the ends rest", drift, 4e-2 / free),
        Quantity(f"undamped, n = {free}: energy at the end", undamped.observables["total_energy"][-1], ENERGY, 1e-2, "J",
                 relative=True),
        *ladder_quantities(ensemble.convergence),
    ]


def draw_envelope(panel, shapes):
    """Closed form and rods at rest [nodes, 3], from coarse to fine."""
    s = np.linspace(-0.5, 0.5, 600)
    panel.plot(s, np.tanh(np.pi * WIDTH * s) ** 2, color=INK, label="closed form")
    for level, shape in enumerate(shapes, 1):
        edges = np.diff(shape, axis=0)
        n = len(edges)
        cosine = edges[:, 2] / np.linalg.norm(edges, axis=1)
        panel.plot((np.arange(n) + 0.5) / n - 0.5, (cosine - cosine.min()) / (1 - cosine.min()), "--", linewidth=1,
                   label=f"n = {n}", color=ACCENT, alpha=0.3 + 0.7 * level / len(shapes))
    panel.set_xlim(-0.2, 0.2)
    panel.set_xlabel("$s/L - 0.5$")
    panel.set_ylabel(r"envelope $\varphi$")
    panel.legend(frameon=False)


def draw(results):
    figure = plt.figure(figsize=(11.5, 8.4), layout="constrained")
    (left, right), (energy, place) = figure.subplots(2, 2)
    draw_envelope(left, [results["ladder"].trajectory(member)[1][-1] for member in range(len(results["ladder"]))])
    convergence_figure.draw(right, results["ladder"].convergence)

    undamped = results["undamped"]
    time = undamped.parameters["time.end"]
    energy.axhline(ENERGY, color=INK, linestyle="--", linewidth=1.2, label=r"$M_h^2 L/2\beta + T_h D$")
    energy.axhline((COUPLE * TWIST + FORCE * SLACK) / 2, color=BLUE, linestyle=":", linewidth=1.2,
                   label=r"$(M_h\Phi + T_h D)/2$, as printed")
    energy.plot(time, undamped.observables["total_energy"], "o", color=ACCENT, label=rf"rodeo, $\gamma = 0$, n = {undamped.deck_values('rod.elements')[0]}")
    energy.set_ylim(0.95 * ENERGY, 1.05 * ENERGY)
    energy.set_xlabel("time (s)")
    energy.set_ylabel("total energy (J)")
    energy.legend(frameon=False)

    place.remove()
    shape = results["ladder"].trajectory(len(results["ladder"]) - 1)[1][-1]
    rod = figure.add_subplot(2, 2, 4, projection="3d")
    rod.plot(shape[:, 2], shape[:, 0], shape[:, 1], color=ACCENT, linewidth=1.4)
    rod.set_box_aspect((3, 1, 1), zoom=1.15)
    rod.set_xlabel("$z$ (m)", labelpad=12)
    rod.tick_params(labelsize=8)
    return figure


CASE = Case(
    name="helical_buckling",
    title="Localised helical buckling",
    source="[A] section 3.4.1, eqs 3.10 and 3.11, Fig. 3",
    runs={
        "ladder": Run(
            "helical_buckling",
            ("study.kind=convergence", "convergence.axis=rod.elements : list(100, 200, 400, 800)",
             "convergence.reference=helix_envelope", "output.frames=2"),
            ("convergence.axis=rod.elements : list(100, 200)", *SOON),
        ),
        "undamped": Run(
            "helical_buckling",
            ("study.kind=sweep", "sweep.axis=time.end : list(500, 2000, 5000, 10500)", "rod.elements=400", "rod.damping=0"),
            ("sweep.axis=time.end : list(1000)", "rod.elements=100", "time.step_per_length=5e-4"),
        ),
    },
    quick_note="n = 100 and 200, with angle and force allowed the 8 % of second order from 0.5 % at n = 800; five times the "
    "damping, so that the rod rests after 2500 s.",
    quantities=quantities,
    draw=draw,
)
