import matplotlib.pyplot as plt
import numpy as np

from .buckling import Onset
from .case import ACCENT, INK, Case, Quantity, Run

RATIOS = (0.90, 0.97, 1.00, 1.03, 1.10)  # Phi/Phi_c
SHAPE_TWIST = 10.0  # rad, of Fig. 15b and c


ONSET = Onset(
    deck="mitchell_buckling",
    load="rod.total_twist",
    ratios=RATIOS,
    critical=lambda stiffness_ratio: 2 * np.sqrt(3) * np.pi / stiffness_ratio,  # rad (eq. F3)
    key="rod.twist_to_bend_ratio",
    values=(1.0, 2.0, 4.0),  # beta/alpha
    label="ratio",
    names=("Phi_c", "beta/alpha", ""),
)


def shape():
    """The event of Fig. 15b and c, up to before strands, which have no contact here, pass through each other."""
    return Run(
        "mitchell_buckling",
        (f"sweep.axis=rod.total_twist : list({SHAPE_TWIST:g})", "study.repeats=1", "time.end=0.12",
         "observe.buckling_translational_energy=0", "output.frames=4"),
    )


def quantities(results):
    link = results["shape"].observables["link"][0]
    link_in_turns = Quantity("link of the buckled ring over Phi/2 pi", link * 2 * np.pi / SHAPE_TWIST, 1.0, 1e-9)
    return [*ONSET.quantities(results), link_in_turns]


def draw(results):
    figure = plt.figure(figsize=(10, 4.8), layout="constrained")
    panel = figure.add_subplot(1, 2, 1)
    twists = np.linspace(1, 13, 100)
    panel.plot(2 * np.sqrt(3) * np.pi / twists, twists, color=INK, linewidth=1.2, label=r"$2\sqrt{3}\pi/(\beta/\alpha)$")
    for stiffness_ratio, share in ONSET.shares(results).items():
        twist = np.array(RATIOS) * ONSET.critical(stiffness_ratio)
        panel.scatter(np.full_like(twist, stiffness_ratio), twist, c=share, vmin=0, vmax=1, cmap="cividis",
                      edgecolors=INK, linewidths=0.5, zorder=2)
    panel.set_xlim(0.5, 5)
    panel.set_ylim(0, 14)
    panel.set_xlabel(r"ratio of stiffnesses $\beta/\alpha$")
    panel.set_ylabel(r"total twist $\Phi$ (rad)")
    panel.legend(frameon=False)
    figure.colorbar(plt.cm.ScalarMappable(plt.Normalize(0, 1), "cividis"), ax=panel, label="probability of an event")
    room = figure.add_subplot(1, 2, 2, projection="3d")
    _, frames = results["shape"].trajectory(0)
    for k, nodes in enumerate(frames):
        share = k / (len(frames) - 1)
        room.plot(*nodes.T, color=ACCENT if k else INK, alpha=0.35 + 0.65 * share)
    room.set_aspect("equal")
    room.set_title(rf"$\Phi$ = {SHAPE_TWIST:g}, $\beta/\alpha$ = 2")
    return figure


CASE = Case(
    name="mitchell_buckling",
    title="Onset of Mitchell buckling of a twisted ring",
    source="[A] Appendix F.2, eq. F3, Fig. 15",
    runs={**ONSET.runs(("study.repeats=4",)), "shape": shape()},
    quantities=quantities,
    draw=draw,
    note="The whole map is inputs/studies/mitchell_buckling.ini.",
)
