# Sourced by the batch scripts: rodeo's settings from the allocation, one campaign run in it, and the way back into the
# queue. They are submitted from the repository's root, or with RODEO_ROOT naming it.
#
#   RODEO_ENVIRONMENT   the file of jobs/environments for this machine (default: debian.bash)
#   RODEO_RESULTS       folder of the campaigns' files where a script is given none (default: results)

root=${RODEO_ROOT:-$SLURM_SUBMIT_DIR}
# shellcheck source=jobs/environments/debian.bash
source "${RODEO_ENVIRONMENT:-$root/jobs/environments/debian.bash}" || exit
rodeo=${RODEO:-$root/build/rodeo}

# One thread for each core of a rank, each thread on its own core; a node's second hardware threads stay idle.
cores_of_node=$(lscpu --online --parse=CORE,SOCKET | grep --invert-match '^#' | sort --unique | wc --lines)
threads=${SLURM_CPUS_PER_TASK:-1}
export OMP_NUM_THREADS=$threads
if ((threads > 1)); then
  export OMP_PROC_BIND=close OMP_PLACES=cores
else
  export OMP_PROC_BIND=false
fi

# On fewer nodes than its TreeWidth, Slurm (20.11 and later) lets no node wait for the others in the barrier that ends
# MPI_Init, and a rank that gets a message before it can take one crashes. In a ring they wait.
export SLURM_PMIX_FENCE=ring

# Slurm before 23.02 does not tell a job when it ends.
if [[ -z ${SLURM_JOB_END_TIME:-} ]]; then
  end=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%e) && end=$(date --date="$end" +%s) &&
    export SLURM_JOB_END_TIME=$end
fi

# mpirun on one node: a core for each thread of a rank. Open MPI and MPICH are told so by variables, as neither knows the
# options of the other. One that RODEO_MPIRUN names takes its place.
mpirun_of_node=(env OMPI_MCA_rmaps_base_mapping_policy="slot:PE=$threads" OMPI_MCA_hwloc_base_binding_policy=core
  HYDRA_BINDING="core:$threads" "${RODEO_MPIRUN:-mpirun}")

# The file of a deck whose script is given no name for it.
file_of() {
  local results=${RODEO_RESULTS:-results}
  mkdir -p "$results"
  echo "$results/$(basename "$1" .ini).h5"
}

# run_campaign DECK FILE LAUNCHER [ARGUMENT …]: runs the campaign, or goes on with it if FILE is there, and ends the job.
run_campaign() {
  local deck=$1 file=$2
  shift 2
  echo "rodeo: $deck into $file on $SLURM_JOB_NODELIST, $threads threads a rank, start $((${SLURM_RESTART_COUNT:-0} + 1)) of job $SLURM_JOB_ID"
  # Slurm signals this shell alone; mpirun and srun hand USR1 on to all ranks. The trap ends a wait early, with 128 + USR1.
  "$@" "$rodeo" run "$deck" --output "$file" --resume &
  local launcher=$! usr1=$((128 + $(kill -l USR1))) status
  # shellcheck disable=SC2064 # the process known now
  trap "kill -USR1 $launcher" USR1
  status=$usr1
  while ((status == usr1)); do
    wait "$launcher"
    status=$?
  done
  if ((status == 75)); then
    # By this name an array requeues this task alone; the first task's number is that of the whole array.
    local job=$SLURM_JOB_ID
    [[ -n ${SLURM_ARRAY_TASK_ID:-} ]] && job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
    scontrol requeue "$job" || echo "rodeo: this cluster requeues no jobs; submit the same again to go on" >&2
  fi
  exit "$status"
}
