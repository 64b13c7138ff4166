#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <malloc.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include "rodeo/dispatch/best_members.hpp"
#include "rodeo/dispatch/campaign.hpp"
#include "rodeo/dispatch/check_report.hpp"
#include "rodeo/dispatch/machine.hpp"
#include "rodeo/dispatch/member_deck.hpp"
#include "rodeo/dispatch/settled_note.hpp"
#include "rodeo/dispatch/version_report.hpp"
#include "rodeo/input/command_line.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/input/measures.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/shape_file.hpp"
#include "rodeo/library/host_threads.hpp"
#include "rodeo/output/agreement.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/errors.hpp"
#include "rodeo/output/export_member.hpp"
#include "rodeo/output/scene_group.hpp"
#include "rodeo/output/shape_dataset.hpp"
#include "rodeo/output/status_report.hpp"

namespace {

using namespace rodeo;

/// MPI and Kokkos for as long as a campaign runs. A process that no launcher started does without MPI, whose
/// start would take most of a short run.
class Runtime {
 public:
  Runtime(int& argc, char**& argv) {
    if (started_by_launcher()) {
      MPI_Init(&argc, &argv);
      communicator_ = MPI_COMM_WORLD;
      try {
        require_the_ranks_of_the_launcher(communicator_);
      } catch (const std::runtime_error&) {
        MPI_Finalize();
        throw;
      }
    }
    start_kokkos(threads_of_rank(communicator_));
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() {
    Kokkos::finalize();
    if (!is_alone(communicator_)) MPI_Finalize();
  }

  MPI_Comm communicator() const { return communicator_; }
  bool is_first_rank() const { return Ranks(communicator_).rank == 0; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

/// Kokkos alone, without MPI.
class OneThread {
 public:
  OneThread() { start_kokkos(1); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread() { Kokkos::finalize(); }
};

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
  if (const std::optional<ShapeFile> file = awaited_shape_file(deck, command.file)) {
    if (writes) refuse_as_output(command, file->path, "the deck's rod.shape_file");
    deck.set_shape_nodes(file->dataset.empty()
                             ? read_csv_nodes(file->path)
                             : read_shape_dataset(file->path, file->dataset, most_shape_nodes),
                         file->path);
  }
  return deck;
}

/// The deck of the best member of a file, or of the member that is asked for.
Deck read_member_deck(const CommandLine& command) {
  refuse_as_output(command, command.file, "the campaign that is read");
  return member_deck(EnsembleReader(command.file), command.file, command.member, command.overrides);
}

/// Reads the deck on rank 0 and gives its resolved text to all: other nodes need not see the file.
Deck shared_deck(const Runtime& runtime, const CommandLine& command) {
  Deck deck;
  std::string text;
  std::string error;
  if (runtime.is_first_rank()) {
    try {
      deck = command.action == Action::best ? read_member_deck(command) : read_deck(command);
      text = deck.resolved();
    } catch (const std::runtime_error& failure) {
      error = failure.what();
    }
  }
  broadcast(runtime.communicator(), error);
  broadcast(runtime.communicator(), text);
  if (!error.empty()) throw DeckError(error);
  // Rank 0 keeps the deck as read, whose messages name file and line.
  return runtime.is_first_rank() ? deck : Deck::parse(text, command.file);
}

/// When the campaign must have ended: by its own wall time, counted from `start`, and by that of its job.
std::optional<TimeBudget::Instant> end_of_time(const CommandLine& command, TimeBudget::Instant start) {
  std::optional<TimeBudget::Instant> end = end_of_job();
  if (command.wall_time) end = end ? std::min(*end, start + *command.wall_time) : start + *command.wall_time;
  return end;
}

int campaign(const CommandLine& command, int& argc, char**& argv) {
  const auto end = end_of_time(command, std::chrono::steady_clock::now());
  const Runtime runtime(argc, argv);
  try {
    if (command.action == Action::resume) {
      return resume_campaign(runtime.communicator(), command.file, command.text, end);
    }
    return run_campaign(runtime.communicator(), shared_deck(runtime, command), command.output, command.mode,
                        command.text, end);
  } catch (const DeckError& error) {
    if (runtime.is_first_rank()) std::fprintf(stderr, "rodeo: error: %s\n", printable(error.what()).c_str());
  } catch (const FileError& error) {
    if (runtime.is_first_rank()) std::fprintf(stderr, "rodeo: error: %s\n", printable(error.what()).c_str());
  }
  return exit_code::bad_input;
}

/// Keeps memory that is given back: reading a file block by block would otherwise ask the system for the same
/// pages again and again, which takes longer than the reading.
void keep_freed_memory() {
  constexpr int bytes = 32 << 20;
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, bytes);
}

/// Prints the state of a campaign, with `watch` again and again until it has ended.
void show_status(const CommandLine& command) {
  keep_freed_memory();
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  for (;;) {
    // Asked before the file is read: what a campaign wrote before it ended is then in what is read.
    const bool again = command.watch && is_running(command.file);
    const EnsembleReader reader(command.file);
    if (command.watch && terminal) std::cout << "\033[H\033[J";
    std::cout << status_report(reader, command.file, objective_of(reader, command.file))
              << settled_note(reader, command.file) << kept_note(reader, command.file) << std::flush;
    if (!again) return;
    if (!terminal) std::cout << '\n';
    std::this_thread::sleep_for(*command.watch);
  }
}

/// A deck's report, with steps timed on one core of this machine unless members would run on a device, which
/// the machine that checks a deck may well lack.
std::string checked(const CommandLine& command) {
  const Deck deck = read_deck(command);
  if constexpr (!std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>) {
    return check_report(deck);
  }
  const OneThread kokkos;
  return check_report(deck);
}

int act(const CommandLine& command, int& argc, char**& argv) {
  switch (command.action) {
    case Action::run:
    case Action::best:
    case Action::resume:
      return campaign(command, argc, argv);
    case Action::check:
      std::cout << checked(command);
      break;
    case Action::status:
      show_status(command);
      break;
    case Action::keys:
      std::cout << key_listing(command.pattern);
      break;
    case Action::observables:
      std::cout << observable_listing(command.pattern,
                                      command.file.empty()
                                          ? ObservableList()
                                          : observables_of(Deck::read(command.file, {}, read_scene_group)));
      break;
    case Action::signals:
      std::cout << signal_listing(command.pattern);
      break;
    case Action::features:
      std::cout << feature_listing();
      break;
    case Action::export_member:
      std::cout << export_member(EnsembleReader(command.file), command.file, *command.member, command.format)
                << '\n';
      break;
    case Action::help:
      std::cout << usage();
      break;
  }
  return exit_code::done;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
      std::cout << version_report();
      return exit_code::done;
    }
    return act(parse_command_line(argc, argv), argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rodeo: error: %s\n", printable(error.what()).c_str());
    return exit_code::bad_input;
  }
}
