"""Writes one page of HTML in which the rods of members turn, move and tell their strains; it needs nothing else to be seen.

rodeo show FILE.h5 [-o PAGE.html]              (default: the file's name with _rods.html)
rodeo show FILE.h5 --members 0,3,7             several members side by side
rodeo show FILE.h5 --mode K                    a period of vibration K (modes.count)

Drag turns, the wheel or two fingers zoom, the space bar plays. Sections that are no circles are shown as they lie where the run
stored them (output.fields = orientation).
"""

import argparse
import pathlib
import sys
import webbrowser

from .. import pictures
from ..errors import RodeoError
from ..texts import printable


def numbers(text):
    return [int(number) for number in text.split(",")]


def main(program="scripts/show"):
    parser = argparse.ArgumentParser(prog=program, description=__doc__.replace("rodeo show", program),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("file", type=pathlib.Path, help="ensemble file written by rodeo run, with output.frames > 0")
    parser.add_argument("--members", type=numbers, default=[0], metavar="K,L,...", help="which ones, side by side (default 0)")
    parser.add_argument("--mode", type=int, help="a period of this vibration, counted from 1, about the last frame")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="page to write")
    parser.add_argument("--open", action="store_true", help="open it in the browser of this machine")
    arguments = parser.parse_args()
    output = arguments.output or arguments.file.with_name(f"{arguments.file.stem}_rods.html")
    if output.suffix != ".html":
        parser.error(f"{output}: a page is an .html; rodeo render writes films and pictures")
    try:
        pictures.show(arguments.file, arguments.members, mode=arguments.mode).save(output)
    except (RodeoError, OSError) as error:
        sys.exit(printable(f"show: {error}"))
    print(printable(f"Page: {output}"))
    if arguments.open:
        webbrowser.open(output.resolve().as_uri())


if __name__ == "__main__":
    main()
