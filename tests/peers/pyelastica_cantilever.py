"""The cantilever of tests/peers/compare by PyElastica; run by an interpreter that has it.

Reads {"elements": n, "steps": N, "members": M, "processes": P, "rod": {...}} from standard input and prints {"seconds",
"tip"}: the time of N steps of M members by P processes without start-up and compilation, and where the tip of
the last member is (m). The members differ in their end force.
"""

import json
import multiprocessing
import sys
import time

import elastica
import numpy as np


class Simulator(elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing):
    """A rod with a clamp and an end force."""


def build(case, force):
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
        elastica.EndpointForces, np.zeros(3), np.array([force, 0.0, 0.0]), ramp_up_time=rod["ramp_time"]
    )
    simulator.finalize()
    return simulator, beam


def advance(simulator, steps, step):
    stepper = elastica.PositionVerlet()
    now = 0.0
    for _ in range(steps):
        now = stepper.step(simulator, now, step)


def run(job):
    case, force = job
    simulator, beam = build(case, force)
    advance(simulator, case["steps"], case["rod"]["step"])
    return beam.position_collection[:, -1].tolist()


def main():
    case = json.load(sys.stdin)
    warm = build(case, 0.0)[0]
    advance(warm, 3, case["rod"]["step"])  # compiles its kernels
    jobs = [(case, case["rod"]["end_force"] * (k + 1) / case["members"]) for k in range(case["members"])]
    with multiprocessing.Pool(case["processes"]) as pool:
        pool.map(run, [({**case, "steps": 3}, 0.0)] * case["processes"], chunksize=1)
        start = time.perf_counter()
        tips = pool.map(run, jobs, chunksize=1)
        seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "tip": tips[-1]}))


if __name__ == "__main__":
    main()
