"""How mpirun starts the program: its name, and what Open MPI and MPICH each must be told."""

from __future__ import annotations

import os


def mpirun() -> str:
    """That of the MPI with which the program is built, where the environment names it."""
    return os.environ.get("RODEO_MPIRUN", "mpirun")


def mpirun_environment(**others: str) -> dict[str, str]:
    """This process's environment with `others`, in which mpirun starts more ranks than there are cores, and on any of them. Open
    MPI is told so by variables, which this environment may set otherwise: MPICH, which always does so, knows no such options."""
    open_mpi = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
    if os.geteuid() == 0:  # it starts as root only when told so twice
        open_mpi |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return open_mpi | dict(os.environ) | others
