import convergence_figure
import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, ladder_orders

# Closed form for Phi = 27 turns, D = 3 m, L = 100 m, alpha = 1.345, beta = 0.789 N m^2 (section 3.4.1).
LENGTH, SLACK, TWIST, ALPHA, BETA = 100.0, 3.0, 54 * np.pi, 1.345, 0.789


def closed_form():
    """m_h, t_h by bisection on the branch from the straight rod."""
    def twist(t):
        m = np.sqrt(4 * t - (np.pi * t * SLACK / LENGTH) ** 2)
        return 2 * np.pi * m * ALPHA / BETA + 4 * np.arccos(m / (2 * np.sqrt(t)))

    lower, upper = 1e-9, 2 / (np.pi * SLACK / LENGTH) ** 2
    for _ in range(100):
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if twist(middle) < TWIST else (lower, middle)
    return np.sqrt(4 * lower - (np.pi * lower * SLACK / LENGTH) ** 2), lower


M_H, T_H = closed_form()
WIDTH = np.sqrt(4 * T_H - M_H**2)
THETA_MAX = np.arccos(1 - WIDTH**2 / (2 * T_H))
COUPLE = 2 * np.pi * ALPHA * M_H / LENGTH  # N m
FORCE = 4 * np.pi**2 * ALPHA * T_H / LENGTH**2  # N


def quantities(results):
    ensemble = results["ladder"]
    finest = {name: values[-1] for name, values in ensemble.observables.items()}
    return [
        Quantity("theta_max, finest", finest["theta_max"], THETA_MAX, 0.01, "rad", relative=True),
        Quantity("end couple, finest", finest["end_couple"], COUPLE, 0.01, "N m", relative=True),
        Quantity("end force, finest", finest["end_force"], FORCE, 0.02, "N", relative=True),
        *ladder_orders(ensemble.convergence, 0.3),
    ]


def draw(results):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
    s = np.linspace(-0.5, 0.5, 600)
    left.plot(s, np.tanh(np.pi * WIDTH * s) ** 2, color=INK, label="closed form")
    for member, n in enumerate(results["ladder"].convergence["n"]):
        edges = np.diff(results["ladder"].trajectory(member)[1][-1], axis=0)
        cosine = edges[:, 2] / np.linalg.norm(edges, axis=1)
        left.plot((np.arange(n) + 0.5) / n - 0.5, (cosine - cosine.min()) / (1 - cosine.min()), "--", linewidth=1,
                  label=f"n = {n}", color=ACCENT, alpha=0.3 + 0.7 * (member + 1) / len(results["ladder"]))
    left.set_xlim(-0.2, 0.2)
    left.set_xlabel("$s/L - 0.5$")
    left.set_ylabel(r"envelope $\varphi$")
    left.legend(frameon=False)
    convergence_figure.draw(right, results["ladder"].convergence)
    return figure


CASE = Case(
    name="helical_buckling",
    title="Localised helical buckling",
    source="[A] section 3.4.1, eqs 3.10 and 3.11, Fig. 3",
    runs={
        "ladder": Run(
            "helical_buckling",
            ("study.kind=convergence", "convergence.axis=rod.elements : list(100, 200, 400)",
             "convergence.reference=helix_envelope", "output.frames=2"),
            ("convergence.axis=rod.elements : list(50, 100)",),
        )
    },
    quantities=quantities,
    draw=draw,
)
