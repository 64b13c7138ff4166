# GPU nodes with environment modules, and a rodeo built against a Kokkos with CUDA (Kokkos_ROOT) in build-cuda.
source "$root/jobs/environments/modules.bash"
module load cuda
RODEO=$root/build-cuda/rodeo
