"""Lets scripts import the Python package as it stands in the tree, without any installation."""

import pathlib
import sys

sys.dont_write_bytecode = True  # the tree may be read-only
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src" / "python"))
