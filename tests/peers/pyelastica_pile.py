"""The pile of tests/peers/compare by PyElastica; run by an interpreter that has it.

Reads {"steps": N, "step": dt, "elements": n, "origins": [rods][3], "directions": [rods][3], "rod": {...}} from standard input
and prints {"seconds", "set_up", "height"}: the processor time of N steps without start-up and compilation, that of putting the rods
and all pairs of them together, and the mean height of the nodes at the end (m). Rods press on each other and on the floor; between
rods PyElastica has no friction, and it has no hollow cylinder that they could stand in.
"""

import itertools
import json
import sys
import time

import elastica
import numpy as np

from pyelastica_cantilever import advance


class Simulator(elastica.BaseSystemCollection, elastica.Forcing, elastica.Contact, elastica.Damping):
    """Rods in contact."""


def normal_to(direction):
    across = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    return across / np.linalg.norm(across)


def build(case):
    rod = case["rod"]
    simulator = Simulator()
    beams = []
    for origin, direction in zip(case["origins"], case["directions"]):
        beam = elastica.CosseratRod.straight_rod(
            case["elements"], np.array(origin), np.array(direction), normal_to(np.array(direction)), rod["length"],
            rod["radius"], rod["density"], youngs_modulus=rod["young_modulus"], shear_modulus=rod["shear_modulus"],
        )  # fmt: skip
        simulator.append(beam)
        beams.append(beam)
    floor = elastica.Plane(np.zeros(3), np.array([0.0, 0.0, 1.0]))
    simulator.append(floor)
    for beam in beams:
        simulator.add_forcing_to(beam).using(elastica.GravityForces, acc_gravity=np.array([0.0, 0.0, -9.81]))
        simulator.dampen(beam).using(elastica.AnalyticalLinearDamper, damping_constant=rod["damping_rate"], time_step=case["step"])
        simulator.detect_contact_between(beam, floor).using(
            elastica.RodPlaneContactWithAnisotropicFriction, k=rod["contact_stiffness"], nu=rod["contact_damping"],
            slip_velocity_tol=1e-4, static_mu_array=np.full(3, rod["friction"]), kinetic_mu_array=np.full(3, rod["friction"]),
        )  # fmt: skip
    for one, other in itertools.combinations(beams, 2):
        simulator.detect_contact_between(one, other).using(
            elastica.RodRodContact, k=rod["contact_stiffness"], nu=rod["contact_damping"]
        )
    simulator.finalize()
    return simulator, beams


def main():
    case = json.load(sys.stdin)
    touching = {**case, "origins": [[0.0, 0.0, 0.0], [0.0, 0.0, case["rod"]["radius"]]], "directions": np.eye(3)[:2].tolist()}
    advance(build(touching)[0], 3, case["step"])  # compiles its kernels
    start = time.process_time()
    simulator, beams = build(case)
    set_up = time.process_time() - start
    start = time.process_time()
    advance(simulator, case["steps"], case["step"])
    seconds = time.process_time() - start
    height = float(np.mean([beam.position_collection[2].mean() for beam in beams]))
    print(json.dumps({"seconds": seconds, "set_up": set_up, "height": height}))


if __name__ == "__main__":
    main()
