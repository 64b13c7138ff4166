"""The cantilever of tests/peers/compare by PyElastica; run by an interpreter that has it.

Reads {"elements", "steps", "step", "rod": {...}} from standard input and prints {"seconds", "deflection"}: the processor time
of the steps without start-up and compilation, and where the end has come to (m).
"""

import json
import sys
import time

import elastica
import numpy as np


class Simulator(elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing, elastica.Damping):
    """A rod with a clamp and an end force."""


def build(case):
    rod = case["rod"]
    simulator = Simulator()
    beam = elastica.CosseratRod.straight_rod(
        case["elements"], np.zeros(3), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), rod["length"],
        rod["radius"], rod["density"], youngs_modulus=rod["young_modulus"], shear_modulus=rod["shear_modulus"],
    )  # fmt: skip
    simulator.append(beam)
    simulator.constrain(beam).using(
        elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)
    )
    simulator.add_forcing_to(beam).using(
        elastica.EndpointForces, np.zeros(3), np.array([rod["end_force"], 0.0, 0.0]), ramp_up_time=rod["ramp_time"]
    )
    simulator.dampen(beam).using(
        elastica.AnalyticalLinearDamper, uniform_damping_constant=1 / rod["relaxation_time"], time_step=case["step"]
    )
    simulator.finalize()
    return simulator, beam


def advance(simulator, steps, step):
    stepper = elastica.PositionVerlet()
    now = 0.0
    for _ in range(steps):
        now = stepper.step(simulator, now, step)


def main():
    case = json.load(sys.stdin)
    advance(build(case)[0], 3, case["step"])  # compiles its kernels
    simulator, beam = build(case)
    start = time.process_time()
    advance(simulator, case["steps"], case["step"])
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "deflection": float(beam.position_collection[0, -1])}))


if __name__ == "__main__":
    main()
