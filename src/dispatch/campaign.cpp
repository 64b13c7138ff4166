#include "rodeo/dispatch/campaign.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "rodeo/cosserat/verlet.hpp"
#include "rodeo/dispatch/best_members.hpp"
#include "rodeo/dispatch/machine.hpp"
#include "rodeo/dispatch/rank_watch.hpp"
#include "rodeo/dispatch/stopping.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/output/agreement.hpp"
#include "rodeo/output/checkpoint_folder.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/processor/build_identity.hpp"
#include "rodeo/processor/kernel_set.hpp"

#include "cost_trial.hpp"
#include "master.hpp"
#include "outcome_report.hpp"
#include "progress.hpp"
#include "resume_checks.hpp"
#include "reused_rows.hpp"
#include "start_warnings.hpp"
#include "study.hpp"
#include "worker.hpp"

namespace rodeo {

namespace {

using namespace std::chrono_literals;

/// Up to this many ranks the master runs members too; above, its looks at messages between slices would cost
/// the workers more than one rank of many is worth.
constexpr int most_ranks_with_working_master = 16;

/// Rows of an earlier run: counted, and told to the plan.
void take_over(const EnsembleFile& file, const std::vector<bool>& committed, bool with_frames, Master& master,
               Progress& progress) {
  file.for_each_row([&](const MemberRow& row) {
    if (!committed[row.member]) return;
    EndedMember ended = ended_member(with_frames ? file.read_member(row.member) : row, with_frames);
    progress.count_earlier(ended);
    master.resume_with(std::move(ended), row.parameters);
  });
}

double waiting_cost(Study& study, const std::vector<bool>& committed) {
  if (study.plan().adaptive()) {
    const auto ended = static_cast<double>(std::ranges::count(committed, true));
    return study.cost() * (1.0 - ended / static_cast<double>(study.members()));
  }
  if (const std::optional<double> expected = study.plan().expected_members()) {
    const auto ended = static_cast<double>(std::ranges::count(committed, true));
    return study.cost() * std::max(0.0, *expected - ended) / static_cast<double>(study.members());
  }
  double cost = 0.0;
  for (std::uint64_t member = 0; member < study.members(); ++member) {
    if (committed.empty() || !committed[member]) cost += study.cost(member);
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

/// Finds out how long steps take on this machine, in a hundredth of the time that the campaign will take. One
/// of less than seconds is not worth that.
void measure_cost(Study& study, const std::vector<bool>& committed, const std::vector<int>& threads) {
  constexpr double largest_share = 0.01;
  constexpr std::chrono::duration<double> least = 20ms;
  constexpr std::chrono::duration<double> most = 200ms;
  const int cores = std::accumulate(threads.begin(), threads.end(), 0);
  const std::chrono::duration<double> predicted(1e-9 * waiting_cost(study, committed) / cores);
  if (largest_share * predicted < least) return;
  const CostTrial trial = run_cost_trial(study, std::min(most, largest_share * predicted));
  if (trial.steps == 0) return;
  study.set_slowness(trial.slowness);
  const double seconds = 1e-9 * waiting_cost(study, committed);
  const bool is_expected = study.plan().expected_members() && !study.plan().adaptive();
  const std::string about(is_expected ? " or so" : study.cost_note());
  const std::string on_all =
      cores == 1 ? "" : ", so " + format_time(seconds / cores) + " on " + std::to_string(cores) + " cores";
  std::printf("predicted: %s on one core%s%s (measured by %lld steps)\n", format_time(seconds).c_str(),
              about.c_str(), on_all.c_str(), static_cast<long long>(trial.steps));
}

/// Says what went wrong with members, and where their objectives tell nothing.
void report_outcomes(const EndCounts& ends, const CampaignEnd& end, const EnsembleFile& file, Study& study) {
  try {
    std::fputs(settled_note(file, study.deck()).c_str(), stdout);
    std::fflush(stdout);
    if (const std::string text = outcome_report(ends, end.none_well, file, study); !text.empty()) {
      std::fprintf(stderr, "%s %s", end.none_well ? error_mark() : warning_mark(), printable(text).c_str());
    }
    if (const std::string text = unmeasured_report(ends, file, study); end.complete && !text.empty()) {
      std::fprintf(stderr, "%s %s", end.found_nothing ? error_mark() : warning_mark(),
                   printable(text).c_str());
    } else if (end.found_nothing && !end.none_well) {
      std::fprintf(stderr, "%s the search found no candidate with a finite %s%s\n", error_mark(),
                   study.objectives().front().name.c_str(),
                   study.objectives().front().constraints.empty() ? "" : " that fulfils all constraints");
    }
  } catch (const FileError& error) {
    std::fprintf(stderr, "%s %s\n", warning_mark(), printable(error.what()).c_str());
  }
  if (const std::string note = flat_objective_note(ends, study); end.complete && !note.empty()) {
    std::fprintf(stderr, "%s %s", warning_mark(), note.c_str());
  }
}

CampaignEnd master_run(Study& study, EnsembleFile& file, ReusedRows reused,
                       const CheckpointFolder& checkpoints, Mailbox& mailbox, const std::vector<int>& threads,
                       bool resume, const std::string& output,
                       std::optional<TimeBudget::Instant> end_of_time) {
  const std::vector<bool> committed = resume ? file.committed() : std::vector<bool>{};
  clear_checkpoints(output, checkpoints, committed);
  if (!resume) CheckpointFolder(output, {}, StatesOf::ended).remove_all();
  measure_cost(study, committed, threads);
  Progress progress(study, waiting_cost(study, committed));
  Worker local(study, file, checkpoints, 0);
  const bool works = static_cast<int>(threads.size()) <= most_ranks_with_working_master;
  const double least_kept = least_kept_work(study.deck());
  TimeBudget time(end_of_time, std::chrono::steady_clock::now(), threads,
                  least_kept > 0.0 ? std::optional(std::chrono::duration<double>(least_kept)) : std::nullopt);
  Master master(study, file, mailbox, threads, committed, local, works, time, progress, std::move(reused));
  RankWatch::of_process().stop();  // the master looks after the others now
  try {
    if (const std::optional<SceneTable>& scene = study.scene()) file.write(scene->table, scene->rows);
    if (resume) take_over(file, committed, study.plan().needs_frames(), master, progress);
  } catch (const FileError& error) {
    master.fail(error.what());
  } catch (const WriteError& error) {
    master.fail(error.what());
  }
  CampaignEnd end = master.run();
  // To stop with nothing done would repeat itself for ever where a batch system starts the job again.
  if (end.out_of_time && end.failure.empty() && progress.ended_now() == 0 && !end.kept_work) {
    end.failure = "no member ended within the wall time: give it more";
  }
  if (end.complete) checkpoints.remove_all();
  end.none_well = end.complete && progress.ends().well() == 0;
  end.found_nothing = end.complete && study.plan().found_nothing();
  const bool failed = !end.failure.empty() || end.none_well || end.found_nothing;
  progress.close(failed ? "failed" : end.complete ? "done" : "stopped, resumable", output, study.plan());
  report_outcomes(progress.ends(), end, file, study);
  return end;
}

/// Says what failed and, unless the file is lost, how to go on; returns the exit code. `campaign` is the file
/// to go on with.
int report_failure(const std::string& failure, const EnsembleFile& file, const std::string& campaign) {
  std::fprintf(stderr, "%s %s\n", error_mark(), printable(failure).c_str());
  if (file.loss().empty()) {
    std::fprintf(stderr, "rodeo: what was written is safe; go on with: rodeo resume %s\n", campaign.c_str());
  }
  return exit_code::failed;
}

/// Says how a campaign ended where that is not as it should; returns the exit code. `campaign` is the file to
/// go on with: `output` itself, or the one whose best members' frames are kept there.
int report_end(const CampaignEnd& end, const EnsembleFile& file, const std::string& output,
               const std::string& campaign) {
  if (!end.failure.empty()) return report_failure(end.failure, file, campaign);
  if (!end.lost.empty()) {
    std::fprintf(stderr, "rodeo: %zu rank%s lost on the way:", end.lost.size(),
                 end.lost.size() == 1 ? " was" : "s were");
    for (const int rank : end.lost) std::fprintf(stderr, " %d", rank);
    std::fputs("\n", stderr);
  }
  if (end.none_well || end.found_nothing) return exit_code::failed;
  if (end.complete) return end.lost.empty() ? exit_code::done : exit_code::done_with_losses;
  const std::string reason =
      end.out_of_time ? "before the end of its time" : "by signal " + std::to_string(stop_signal());
  std::fprintf(stderr, "rodeo: stopped %s; go on with: rodeo resume %s\n", reason.c_str(), campaign.c_str());
  if (const std::size_t kept = checkpointed_members(output).size(); kept > 0) {
    std::fprintf(stderr, "rodeo: %zu member%s in flight will go on from %s checkpoint%s\n", kept,
                 kept == 1 ? "" : "s", kept == 1 ? "its" : "their", kept == 1 ? "" : "s");
  }
  return exit_code::stopped;
}

/// Ends the process without the collective calls that MPI and HDF5 make at exit, where other ranks are lost.
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

/// Searches end with fewer members than they might have had.
void release_unused_rows(const EnsembleFile& file) {
  try {
    file.release_unused_rows();
  } catch (const FileError&) {
    // Whoever reads the file next says what is wrong with it.
  }
}

using EndOfTime = std::optional<TimeBudget::Instant>;

int keep_best(MPI_Comm communicator, const Study& study, EnsembleFile& file, const std::string& output,
              const std::string& command_line, EndOfTime end_of_time);

bool asks_for_device(const Deck& deck) { return deck.choice("model.device"_key) == "gpu"; }

/// Runs what is left of a study. `campaign` as for report_end, the same as `output` but for kept frames.
int run(MPI_Comm communicator, Study& study, EnsembleFile file, bool resume, const std::string& output,
        const std::string& campaign, const std::string& command_line, EndOfTime end_of_time,
        ReusedRows reused = {}) {
  file.set_observables(observables_of(study.deck()).names());
  const Ranks ranks(communicator);
  const CheckpointFolder checkpoints(output, {file.schema().deck, build_identity()});
  install_stop_signals();
  warn_about_threads(communicator);
  if (ranks.rank == 0 && !file.keeps_writers_out()) {
    std::fprintf(stderr,
                 "%s the file system of %s refuses flock: nothing keeps other programs from opening the file "
                 "to write, which would destroy it while this campaign runs; open it to read alone\n",
                 warning_mark(), printable(output).c_str());
  }
  const int own_threads = asks_for_device(study.deck()) ? cosserat::members_on_device() : members_at_once();
  std::vector<int> threads(static_cast<std::size_t>(ranks.size), own_threads);
  if (!is_alone(communicator)) {
    MPI_Allgather(&own_threads, 1, MPI_INT, threads.data(), 1, MPI_INT, communicator);
  }

  int code = exit_code::done;
  int complete = 0;  // a truth, as all ranks learn it
  {
    const std::unique_ptr<Mailbox> owned_mailbox = make_mailbox(communicator);
    Mailbox& mailbox = *owned_mailbox;
    if (ranks.rank == 0) {
      const CampaignEnd end = master_run(study, file, std::move(reused), checkpoints, mailbox, threads,
                                         resume, output, end_of_time);
      code = report_end(end, file, output, campaign);
      complete = end.complete && end.failure.empty();
      if (!end.lost.empty()) {
        await_others(file, mailbox, ranks.size);
        leave(file, code);
      }
    } else {
      Worker worker(study, file, checkpoints, ranks.rank);
      const ServiceEnd end = serve(worker, mailbox, [&] { return file.has_ended(0); });
      if (end == ServiceEnd::rank_lost) leave(file, exit_code::done_with_losses);
      if (end == ServiceEnd::master_ended) leave(file, exit_code::failed);
    }
  }
  if (complete != 0 && study.plan().adaptive()) release_unused_rows(file);
  RankWatch::of_process().start();
  broadcast(communicator, code);
  broadcast(communicator, complete);
  try {
    if (code == exit_code::done && output == campaign && study.part().is_whole()) {
      // The file stays open, and so locked, until all that belongs to the campaign is done.
      code = keep_best(communicator, study, file, output, command_line, end_of_time);
    }
    file.close();
  } catch (const WriteError& error) {
    RankWatch::of_process().stop();
    const bool is_lost = !file.loss().empty();
    const bool was_said = is_lost && code == exit_code::failed;
    if (ranks.rank == 0 && !was_said) report_failure(error.what(), file, campaign);
    code = exit_code::failed;
  } catch (const std::exception& error) {
    code = ranks.rank == 0 ? report_failure(error.what(), file, campaign) : exit_code::failed;
  }
  RankWatch::of_process().stop();
  return code;
}

bool exists(MPI_Comm communicator, const std::string& path) {
  const Ranks ranks(communicator);
  int found = 0;
  if (ranks.rank == 0) {
    struct stat information {};
    found = lstat(path.c_str(), &information) == 0 ? 1 : 0;  // a link that leads nowhere takes the place too
  }
  broadcast(communicator, found);
  return found != 0;
}

/// A new campaign that will keep frames needs the place for them: hours later is too late to say that it is
/// taken.
void check_room_for_kept(MPI_Comm communicator, const Deck& deck, const std::string& output, bool overwrite) {
  const std::string path = kept_path(output);
  if (kept_frames(deck).kind != KeptFrames::Kind::best || !exists(communicator, path)) return;
  together<FileError>(communicator, Ranks(communicator).rank == 0, [&] { require_replaceable(path); });
  if (overwrite) return;
  throw FileError(path + ", where this campaign is to keep frames, exists already; --overwrite replaces it");
}

/// The frames of a campaign whose file was replaced are of no use to the new one.
void remove_kept(MPI_Comm communicator, const std::string& output) {
  together<FileError>(communicator, Ranks(communicator).rank == 0, [&] {
    std::error_code error;
    std::filesystem::remove(kept_path(output), error);
    if (error) throw FileError("cannot remove " + kept_path(output) + ": " + error.message());
  });
}

/// The best members of a campaign that is done, from rank 0's reading, on all ranks.
std::vector<MemberRow> best_rows(MPI_Comm communicator, const Study& study, EnsembleFile& file,
                                 std::uint64_t count) {
  file.flush();
  std::string members;
  together<FileError>(communicator, Ranks(communicator).rank == 0, [&] {
    for (const std::uint64_t member : best_members(file, study.plan(), study.objectives().front(), count)) {
      members += std::to_string(member) + ' ';
    }
  });
  broadcast(communicator, members);
  std::vector<MemberRow> rows;
  std::istringstream numbers(members);
  together<FileError>(communicator, true, [&] {
    for (std::uint64_t member = 0; numbers >> member;) rows.push_back(file.read_rows(member, 1)[0]);
  });
  return rows;
}

/// Whether the file of kept frames is that of these members.
bool holds(const EnsembleFile& kept, const std::vector<MemberRow>& rows) {
  if (kept.schema().members != rows.size()) return false;
  const std::vector<MemberRow> found = kept.read_rows(0, rows.size());
  return std::ranges::equal(found, rows, [](const MemberRow& ours, const MemberRow& theirs) {
    return ours.status == MemberStatus::pending ||
           (ours.candidate == theirs.candidate && ours.repeat == theirs.repeat && ours.seed == theirs.seed);
  });
}

/// Runs the best members of a finished campaign once more, for their frames, if its deck asks for that.
int keep_best(MPI_Comm communicator, const Study& study, EnsembleFile& file, const std::string& output,
              const std::string& command_line, EndOfTime end_of_time) {
  const KeptFrames kept = kept_frames(study.deck());
  if (kept.kind != KeptFrames::Kind::best) return exit_code::done;
  const std::vector<MemberRow> rows = best_rows(communicator, study, file, kept.count);
  if (rows.empty()) return exit_code::done;
  Study again(study.deck(), rows);
  const std::string path = kept_path(output);
  const Provenance provenance = make_provenance(communicator, command_line);
  if (!exists(communicator, path)) {
    EnsembleFile fresh = EnsembleFile::create(communicator, path, again.schema(), provenance, false);
    return run(communicator, again, std::move(fresh), false, path, output, command_line, end_of_time);
  }
  EnsembleFile begun = EnsembleFile::resume(communicator, path, provenance);
  together<FileError>(communicator, true, [&] {
    if (stored_deck(begun, path).resolved() == again.schema().deck && holds(begun, rows)) return;
    throw FileError(path + " does not hold the best members of " + output + ": move it away first");
  });
  return run(communicator, again, std::move(begun), true, path, output, command_line, end_of_time);
}

/// Says so where the members of a file that goes on were computed with other kernels.
void warn_about_kernels(MPI_Comm communicator, const std::string& path) {
  if (Ranks(communicator).rank != 0) return;
  std::string before;
  try {
    before = EnsembleReader(path).provenance().kernels;
  } catch (const std::exception&) {
    return;  // what is wrong with it is said where it is opened to go on
  }
  if (before.empty() || before == kernel_set()) return;
  std::fprintf(
      stderr,
      "%s members of %s were computed with the kernels %s, and those that follow are with %s, which round in "
      "other ways: to go on as it began takes the program and the RODEO_KERNELS that began it\n",
      warning_mark(), printable(path).c_str(), before.c_str(), std::string(kernel_set()).c_str());
}

/// Throws if a deck asks for a device and this rank has none.
void require_device(const Deck& deck) {
  if (!asks_for_device(deck)) return;
  try {
    cosserat::members_on_device();
  } catch (const std::runtime_error& reason) {
    throw deck.error("model.device"_key, std::string("= gpu: ") + reason.what());
  }
}

/// Throws FileError if a member of so many bytes does not fit into this machine.
void require_memory(double bytes) {
  const double machine = machine_memory();
  if (bytes <= machine) return;
  throw FileError("a member takes " + format_bytes(bytes) + " of memory, and this machine has " +
                  format_bytes(machine) + ": fewer rods, elements or frames take less");
}

/// The study of a deck that can run here, on all ranks or none.
std::unique_ptr<Study> agreed_study(MPI_Comm communicator, const Deck& deck) {
  std::unique_ptr<Study> study;
  together<DeckError>(communicator, true, [&] {
    study = std::make_unique<Study>(deck);
    require_device(deck);
  });
  together<FileError>(communicator, Ranks(communicator).rank == 0,
                      [&] { require_memory(study->largest_memory()); });
  return study;
}

/// Rows that study.reuse names, on rank 0. A campaign that goes on has taken what it could before its files
/// may have gone.
ReusedRows reused_rows(MPI_Comm communicator, Study& study, bool goes_on) {
  ReusedRows rows;
  together<DeckError>(communicator, Ranks(communicator).rank == 0,
                      [&] { rows = ReusedRows(study, goes_on); });
  return rows;
}

}  // namespace

int run_campaign(MPI_Comm communicator, const Deck& deck, const std::string& output, OutputMode mode,
                 const std::string& command_line, std::optional<TimeBudget::Instant> end) {
  const std::unique_ptr<Study> agreed = agreed_study(communicator, deck);
  Study& study = *agreed;
  const Provenance provenance = make_provenance(communicator, command_line);
  const bool resume = mode == OutputMode::resume && exists(communicator, output);
  ReusedRows reused = reused_rows(communicator, study, resume);
  if (resume) {
    warn_about_kernels(communicator, output);
    EnsembleFile file = EnsembleFile::resume(communicator, output, provenance);
    bool is_other = false;
    together<DeckError>(communicator, true, [&] { is_other = is_other_study_of_grid(deck, file, output); });
    if (is_other) {
      file.close();
      EnsembleFile other = EnsembleFile::replace(communicator, output, study.schema(), provenance);
      return run(communicator, study, std::move(other), true, output, output, command_line, end,
                 std::move(reused));
    }
    together<FileError>(communicator, true, [&] {
      require_same_deck(deck, file, output);
      require_its_study(deck, file, output);
    });
    return run(communicator, study, std::move(file), true, output, output, command_line, end,
               std::move(reused));
  }
  if (Ranks(communicator).rank == 0) {
    const StartWarnings warnings(study);
    for (const std::string& text : warnings.texts())
      std::fprintf(stderr, "%s %s\n", warning_mark(), printable(text).c_str());
  }
  const bool overwrite = mode == OutputMode::overwrite;
  check_room_for_kept(communicator, deck, output, overwrite);
  EnsembleFile file = EnsembleFile::create(communicator, output, study.schema(), provenance, overwrite);
  if (overwrite && kept_frames(deck).kind == KeptFrames::Kind::best) remove_kept(communicator, output);
  return run(communicator, study, std::move(file), false, output, output, command_line, end,
             std::move(reused));
}

int resume_campaign(MPI_Comm communicator, const std::string& output, const std::string& command_line,
                    std::optional<TimeBudget::Instant> end) {
  warn_about_kernels(communicator, output);
  EnsembleFile file = EnsembleFile::resume(communicator, output, make_provenance(communicator, command_line));
  Deck deck;
  together<DeckError>(communicator, true, [&] { deck = stored_deck(file, output); });
  together<FileError>(communicator, true, [&] { require_its_study(deck, file, output); });
  const std::unique_ptr<Study> study = agreed_study(communicator, deck);
  return run(communicator, *study, std::move(file), true, output, output, command_line, end,
             reused_rows(communicator, *study, true));
}

int extend_campaign(MPI_Comm communicator, const Deck& deck, const std::string& output, bool failed_again,
                    const std::string& command_line, std::optional<TimeBudget::Instant> end) {
  const std::unique_ptr<Study> agreed = agreed_study(communicator, deck);
  Study& study = *agreed;
  const bool first = Ranks(communicator).rank == 0;
  Takeover takeover;
  warn_about_kernels(communicator, output);
  together<FileError>(communicator, first, [&] {
    try {
      const StandingRows standing = standing_rows(study, output, failed_again);
      std::fputs(standing.note.c_str(), stdout);
      takeover = standing.takeover;
    } catch (const DeckError& error) {
      throw FileError(error.what());
    }
  });
  EnsembleFile file = EnsembleFile::replace(communicator, output, study.schema(),
                                            make_provenance(communicator, command_line), takeover);
  return run(communicator, study, std::move(file), true, output, output, command_line, end,
             reused_rows(communicator, study, true));
}

int merge_campaign(MPI_Comm communicator, const Deck& deck, const std::vector<std::string>& parts,
                   const std::string& output, OutputMode mode, const std::string& command_line,
                   std::optional<TimeBudget::Instant> end) {
  const std::unique_ptr<Study> study = agreed_study(communicator, deck);
  const bool overwrite = mode == OutputMode::overwrite;
  check_room_for_kept(communicator, deck, output, overwrite);
  Provenance provenance = make_provenance(communicator, command_line);
  PartRows rows;
  together<FileError>(communicator, Ranks(communicator).rank == 0, [&] { rows = part_rows(*study, parts); });
  provenance.kernels = rows.kernels;
  EnsembleFile file =
      EnsembleFile::create(communicator, output, study->schema(), provenance, overwrite, rows.takeovers);
  return run(communicator, *study, std::move(file), true, output, output, command_line, end);
}

}  // namespace rodeo
