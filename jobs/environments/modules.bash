# Clusters with environment modules. The names differ from site to site (`module avail`): copy this file, put in those
# that rodeo was built with, and name the copy by RODEO_ENVIRONMENT.
module purge
module load gcc openmpi hdf5-parallel
