// libFuzzer's way into the files of campaigns: damaged ones, of a sweep, a ladder and a search, are looked at
// as by `rodeo status`, `export` and `best`, and opened to go on as by `rodeo resume`. Whatever the damage,
// that answers or throws FileError or DeckError.
//
// An input is the damage: its first byte chooses the file, and each four bytes that follow put one byte (the
// last) at a place (the first three, modulo the size of the file). So inputs stay small, and the fuzzer need
// not find out what an HDF5 file looks like.

#include "rodeo/dispatch/campaign.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include "rodeo/dispatch/member_deck.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/export_member.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/status_report.hpp"

#include "dispatch/study.hpp"
#include "output/open_serial.hpp"

// In place of the library's: faults are what the fuzzer is to see.
#pragma clang diagnostic ignored "-Wunused-private-field"
rodeo::BreakdownGuard::BreakdownGuard(const std::string&) {}
rodeo::BreakdownGuard::~BreakdownGuard() = default;

namespace {

using namespace rodeo;

/// A rod, up to the length of its steps.
const std::string rod_deck = R"(
[rod]
elements = 2
length = 1
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
[output]
frames = 2
[time]
end = 1e-4
)";

const std::string sweep_deck = R"(
[study]
kind = sweep
[sweep]
axis = rod.elements : list(2, 3)
)" + rod_deck + "step = 1e-5\n";

const std::string ladder_deck = R"(
[study]
kind = convergence
[convergence]
axis = rod.elements : list(2, 4, 8)
)" + rod_deck + "step_per_length = 1e-5\n";

const std::string search_deck = R"(
[study]
kind = optimize
objective = function_value
sense = min
[model]
kind = function
[function]
name = sphere
x = 0, 0
[optimize]
parameter = function.x[0:2] : [-2, 2] start -1
population = 4
generations = 3
)";

std::string folder() {
  const std::filesystem::path memory = "/dev/shm";
  const auto root = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  return root / ("rodeo_fuzz_" + std::to_string(getpid()));
}

/// A finished campaign of a deck, as bytes.
std::string campaign_bytes(const std::string& deck, const std::string& path) {
  run_campaign(MPI_COMM_SELF, Deck::parse(deck, "fuzz.ini"), path, OutputMode::overwrite,
               "rodeo run fuzz.ini", std::nullopt);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const FileError&) {
  } catch (const DeckError&) {
  }
}

void look(const std::string& path) {
  const EnsembleReader reader(path);
  const ShownObservables shown = shown_observables(reader, path);
  status_report(reader, path, shown);
  status_as_json(reader, path, shown);
  attempt([&] { member_deck(reader, path, std::nullopt, {}); });
  for (std::uint64_t member = 0; member < reader.schema().members; ++member) {
    attempt([&] { reader.read_member(member); });
    attempt([&] { export_member(reader, path, member, "csv"); });
    attempt([&] { export_member(reader, path, member, "vtkhdf"); });
  }
}

void go_on(const std::string& path) {
  Provenance provenance;
  provenance.command_line = "rodeo resume";
  provenance.hosts = "here";
  provenance.ranks = 1;
  EnsembleFile file = EnsembleFile::resume(MPI_COMM_SELF, path, provenance);
  const Deck deck = Deck::parse(file.schema().deck, path + ":/deck");
  if (make_plan(deck)->candidates() == file.schema().members) const Study study(deck);
  file.committed();
  for (const MemberRow& row : file.read_rows(0, file.schema().members)) file.read_member(row.member);
  file.close();
}

struct Seeds {
  std::string folder = ::folder();
  std::string path = folder + "/campaign.h5";
  std::vector<std::string> files;

  Seeds() {
    std::filesystem::create_directories(folder);
    for (const std::string& deck : {sweep_deck, ladder_deck, search_deck})
      files.push_back(campaign_bytes(deck, path));
  }
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  MPI_Init(nullptr, nullptr);
  Kokkos::initialize();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Seeds seeds;
  if (size == 0) return 0;
  std::string bytes = seeds.files[data[0] % seeds.files.size()];
  for (std::size_t k = 1; k + 4 <= size; k += 4) {
    const std::size_t place = std::size_t{data[k]} << 16 | std::size_t{data[k + 1]} << 8 | data[k + 2];
    bytes[place % bytes.size()] = static_cast<char>(data[k + 3]);
  }
  std::ofstream(seeds.path, std::ios::binary | std::ios::trunc) << bytes;
  attempt([&] { look(seeds.path); });
  attempt([&] { go_on(seeds.path); });
  return 0;
}
