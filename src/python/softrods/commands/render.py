"""Renders the trajectory of a member: its rods as tubes of their radius, coloured by bending strain, or by rod where there are many.

rodeo render FILE.h5 [--member K]                    FILE_member_K.mp4 (needs ffmpeg)
rodeo render FILE.h5 -o FOLDER                       a PNG for each stored frame
rodeo render FILE.h5 --frame -1 -o PICTURE.png       one frame; -1 is the last
rodeo render FILE.h5 --mode K                        FILE_member_0_mode_K.mp4: a period of vibration K (modes.count)
rodeo render FILE.h5 -o SCENE.glb                    glTF: tubes that move, for browsers, slides and Blender
rodeo render FILE.h5 -o SCENE.usda                   USD: curves that move, for Blender and its like
rodeo render FILE.h5 -o LINES.xdmf                   XDMF 3 for meshio and ParaView, with its numbers in LINES_frames.h5

A film is as smooth as the frames are many: run with --output.frames=251 for ten seconds of it. The view is along the
direction in which the rods extend least, turned by --turn AZIMUTH,ELEVATION (degrees); gravity, where there is any,
points down. A vibration towards the viewer is seen from 45 degrees higher. With --follow the view moves with what travels
far, and marks show how far it came. Needs numpy and matplotlib only.
"""

import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # before pyplot, so that no display is needed

from ..ensemble import Ensemble
from ..errors import RodeoError
from ..figures.curves import write_usd, write_xdmf
from ..figures.gltf import write_glb
from ..figures.film import Film, write_film, write_picture, write_pixels
from ..texts import printable

SCENES = {".glb": write_glb, ".usda": write_usd, ".xdmf": write_xdmf}


def angles(text):
    azimuth, elevation = map(float, text.split(","))
    return azimuth, elevation


def size(text):
    width, height = map(int, text.split("x"))
    if min(width, height) < 16 or width % 2 or height % 2:
        raise argparse.ArgumentTypeError("needs two even numbers of 16 at least")
    return width, height


def rate(text):
    frames = int(text)
    if frames < 1:
        raise argparse.ArgumentTypeError("needs a frame a second at least")
    return frames


def main(program="scripts/render"):
    parser = argparse.ArgumentParser(prog=program, description=__doc__.replace("rodeo render", program),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("file", help="ensemble file written by rodeo run, with output.frames > 0")
    parser.add_argument("--member", type=int, default=0)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="FILM.mp4, a folder, or with --frame PICTURE.png")
    parser.add_argument("--frame", type=int, help="only this one, counted from 0, or from the last backwards")
    parser.add_argument("--mode", type=int, help="a period of this vibration, counted from 1, about the last frame")
    parser.add_argument("--turn", type=angles, default=(0.0, 20.0), metavar="AZIMUTH,ELEVATION")
    parser.add_argument("--follow", action="store_true", help="move the view with the rods' centre")
    parser.add_argument("--colours", choices=("strain", "rod", "height"), help="what colours tell (default: strain; of more than 8 rods rod)")
    parser.add_argument("--size", type=size, default=(1280, 720), metavar="WIDTHxHEIGHT")
    parser.add_argument("--rate", type=rate, default=25, help="frames of the film a second (default 25)")
    arguments = parser.parse_args()
    stem = f"{pathlib.Path(arguments.file).with_suffix('')}_member_{arguments.member}" + (f"_mode_{arguments.mode}" if arguments.mode else "")
    output = arguments.output or pathlib.Path(stem + (".mp4" if arguments.frame is None else ".png"))
    if output.suffix not in ((".mp4", "", *SCENES) if arguments.frame is None else (".png",)):
        parser.error(f"{output}: one frame is a .png; many are an .mp4, {', '.join(SCENES)}, or a folder, whose name has no dot")
    try:
        if output.suffix in SCENES:
            SCENES[output.suffix](Ensemble(arguments.file), arguments.member, output)
            print(printable(f"Written: {output}"))
            return
        film = Film(Ensemble(arguments.file), arguments.member, arguments.turn, arguments.size, arguments.frame, arguments.follow,
                    arguments.mode, arguments.colours)
        if arguments.frame is not None:
            write_picture(film, output)
        elif output.suffix == ".mp4":
            write_film(film, output, arguments.rate)
        else:
            output.mkdir(parents=True, exist_ok=True)
            for frame, pixels in enumerate(film.pictures()):
                write_pixels(pixels, output / f"frame_{frame:05}.png")
    except (RodeoError, OSError) as error:
        sys.exit(f"render: {error}")
    print(printable(f"Rendered: {output}"))


if __name__ == "__main__":
    main()
