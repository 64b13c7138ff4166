#include "rodeo/dispatch/campaign.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/dispatch/master.hpp"
#include "rodeo/dispatch/progress.hpp"
#include "rodeo/dispatch/stop_signal.hpp"
#include "rodeo/dispatch/study.hpp"
#include "rodeo/dispatch/worker.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

/// Up to this many ranks the master runs members too; above, its looks at messages between slices would cost
/// the workers more than one rank of many is worth.
constexpr int most_ranks_with_working_master = 16;

constexpr std::uint64_t rows_per_read = 65536;

struct Ranks {
  int rank = 0;
  int size = 1;
  explicit Ranks(MPI_Comm communicator) {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
  }
};

int cores_allowed() {
#ifdef KOKKOS_ENABLE_OPENMP
  // Of the process: OpenMP may have bound this thread to one of its cores (OMP_PROC_BIND).
  return omp_get_num_procs();
#else
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return CPU_COUNT(&set);
#endif
}

std::string host_list(MPI_Comm communicator, const Ranks& ranks) {
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

Provenance make_provenance(MPI_Comm communicator, const Ranks& ranks, const std::string& command_line) {
  using Space = Kokkos::DefaultExecutionSpace;
  Provenance provenance;
  provenance.command_line = command_line;
  provenance.backend =
      std::string(Space::name()) + ", " + std::to_string(Space().concurrency()) + " threads a rank";
  provenance.hosts = host_list(communicator, ranks);
  provenance.start_time = utc_now();
  provenance.ranks = ranks.size;
  return provenance;
}

void warn_about_threads(const Ranks& ranks) {
  const int threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  const int cores = cores_allowed();
  if (threads > cores) {
    std::fprintf(stderr,
                 "rodeo: warning: rank %d has %d threads but may run on %d core%s only; with mpirun use "
                 "--bind-to none "
                 "or --map-by slot:PE=%d\n",
                 ranks.rank, threads, cores, cores == 1 ? "" : "s", threads);
  }
}

/// Rows of an earlier run: counted, and told to the plan.
void take_over(const EnsembleFile& file, const std::vector<bool>& committed, int objective, Master& master,
               Progress& progress) {
  const std::uint64_t members = committed.size();
  for (std::uint64_t first = 0; first < members; first += rows_per_read) {
    const std::uint64_t count = std::min(rows_per_read, members - first);
    for (const MemberRow& row : file.read_rows(first, count)) {
      if (!committed[row.member]) continue;
      const double value = objective < 0 ? 0.0 : row.observables[static_cast<std::size_t>(objective)];
      master.resume_with({row.member, row.steps, value, row.status}, row.parameters);
      progress.count_earlier(row.status);
    }
  }
}

double waiting_cost(Study& study, const std::vector<bool>& committed) {
  if (study.plan().adaptive()) return study.cost();
  double cost = 0.0;
  for (std::uint64_t member = 0; member < study.members(); ++member) {
    if (committed.empty() || !committed[member]) cost += study.cost(member / study.repeats());
  }
  return cost;
}

CampaignEnd master_run(Study& study, EnsembleFile& file, Mailbox& mailbox, const std::vector<int>& threads,
                       bool resume, const std::string& output,
                       std::optional<TimeBudget::Instant> end_of_time) {
  const std::vector<bool> committed = resume ? file.committed() : std::vector<bool>{};
  Progress progress(study.members(), waiting_cost(study, committed));
  Worker local(study, file, 0);
  const bool works = static_cast<int>(threads.size()) <= most_ranks_with_working_master;
  TimeBudget time(end_of_time, std::chrono::steady_clock::now(), threads);
  Master master(study, file, mailbox, threads, committed, works ? &local : nullptr, time, progress);
  try {
    if (resume) take_over(file, committed, study.objective(), master, progress);
  } catch (const FileError& error) {
    master.fail(error.what());
  }
  CampaignEnd end = master.run();
  // To stop with nothing done would repeat itself for ever where a batch system starts the job again.
  if (end.out_of_time && end.failure.empty() && progress.ended_now() == 0) {
    end.failure = "no member ended within the wall time: give it more";
  }
  const char* state = !end.failure.empty() ? "failed" : end.complete ? "done" : "stopped, resumable";
  progress.close(state, output, study.plan());
  return end;
}

std::size_t observable_index(const Observable& observable) {
  const auto found = std::ranges::find(observables, observable.name, &Observable::name);
  return static_cast<std::size_t>(found - observables.begin());
}

/// The levels of a ladder that has run to its end, from their rows.
std::vector<LevelResult> level_results(const EnsembleFile& file, const ConvergenceTable& ladder) {
  std::vector<LevelResult> levels;
  for (std::uint64_t member = 0; member < ladder.rows.size(); ++member) {
    const MemberRow row = file.read_member(member);
    LevelResult level;
    level.done = row.status == MemberStatus::done;
    if (level.done) {
      level.profile_error = {row.observables[observable_index(observe::profile_error_l1)],
                             row.observables[observable_index(observe::profile_error_l2)],
                             row.observables[observable_index(observe::profile_error_linf)]};
      const auto coordinates = 3 * static_cast<std::ptrdiff_t>(file.schema().nodes_of(member));
      level.last_frame.assign(row.position.end() - coordinates, row.position.end());
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

/// Measures, writes and prints the errors of a ladder; collective.
void conclude_ladder(const Ranks& ranks, const ConvergenceTable& ladder, EnsembleFile& file) {
  file.flush();
  if (ranks.rank != 0) return;
  ConvergenceTable table = ladder;
  set_errors(table, level_results(file, ladder));
  file.write(table);
  std::fputs(to_text(table).c_str(), stdout);
}

int run(MPI_Comm communicator, Study& study, EnsembleFile file, bool resume, const std::string& output,
        std::optional<TimeBudget::Instant> end_of_time) {
  const Ranks ranks(communicator);
  install_stop_signals();
  warn_about_threads(ranks);
  const int own_threads = Kokkos::DefaultExecutionSpace().concurrency();
  std::vector<int> threads(static_cast<std::size_t>(ranks.size));
  MPI_Allgather(&own_threads, 1, MPI_INT, threads.data(), 1, MPI_INT, communicator);

  int code = exit_code::done;
  {
    Mailbox mailbox(communicator);
    if (ranks.rank == 0) {
      const CampaignEnd end = master_run(study, file, mailbox, threads, resume, output, end_of_time);
      if (!end.failure.empty()) {
        std::fprintf(stderr,
                     "rodeo: error: %s\nrodeo: what was written is safe; go on with: rodeo resume %s\n",
                     end.failure.c_str(), output.c_str());
        code = exit_code::failed;
      } else if (!end.complete) {
        const std::string reason =
            end.out_of_time ? "before the end of its time" : "by signal " + std::to_string(stop_signal());
        std::fprintf(stderr, "rodeo: stopped %s; go on with: rodeo resume %s\n", reason.c_str(),
                     output.c_str());
        code = exit_code::stopped;
      }
    } else {
      Worker worker(study, file, ranks.rank);
      serve(worker, mailbox);
    }
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, communicator);
  try {
    const ConvergenceTable* const ladder = study.plan().ladder();
    if (code == exit_code::done && ladder != nullptr) conclude_ladder(ranks, *ladder, file);
    file.close();
  } catch (const std::exception& error) {
    if (ranks.rank == 0) std::fprintf(stderr, "rodeo: error: %s\n", error.what());
    code = exit_code::failed;
  }
  return code;
}

/// Stored decks must ask for the same members; everything else of a study follows from the deck.
void require_same_deck(const Deck& deck, const EnsembleFile& file, const std::string& output) {
  if (deck.resolved() == file.schema().deck) return;
  throw FileError(
      output +
      " belongs to another deck; compare the output of 'rodeo check' with its /deck, or go on with "
      "the stored one: rodeo resume " +
      output);
}

bool exists(MPI_Comm communicator, const std::string& path) {
  const Ranks ranks(communicator);
  int found = 0;
  if (ranks.rank == 0) {
    struct stat information {};
    found = stat(path.c_str(), &information) == 0 ? 1 : 0;
  }
  MPI_Bcast(&found, 1, MPI_INT, 0, communicator);
  return found != 0;
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 1000.0 && unit + 1 < std::size(units)) {
    bytes /= 1024.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", bytes, units[unit]);
  return text.data();
}

}  // namespace

int threads_of_rank(MPI_Comm communicator) {
  if (const char* given = std::getenv("OMP_NUM_THREADS"); given != nullptr && std::atoi(given) > 0) {
    return std::atoi(given);
  }
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int ranks_here = 1;
  MPI_Comm_size(node, &ranks_here);
  MPI_Comm_free(&node);
  const auto cores_here = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, std::min(cores_allowed(), cores_here / ranks_here));
}

int run_campaign(MPI_Comm communicator, const Deck& deck, const std::string& output, OutputMode mode,
                 const std::string& command_line, std::optional<TimeBudget::Instant> end) {
  const Ranks ranks(communicator);
  Study study(deck);
  const Provenance provenance = make_provenance(communicator, ranks, command_line);
  const bool resume = mode == OutputMode::resume && exists(communicator, output);
  if (resume) {
    EnsembleFile file = EnsembleFile::resume(communicator, output, provenance);
    require_same_deck(deck, file, output);
    return run(communicator, study, std::move(file), true, output, end);
  }
  EnsembleFile file =
      EnsembleFile::create(communicator, output, study.schema(), provenance, mode == OutputMode::overwrite);
  return run(communicator, study, std::move(file), false, output, end);
}

int resume_campaign(MPI_Comm communicator, const std::string& output, const std::string& command_line,
                    std::optional<TimeBudget::Instant> end) {
  const Ranks ranks(communicator);
  EnsembleFile file =
      EnsembleFile::resume(communicator, output, make_provenance(communicator, ranks, command_line));
  Study study(Deck::parse(file.schema().deck, output + ":/deck"));
  return run(communicator, study, std::move(file), true, output, end);
}

std::string check_report(const Deck& deck) {
  Study study(deck);
  std::ostringstream report;
  report << deck.resolved() << '\n';
  const std::uint64_t candidates = study.plan().candidates();
  // Of a plan whose candidates are not known yet, its probes stand for them.
  const bool adaptive = study.plan().adaptive();
  const std::vector<std::vector<double>> probes = study.plan().probes();
  const std::uint64_t looked_at = adaptive ? probes.size() : candidates;
  double steps = 0.0;
  std::size_t most_bytes = 0;
  std::uint64_t unstable = 0;
  double smallest_bound = 0.0;
  for (std::uint64_t k = 0; k < looked_at; ++k) {
    const MemberSpec spec = study.job(k * study.repeats(), adaptive ? probes[k] : study.plan().point(k)).spec;
    if (spec.model != ModelKind::cosserat && spec.model != ModelKind::der) continue;
    steps += static_cast<double>(spec.time.steps) / static_cast<double>(looked_at);
    const contact::ContactSize contact = contact::contact_size(spec);
    most_bytes = std::max(most_bytes, rod_size(array_elements(spec)) * sizeof(double) +
                                          contact.reals * sizeof(double) + contact.integers * sizeof(int) +
                                          fluid::stokeslet_memory(spec));
    if (spec.model != ModelKind::cosserat) continue;
    double bound = cosserat::stable_step(spec.rod);
    for (const RodSetup& setup : spec.further_rods) bound = std::min(bound, cosserat::stable_step(setup.rod));
    smallest_bound = smallest_bound == 0.0 ? bound : std::min(smallest_bound, bound);
    if (spec.time.step > bound) ++unstable;
  }
  const char* const at_most = adaptive ? " at most" : "";
  report << "# members          " << study.members() << at_most << " (" << candidates << " candidates x "
         << study.repeats() << " repeats)\n";
  if (adaptive) {
    report << "# evaluations      " << candidates << " at most, in " << study.plan().generations()
           << " generations at most\n";
  }
  report << "# steps            " << steps * static_cast<double>(study.members()) << " in all" << at_most
         << '\n'
         << "# predicted        " << study.cost() / 3.6e12 << " core-hours" << at_most << '\n'
         << "# file size        " << bytes_text(static_cast<double>(ensemble_file_bytes(study.schema())))
         << '\n';
  if (most_bytes > 0) {
    report << "# memory           " << bytes_text(static_cast<double>(most_bytes)) << " a member in flight\n";
  }
  if (smallest_bound > 0.0) {
    report << "# stable step      " << smallest_bound << " s (the smallest bound of all members)\n";
  }
  if (unstable > 0) {
    report << "# warning: time.step is above the stability bound of " << unstable << " of " << looked_at
           << (adaptive ? " points at the parameters' bounds; members there may diverge\n"
                        : " candidates; they may diverge\n");
  }
  return report.str();
}

}  // namespace rodeo
