"""Small decks of inputs/examples, each of which shows what some keys do, against the closed forms that their heads give."""

import dataclasses

import numpy as np

from .case import Case, Quantity, Run, at_most, interval, largest_error
from .faults import draw_shares


@dataclasses.dataclass(frozen=True)
class Answer:
    """What an observable of a deck with one member must be."""

    deck: str
    observable: str
    right: float
    tolerance: float  # as a part of it

    def quantity(self, results):
        value = float(results[self.deck].observables[self.observable][0])
        return Quantity(f"{self.deck}: {self.observable}", value, self.right, self.tolerance, relative=True)


def pendulum(factor):
    """The frequency (Hz) whose angular frequency is the root of `factor` g/l, of rods of 0.3 m."""
    return np.sqrt(factor * 9.81 / 0.3) / (2 * np.pi)


def fed_back(instants):
    """The height (m) of a mass of 1 kg that leaves z = 0 with 1 m/s, after so many samples, 0.01 s apart, of u = -25 z - v."""
    height, rise = 0.0, 1.0
    for _ in range(instants):
        push = -25 * height - rise
        height, rise = height + 0.01 * rise + 0.5e-4 * push, rise + 0.01 * push
    return height


HEIGHT = fed_back(200)
SLOW, ALONG, FAST = pendulum(3 * (1 - 2 / np.sqrt(7))), pendulum(3 / 4), pendulum(3 * (1 + 2 / np.sqrt(7)))

ANSWERS = (
    Answer("rods_from_table", "droop_0", 1.0, 0.01),
    Answer("rods_from_table", "droop_1", 1.0, 0.01),
    Answer("rods_from_table", "droop_2", 1.0, 0.01),
    Answer("two_strings", "tension_0", 0.7933315, 1e-6),
    Answer("two_strings", "tension_1", 1.6028534, 1e-6),
    Answer("two_stiffnesses", "aside_1", 1.0479167e-3, 1e-4),
    Answer("two_stiffnesses", "aside_2", 3.5034722e-4, 1e-4),
    Answer("tapered_strip", "sag", 2e-4, 1e-3),
    Answer("curled_strip", "along", np.sin(1) / 5, 1e-4),
    Answer("curled_strip", "aside", (1 - np.cos(1)) / 5, 1e-4),
    Answer("rubber_band", "around", 0.04, 1e-9),
    Answer("double_pendulum", "frequency_1", SLOW, 5e-4),
    Answer("double_pendulum", "frequency_2", SLOW, 5e-4),
    Answer("double_pendulum", "frequency_3", FAST, 5e-4),
    Answer("double_pendulum", "frequency_4", FAST, 5e-4),
    Answer("hinged_pendulum", "frequency_1", SLOW, 5e-4),
    Answer("hinged_pendulum", "frequency_2", ALONG, 5e-4),
    Answer("hinged_pendulum", "frequency_3", FAST, 5e-4),
    Answer("spread_loads", "down", 9.95494e-5, 1e-4),
    Answer("spread_loads", "aside", 9.95494e-5, 1e-4),
    Answer("magnetic_beam", "aside", 1.0666667e-4, 1e-3),
    Answer("tethered_beam", "aside", 3.914660e-05, 1e-3),
    Answer("compass_needle", "turned", -0.1, 2e-4),
    Answer("struck_rod", "swing", 8.10569e-5, 3e-3),
    Answer("struck_rod", "spin_left", 0.361107, 1e-4),
    Answer("thrown_rod", "height", 0.05095, 1e-6),
    Answer("thrown_rod", "turned", 0.5, 1e-4),
    *(Answer(deck, name, right, 1e-4) for deck in ("thrown_rod_on", "thrown_rod_numbers")
      for name, right in (("height", 0.0038), ("turned", 1.0))),
    Answer("let_go", "below", -5.305165e-3, 1e-3),
    Answer("let_go", "above", 5.059987e-3, 5e-3),
    Answer("let_go", "below_again", -5.117849e-3, 0.01),
    Answer("driven_by_a_table", "turned", 0.4305577, 5e-7),
    Answer("pulsing_muscle", "longest", 8.488264e-4, 2e-3),
    Answer("pulsing_muscle", "shortest", 8.488264e-4, 2e-3),
    Answer("sampled_feedback", "height_at_end", HEIGHT, 1e-9),
    Answer("fibres_in_a_box", "borne", 0.1676541, 1e-3),
)

STUDIES = (
    "cord_designs", "droop_tolerances", "drawn_fibres", "euler_predicted", "screened_cords", "modulus_from_points", "asynchronous_search",
    "restarts", "several_targets", "new_machine", "beam_convergence", "settling_cords", "swinging_cords", "sinking_rods",
    "stiff_last_cord", "curve_and_island", "known_shape", "noisy_search",
    "tip_control", "worm_control", "oscillator_control", "snake_control", "arm_obstacles",
)  # fmt: skip


def sobol_indices():
    """Indices of a product of powers of lognormal numbers, alone and with others, by parameter."""
    part = np.array([4 * 0.01, 0.06, 2 * 0.02]) ** 2
    alone = np.expm1(part) / np.expm1(part.sum())
    return alone, alone * np.exp(part.sum() - part)


def nodes_beyond_euler(boundary):
    """How many nodes of the map are on the other side of Euler's load than they should be."""
    stiffness, force = boundary["point"].T
    return np.count_nonzero((boundary["outcome"] == 1) != (force > np.pi**2 * stiffness))


def wrong_share(boundary):
    """The share of the unit square where the values of a map, linear between its nodes, are on the wrong side of the curve or of
    the rim of the island."""
    above = boundary["above"].reshape(129, 129)
    place = (np.arange(1024) + 0.5) / 8
    low, share = place.astype(int), place % 1
    across = above[low] * (1 - share)[:, None] + above[low + 1] * share[:, None]
    found = across[:, low] * (1 - share) + across[:, low + 1] * share
    x, y = np.meshgrid(place / 128, place / 128, indexing="ij")
    return np.mean((found < 0) != ((y - 0.4 - 0.2 * np.sin(2 * np.pi * x)) * (np.hypot(x - 0.7, y - 0.75) - 0.12) < 0))


def force_for_targets(ensemble):
    """The force (N) by which a cantilever, whose end moves by F L^3/(3 B), misses least in the mean of the three goals that it
    misses most."""
    first = slice(0, int(ensemble.scenario.max()) + 1)
    goals, stiffness = (ensemble.parameters[key][first] for key in ("variable.height", "rod.bend_stiffness"))
    forces = np.linspace(0, 0.01, 100001)
    misses = np.sort((forces[:, np.newaxis] * 0.1**3 / (3 * stiffness) - goals) ** 2)
    return forces[np.argmin(misses[:, 3:].mean(axis=1))]


def finest(ensemble, observable):
    """The largest value on the finest level of a ladder of elements."""
    elements = ensemble.parameters["rod.elements"]
    return np.nanmax(ensemble.observables[observable][elements == np.nanmax(elements)])


def study_quantities(results):
    alone, with_others = sobol_indices()
    sensitivity, beam = results["droop_tolerances"].sensitivity, results["beam_convergence"].convergence
    drawn = results["drawn_fibres"].sensitivity
    search, sinking = results["modulus_from_points"], results["sinking_rods"].observables
    targets = results["several_targets"]
    force = targets.parameters["load.end_force[2]"][targets.candidate == targets.optimize["best_candidate"][-1]][0]
    best = np.flatnonzero(search.candidate == search.optimize["best_candidate"][-1])[0]
    apart = np.abs(sinking["speed_1"] / sinking["speed_0"] - 1)
    designs, settling, swinging = (results[deck] for deck in ("cord_designs", "settling_cords", "swinging_cords"))
    snake = results["snake_control"].observables
    in_set = designs.tables["pareto"]["in_set"].astype(float)

    def all_ones(name, values, tolerance):
        return largest_error(name, values, np.ones(len(values)), tolerance)

    return [
        all_ones("cord_designs: droop_over_theory", designs.observables["droop_over_theory"], 0.01),
        interval("cord_designs: the least droop is in the set", in_set[np.argmin(designs.observables["tip_deflection"])], 1, 1),
        interval("cord_designs: the least mass is in the set", in_set[np.argmin(designs.observables["mass"])], 1, 1),
        largest_error("droop_tolerances: Sobol indices, alone", sensitivity["first"][-1], alone, 1e-3),
        largest_error("droop_tolerances: Sobol indices, with others", sensitivity["total"][-1], with_others, 1e-3),
        largest_error("drawn_fibres: known with one", drawn["first"][-1], np.array([0.5104, 0.3971, 0.5104]), 0.01),
        largest_error("drawn_fibres: left with all others", drawn["total"][-1], np.array([0.0906, 0.3993, 0.0906]), 0.01),
        at_most("euler_predicted: nodes on the other side of Euler's load", nodes_beyond_euler(results["euler_predicted"].boundary), 8),
        at_most("euler_predicted: members, of 2601", len(np.flatnonzero(results["euler_predicted"].committed)), 400),
        at_most("curve_and_island: share of the square on the wrong side", wrong_share(results["curve_and_island"].boundary), 0.0033),
        at_most("curve_and_island: members, of 16641", np.count_nonzero(results["curve_and_island"].committed), 620),
        at_most("known_shape: function_value", results["known_shape"].optimize["best"][-1], 1e-8),
        at_most("known_shape: members", np.count_nonzero(results["known_shape"].committed), 250),
        at_most("noisy_search: squared distance of the mean", np.sum(results["noisy_search"].optimize["mean_vector"][-1] ** 2), 0.01),
        Quantity("screened_cords: tip_deflection of the best", finest(results["screened_cords"], "tip_deflection"), 1.69216e-4, 1e-3,
                 "m", relative=True),
        at_most("screened_cords: members on the finest level", np.count_nonzero(results["screened_cords"].parameters["rod.elements"] == 80),
                30),
        Quantity("modulus_from_points: rod.young_modulus", search.parameters["rod.young_modulus"][best], 5.007e8, 1e-3, "Pa",
                 relative=True),
        at_most("asynchronous_search: function_value", results["asynchronous_search"].optimize["best"][-1], 1e-4),
        at_most("restarts: function_value", results["restarts"].optimize["best"][-1], 1e-8),
        Quantity("several_targets: load.end_force[2]", force, force_for_targets(targets), 2e-3, "N", relative=True),
        Quantity("new_machine: members", float(results["new_machine"].usable.sum()), 500.0, 0.0),
        *(Quantity(f"beam_convergence: order of frequency_{2 * k + 1}, n = {n}", beam["observed_order"][i, k], 2.0, 0.03)
          for k in range(2) for i, n in enumerate(beam["n"]) if i > 0),
        all_ones("settling_cords: droop_over_theory", settling.observables["droop_over_theory"], 0.005),
        interval("settling_cords: part of the time that a member ran", settling.observables["periods_run"].max() / 20, 0.05, 0.5),
        largest_error("swinging_cords: lowest", swinging.observables["lowest"], np.full(len(swinging), 2.0253), 0.01),
        all_ones("stiff_last_cord: droop_over_theory", results["stiff_last_cord"].observables["droop_over_theory"], 0.01),
        at_most("sinking_rods: the rods apart in speed, by the mobility", apart[0], 1e-6),
        interval("sinking_rods: the same by its lower triangle", apart[1], 0.003, 0.006),
        at_most("tip_control: how far the tip is off (m)", results["tip_control"].observables["settled"][0], 1e-3),
        interval("worm_control: lengths in three beats", results["worm_control"].observables["way"][0], 0.24, 0.29),
        at_most("oscillator_control: how far the chain is from its lag (rad)", results["oscillator_control"].observables["unlocked"][0], 1e-3),
        at_most("snake_control: how far the chain is from its lag (rad)", snake["unlocked"].max(), 1e-6),
        Quantity("snake_control: pace of the chain", snake["pace"][1], snake["pace"][0], 0.03, "1", relative=True),
        interval("arm_obstacles: how hard the arm leans on the ball (N)", results["arm_obstacles"].observables["load"][0], 0.08, 0.1),
        interval("arm_obstacles: lengths from the goal", results["arm_obstacles"].observables["miss"][0], 0.2, 0.21),
    ]  # fmt: skip


def quantities(results):
    return [answer.quantity(results) for answer in ANSWERS] + study_quantities(results)


DECKS = dict.fromkeys((*(answer.deck for answer in ANSWERS), *STUDIES))

CASE = Case(
    name="small_examples",
    title="Small examples of what keys do",
    source="Closed forms, which the head of each deck gives",
    runs={deck: Run(f"../examples/{deck}") for deck in DECKS},
    quantities=quantities,
    draw=lambda results: draw_shares(quantities(results)),
    side_by_side=True,
)
