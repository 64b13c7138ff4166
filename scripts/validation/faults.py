"""Problems to which rodeo once gave a wrong answer that looked right: what each of them must come to.

Each deck of inputs/validation/faults says what it shows. A member either gives the right number or ends badly, with a
status that says why.
"""

import dataclasses
import math

import matplotlib.pyplot as plt
import numpy as np
from softrods.ensemble import FAILURES, STATUS_NAMES

from .case import BLUE, INK, Case, Quantity, Run


# What a search has come to.
SEARCHES = {
    "best": lambda ensemble: float(ensemble.optimize["best"][-1]),
    "runs": lambda ensemble: float(np.count_nonzero(ensemble.wall_seconds > 0)),  # of candidates that none before was equal to
}


@dataclasses.dataclass(frozen=True)
class Fault:
    """What an observable of a deck must be, or the statuses that its members may end with, or either."""

    deck: str
    observable: str = ""
    right: float = math.nan
    tolerance: float = 0.0  # in the unit of the observable
    overrides: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()  # with which all is well, whatever the observables are

    @property
    def label(self):
        return " ".join((self.deck, *(f"--{override}" for override in self.overrides)))

    def quantity(self, ensemble):
        """The number that is farthest from the right one, or the part of the members whose ends are right: 1."""
        ends = [STATUS_NAMES[status] for status in ensemble.status]
        others = [member for member, end in enumerate(ends) if end not in self.statuses]
        if not others or not self.observable or any(ensemble.status[member] in FAILURES for member in others):
            wanted = " or ".join(self.statuses) or "a good end"
            right = 1.0 - len(others) / len(ends)
            return Quantity(f"{self.label}: {', '.join(sorted(set(ends)))}", right, 1.0, 0.0, limits=wanted)
        if self.observable in SEARCHES:
            return Quantity(f"{self.label}: {self.observable}", SEARCHES[self.observable](ensemble), self.right, self.tolerance)
        values = ensemble.observables[self.observable][others]
        farthest = float(values[np.argmax(np.abs(values - self.right))])
        return Quantity(f"{self.label}: {self.observable}", farthest, self.right, self.tolerance)


IMPLICIT = ("time.method=implicit", "time.step=1e-3")
DER = ("model.kind=der", "time.step=1e-3")
# A quarter of the way of an end in each step of the deck: more than half a turn.
LONG_STEPS = ("rod.elements=50", "rod.damping=0.1", "boundary.motion_time=16", "boundary.driven=last",
              "time.method=implicit", "time.step=4", "time.end=40")

SCHEMES = (
    (),
    *(("model.kind=der", "time.method=dynamic", f"time.scheme={scheme}") for scheme in ("generalized_alpha", "midpoint", "sdirk2")),
)

FAULTS: tuple[Fault, ...] = (
    # Rounding is not physics.
    Fault("slender_modes", "frequency_1", 0.14168, 2e-5),
    Fault("slender_modes", "frequency_1", 1.4168e-3, 2e-7, ("rod.radius=1e-6",)),
    Fault("slender_column", "unstable_modes", 2.0),
    Fault("slender_column", "unstable_modes", 2.0, overrides=("rod.radius=1e-6",)),
    Fault("slender_column", "unstable_modes", 0.0, overrides=("rod.radius=1e-6", "variable.p=0.99")),
    Fault("critical_slender", "critical_value", 1.0 - 8e-5, 5e-5),
    Fault("critical_slender", "critical_value", 1.0 - 8e-5, 5e-5, ("rod.radius=1e-6",)),
    Fault("der_static_slender", "end_z", 0.3017306, 1e-6),
    Fault("stiff_slide", "tip_deflection", 0.0, 1e-9),
    Fault("damped_micro", "frequency_1", 372137.57, 0.1),
    Fault("damped_micro", "frequency_1", 372368.84, 0.1, ("model.kind=der",)),
    Fault("joint_on_taper", "turn", 2.32101e-3, 2e-8),
    Fault("joint_on_taper", "turn", 2.32101e-3, 2e-8, ("model.kind=der",)),
    # A couple on an element is no force in the rod.
    Fault("force_beside_couple", "middle", 0.1, 1e-8),
    Fault("force_beside_couple", "last", 0.1, 1e-8),
    Fault("force_beside_joint", "second", 0.1, 1e-8),
    Fault("force_beside_joint", "last", 0.1, 1e-8),
    Fault("der_static_slender", "end_z", 0.3017306, 1e-6, ("time.method=dynamic", "time.step=100", "time.end=2e4")),
    # Rods that are joined are one.
    *(
        Fault("joined_modes", frequency, right, 2e-5 * right, method)
        for frequency, right in (("frequency_1", 0.559479), ("frequency_3", 3.50444))
        for method in ((), ("model.kind=der",))
    ),
    Fault("joined_column", "unstable_modes", 2.0),
    Fault("joined_column", "critical_value", 2.46732, 2e-5,
          ("variable.P=0", "branch.key=variable.P", "branch.to=10", "branch.stop=first_bifurcation")),
    Fault("winding_joined", "winding", 0.0, 1e-9),
    Fault("winding_joined", "winding", 0.0, 1e-9, ("rod.elements=30",)),
    # Iterations that end at their limit say so.
    Fault("least_stiffness_angle", "least_stiffness", 1.653264, 1e-6),
    # Nothing passes through anything unseen.
    Fault("pass_through", "gap", 0.02025, 2.5e-4),
    Fault("pass_through", "gap", 0.02025, 2.5e-4, ("time.step=0.5",)),
    Fault("pass_through", "gap", 0.02025, 2.5e-4, ("contact.kind=ipc",)),
    Fault("pass_slack", "gap", 0.02025, 2.5e-4),
    *(
        Fault("peg_in_the_way", "end_z", 0.0514496, 5e-5, method)
        for method in ((), ("time.step=0.5",), ("model.kind=der",))
    ),
    Fault("peg_in_the_way", overrides=("ground.stiffness=1e-3",), statuses=("passed through",)),
    Fault("soft_penalty", statuses=("passed through",)),
    Fault("tunnel", statuses=("passed through",)),
    Fault("coarse_knot", statuses=("passed through",)),
    Fault("twist", "twist_energy", 0.4424, 1e-3),
    Fault("twist", "end_twist", 13.0, 1e-6, LONG_STEPS),
    # Elements are capsules to what is around them.
    *(
        Fault("peg", "mid", 0.0048356, 1e-5, (f"rod.elements={elements}", *method))
        for elements, method in ((10, ()), (11, ()), (20, IMPLICIT), (40, DER))
    ),
    *(Fault("two_pegs", "mid", 0.0049164, 1e-6, (f"rod.elements={elements}",)) for elements in (7, 10, 20, 200)),
    *(Fault("end_on_floor", "bottom", 0.0098767, 2e-6, (f"rod.elements={elements}",)) for elements in (4, 7, 40, 200)),
    Fault("ball_at_speed", statuses=("passed through",)),
    Fault("ball_at_speed", overrides=("ground.response=net_force",), statuses=("passed through",)),
    Fault("ball_at_speed", overrides=IMPLICIT, statuses=("passed through",)),
    Fault("ball_at_speed", overrides=DER, statuses=("passed through",)),
    *(
        Fault("cone", observable, right, 1.5e-5, method)
        for observable, right in (("thick", 0.01), ("thin", 0.004))
        for method in ((), IMPLICIT, DER)
    ),
    # Energy from nothing is a failure.
    Fault("twist_release", "energy_gain", 0.0, 0.02 * 0.18722),
    Fault("twist_release", "energy_gain", 0.0, 0.02 * 0.18722, ("time.step=3e-4",)),
    Fault("bump", "energy_gain", 0.0, 0.02 * 0.09835),
    Fault("swing", "energy_gain", 0.0, 1e-6),
    Fault("swing", "energy_gain", 0.0, 1e-6, ("model.section=incompressible",)),
    Fault("swing", overrides=("model.section=published",), statuses=("gained energy",)),
    Fault("wide_shell", statuses=("gained energy",)),
    Fault("wide_shell", overrides=("model.kind=der", "time.method=dynamic"), statuses=("gained energy",)),
    Fault("wide_shell", "energy_gain", 0.0, 1e-12, ("contact.tolerance=3e-4",)),
    Fault("wide_shell", "energy_gain", 0.0, 1e-12, ("contact.kind=ipc",)),
    Fault("implicit_arms", statuses=("gained energy", "too stiff")),
    # What damping took made room for energy from nothing: 430 J, "done"; 5.04 J is right.
    Fault("implicit_arms", overrides=("sweep.axis=variable.k : list(1.5)", "time.spectral_radius=0.9"),
          statuses=("gained energy", "too stiff")),
    # Friction acts at surfaces, and twist does not stiffen der.
    Fault("der_twist", "end_z", -4.2475e-4, 1e-7),
    Fault("der_critical_twist", "unstable_modes", 0.0, 0.0),
    Fault("der_critical_twist", overrides=("boundary.twist=12.97",), statuses=("unstable",)),
    *(
        Fault("rails_roll", observable, 2 / 3, 2 / 300, (f"contact.kind={kind}", *method))
        for observable in ("speed_end", "spin_end")
        for kind in ("imc", "ipc")
        for method in ((), ("model.kind=cosserat", "time.method=implicit"))
    ),
    *(
        Fault("capstan", "capstan", 1.0, 1e-3, (f"contact.kind={kind}", *method))
        for kind in ("imc", "ipc")
        for method in ((), ("model.kind=cosserat", "time.method=implicit"))
    ),
    Fault("capstan", "capstan", 1.0, 1e-3, ("model.kind=cosserat", "time.step=2e-6", "contact.kind=penalty",
                                            "contact.stiffness=5", "contact.damping=1e-4")),
    *(
        Fault("static_friction_springs", observable, right, 0.01, method)
        for observable, right in (("Fmax", 0.5), ("Fmin", 0.1))
        for method in ((), ("model.kind=der", "time.method=dynamic"), ("time.method=dynamic", "time.step=1e-4"))
    ),
    Fault("coiling_rope", statuses=("done",)),
    # Held ends and what is read there; the limit of the linear law.
    Fault("half_motion", "couple_over_B", math.pi, 1e-3),
    Fault("half_motion", "couple_over_B", math.pi, 4e-3, ("model.kind=der",)),
    Fault("damping_held_by_motion", "peak", 0.1953, 2e-3),
    Fault("end_force_clamped_element", "end_force", 1.0, 1e-8),
    Fault("end_force_clamped_element", "end_couple", 1e-4, 1e-12),
    *(
        Fault("end_couple_on_turned_end", observable, right, 1e-9, method)
        for observable, right in (("end_z", 0.0), ("borne", -0.002))
        for method in ((), ("model.kind=der",), (*IMPLICIT, "time.end=0.01"),
                       ("time.method=dynamic", "time.step=1e-4", "time.end=0.01"))
    ),
    *(
        Fault("crush", overrides=method, statuses=("crushed",))
        for method in ((), ("model.kind=der",), IMPLICIT, (*DER, "time.method=dynamic"),
                       ("time.method=dynamic", "time.step=1e-5"))
    ),
    Fault("crush", "z", 0.05, 1e-5, ("model.section=incompressible", "time.method=dynamic", "time.step=1e-5",
                                     "time.end=3", "rod.relaxation_time=0.05")),
    *(
        Fault("inside_out", overrides=method, statuses=("crushed",))
        for method in ((), (*DER, "time.method=dynamic"), ("time.method=dynamic", "time.step=2e-5"))
    ),
    *(Fault("middle_force_side", "height", 0.00371012, 1e-7, method)
      for method in ((), ("time.step=0.5",), ("time.step=0.02",), ("model.kind=der",))),
    # Shapes, branches.
    Fault("rest_length", "rest", 2.5, 1e-14),
    Fault("stretched_at_rest", "stretch_energy", 2.5, 1e-9),
    Fault("array_in_spline", "bent", 3.0, 1e-9),
    Fault("branch_ring", "bending_energy", (math.pi / 8 - 1 / math.pi) * 1e-4, 7e-8),
    Fault("branch_out_of_points", statuses=("out of points",)),
    Fault("fold_twice", "folds", 2.0),
    Fault("fold_twice", "critical_value", 1.4802588, 1e-6),
    Fault("fold_many_elements", "critical_value", -0.178194, 1e-5),
    Fault("fold_many_elements", "critical_value", -0.1782, 1e-4, ("rod.elements=400",)),
    # A search knows no unit of a constraint, and runs a candidate once where nothing is random.
    *(Fault("constraint_units", "best", 1.18986, 0.0005, (f"variable.unit={unit}",)) for unit in ("1", "1e-3", "1e3", "1e6")),
    Fault("duplicate_candidates", "runs", 9.0),
    # Energy comes from what does work, and from nothing else.
    Fault("energy_in_cylinder", "energy_gain", 0.0, 1e-15),
    Fault("energy_check_blind", statuses=("gained energy",)),
    *(Fault("control_jump", "kept", 1.0, 1e-4, scheme) for scheme in (*SCHEMES, ("time.scheme=energy_momentum",))),
    *(Fault("control_jump_base", "kept", 1.0, 1e-4, scheme) for scheme in SCHEMES),
    *(
        Fault("held_at_random", "highest", 1441.0, 1440.0, method)
        for method in ((), ("time.step=0.01",), ("time.spectral_radius=0",), *SCHEMES[1::2])
    ),
    *(
        Fault("control_work", "worked", 0.00552, 1e-5, method)
        for method in ((), ("model.kind=cosserat", "time.method=implicit", "time.scheme=energy_momentum"))
    ),
)


def quantities(results):
    return [fault.quantity(results[fault.label]) for fault in FAULTS]


def draw_shares(listed):
    """How much of its tolerance each quantity needs."""
    shares = [abs(q.ours - q.reference) / (q.tolerance * (abs(q.reference) if q.relative else 1.0) or 1.0) for q in listed]
    figure, panel = plt.subplots(figsize=(12, 1.2 + 0.25 * len(shares)), layout="constrained")
    panel.barh(np.arange(len(shares)), shares, color=BLUE)
    panel.axvline(1.0, color=INK)
    panel.set_yticks(np.arange(len(shares)), [q.name for q in listed], fontsize=7)
    panel.set_xlabel("distance from the right value, in parts of the tolerance")
    return figure


CASE = Case(
    name="faults",
    title="Wrong answers that looked right",
    source="Closed forms, which the head of each deck gives",
    runs={fault.label: Run(f"faults/{fault.deck}", fault.overrides, may_end_badly=True) for fault in FAULTS},
    quantities=quantities,
    draw=lambda results: draw_shares(quantities(results)),
    side_by_side=True,
)
