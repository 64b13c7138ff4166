"""Short forms of all cases, whose numbers are compared with the digits that are stored: what moves is seen, whatever the
tolerances of the cases are. `scripts/validate --renew` stores them anew; the commit that does so says what moved and why."""

import json
import pathlib
import platform
import subprocess

import numpy as np
from softrods.ensemble import STATUS_NAMES

from .case import Case, Quantity, Run
from .faults import draw_shares

ROOT = pathlib.Path(__file__).resolve().parents[2]
STORED = ROOT / "inputs" / "validation" / "digits.json"
SAME, ANOTHER = 1e-9, 1e-6  # on a machine as that which stored them, and on others

SINGLE = "study.kind=single"

# What Newton's method and rounding leave open, and differences of what is nearly the same.
NOISY = {
    "angular_momentum_drift", "curvature_max", "end_couple", "end_distance_period", "end_force", "fluid_force",
    "fluid_iterations_per_step", "least_stiffness", "momentum_drift", "newton_iterations",
    "newton_iterations_per_contact_step", "newton_iterations_per_step", "profile_error_l1", "profile_error_l2",
    "profile_error_linf", "winding",
}

# Of each case: decks and what is changed in them. None of the forms is chaotic: a number that is changed in the thirteenth digit
# changes none of theirs in the tenth.
FORMS = {
    "helical_buckling": (("helical_buckling", "rod.elements=100", "rod.damping=0.05", "time.step_per_length=1e-3", "time.end=500"),),
    "equilibria": (
        ("static_cantilever", SINGLE, "rod.elements=50"),
        ("static_elastica", SINGLE, "rod.elements=50"),
        ("static_column", SINGLE, "rod.elements=50"),
        ("static_ground", SINGLE, "rod.elements=100", "ground.stiffness=6400"),
        ("static_ground", SINGLE, "rod.elements=100", "ground.stiffness=6400", "load.middle_force=0, 0, 0", "load.end_force=0, 0, 0.2"),
        ("portal_frame", SINGLE),
        ("portal_buckling", SINGLE),
        ("static_helix", SINGLE, "rod.elements=200"),
    ),
    "modes": (
        ("modes_clamped_free", SINGLE, "rod.elements=50"),
        ("modes_ring", SINGLE, "rod.elements=50"),
        ("beck_column", SINGLE, "rod.elements=20", "variable.p=20.06"),
    ),
    "damped_beam": (
        ("damped_beam", "time.end=0.1"),
        ("damped_beam", "time.end=0.1", "time.method=dynamic", "time.step=2e-6"),
        ("damped_beam", "time.end=0.1", "time.method=dynamic", "model.kind=der", "time.scheme=sdirk2"),
    ),
    "implicit_steps": (
        ("implicit_push", SINGLE, "time.step=0.1", "time.end=2"),
        ("implicit_push", SINGLE, "time.step=0.1", "time.end=2", "time.scheme=generalized_alpha"),
        ("implicit_flight", "time.end=1"),
    ),
    "vertical_oscillation_heavy": (("vertical_oscillation_heavy", SINGLE, "rod.elements=25", "time.end_per_crossing=15"),),
    "vertical_oscillation_light": (("vertical_oscillation_light", SINGLE, "rod.elements=25", "time.end_per_crossing=2"),),
    "hanging_rod": (("hanging_rod", SINGLE),),
    "timoshenko_cantilever": (("timoshenko_cantilever", SINGLE, "rod.elements=20", "time.end=500"),),
    "hyperelastic_stretch": (("hyperelastic_stretch", SINGLE, "load.end_force=0, 0, 25"),),
    "euler_buckling": (("euler_buckling", SINGLE, "rod.elements_per_length=20", "time.step=5e-5", "time.end=0.3"),),
    "mitchell_buckling": (("mitchell_buckling", SINGLE, "rod.total_twist=5.9", "time.end=0.5"),),
    "stretched_twist_vibration": (("stretched_twist_vibration", SINGLE, "rod.elements=40", "time.end=100"),),
    "rolling_incline": (("rolling_incline", SINGLE, "gravity.incline=1.2", "rod.elements=10", "time.end=0.2"),),
    "rolling_couple": (("rolling_couple", SINGLE, "load.distributed_couple=0.2, 0, 0", "rod.elements=10", "time.end=0.2"),),
    "rolling_slowdown": (("rolling_slowdown", SINGLE, "rod.inertia_ratio=0.5", "rod.elements=10", "time.end=0.2"),),
    "longitudinal_friction": (("longitudinal_friction", SINGLE, "gravity.acceleration=15, 0, -9.81"),),
    "friction_symmetry": (("friction_symmetry", "time.end=1.5", "rod.elements=50", "time.step=2e-5"),),
    "plectoneme": (("plectoneme", "time.end=40"),),
    "solenoid": (("solenoid", "time.end=40"),),
    "snake_gait": (("snake_gait", "time.end=2"),),
    "swimmer_gait": (("swimmer_gait", "time.end=2"),),
    "snake_cma": (("../studies/snake_cma_quick", "optimize.generations=2", "time.end=1"),),
    "swimmer_cma": (("../studies/swimmer_cma_quick", "optimize.generations=2", "time.end=1"),),
    "elastica_cantilever": (("elastica_cantilever", SINGLE),),
    "euler_buckling_der": (
        ("euler_buckling", SINGLE, "model.kind=der", "model.section=rigid", "time.step=1e-3", "rod.elements_per_length=20",
         "time.end=0.5"),
    ),
    "helical_buckling_der": (
        ("helical_buckling", "model.kind=der", "model.section=rigid", "rod.elements=100", "time.step_per_length=2",
         "newton.tolerance=1e-5", "time.end=500"),
    ),
    "loaded_helix": (
        ("loaded_helix", SINGLE, "time.end=5"),
        ("loaded_helix", SINGLE, "model.kind=der", "time.step=0.02", "newton.tolerance=1e-7", "time.end=5"),
    ),
    "coulomb_incline": (
        ("coulomb_incline", SINGLE),
        ("coulomb_incline", SINGLE, "contact.kind=ipc"),
    ),
    "critical_loads": (
        ("critical_euler", SINGLE, "rod.elements=50"),
        ("critical_greenhill", SINGLE, "rod.elements=50"),
        ("critical_ring", SINGLE, "rod.elements=50"),
        ("critical_beck", SINGLE, "rod.elements=20"),
    ),
    "helix_propulsion": (("helix_propulsion", "time.end=0.1"),),
    "flagella_contact": (
        ("flagella_imc", "rod.density=1000", "fluid.viscosity=0.1", "boundary.twist=3750", "time.end=0.3"),
        ("flagella_ipc", "rod.density=1000", "fluid.viscosity=0.1", "boundary.twist=3750", "time.end=0.3"),
    ),
    "flagella_bundling": (("../studies/flagella_bundling", SINGLE, "time.end=0.2"),),
    "flagella_friction_sweep": (("flagella_friction", "time.end=0.2"),),
    "steel_cantilever": (("../examples/steel_cantilever",),),
    "threads": (("../examples/threads",),),
    "coupled_slender_rod": (("../examples/coupled_slender_rod", "model.kind=der", "time.step=5e-3"),),
    "greenhill_column": (("../examples/greenhill_column", SINGLE, "time.end=2"),),
    "pile": (("../examples/pile", "time.end=0.05"),),
    "resting_nest": (("resting_nest", "time.end=0.1"),),
    "lasting_nest": (("lasting_nest", "time.end=0.02", "measure.define=height [m] : mean_along(z)"),),
    "small_examples": (
        ("../examples/two_strings",),
        ("../examples/tapered_strip",),
        ("../examples/hinged_pendulum",),
        ("../examples/tethered_beam",),
        ("../examples/struck_rod",),
    ),
    "faults": (
        ("faults/slender_modes",),
        ("faults/peg",),
        ("faults/rails_roll", "contact.kind=imc"),
        ("faults/branch_ring",),
    ),
}


def label(deck, *overrides):
    return " ".join((deck, *(f"--{override}" for override in overrides)))


RUNS = {label(*form): Run(form[0], form[1:], may_end_badly=True) for forms in FORMS.values() for form in forms}


def processor():
    """The processor's architecture, maker, family and model."""
    known = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith(("vendor_id", "cpu family", "model\t"))]
    return " ".join((platform.machine(), *known[:3]))


def machine():
    """What digits depend on: how the program was built, and for which processor."""
    built = subprocess.run([ROOT / "build" / "rodeo", "--version"], capture_output=True, text=True, check=True).stdout
    lines = dict(line.split(maxsplit=1) for line in built.splitlines())
    return {**{name: lines[name] for name in ("compiler", "build", "kernels", "Kokkos")}, "processor": processor()}


def numbers(ensemble):
    """Of an ensemble: how its members ended, and the observables that all of them have."""
    observed = {name: np.asarray(ensemble.observables[name]) for name in ensemble.observables}
    return {
        "ended": [STATUS_NAMES[status] for status in ensemble.status],
        **{name: values.tolist() for name, values in observed.items() if name not in NOISY and np.isfinite(values).all()},
    }


def scale(unit, units, *sets):
    """The largest of the numbers that have this unit, 1 at least where they have none: what is as small beside it as rounding
    has no digits of its own."""
    sizes = [np.abs(np.asarray(values[name])).max(initial=0.0)
             for values in sets for name in values if name != "ended" and units.get(name) == unit]
    return max([*sizes, 1.0 if unit in ("1", "rad") else 0.0]) or 1.0


def moved(stored, found, units):
    """The name of the number that has moved farthest, and how far, in parts of its scale."""
    if stored["ended"] != found["ended"]:
        return f"ended as {', '.join(sorted(set(found['ended'])))}", np.inf
    farthest = "nothing", 0.0
    for name, values in stored.items():
        if name == "ended":
            continue
        if name not in found:
            return f"{name} is gone", np.inf
        of = scale(units.get(name), units, stored, found)
        distance = float(np.abs(np.subtract(found[name], values)).max(initial=0.0)) / of
        if not distance <= farthest[1]:
            farthest = name, distance if np.isfinite(distance) else np.inf
    return farthest


def quantities(results):
    stored = json.loads(STORED.read_text()) if STORED.exists() else {"machine": {}, "forms": {}}
    tolerance = SAME if stored["machine"] == machine() else ANOTHER
    listed = []
    for form, ensemble in results.items():
        if form not in stored["forms"]:
            listed.append(Quantity(f"{form}: not stored", np.nan, 0.0, tolerance))
            continue
        name, distance = moved(stored["forms"][form], numbers(ensemble), ensemble.units)
        listed.append(Quantity(f"{form}: {name}", distance, 0.0, tolerance, limits=f"<= {tolerance:g}"))
    return listed


def renew(results):
    revision = next(iter(results.values())).attributes["git_revision"]
    lines = [f' "revision": {json.dumps(revision)}', f' "machine": {json.dumps(machine())}']
    forms = [
        f"  {json.dumps(form)}: {{\n"
        + ",\n".join(f"   {json.dumps(name)}: {json.dumps(values)}" for name, values in numbers(ensemble).items()) + "\n  }"
        for form, ensemble in results.items()
    ]
    STORED.write_text("{\n" + ",\n".join([*lines, ' "forms": {\n' + ",\n".join(forms) + "\n }"]) + "\n}\n")


CASE = Case(
    name="digits",
    title="Digits of all cases, in short forms",
    source="inputs/validation/digits.json: the last commit that moved them",
    runs=RUNS,
    quantities=quantities,
    draw=lambda results: draw_shares(quantities(results)),
    side_by_side=True,
    noted=False,
    renew=renew,
)
