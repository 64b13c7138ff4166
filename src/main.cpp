#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <malloc.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include "rodeo/dispatch/best_members.hpp"
#include "rodeo/dispatch/campaign.hpp"
#include "rodeo/dispatch/check_report.hpp"
#include "rodeo/dispatch/machine.hpp"
#include "rodeo/dispatch/member_deck.hpp"
#include "rodeo/dispatch/rank_watch.hpp"
#include "rodeo/dispatch/version_report.hpp"
#include "rodeo/input/command_line.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/rerun.hpp"
#include "rodeo/input/shape_file.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/library/host_threads.hpp"
#include "rodeo/output/agreement.hpp"
#include "rodeo/output/deck_datasets.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/export_member.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"
#include "rodeo/output/status_report.hpp"
#include "rodeo/processor/kernel_set.hpp"

namespace {

using namespace rodeo;

/// HDF5's own lock of a file, which the environment can ask for, is refused beside the one that rodeo holds.
void leave_locks_to_rodeo() { unsetenv("HDF5_USE_FILE_LOCKING"); }

/// Opens those of the descriptors 0 to 2 that are closed: the next file that is opened would be one of them,
/// and what is printed would go into it.
void open_standard_streams() {
  for (;;) {
    const int descriptor = open("/dev/null", O_RDWR);
    if (descriptor < 0) return;
    if (descriptor <= STDERR_FILENO) continue;
    close(descriptor);
    return;
  }
}

/// MPI for as long as a campaign runs. A process that no launcher started does without, whose start would
/// take most of a short run.
class Mpi {
 public:
  Mpi(int& argc, char**& argv) {
    if (!started_by_launcher()) return;
    RankWatch::of_process().start();
    MPI_Init(&argc, &argv);
    communicator_ = MPI_COMM_WORLD;
    try {
      require_the_ranks_of_the_launcher(communicator_);
      require_one_kernel_set(communicator_);
    } catch (const std::runtime_error&) {
      RankWatch::of_process().stop();
      MPI_Finalize();
      throw;
    }
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() {
    RankWatch::of_process().stop();
    if (!is_alone(communicator_)) MPI_Finalize();
  }

  MPI_Comm communicator() const { return communicator_; }
  bool is_first_rank() const { return Ranks(communicator_).rank == 0; }

  /// Ends all ranks, for one that cannot go on.
  [[noreturn]] void end_all(const std::string& reason) const {
    std::fprintf(stderr, "%s rank %d: %s\n", error_mark(), Ranks(communicator_).rank,
                 printable(reason).c_str());
    std::fflush(nullptr);
    MPI_Abort(communicator_, exit_code::failed);
    std::abort();
  }

  /// Comes back once all ranks have come here, as all do that have agreed on an error. If some do not, all
  /// are ended.
  void await_all() const {
    if (is_alone(communicator_)) return;
    constexpr std::chrono::seconds patience{20};
    const auto start = std::chrono::steady_clock::now();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(communicator_, &request);
    for (int done = 0; done == 0;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (std::chrono::steady_clock::now() - start > patience)
        end_all("ended alone, while others wait for it");
      if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

/// Kokkos with so many threads.
class Threads {
 public:
  explicit Threads(int count) { start_kokkos(count); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { Kokkos::finalize(); }
};

/// Lets threads that wait for others spin for some ten microseconds and then sleep. They would spin for
/// milliseconds, and keep a core from whom they wait for where others use the machine too. OpenMP's library
/// asks the environment for that as it is loaded, so the program starts once more; where it cannot, it goes
/// on.
void let_waiting_threads_sleep(char** argv) {
  const char* const spins = "GOMP_SPINCOUNT";
  const char* const policy = "OMP_WAIT_POLICY";
  if (std::getenv(spins) != nullptr || std::getenv(policy) != nullptr) return;
  setenv(spins, "1000", 0);
  setenv(policy, "passive", 0);
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) execv(program.c_str(), argv);
}

/// Throws FileError if what a campaign is to write is one of the files that it reads, by whatever name.
void refuse_as_output(const CommandLine& command, const std::string& input, const std::string& what) {
  for (const std::string& output : {command.output, kept_path(command.output)}) {
    std::error_code error;  // a file that is not there is none of these
    if (!std::filesystem::equivalent(output, input, error)) continue;
    throw FileError(output + " is " + what + ": it is left as it is; give another --output");
  }
}

/// The deck with the points, rods and nodes of the files that it names, so that nothing else has to see those
/// files.
Deck read_deck(const CommandLine& command) {
  const bool writes = command.action == Action::run;
  Deck deck = Deck::read(command.file, command.overrides, read_scene_group);
  if (writes) refuse_as_output(command, command.file, "the deck itself");
  if (writes && !deck.points_file().empty()) {
    refuse_as_output(command, deck.points_file(), "the deck's sweep.points");
  }
  if (writes && !deck.scene_file().empty()) {
    const std::string& scene = deck.scene_file();
    refuse_as_output(command, scene.substr(0, scene.find(":/")), "the deck's rod.scene");
  }
  if (writes && !deck.data_file().empty()) {
    refuse_as_output(command, deck.data_file(), "the deck's measure.data");
  }
  for (const std::string& file : reused_files(deck)) {
    if (writes) refuse_as_output(command, file, "one of the deck's study.reuse");
  }
  const std::vector<AwaitedFile> files = awaited_files(deck, command.file);
  for (const AwaitedFile& file : files) {
    if (!writes) break;
    refuse_as_output(command, file.file.path, "the deck's " + std::string(key_info(file.named_by).name));
  }
  take_files(
      files,
      [](const std::string& path, const std::string& dataset) {
        return read_shape_dataset(path, dataset, most_shape_nodes);
      },
      deck);
  if (const std::optional<StateSource> state = awaited_state(deck, command.file)) {
    if (writes) refuse_as_output(command, state->path, "the deck's rod.state");
    take_state(read_member_state(*state), state->path, deck);
  }
  if (const std::optional<std::string> search = awaited_search(deck, command.file)) {
    if (writes) refuse_as_output(command, *search, "the deck's optimize.from");
    try {
      take_distribution(ended_search(*search), *search, deck);
    } catch (const FileError& reason) {
      throw deck.error("optimize.from"_key, reason.what());
    }
  }
  return deck;
}

/// The deck of the best member of a file, or of the member that is asked for.
Deck read_member_deck(const CommandLine& command) {
  refuse_as_output(command, command.file, "the campaign that is read");
  return member_deck(EnsembleReader(command.file), command.file, command.member, command.overrides);
}

/// The deck of the campaign whose parts are merged.
Deck read_whole_deck(const CommandLine& command) {
  for (const std::string& part : command.parts) refuse_as_output(command, part, "one of the parts");
  return whole_deck(command.parts);
}

/// Reads the deck on rank 0 and gives its resolved text to all: other nodes need not see the file.
Deck shared_deck(const Mpi& mpi, const CommandLine& command) {
  Deck deck;
  std::string text;
  const bool first = mpi.is_first_rank();
  together<DeckError>(mpi.communicator(), first, [&] {
    deck = command.action == Action::best ? read_member_deck(command)
           : command.action == Action::extend && command.failed
               ? deck_with_failed_again(command.file, command.overrides)
           : command.action == Action::extend ? extended_deck(command.file, command.overrides)
           : command.action == Action::merge  ? read_whole_deck(command)
                                              : read_deck(command);
    text = deck.resolved();
  });
  broadcast(mpi.communicator(), text);
  // Rank 0 keeps the deck as read, whose messages name file and line.
  together<DeckError>(mpi.communicator(), !first, [&] { deck = Deck::parse(text, command.file); });
  return deck;
}

/// When the campaign must have ended: by its own wall time, counted from `start`, and by that of its job.
std::optional<TimeBudget::Instant> end_of_time(const CommandLine& command, TimeBudget::Instant start) {
  std::optional<TimeBudget::Instant> end = end_of_job();
  if (command.wall_time) end = end ? std::min(*end, start + *command.wall_time) : start + *command.wall_time;
  return end;
}

/// The deck in the file of a campaign that is to go on; empty if it cannot be read, which is said where it is
/// opened to be written.
std::optional<Deck> deck_of_file(const Mpi& mpi, const std::string& path) {
  std::string text;
  if (mpi.is_first_rank()) {
    try {
      text = EnsembleReader(path).schema().deck;
    } catch (const std::exception&) {
      text.clear();
    }
  }
  broadcast(mpi.communicator(), text);
  try {
    return text.empty() ? std::nullopt : std::optional(Deck::parse_stored(text, path));
  } catch (const DeckError&) {
    return std::nullopt;
  }
}

/// Kokkos' threads of a campaign. A process that is alone may still start anew where it has several; a rank
/// of a launch may not, for others wait for it.
int threads_for(const Mpi& mpi, const std::optional<Deck>& deck, char** argv) {
  const int most = threads_of_rank(mpi.communicator());
  const int threads = deck ? useful_threads(*deck, Ranks(mpi.communicator()).size, most) : most;
  if (threads > 1 && is_alone(mpi.communicator())) let_waiting_threads_sleep(argv);
  return threads;
}

int campaign(const Mpi& mpi, const CommandLine& command, char** argv,
             std::optional<TimeBudget::Instant> end) {
  try {
    if (command.action == Action::resume) {
      const Threads kokkos(threads_for(mpi, deck_of_file(mpi, command.file), argv));
      return resume_campaign(mpi.communicator(), command.file, command.text, end);
    }
    const Deck deck = shared_deck(mpi, command);
    const Threads kokkos(threads_for(mpi, deck, argv));
    if (command.action == Action::extend) {
      return extend_campaign(mpi.communicator(), deck, command.file, command.failed, command.text, end);
    }
    if (command.action == Action::merge) {
      return merge_campaign(mpi.communicator(), deck, command.parts, command.output, command.mode,
                            command.text, end);
    }
    return run_campaign(mpi.communicator(), deck, command.output, command.mode, command.text, end);
  } catch (const DeckError& error) {
    if (mpi.is_first_rank()) print_errors(error.what());
  } catch (const FileError& error) {
    if (mpi.is_first_rank()) print_errors(error.what());
  } catch (const std::exception& error) {
    if (is_alone(mpi.communicator())) throw;
    mpi.end_all(words_of(error));
  }
  mpi.await_all();
  return exit_code::bad_input;
}

int campaign(const CommandLine& command, int& argc, char**& argv) {
  const auto end = end_of_time(command, std::chrono::steady_clock::now());
  const Mpi mpi(argc, argv);
  const int code = campaign(mpi, command, argv, end);
  if (!hdf5_closed_all()) {
    std::fflush(nullptr);
    _exit(code);
  }
  return code;
}

/// Keeps memory that is given back: reading a file block by block would otherwise ask the system for the same
/// pages again and again, which takes longer than the reading.
void keep_freed_memory() {
  constexpr int bytes = 32 << 20;
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, bytes);
}

/// Which file a path names now; nothing if there is none.
std::optional<std::pair<dev_t, ino_t>> file_at(const std::string& path) {
  struct stat properties {};
  if (stat(path.c_str(), &properties) != 0) return std::nullopt;
  return std::pair(properties.st_dev, properties.st_ino);
}

std::string status_text(const EnsembleReader& reader, const CommandLine& command, const Screen& screen) {
  ShownObservables shown = shown_observables(reader, command.file);
  shown.listed = command.listed_observables;
  if (command.json) return status_as_json(reader, command.file, shown);
  return status_report(reader, command.file, shown, screen) + settled_note(reader, command.file) +
         kept_note(reader, command.file);
}

/// Prints the state of a campaign again and again until it has ended: on a terminal in place, else one below
/// the other.
void watch_status(const CommandLine& command) {
  Redrawn drawn;
  for (auto seen = file_at(command.file);;) {
    const auto file = file_at(command.file);
    if (seen && !file) throw FileError(command.file + " was removed or moved away while it was watched");
    const bool replaced = seen && file != seen;
    seen = file;
    const Screen screen = command.json ? Screen{} : Screen::of(STDOUT_FILENO);
    const EnsembleReader reader(command.file);
    const bool again = reader.was_being_written();
    const std::string text = status_text(reader, command, screen);
    if (replaced && !command.json) {
      drawn.leave();
      std::cout << command.file << " was replaced by another file while it was watched; that one:\n";
    }
    if (!screen.is_terminal()) {
      std::cout << text << (again && !command.json ? "\n" : "") << std::flush;
    } else {
      const std::string footer =
          again ? screen.painted(Tone::faint, "every " + std::to_string(command.watch->count()) +
                                                  " s; Ctrl-C ends the watch alone\n")
                : "";
      std::cout << drawn.over(text + footer, screen) << std::flush;
    }
    if (!again) return;
    std::this_thread::sleep_for(*command.watch);
  }
}

void show_status(const CommandLine& command) {
  keep_freed_memory();
  if (command.watch) return watch_status(command);
  std::cout << status_text(EnsembleReader(command.file), command, Screen::of(STDOUT_FILENO)) << std::flush;
}

/// A deck's report, with steps timed on one core of this machine unless members would run on a device, which
/// the machine that checks a deck may well lack.
std::string checked(const CommandLine& command) {
  const Deck deck = read_deck(command);
  std::optional<Threads> kokkos;
  if constexpr (std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>) {
    kokkos.emplace(1);
  }
  return command.json ? check_report_as_json(deck)
                      : check_report(deck, command.deck, Screen::of(STDOUT_FILENO));
}

/// All observables, with the measures of a deck if there is one.
std::string listed_observables(const CommandLine& command) {
  const ObservableList list = command.file.empty()
                                  ? ObservableList()
                                  : observables_of(Deck::read(command.file, {}, read_scene_group));
  return observable_listing(command.pattern, list, command.json);
}

int act(const CommandLine& command, int& argc, char**& argv) {
  switch (command.action) {
    case Action::run:
    case Action::best:
    case Action::resume:
    case Action::extend:
    case Action::merge:
      return campaign(command, argc, argv);
    case Action::check:
      std::cout << checked(command);
      break;
    case Action::status:
      show_status(command);
      break;
    case Action::keys:
      std::cout << key_listing(command.pattern, command.json);
      break;
    case Action::observables:
      std::cout << listed_observables(command);
      break;
    case Action::signals:
      std::cout << signal_listing(command.pattern, command.json);
      break;
    case Action::features:
      std::cout << feature_listing(command.json);
      break;
    case Action::export_member:
      std::cout << export_member(EnsembleReader(command.file), command.file, *command.member, command.format)
                << '\n';
      break;
    case Action::completion:
      std::cout << completion(command.pattern);
      break;
    case Action::help:
      std::cout << usage(command.help_of);
      break;
  }
  return exit_code::done;
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  leave_locks_to_rodeo();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes then fails with a reason
  try {
    require_kernel_set();
    choose_functions_of_libraries(argv);
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
      std::cout << version_report();
      return exit_code::done;
    }
    return act(parse_command_line(argc, argv), argc, argv);
  } catch (const std::exception& error) {
    print_errors(words_of(error));
    return exit_code::bad_input;
  }
}
