#include "rodeo/dispatch/campaign.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/der/der_member.hpp"
#include "rodeo/dispatch/master.hpp"
#include "rodeo/dispatch/progress.hpp"
#include "rodeo/dispatch/stop_signal.hpp"
#include "rodeo/dispatch/study.hpp"
#include "rodeo/dispatch/worker.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/output/checkpoint_folder.hpp"
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
      const EndedMember ended = ended_member(row, objective);
      master.resume_with(ended, row.parameters);
      progress.count_earlier(ended);
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

/// Leaves only checkpoints of members that are to go on: none where a campaign starts anew.
void clear_checkpoints(const std::string& output, const CheckpointFolder& checkpoints,
                       const std::vector<bool>& committed) {
  if (committed.empty()) return checkpoints.remove_all();
  for (const std::uint64_t member : checkpointed_members(output)) {
    if (member >= committed.size() || committed[member]) checkpoints.remove(member);
  }
}

CampaignEnd master_run(Study& study, EnsembleFile& file, const CheckpointFolder& checkpoints,
                       Mailbox& mailbox, const std::vector<int>& threads, bool resume,
                       const std::string& output, std::optional<TimeBudget::Instant> end_of_time) {
  const std::vector<bool> committed = resume ? file.committed() : std::vector<bool>{};
  clear_checkpoints(output, checkpoints, committed);
  const Prospect& prospect = study.prospect();
  Progress progress(study.members(), waiting_cost(study, committed),
                    prospect.objective != nullptr ? prospect.gain : std::numeric_limits<double>::infinity(),
                    study.repeats());
  Worker local(study, file, checkpoints, 0);
  const bool works = static_cast<int>(threads.size()) <= most_ranks_with_working_master;
  const double least_kept = least_kept_work(study.deck());
  TimeBudget time(end_of_time, std::chrono::steady_clock::now(), threads,
                  least_kept > 0.0 ? std::optional(std::chrono::duration<double>(least_kept)) : std::nullopt);
  Master master(study, file, mailbox, threads, committed, local, works, time, progress);
  try {
    if (resume) take_over(file, committed, study.objective(), master, progress);
  } catch (const FileError& error) {
    master.fail(error.what());
  }
  CampaignEnd end = master.run();
  // To stop with nothing done would repeat itself for ever where a batch system starts the job again.
  if (end.out_of_time && end.failure.empty() && progress.ended_now() == 0 && !end.kept_work) {
    end.failure = "no member ended within the wall time: give it more";
  }
  if (end.complete) checkpoints.remove_all();
  const char* state = !end.failure.empty() ? "failed" : end.complete ? "done" : "stopped, resumable";
  progress.close(state, output, study.plan());
  return end;
}

/// The levels of a ladder that has run to its end, from their rows.
std::vector<LevelResult> level_results(const EnsembleFile& file, const ConvergenceTable& ladder) {
  std::vector<LevelResult> levels;
  for (std::uint64_t member = 0; member < ladder.rows.size(); ++member) {
    const MemberRow row = file.read_member(member);
    LevelResult level;
    level.done = row.status == MemberStatus::done;
    if (level.done) {
      level.profile_error = {row.observables[observable_index(observe::profile_error_l1.name)],
                             row.observables[observable_index(observe::profile_error_l2.name)],
                             row.observables[observable_index(observe::profile_error_linf.name)]};
      const auto coordinates = 3 * static_cast<std::ptrdiff_t>(file.schema().nodes_of(member));
      const std::vector<double>& position = row.fields.front();
      level.last_frame.assign(position.end() - coordinates, position.end());
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

/// Measures, writes and prints the errors of a ladder whose rows can all be seen from this rank.
void conclude_ladder(const ConvergenceTable& ladder, EnsembleFile& file) {
  ConvergenceTable table = ladder;
  set_errors(table, level_results(file, ladder));
  file.write(table);
  std::fputs(to_text(table).c_str(), stdout);
}

/// Says how a campaign ended where that is not as it should; returns the exit code.
int report_end(const CampaignEnd& end, const std::string& output) {
  if (!end.failure.empty()) {
    std::fprintf(stderr, "rodeo: error: %s\nrodeo: what was written is safe; go on with: rodeo resume %s\n",
                 end.failure.c_str(), output.c_str());
    return exit_code::failed;
  }
  if (!end.lost.empty()) {
    std::fprintf(stderr, "rodeo: %zu rank%s lost on the way:", end.lost.size(),
                 end.lost.size() == 1 ? " was" : "s were");
    for (const int rank : end.lost) std::fprintf(stderr, " %d", rank);
    std::fputs("\n", stderr);
  }
  if (end.complete) return end.lost.empty() ? exit_code::done : exit_code::done_with_losses;
  const std::string reason =
      end.out_of_time ? "before the end of its time" : "by signal " + std::to_string(stop_signal());
  std::fprintf(stderr, "rodeo: stopped %s; go on with: rodeo resume %s\n", reason.c_str(), output.c_str());
  if (const std::size_t kept = checkpointed_members(output).size(); kept > 0) {
    std::fprintf(stderr, "rodeo: %zu member%s in flight will go on from %s checkpoint%s\n", kept,
                 kept == 1 ? "" : "s", kept == 1 ? "its" : "their", kept == 1 ? "" : "s");
  }
  return exit_code::stopped;
}

/// Ends the process without collective calls, MPI's and HDF5's own at exit included.
[[noreturn]] void leave(const EnsembleFile& file, int code) {
  file.synchronize();
  std::fflush(nullptr);
  _exit(code);
}

/// Waits until the ranks that are left have ended, so that all they wrote can be seen.
void await_others(EnsembleFile& file, Mailbox& mailbox, int ranks) {
  constexpr std::chrono::seconds patience{10};
  const auto start = std::chrono::steady_clock::now();
  for (int rank = 1; rank < ranks; ++rank) {
    while (!file.has_ended(rank) && std::chrono::steady_clock::now() - start < patience) {
      mailbox.probe();  // what was sent gets on its way in here
      std::this_thread::sleep_for(idle_sleep);
    }
  }
}

int run(MPI_Comm communicator, Study& study, EnsembleFile file, bool resume, const std::string& output,
        std::optional<TimeBudget::Instant> end_of_time) {
  const Ranks ranks(communicator);
  const CheckpointFolder checkpoints(output, {file.schema().deck, build_identity()});
  const ConvergenceTable* const ladder = study.plan().ladder();
  install_stop_signals();
  warn_about_threads(ranks);
  const int own_threads = Kokkos::DefaultExecutionSpace().concurrency();
  std::vector<int> threads(static_cast<std::size_t>(ranks.size));
  MPI_Allgather(&own_threads, 1, MPI_INT, threads.data(), 1, MPI_INT, communicator);

  int code = exit_code::done;
  {
    MpiMailbox mailbox(communicator);
    if (ranks.rank == 0) {
      const CampaignEnd end =
          master_run(study, file, checkpoints, mailbox, threads, resume, output, end_of_time);
      code = report_end(end, output);
      if (!end.lost.empty()) {
        await_others(file, mailbox, ranks.size);
        try {
          if (code == exit_code::done_with_losses && ladder != nullptr) conclude_ladder(*ladder, file);
        } catch (const std::exception& error) {
          std::fprintf(stderr, "rodeo: error: %s\n", error.what());
          code = exit_code::failed;
        }
        leave(file, code);
      }
    } else {
      Worker worker(study, file, checkpoints, ranks.rank);
      const ServiceEnd end = serve(worker, mailbox, [&] { return file.has_ended(0); });
      if (end == ServiceEnd::rank_lost) leave(file, exit_code::done_with_losses);
      if (end == ServiceEnd::master_ended) leave(file, exit_code::failed);
    }
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, communicator);
  try {
    if (code == exit_code::done && ladder != nullptr) {
      file.flush();
      if (ranks.rank == 0) conclude_ladder(*ladder, file);
    }
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
                                          der::implicit_memory(spec) + fluid::stokeslet_memory(spec));
    if (spec.model != ModelKind::cosserat) continue;
    const double bound = least_of_rods(spec, cosserat::stable_step);
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
         << "# file size        " << format_bytes(static_cast<double>(ensemble_file_bytes(study.schema())))
         << '\n';
  if (most_bytes > 0) {
    report << "# memory           " << format_bytes(static_cast<double>(most_bytes))
           << " a member in flight\n";
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
