# Nodes on which rodeo runs in an image (scripts/container) under charliecloud, named by RODEO_IMAGE (default:
# rodeo.squashfs in the repository's root). The host's mpirun or srun starts the ranks: its Open MPI must have the major
# version of Debian's (4).
if ((EUID == 0)); then # a container
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
export RODEO_IMAGE=${RODEO_IMAGE:-$root/rodeo.squashfs}
# Each rank has a user namespace of its own, across which the kernel copies no memory.
export OMPI_MCA_btl_vader_single_copy_mechanism=none
RODEO=$root/jobs/in_container
