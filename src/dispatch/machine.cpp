#include "rodeo/dispatch/machine.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <Kokkos_Core.hpp>

#include "rodeo/input/terminal.hpp"
#include "rodeo/library/host_threads.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/scenarios.hpp"
#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

std::string host_list(MPI_Comm communicator) {
  if (is_alone(communicator)) {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
  }
  const Ranks ranks(communicator);
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  std::vector<char> names(ranks.rank == 0 ? name.size() * static_cast<std::size_t>(ranks.size) : 0);
  MPI_Gather(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0,
             communicator);
  std::set<std::string> hosts;
  for (std::size_t at = 0; at < names.size(); at += name.size()) hosts.insert(names.data() + at);
  std::string list;
  for (const std::string& host : hosts) list += (list.empty() ? "" : ",") + host;
  return list;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

Provenance make_provenance(MPI_Comm communicator, const std::string& command_line) {
  using Space = Kokkos::DefaultExecutionSpace;
  Provenance provenance;
  provenance.command_line = command_line;
  provenance.backend =
      std::string(Space::name()) + ", " + std::to_string(Space().concurrency()) + " threads a rank";
  provenance.hosts = host_list(communicator);
  provenance.start_time = utc_now();
  provenance.ranks = Ranks(communicator).size;
  return provenance;
}

void warn_about_threads(MPI_Comm communicator) {
  const int threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  const int cores = cores_allowed();
  if (threads > cores) {
    std::fprintf(stderr,
                 "%s rank %d has %d threads but may run on %d core%s only; with Open MPI's mpirun use "
                 "--bind-to none or --map-by slot:PE=%d, with MPICH's -bind-to core:%d\n",
                 warning_mark(), Ranks(communicator).rank, threads, cores, cores == 1 ? "" : "s", threads,
                 threads);
  }
}

bool started_by_launcher() {
  // Open MPI's mpirun; PMIx, as srun --mpi=pmix; PMI 1 and 2, as Hydra and srun --mpi=pmi2; Cray; Flux.
  constexpr std::array launched = {
      "OMPI_COMM_WORLD_SIZE", "PMIX_RANK",     "PMIX_NAMESPACE", "PMI_RANK", "PMI_FD",
      "PALS_RANKID",          "FLUX_TASK_RANK"};
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  if (std::ranges::any_of(launched, is_set)) return true;
  // Tasks of srun without any of these. A batch script is one task, on however many nodes its job has.
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return tasks != nullptr && std::atoi(tasks) > 1;
}

void require_the_ranks_of_the_launcher(MPI_Comm communicator) {
  if (Ranks(communicator).size > 1) return;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const ranks = std::getenv(name);
    if (ranks == nullptr || std::atoi(ranks) <= 1) continue;
    throw std::runtime_error("the launcher started " + std::string(ranks) +
                             " ranks, of which the MPI that this program is built with (" + mpi_version() +
                             ") sees one: start it with the mpirun of that MPI");
  }
}

void require_one_kernel_set(MPI_Comm communicator) {
  std::string of_first(kernel_set());
  broadcast(communicator, of_first);
  together<std::runtime_error>(communicator, of_first != kernel_set(), [&] {
    const std::string own(kernel_set());
    throw std::runtime_error("rank 0 has chosen the kernels " + of_first + ", rank " +
                             std::to_string(Ranks(communicator).rank) + " those of " + own +
                             ", which round in other ways: set RODEO_KERNELS=" + std::min(own, of_first) +
                             " on all ranks");
  });
}

int threads_of_rank(MPI_Comm communicator) {
  int ranks_here = 1;
  if (!is_alone(communicator)) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks_here);
    MPI_Comm_free(&node);
  }
  return default_threads(ranks_here);
}

namespace {

bool shares_its_loops(const MemberSpec& spec) {
  if (!model_of(spec).has_rods) return false;
  constexpr int several = 2;
  return spec.fluid.acts_by(FluidKind::stokeslets) ||
         threads_of_member(several, 1, array_elements(spec)) >= several;
}

}  // namespace

int useful_threads(const Deck& deck, int ranks, int threads) {
  try {
    const std::unique_ptr<Plan> plan = make_plan(deck);
    const std::uint64_t members = plan->candidates() * members_of_candidate(deck);
    const auto all = static_cast<std::uint64_t>(ranks) * static_cast<std::uint64_t>(threads);
    if (members >= all || plan->adaptive()) return threads;
    Deck member = deck;
    member.drop_sweep_axes();
    for (std::uint64_t candidate = 0; candidate < plan->candidates(); ++candidate) {
      const std::vector<double> point = plan->point(candidate);
      for (std::size_t k = 0; k < point.size(); ++k) member.set(plan->parameters()[k], point[k]);
      if (shares_its_loops(make_member_spec(member))) return threads;
    }
    const std::uint64_t each =
        (members + static_cast<std::uint64_t>(ranks) - 1) / static_cast<std::uint64_t>(ranks);
    return std::min(threads, static_cast<int>(each));
  } catch (const std::runtime_error&) {
    return threads;  // what is wrong with the deck is said where its study is made
  } catch (const std::invalid_argument&) {
    return threads;
  }
}

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown";
  const std::string all = text.data();
  std::string first = all.substr(0, all.find_first_of("\n,"));
  // MPICH's "MPICH Version:<tabs>4.0.2".
  if (const std::size_t name = first.find(" Version:"); name != std::string::npos) {
    first.erase(name, first.find_last_of(" \t") - name);
    first[name] = ' ';
  }
  return first;
}

}  // namespace rodeo
