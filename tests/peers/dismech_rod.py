"""A rod of dismech-python, whose first element is held; run by an interpreter that has it.

Reads {"elements", "step", "steps", "gravity", "rod": {...}, "curvatures", "every", "iterations"} from standard input and prints
{"seconds", "end"}: the processor time of the steps of implicit Euler, and where the end has come to (m). With "curvatures", the
natural curvatures about y and z at the inner nodes (1/m), the rod takes the next of them every so many steps. With "iterations"
each step takes so many of Newton's method, converged or not; else they go on to where rodeo's do.
"""

import contextlib
import json
import os
import sys
import time

os.environ["MPLBACKEND"] = "Agg"  # it imports what draws

import dismech
import numpy as np


class Stepper(dismech.ImplicitEulerTimeStepper):
    """Implicit Euler that stops where it is told to."""

    iterations = None

    def _converged(self, err, err_history, dq, iteration, robot):
        if self.iterations:
            return iteration >= self.iterations
        return super()._converged(err, err_history, dq, iteration, robot)


def build(case):
    rod, elements = case["rod"], case["elements"]
    nodes = np.linspace(0, rod["length"], elements + 1)[:, None] * [1.0, 0.0, 0.0]
    edges = np.stack([np.arange(elements), np.arange(1, elements + 1)], axis=1)
    bend_stiffness = rod["young_modulus"] * np.pi * rod["radius"] ** 4 / 4
    tolerance = 1e-6 * bend_stiffness / rod["length"] ** 2  # newton.tolerance of rodeo
    how = dismech.SimParams(
        static_sim=False, two_d_sim=False, use_mid_edge=False, use_line_search=False, log_data=False, log_step=1, show_floor=False,
        dt=case["step"], max_iter=100, total_time=case["step"] * case["steps"], plot_step=1, tol=tolerance, ftol=0.0, dtol=0.0,
    )  # fmt: skip
    around = dismech.Environment()
    around.add_force("gravity", g=np.array(case["gravity"]))
    material = dismech.Material(density=rod["density"], youngs_rod=rod["young_modulus"], youngs_shell=0,
                                poisson_rod=rod["poisson_ratio"], poisson_shell=0)  # fmt: skip
    geometry = dismech.Geometry(nodes, edges, np.empty(0, dtype=np.int64))
    robot = dismech.SoftRobot(dismech.GeomParams(rod_r0=rod["radius"], shell_h=0), material, geometry, how, around)
    robot = robot.fix_nodes(np.array([0, 1]))
    stepper = Stepper(robot, min_force=0.1 * tolerance)
    stepper.iterations = case.get("iterations")
    return stepper, robot


def advance(case, steps):
    """Where the end has come to, and the processor time."""
    stepper, robot = build(case)
    if "curvatures" in case:  # no public name leads from the stepper to them
        bending = next(energy for energy in stepper._TimeStepper__elastic_energies if isinstance(energy, dismech.BendEnergy))
        element = case["rod"]["length"] / case["elements"]
        strains = [-element * np.array(curvatures) for curvatures in case["curvatures"]]  # its directors are z and -y
    start = time.process_time()
    for done in range(steps):
        if "curvatures" in case and done % case["every"] == 0:
            bending.set_nat_strain(strains[done // case["every"]])
        robot = stepper.step(robot)
    return robot.state.q[3 * case["elements"] :][:3].tolist(), time.process_time() - start


def main():
    case = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        advance(case, 2)  # compiles its kernels
        end, seconds = advance(case, case["steps"])
    print(json.dumps({"seconds": seconds, "end": end}))


if __name__ == "__main__":
    main()
