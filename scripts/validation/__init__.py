"""The validation cases of scripts/validate: one module each, listed here in the order of the report."""

import pathlib

from . import (
    coils,
    coulomb_incline,
    critical_loads,
    discrete_elastic_rods,
    equilibria,
    euler_buckling,
    examples,
    faults,
    flagella,
    friction_symmetry,
    gaits,
    hanging_rod,
    helical_buckling,
    hyperelastic_stretch,
    implicit_steps,
    longitudinal_friction,
    mitchell_buckling,
    modes,
    pile,
    rolling,
    searches,
    small_examples,
    stretched_twist_vibration,
    timoshenko_cantilever,
    vertical_oscillation,
)

DECKS = pathlib.Path(__file__).resolve().parents[2] / "inputs" / "validation"

CASES = tuple(
    case
    for case in (
        helical_buckling.CASE,
        equilibria.CASE,
        modes.CASE,
        implicit_steps.CASE,
        vertical_oscillation.HEAVY,
        vertical_oscillation.LIGHT,
        hanging_rod.CASE,
        timoshenko_cantilever.CASE,
        hyperelastic_stretch.CASE,
        euler_buckling.CASE,
        mitchell_buckling.CASE,
        stretched_twist_vibration.CASE,
        rolling.INCLINE,
        rolling.COUPLE,
        rolling.SLOWDOWN,
        longitudinal_friction.CASE,
        friction_symmetry.CASE,
        coils.PLECTONEME,
        coils.SOLENOID,
        gaits.SNAKE,
        gaits.SWIMMER,
        searches.SNAKE,
        searches.SWIMMER,
        *discrete_elastic_rods.CASES,
        coulomb_incline.CASE,
        critical_loads.CASE,
        flagella.PROPULSION,
        flagella.CONTACT,
        flagella.BUNDLING,
        flagella.FRICTION,
        examples.STEEL,
        examples.THREADS,
        examples.SLENDER,
        examples.COLUMN,
        small_examples.CASE,
        pile.PILE,
        pile.NEST,
        pile.LASTING_NEST,
        faults.CASE,
    )
    if all((DECKS / f"{run.deck}.ini").exists() for run in case.runs.values())
)
