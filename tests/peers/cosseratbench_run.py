"""An experiment of cosseratbench by one of its solvers; run by an interpreter that has both.

Takes EXPERIMENT SOLVER [ELEMENTS] and prints {"outcome", "why", "seconds", "errors"}: the processor time of the run, of processes
that it starts too, without what is compiled or loaded once, and what the experiment measures. The catenary, whose reference has
no bending stiffness, is measured against the elastica with it as well, which the benchmark has for the ropes of its crossing.
"""

import json
import resource
import sys
import time

import numpy as np
from cosseratbench import experiment, metrics, registry
from cosseratbench.experiments import crossing


def with_bending(trajectory):
    arc, half = crossing._elastica(1e6, 0.0)
    along, up = crossing._mirrored(arc, half[:, 0], half[:, 1])[1].T
    return metrics.max_distance_to_curve(trajectory.positions[0][-1], np.stack([along, 0 * along, up], axis=1))


def processor_time():
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


class Timed:
    """A solver that notes the processor time of its last run."""

    def __init__(self, solver):
        self.solver = solver

    def __getattr__(self, name):
        return getattr(self.solver, name)

    def run(self, *arguments, **options):
        start = processor_time()
        try:
            return self.solver.run(*arguments, **options)
        finally:
            self.seconds = processor_time() - start


def main():
    name, solver_name, *elements = sys.argv[1:]
    asked = registry.load_experiment(name)
    try:
        solver = Timed(registry.load_solver(solver_name))
    except ImportError as error:
        print(json.dumps({"outcome": "not installed", "why": str(error)}))
        return
    experiment.provenance = lambda scenario, solver: {}  # it reads sources of a class, and this one is wrapped
    result = experiment.run(asked, solver, n_elements=int(elements[0]) if elements else None)
    errors = experiment.finite({**result.metrics, **result.observations})
    if name == "catenary" and result.outcome == "completed":
        errors["with_bending"] = with_bending(result.trajectory)
    print(json.dumps({"outcome": result.outcome, "why": result.failure or ", ".join(result.missing), "errors": errors,
                      "seconds": getattr(solver, "seconds", None)}))  # fmt: skip


if __name__ == "__main__":
    main()
