"""Runs random rods that formulas drive and asks that the balance of their energy closes.

    tests/fuzz/balances.py [--minutes M] [--seed S] [--decks N] [--findings FOLDER]

Steps are halved until energy_balance is below a thousandth of all work done and taken. Where the last two steps resolve the motion, what is
left has to fall with the square of the step. A finding's deck stays in FOLDER. Exit code 1 with findings, and where too few decks ran.
"""

import argparse
import collections
import pathlib
import sys
import tempfile
import time

from combinations import Bench, Refused, Results, TooLong
from pair_decks import driven_rod
from softrods.ensemble import DONE

CLOSES = 1e-3  # of all work
ORDER = 3.0  # by which half the step divides what is left: 4 by second order
RESOLVED = 3e-4  # of the largest energy, by which two steps that resolve the motion may differ
ROUNDING = 1e-5  # of all work
LEAST = 1e-9  # of the work of a force that bends the rod much
PARTS = {"explicit": (4, 8, 16), "energy_momentum": (24, 48, 96, 192, 384), "generalized_alpha": (24, 48, 96, 192, 384), "midpoint": (24, 48, 96, 192, 384),
         "der_generalized_alpha": (24, 48, 96, 192, 384), "sdirk2": (24, 48, 96, 192, 384)}  # of a step, by methods of second order
ENERGIES = ("translational_energy", "rotational_energy", "bending_energy", "twist_energy", "stretch_energy", "shear_energy")


def observed(bench, problem, parts):
    """All observables of a deck whose steps are divided so, or None if it did not end well."""
    deck = problem.deck.copy()
    step = float(deck.get("time", "step")) / parts
    deck.set("time", "step", repr(step))
    deck.set("measure", "interval", repr(step))
    for name in ("energy_balance_relative", "work_done"):
        deck.add("measure", "define", f"m_{name} [1] : last({name})")
    code, _, errors = bench.call("run", bench.write(deck, "a"), "--output", "a.h5", "--overwrite")
    if code not in (0, 2):
        raise Refused(errors.strip())
    results = Results(bench.folder / "a.h5")
    return dict(zip(results.names, results.columns["members/observables"][0])) if int(results.status[0]) == DONE else None


def finding(bench, problem):
    """What is wrong with the balance, "" if nothing is, or None where nothing can be said."""
    coarse = None
    for parts in PARTS[problem.method]:
        fine = observed(bench, problem, parts)
        if fine is None or abs(fine["m_work_done"]) < LEAST * problem.scales.force * problem.scales.length:
            return None
        share = fine["m_energy_balance_relative"]
        if coarse and share < CLOSES:
            largest = max(fine[name] for name in ENERGIES)
            resolved = all(abs(fine[name] - coarse[name]) <= RESOLVED * largest for name in ENERGIES)
            falls = share < ROUNDING or coarse["m_energy_balance_relative"] >= ORDER * share
            return "" if falls or not resolved else f"{coarse['m_energy_balance_relative']:.3g}, {share:.3g} at half the step"
        coarse = fine
    return f"{share:.3g} of the work is left at the finest step"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", type=int)
    parser.add_argument("--findings", type=pathlib.Path)
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    counts, seed = collections.Counter(), options.seed - 1
    while time.monotonic() < end and (options.decks is None or counts["ran"] < options.decks):
        seed += 1
        problem = driven_rod(seed)
        if problem.method not in PARTS:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = finding(Bench(folder), problem)
            except (Refused, TooLong):
                found = None
        counts["say nothing" if found is None else "ran"] += 1
        if found:
            counts["findings"] += 1
            print(f"{seed}: {problem.method}, {', '.join(problem.parts)}: {found}", flush=True)
            if options.findings:
                options.findings.mkdir(parents=True, exist_ok=True)
                (options.findings / f"balance_{seed}.ini").write_text(f"# {found}\n{problem.deck.text()}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["findings"] or counts["ran"] < 3 * counts["say nothing"] else 0


if __name__ == "__main__":
    sys.exit(main())
