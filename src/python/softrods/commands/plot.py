"""Draws a rodeo ensemble file and prints what the picture shows.

A boundary becomes the map of its outcomes with the line between them and the members that ran, a sweep over two axes a map, a sweep over one axis a curve with its spread over the repeats: of study.objective,
else of the probability of buckling where the study watched for it, else of one observable that varies, or of those that
--observable names. Keys that move together are one axis. Points of a sampler or a file in more than two keys become a panel
for each key. A sweep of several rods with frames becomes their shapes in time with the distance between members
that differ in a word, a convergence study its errors, an optimisation its course with the motion of its best member (after
rodeo best FILE.h5), branches of equilibria a diagram (solid where stable), a study of sensitivities its Sobol indices and the
distribution of its observables, a single run the shapes of its rod or rods, or of their vibrations (modes.count), or its
measured data with the rods and the residuals. Unfinished campaigns can be drawn too.
"""

import argparse
import pathlib
import signal
import sys

import matplotlib

matplotlib.use("Agg")  # before pyplot, so that no display is needed

import matplotlib.pyplot as plt
from ..ensemble import Ensemble
from ..errors import RodeoError
from ..figures import picture
from ..figures.style import STYLE
from ..own_files import require_ours, savefig_marks, staged
from ..texts import printable


def main(program="scripts/plot"):
    parser = argparse.ArgumentParser(prog=program, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="ensemble file written by rodeo run")
    parser.add_argument("-o", "--output", help="picture to write (default: the file's name with .png)")
    parser.add_argument("--observable", metavar="NAME", action="append", default=[],
                        help="of a sweep or branches: draw this observable; of --histories: this of those that frames hold (repeatable)")
    parser.add_argument("--histories", action="store_true", help="draw the observables that frames hold over time")
    parser.add_argument("--pareto", action="store_true", help="draw the candidates over the objectives of study.pareto")
    parser.add_argument("--best", help="of an optimisation: what rodeo best made of FILE (default: FILE_best.h5 if it exists)")
    parser.add_argument("--critical", metavar="FILE",
                        help="over a map: the line of critical values that a sweep with branch.stop has found")
    arguments = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that "| head" ends quietly
    output = pathlib.Path(arguments.output or pathlib.Path(arguments.file).with_suffix(".png"))
    plt.rcParams.update(STYLE)
    try:
        require_ours(output)
        figure = picture.draw(Ensemble(arguments.file), arguments.observable, arguments.histories, arguments.pareto,
                              arguments.best, arguments.critical)
        with staged(output) as file:
            figure.savefig(file, dpi=150, metadata=savefig_marks(output))
    except RodeoError as error:
        sys.exit(f"plot: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"plot: cannot write {output}: {error}")
    print(printable(f"Picture: {output}"))


if __name__ == "__main__":
    main()
