"""The command rodeo of an installed package: what draws is Python, all else is the program."""

import importlib
import os
import sys

DRAWING = {"plot": "draws a campaign", "render": "films a member", "show": "makes a page in which rods turn and move", "report": "writes a page about a campaign"}


def draw(command, program):
    """Does one of these commands with the arguments that follow it."""
    del sys.argv[1]
    try:
        module = importlib.import_module(f".{command}", __name__)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith(__name__):
            raise
        sys.exit(f"{program}: error: {command} needs {error.name}: pip install 'softrods[plot]'")
    module.main(f"{program} {command}")


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command in DRAWING:
        draw(command, "rodeo")
        return
    from ..errors import RodeoError
    from ..launch import find_program

    try:
        program = find_program()
    except RodeoError as error:
        sys.exit(f"rodeo: error: {error}")
    if command in ("", "-h", "--help"):
        lines = "".join(f"  rodeo {name:7} {text}\n" for name, text in DRAWING.items())
        print(f"Pictures, by Python (rodeo COMMAND --help):\n{lines}", flush=True)
    os.execv(program, ["rodeo", *sys.argv[1:]])
