from softrods.figures import convergence as convergence_figure
import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, ladder_orders

# Eq. F5 with 1/c_s^2 in eq. F4: the end's angle is AMPLITUDE sin(2 pi f t), f = 1/s.
DENSITY, YOUNG, RADIUS, COUPLE, DILATATION = 10.0, 1e6, 0.5, 1e3, 1.05
LENGTH = np.sqrt(YOUNG / DENSITY) / DILATATION
SPEED = np.sqrt(2 * YOUNG / 3 / DENSITY)
STIFFNESS = 2 * YOUNG / 3 * np.pi * RADIUS**4 / 2  # G I3
AMPLITUDE = COUPLE * SPEED * DILATATION**2 / (2 * np.pi * STIFFNESS) * np.tan(2 * np.pi * DILATATION / SPEED * LENGTH)
# Half again the integral of the damping, sooner. It must still fall slowly against the beat of 50 s between the couple and
# the rod's own vibration, which would otherwise remain.
SOON = ("rod.damping=5", "rod.damping_decay_time=60", "boundary.motion_time=60")


def twist_profile(ensemble, member):
    """Middles of the elements, m, and by what angle they are turned about the rod at the end, rad."""
    _, orientation = ensemble.trajectory(member, "orientation")
    (w0, x0, y0, z0), (w, x, y, z) = orientation[0, :-1].T, orientation[-1, :-1].T
    half = np.arctan2(w0 * z - x0 * y + y0 * x - z0 * w, w0 * w + x0 * x + y0 * y + z0 * z)
    angle = np.unwrap(2 * half)  # a quaternion and its negative are the same turn
    n = len(angle)
    return (np.arange(n) + 0.5) * LENGTH / n, angle - 2 * np.pi * np.round(angle[0] / (2 * np.pi))


def quantities(results):
    end = results["period"]
    angle = end.observables["end_twist"]
    expected = AMPLITUDE * np.sin(2 * np.pi * end.parameters["time.end"])
    return [
        Quantity("largest distance of the end's angle over a period", np.abs(angle - expected).max(), 0.0,
                 0.03 * abs(AMPLITUDE), "rad"),
        *ladder_orders(results["ladder"].convergence, 0.15),
    ]


def draw(results):
    figure, (profile, left, right) = plt.subplots(1, 3, figsize=(15.5, 4.6), layout="constrained")
    end = results["period"]
    for member, instant in enumerate(end.parameters["time.end"]):
        arc, angle = twist_profile(end, member)
        label = ("eq. F5", "rodeo") if member == 0 else (None, None)
        wave = np.sin(2 * np.pi * DILATATION / SPEED * arc) / np.sin(2 * np.pi * DILATATION / SPEED * LENGTH)
        profile.plot(arc / LENGTH, AMPLITUDE * wave * np.sin(2 * np.pi * instant), color=INK, linewidth=1.4, label=label[0])
        profile.plot(arc / LENGTH, angle, "--", color=ACCENT, linewidth=1.6, label=label[1])
    profile.set_xlabel(r"rest arc length $\hat s/\hat L$")
    profile.set_ylabel(r"angle $\theta$ at instants of a period (rad)")
    profile.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
    time = end.parameters["time.end"]
    fine = np.linspace(time[0], time[0] + 1, 400)
    left.plot(fine - time[0], AMPLITUDE * np.sin(2 * np.pi * fine), color=INK, label="eq. F5")
    left.plot(time - time[0], end.observables["end_twist"], "o", color=ACCENT, label="rodeo")
    left.set_xlabel("time in the last period (s)")
    left.set_ylabel(r"angle of the end $\theta(\hat L)$ (rad)")
    left.legend(frameon=False)
    convergence_figure.draw(right, results["ladder"].convergence)
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
            ("convergence.axis=rod.elements : list(40, 80)", "time.end=780.25", *SOON),
        ),
        "period": Run(
            "stretched_twist_vibration",
            ("study.kind=sweep", "sweep.axis=time.end : linspace(2000, 2000.9, 10)", "output.frames=2",
             "output.fields=orientation"),
            ("sweep.axis=time.end : linspace(780.25, 780.5, 2)", "rod.elements=80", *SOON),
        ),
    },
    quantities=quantities,
    draw=draw,
    note="Compared at the instant of the largest angle, a quarter of a period after the caption's end, where eq. F5 is zero.",
    quick_note="40 and 80 elements; damping that falls sooner.",
)
