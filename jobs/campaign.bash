# Sourced by the batch scripts: rodeo's settings from the allocation, one campaign run in it, and the way back into the
# queue. The allocation is that of a job of Slurm or PBS; without one it is this machine, or those of a list. The scripts are
# submitted or run from the repository's root, or with RODEO_ROOT naming it.
#
#   RODEO_ENVIRONMENT   the file of jobs/environments for this machine (default: debian.bash)
#   RODEO_RESULTS       folder of the campaigns' files where a script is given none (default: results)
#   RODEO_HOSTS         without Slurm and PBS: a file of host names, one a line (default: this machine alone)

root=${RODEO_ROOT:-${SLURM_SUBMIT_DIR:-${PBS_O_WORKDIR:-$PWD}}}
if [[ -n ${PBS_JOBID:-} ]]; then cd "$PBS_O_WORKDIR" || exit; fi # which starts jobs in the home folder
# shellcheck source=jobs/environments/debian.bash
source "${RODEO_ENVIRONMENT:-$root/jobs/environments/debian.bash}" || exit
rodeo=${RODEO:-$root/build/rodeo}

# One thread for each core of a rank, each thread on its own core; a node's second hardware threads stay idle.
cores_of_node=$(lscpu --online --parse=CORE,SOCKET | grep --invert-match '^#' | sort --unique | wc --lines)
threads=${SLURM_CPUS_PER_TASK:-${OMP_NUM_THREADS:-1}}
export OMP_NUM_THREADS=$threads
if ((threads > 1)); then
  export OMP_PROC_BIND=close OMP_PLACES=cores
else
  export OMP_PROC_BIND=false
fi
ranks_of_node=$((cores_of_node / threads > 0 ? cores_of_node / threads : 1))

# mpirun, with a core for each thread of a rank. Open MPI and MPICH are told so by variables, as neither knows the options of
# the other. One that RODEO_MPIRUN names takes its place.
mpirun=(env OMPI_MCA_rmaps_base_mapping_policy="slot:PE=$threads" OMPI_MCA_hwloc_base_binding_policy=core
  HYDRA_BINDING="core:$threads" "${RODEO_MPIRUN:-mpirun}")
# Open MPI 5 has no variable for that.
if "${mpirun[@]}" --version 2>/dev/null | grep --quiet '(Open MPI) [5-9]'; then
  mpirun+=(--map-by "slot:PE=$threads")
fi

arguments=() # for rodeo
# shellcheck disable=SC2034 # the scripts read these
if [[ -n ${SLURM_JOB_ID:-} ]]; then
  job=$SLURM_JOB_ID place="on $SLURM_JOB_NODELIST" start=$((${SLURM_RESTART_COUNT:-0} + 1))
  # By this name an array requeues this task alone; the first task's number is that of the whole array.
  [[ -z ${SLURM_ARRAY_TASK_ID:-} ]] || job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
  requeue=(scontrol requeue "$job")
  # By what srun and the ranks' MPI talk. An environment file may name another one that the cluster has (srun --mpi=list).
  export SLURM_MPI_TYPE=${SLURM_MPI_TYPE:-pmix}
  # On fewer nodes than its TreeWidth, Slurm (20.11 and later) lets no node wait for the others in the barrier that ends
  # MPI_Init, and a rank that gets a message before it can take one crashes. In a ring they wait.
  export SLURM_PMIX_FENCE=ring
  # Slurm before 23.02 does not tell a job when it ends.
  if [[ -z ${SLURM_JOB_END_TIME:-} ]]; then
    end=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%e) && end=$(date --date="$end" +%s) &&
      export SLURM_JOB_END_TIME=$end
  fi
  one_node=("${mpirun[@]}" -n "$ranks_of_node")
  all_nodes=(srun --ntasks-per-node="$ranks_of_node" --cpus-per-task="$threads" --threads-per-core=1 --cpu-bind=cores)
  array_task=${SLURM_ARRAY_TASK_ID:-} array_tasks=${SLURM_ARRAY_TASK_COUNT:-}
  task=("${mpirun[@]}" -n "${SLURM_NTASKS:-1}")
else
  start=1 hosts=() # of the ranks
  if [[ -n ${PBS_JOBID:-} ]]; then
    job=$PBS_JOBID requeue=(qrerun "$PBS_JOBID")
    mapfile -t hosts <"$PBS_NODEFILE"
    # The time that is left once the job has started: rodeo stops before it is up.
    limit=$(qstat -f "$job" | sed --quiet 's/^ *Resource_List.walltime = //p')
    [[ -z $limit ]] || arguments=(--wall-time "$limit")
  else
    job=$$ requeue=(false)
    nodes=(localhost)
    if [[ -n ${RODEO_HOSTS:-} ]]; then mapfile -t nodes <"$RODEO_HOSTS" || exit; fi
    for node in "${nodes[@]}"; do
      for ((k = 0; k < ranks_of_node; ++k)); do hosts+=("$node"); done
    done
  fi
  place="on $(printf '%s\n' "${hosts[@]}" | sort --unique | paste --serial --delimiters=,)"
  machines=$(mktemp) # a line for each core, which both launchers read
  trap 'rm --force "$machines"' EXIT
  for host in "${hosts[@]}"; do
    for ((k = 0; k < threads; ++k)); do echo "$host"; done
  done >"$machines"
  all_nodes=("${mpirun[@]}" -machinefile "$machines" -n "${#hosts[@]}")
  one_node=("${all_nodes[@]}")
  array_task=${PBS_ARRAY_INDEX:-} array_tasks=${RODEO_PARTS:-}
  task=("${all_nodes[@]}")
fi

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
  echo "rodeo: $deck into $file $place, $threads threads a rank, start $start of job $job"
  # Slurm signals this shell alone; mpirun and srun hand USR1 on to all ranks. The trap ends a wait early, with 128 + USR1.
  "$@" "$rodeo" run "$deck" --output "$file" --resume "${arguments[@]}" &
  local launcher=$! usr1=$((128 + $(kill -l USR1))) status
  # shellcheck disable=SC2064 # the process known now
  trap "kill -USR1 $launcher" USR1
  status=$usr1
  while ((status == usr1)); do
    wait "$launcher"
    status=$?
  done
  if ((status == 75)); then
    "${requeue[@]}" || echo "rodeo: nothing puts this job back into a queue; submit the same again to go on" >&2
  fi
  exit "$status"
}
