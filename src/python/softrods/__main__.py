"""Prints a summary of a campaign's file, with --csv its finished members as a table: python3 -m softrods FILE.h5 [--csv]. Or does
what a command of pictures does: python3 -m softrods show FILE.h5"""

import argparse
import csv
import signal
import sys

import numpy as np

from . import commands
from .ensemble import STATUS_NAMES, Ensemble, EnsembleError
from .texts import printable


def say(text):
    """Names and attributes of a file may be anybody's."""
    print(printable(text))


def print_summary(ensemble):
    say(f"{ensemble.path}: {len(ensemble)} members, {np.count_nonzero(ensemble.committed)} finished")
    for name, value in ensemble.attributes.items():
        say(f"  {name}: {value}")
    say("Status")
    for status, name in enumerate(STATUS_NAMES):
        if ensemble.count(status):
            say(f"  {name:14} {ensemble.count(status)}")
    for title, table in (("Parameters", ensemble.parameters), ("Observables", ensemble.observables)):
        say(f"{title:32} {'least':>12} {'mean':>12} {'greatest':>12}")
        for name, values in table.items():
            values = values[np.isfinite(values)]
            if name in ensemble.words:
                say(f"  {name:32} {', '.join(ensemble.parameter_text(name, value) for value in np.unique(values))}")
                continue
            label = f"  {name} [{ensemble.units[name]}]" if name in ensemble.units else f"  {name}"
            if len(values):
                say(f"{label:32} {values.min():12.6g} {values.mean():12.6g} {values.max():12.6g}")
            else:
                say(f"{label:32} {'-':>12} {'-':>12} {'-':>12}")
    if ensemble.boundary is not None and len(ensemble.boundary["members"]):
        evaluated = np.count_nonzero(ensemble.boundary["members"])
        say(f"Boundary: {evaluated} nodes evaluated, {len(ensemble.boundary['members']) - evaluated} inferred")
    for together in ensemble.axes:
        if len(together) > 1:
            say("Moving together: " + ", ".join(together))
    if ensemble.optimize is not None and len(ensemble.optimize["best"]):
        newest = {name: values[-1] for name, values in ensemble.optimize.items() if name != "stop_names"}
        say(f"Optimisation: generation {newest['generation'] + 1}, {newest['evaluations']} evaluations, best "
            f"{newest['best']:.10g} (candidate {newest['best_candidate']}), sigma {newest['sigma']:.3g}, stop: "
            f"{ensemble.optimize['stop_names'][newest['stop']]}")
    if ensemble.frames:
        say(f"Trajectories: {ensemble.frames} frames a member")


def print_csv(ensemble):
    writer = csv.writer(sys.stdout, lineterminator="\n")
    scenario = ["scenario"] if ensemble.scenario_keys else []
    tables = {**ensemble.parameters, **ensemble.observables}
    writer.writerow(["member", "candidate", *scenario, "repeat", "seed", "status", "steps", "wall_seconds", "rank",
                     *map(printable, tables)])
    for member in np.flatnonzero(ensemble.committed):
        writer.writerow(
            [
                member,
                ensemble.candidate[member],
                *(getattr(ensemble, name)[member] for name in scenario),
                ensemble.repeat[member],
                ensemble.seed[member],
                STATUS_NAMES[ensemble.status[member]],
                ensemble.steps[member],
                ensemble.wall_seconds[member],
                ensemble.rank[member],
                *(printable(ensemble.parameter_text(name, column[member])) if name in ensemble.words else repr(float(column[member]))
                  for name, column in tables.items()),
            ]
        )


def main(program="python3 -m softrods"):
    if sys.argv[1:2] and sys.argv[1] in commands.DRAWING:
        commands.draw(sys.argv[1], program)
        return
    parser = argparse.ArgumentParser(prog=program, description="Summary or CSV of a rodeo ensemble file.")
    parser.add_argument("file", help="ensemble file written by rodeo run")
    parser.add_argument("--csv", action="store_true", help="print the finished members as CSV")
    arguments = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that "| head" ends quietly
    try:
        ensemble = Ensemble(arguments.file)
    except EnsembleError as error:
        sys.exit(printable(f"{program}: {error}"))
    if arguments.csv:
        print_csv(ensemble)
    else:
        print_summary(ensemble)


if __name__ == "__main__":
    main()
