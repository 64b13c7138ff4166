"""Where the program is and how mpirun starts it: its name, and what Open MPI and MPICH each must be told."""

from __future__ import annotations

import os
import pathlib
import shutil
import sysconfig

from .errors import RodeoError

_OWN = pathlib.Path(__file__).with_name("rodeo")


def has_own_program() -> bool:
    """Whether this package was installed from a wheel of scripts/wheel, whose program opens MPICH when it runs."""
    return _OWN.with_name("librodeo.so").is_file()


def _is_command(path: str) -> bool:
    """Whether this is the command of this package (commands), which looks for the program itself."""
    with open(path, "rb") as file:
        return b"softrods.commands" in file.read(1000)


def find_program() -> str:
    """The program: RODEO if that is set, else the one that was installed with this package, else the build of the tree that
    this package is used from, else one on the PATH."""
    given = os.environ.get("RODEO")
    if given:
        if not os.access(given, os.X_OK):
            raise RodeoError(f"RODEO names {given}, which is not a program.")
        return given
    for place in (_OWN, pathlib.Path(__file__).resolve().parents[3] / "build" / "rodeo"):
        if os.access(place, os.X_OK) and place.is_file():
            return str(place)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("rodeo", path=folder)
        if found is not None and not _is_command(found):
            break
    else:
        raise RodeoError("The program rodeo is not there: build it, put it on the PATH, or name it by the environment "
                         "variable RODEO.")
    return found


def mpirun() -> str:
    """That of the MPI with which the program is built, where the environment names it; of a wheel's program, which needs MPICH,
    the one beside this Python."""
    given = os.environ.get("RODEO_MPIRUN")
    if given is not None or not has_own_program():
        return given or "mpirun"
    return str(pathlib.Path(sysconfig.get_path("scripts"), "mpiexec"))


def mpirun_environment(**others: str) -> dict[str, str]:
    """This process's environment with `others`, in which mpirun starts more ranks than there are cores, and on any of them. Open
    MPI is told so by variables, which this environment may set otherwise: MPICH, which always does so, knows no such options."""
    open_mpi = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
    # Those of Open MPI 5, which does not look at the former.
    open_mpi |= {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}
    if os.geteuid() == 0:  # it starts as root only when told so twice
        open_mpi |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return open_mpi | dict(os.environ) | others
