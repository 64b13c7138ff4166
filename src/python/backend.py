"""Builds the package as scikit-build-core does, after the types of a deck's sections were written for editors."""

import os
import pathlib
import runpy
import shutil

from scikit_build_core.build import *  # the functions that pip calls

# Without a compiler or MPI the package is for reading. Where both are, a build that fails is an error: nobody would notice else.
if not all(shutil.which(tool) for tool in (os.environ.get("CXX", "c++"), "mpicxx")):
    os.environ.setdefault("RODEO_WITHOUT_NATIVE", "1")

_PACKAGE = pathlib.Path(__file__).with_name("softrods")
(_PACKAGE / "sections.pyi").write_text(runpy.run_path(str(_PACKAGE / "deck_keys.py"))["stub"](), encoding="utf-8")
