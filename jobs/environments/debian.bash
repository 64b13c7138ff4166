# Nodes with Debian's packages, as scripts/install_dependencies leaves them: nothing to load.
if ((EUID == 0)); then # a container
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
