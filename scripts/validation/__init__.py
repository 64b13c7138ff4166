"""The validation cases of scripts/validate: one module each, listed here in the order of the report."""

from . import euler_buckling, hanging_rod, hyperelastic_stretch

CASES = (
    hanging_rod.CASE,
    hyperelastic_stretch.CASE,
    euler_buckling.CASE,
)
