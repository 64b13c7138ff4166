// Kills campaigns that write, at random instants, and looks for each row that had been acknowledged.
//
//   rodeo_kill_test [TRIALS] [SEED]   the test: starts itself as writers, alone or on two ranks, and kills
//   them rodeo_kill_test write FILE        a writer (MPI): creates or resumes FILE and writes the rows it
//   lacks

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "rodeo/dispatch/machine.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "../output/test_support.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::testing;

constexpr std::uint64_t members = 20000;
constexpr int most_ranks = 2;

std::string process_file(const std::string& path, int rank) {
  return path + ".process." + std::to_string(rank);
}
std::string acknowledged_file(const std::string& path, int rank) {
  return path + ".acknowledged." + std::to_string(rank);
}

/// Says in one system call, which no kill can split, that rows are safe (or that a process is there).
void append(const std::string& path, const std::vector<std::uint64_t>& numbers) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  const std::size_t bytes = numbers.size() * sizeof(numbers[0]);
  if (write(descriptor, numbers.data(), bytes) != static_cast<ssize_t>(bytes)) std::abort();
  close(descriptor);
}

std::vector<std::uint64_t> numbers_in(const std::string& path) {
  std::vector<std::uint64_t> numbers;
  std::ifstream file(path, std::ios::binary);
  std::uint64_t number = 0;
  while (file.read(reinterpret_cast<char*>(&number), sizeof(number))) numbers.push_back(number);
  return numbers;
}

int write_rows(const std::string& path) {
  const bool launched = started_by_launcher();  // else as the program does it, without MPI
  if (launched) MPI_Init(nullptr, nullptr);
  const MPI_Comm communicator = launched ? MPI_COMM_WORLD : MPI_COMM_NULL;
  int rank = 0;
  int ranks = 0;
  const bool fresh = !std::filesystem::exists(path);
  if (launched) {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    MPI_Barrier(communicator);
  }
  append(process_file(path, rank), {static_cast<std::uint64_t>(getpid())});
  const EnsembleSchema schema = example_schema(members);
  {
    EnsembleFile file = fresh ? EnsembleFile::create(communicator, path, schema, example_provenance(), false)
                              : EnsembleFile::resume(communicator, path, example_provenance());
    const std::vector<bool> committed = file.committed();
    for (std::uint64_t first = 0; first < members; first += 4) {
      if (committed[first] && committed[first + 1] && committed[first + 2] && committed[first + 3]) continue;
      if (static_cast<int>(first / 4 % static_cast<std::uint64_t>(ranks)) != rank) continue;
      file.write(example_rows(schema, first, 4));
      append(acknowledged_file(path, rank), {first, first + 1, first + 2, first + 3});
    }
    file.close();
  }
  if (launched) MPI_Finalize();
  return 0;
}

pid_t start_writers(const std::string& program, const std::string& path, int ranks) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (ranks == 1) {
    execl(program.c_str(), program.c_str(), "write", path.c_str(), nullptr);
  } else {
    const std::string count = std::to_string(ranks);
    const char* const given = std::getenv("RODEO_MPIRUN");
    const char* const mpirun = given == nullptr ? "mpirun" : given;
    execlp(mpirun, mpirun, "-n", count.c_str(), program.c_str(), "write", path.c_str(), nullptr);
  }
  std::perror("cannot start a writer");
  _exit(127);
}

/// Waits until all ranks are about to open the file; false if they ended before.
bool wait_for_ranks(const std::string& path, int ranks, pid_t child) {
  for (int rank = 0; rank < ranks;) {
    if (!numbers_in(process_file(path, rank)).empty()) {
      ++rank;
    } else {
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          ended.si_pid != 0) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return true;
}

/// The number of acknowledged rows, or -1 after saying what is wrong.
long check(const std::string& path) {
  std::vector<std::uint64_t> acknowledged;
  for (int rank = 0; rank < most_ranks; ++rank) {
    const auto numbers = numbers_in(acknowledged_file(path, rank));
    acknowledged.insert(acknowledged.end(), numbers.begin(), numbers.end());
  }
  if (!std::filesystem::exists(path)) return acknowledged.empty() ? 0 : -1;
  const EnsembleSchema schema = example_schema(members);
  const EnsembleReader reader(path);
  for (const std::uint64_t member : acknowledged) {
    const MemberRow found = reader.read_member(member);
    const MemberRow expected = example_row(schema, member);
    if (found.status != expected.status || found.seed != expected.seed ||
        found.parameters != expected.parameters || found.observables != expected.observables ||
        found.time != expected.time || found.fields != expected.fields) {
      std::cerr << "row " << member << " was acknowledged and is lost\n";
      return -1;
    }
  }
  return static_cast<long>(acknowledged.size());
}

void forget_processes(const std::string& path) {
  for (int rank = 0; rank < most_ranks; ++rank) std::filesystem::remove(process_file(path, rank));
}

void start_over(const std::string& path) {
  std::filesystem::remove(path);
  for (int rank = 0; rank < most_ranks; ++rank) std::filesystem::remove(acknowledged_file(path, rank));
}

int run_trials(const std::string& program, int trials, unsigned seed) {
  std::mt19937 random(seed);
  // mkdtemp's folder; TemporaryFolder would need MPI, which this process must not have.
  std::string folder = (std::filesystem::temp_directory_path() / "rodeo_kill_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const std::string path = folder + "/campaign.h5";
  int killed_while_writing = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const int ranks = 1 + trial % most_ranks;
    forget_processes(path);
    const long before = check(path);
    const pid_t child = start_writers(program, path, ranks);
    const bool started = wait_for_ranks(path, ranks, child);
    // Every fifth while the file is being created or opened, the others among the rows.
    const int longest = trial % 5 == 0 ? 20'000 : 400'000;
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<int>(0, longest)(random)));
    const int victims = started ? std::uniform_int_distribution<int>(1, ranks)(random) : 0;
    for (int rank = 0; rank < victims; ++rank) {
      kill(static_cast<pid_t>(numbers_in(process_file(path, rank)).back()), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const long rows = check(path);
    if (!started || rows < 0 || before < 0) {
      std::cerr << "trial " << trial << " failed; see " << folder << "\n";
      return 1;
    }
    killed_while_writing += !finished && rows > before ? 1 : 0;
    std::cout << "trial " << trial << ": " << ranks << " ranks, " << (finished ? "finished" : "killed")
              << ", " << rows << " rows acknowledged, all valid\n";
    if (finished) start_over(path);
  }
  std::filesystem::remove_all(folder);
  std::cout << killed_while_writing << " of " << trials << " kills met a campaign that was writing rows\n";
  // Kills that only ever come too early or too late would prove nothing.
  return killed_while_writing > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (argc == 3 && arguments[1] == "write") return write_rows(arguments[2]);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const int trials = argc > 1 ? std::stoi(arguments[1]) : 20;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::stoul(arguments[2])) : 1U;
  return run_trials(std::filesystem::read_symlink("/proc/self/exe").string(), trials, seed);
}
