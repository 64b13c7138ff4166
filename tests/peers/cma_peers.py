"""Evaluations that pycma and cmaes take to a target, for tests/measurements/cma_evaluations.

Reads a case as JSON from the standard input and prints one number for each seed, null where the target was not reached. Without
noise a target is reached by a candidate. With noise it is reached by the mean of the distribution, whose value without noise is
looked at after each generation and counts for nothing; pycma then averages as its NoiseHandler asks, and cmaes adapts its learning
rates.
"""

import json
import sys
import warnings

import numpy as np

FUNCTIONS = {
    "sphere": lambda x: np.sum(x**2),
    "ellipsoid": lambda x: np.sum(10 ** (6 * np.arange(len(x)) / (len(x) - 1)) * x**2),
    "rosenbrock": lambda x: np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2),
    "rastrigin": lambda x: np.sum(10 + x**2 - 10 * np.cos(2 * np.pi * x)),
    "cigar": lambda x: x[0] ** 2 + 1e6 * np.sum(x[1:] ** 2),
    "tablet": lambda x: 1e6 * x[0] ** 2 + np.sum(x[1:] ** 2),
}


class Objective:
    """A function with noise, its evaluations, and whether a candidate has come to the target."""

    def __init__(self, case, seed):
        self.function = FUNCTIONS[case["function"]]
        self.noise = case["noise"]
        self.target = case["target"]
        self.random = np.random.default_rng(seed)
        self.evaluations = 0
        self.reached = False

    def __call__(self, x):
        value = float(self.function(np.asarray(x)))
        self.evaluations += 1
        self.reached |= not self.noise and value <= self.target
        return value + self.noise * self.random.standard_normal()

    def look_at(self, mean):
        self.reached |= bool(self.noise) and self.function(np.asarray(mean)) <= self.target


def by_pycma(case, objective, seed):
    import cma  # here, since rodeo's side of the table takes the functions without peers

    never = dict.fromkeys(("tolfun", "tolfunhist", "tolx"), 0) | {"tolstagnation": 1e9, "tolflatfitness": 1e9, "maxfevals": case["most"]}
    search = cma.CMAEvolutionStrategy(case["start"], case["sigma"], never | {"seed": seed, "popsize": case["population"], "verbose": -9})
    handler = cma.NoiseHandler(len(case["start"])) if case["noise"] else None
    while not objective.reached and objective.evaluations < case["most"]:
        if handler:
            points, values = search.ask_and_eval(objective, evaluations=handler.evaluations)
            search.tell(points, values)
            search.sigma *= handler(points, values, objective, search.ask)
        else:
            points = search.ask()
            search.tell(points, [objective(point) for point in points])
        objective.look_at(search.mean)


def by_cmaes(case, objective, seed):
    import cmaes

    search = cmaes.CMA(mean=np.array(case["start"], dtype=float), sigma=case["sigma"], population_size=case["population"], seed=seed,
                       lr_adapt=bool(case["noise"]))  # fmt: skip
    while not objective.reached and objective.evaluations < case["most"]:
        points = [search.ask() for _ in range(case["population"])]
        search.tell([(point, objective(point)) for point in points])
        objective.look_at(search.mean)


def main():
    warnings.simplefilter("ignore")
    case = json.load(sys.stdin)
    counts = []
    for seed in range(1, case["seeds"] + 1):
        objective = Objective(case, seed)
        (by_pycma if case["peer"] == "pycma" else by_cmaes)(case, objective, seed)
        counts.append(objective.evaluations if objective.reached else None)
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
