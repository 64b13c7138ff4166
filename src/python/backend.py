"""Builds the package as scikit-build-core does, after the types of a deck's sections were written for editors."""

import pathlib
import runpy

from scikit_build_core.build import *  # the functions that pip calls

_PACKAGE = pathlib.Path(__file__).with_name("rodeo")
(_PACKAGE / "sections.pyi").write_text(runpy.run_path(str(_PACKAGE / "deck_keys.py"))["stub"](), encoding="utf-8")
