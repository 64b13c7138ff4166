import convergence_figure
import matplotlib.pyplot as plt

from .case import Case, Run, ladder_orders


def draw(results):
    figure, panel = plt.subplots(figsize=(6.4, 5), layout="constrained")
    convergence_figure.draw(panel, results["ladder"].convergence)
    return figure


CASE = Case(
    name="stretched_twist_vibration",
    title="Standing twist wave in a stretched rod",
    source="[A] eq. F5 with 1/c_s^2 in eq. F4, Fig. 16",
    runs={
        "ladder": Run(
            "stretched_twist_vibration",
            ("study.kind=convergence", "convergence.axis=rod.elements : list(50, 100, 200)",
             "convergence.reference=twist_wave"),
            # The same damping in all, sooner.
            ("convergence.axis=rod.elements : list(40, 80)", "rod.damping=8", "rod.damping_decay_time=25",
             "boundary.motion_time=25", "time.end=500.25"),
        )
    },
    quantities=lambda results: ladder_orders(results["ladder"].convergence, 0.15),
    draw=draw,
    note="Compared at the instant of the largest angle, a quarter of a period after the caption's end, where eq. F5 is zero.",
)
