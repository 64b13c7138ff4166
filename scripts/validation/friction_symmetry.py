import matplotlib.pyplot as plt

from . import gaits
from .case import BLUE, Case, Run, at_most, interval

LENGTH = 0.5  # m
FRAMES = (f"output.frames={gaits.PERIODS * gaits.FRAMES_A_PERIOD + 1}",)
ANISOTROPIC = ("ground.static_friction=0.2, 4, 0.4", "ground.kinetic_friction=0.1, 2, 0.2")


def quantities(results):
    isotropic = {key: values[0] for key, values in results["isotropic"].observables.items()}
    creep = results["anisotropic"].observables["forward_speed"][0] / LENGTH
    return [
        at_most("isotropic: drift forward in the tenth period, lengths", isotropic["forward_speed"] / LENGTH, 1e-6),
        at_most("isotropic: drift sideways in the tenth period, lengths", isotropic["lateral_speed"] / LENGTH, 1e-6),
        interval("anisotropic: creep in the tenth period, lengths", abs(creep), 1e-4, 1.0),
    ]


def draw(results):
    figure, panels = plt.subplots(2, 2, figsize=(11.5, 7), layout="constrained", sharex="row")
    for (envelope, velocity), (label, ensemble) in zip(panels.T, results.items()):
        time, position = ensemble.trajectory(0)
        gaits.draw_envelope(envelope, position)
        envelope.plot(LENGTH / 2, 0, "^", color=BLUE, markersize=8, zorder=3)
        envelope.set_title(f"{label} friction: tenth period")
        gaits.draw_velocities(velocity, time, position / LENGTH)
    return figure


CASE = Case(
    name="friction_symmetry",
    title="A symmetric gait under isotropic and anisotropic friction",
    source="[A] Appendix G.3, Fig. 19; triangle: centre of mass at the start",
    runs={"isotropic": Run("friction_symmetry", FRAMES), "anisotropic": Run("friction_symmetry", FRAMES + ANISOTROPIC)},
    quantities=quantities,
    draw=draw,
    note="The ground is damped more than in the caption, where bouncing by micrometres makes the drift sideways chaotic, "
    "some 2e-5 lengths a period.",
)
