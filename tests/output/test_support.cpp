#include "test_support.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

#include "rodeo/output/agreement.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "output/open_serial.hpp"

namespace rodeo::testing {

TemporaryFolder::TemporaryFolder(MPI_Comm communicator) : communicator_(communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  if (rank == 0) {
    path_ = (std::filesystem::temp_directory_path() / "rodeo_test_XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  broadcast(communicator_, path_);
}

TemporaryFolder::~TemporaryFolder() {
  MPI_Barrier(communicator_);
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

Provenance example_provenance() {
  Provenance provenance;
  provenance.command_line = "rodeo run snake.ini --output \"größe.h5\"";
  provenance.backend = "Serial (1)";
  provenance.hosts = "node1,node2";
  provenance.start_time = "2024-05-06T07:08:09Z";
  provenance.ranks = 3;
  return provenance;
}

EnsembleSchema example_schema(std::uint64_t members) {
  EnsembleSchema schema;
  schema.deck = "[rod]\nlength = 0.35  # m\n";
  schema.parameter_names = {"rod.length", "muscle.amplitudes[0]", "ground.friction"};
  schema.parameter_words = {"hard|soft|none", "", ""};
  schema.observable_names = {"forward_speed", "bending_energy"};
  schema.observable_units = {"m/s", "J"};
  schema.members = members;
  schema.frames = 4;
  schema.nodes = {5};
  schema.fields.push_back({"orientation", "1", 4});
  schema.fields.push_back({"bending_energy", "J", 1, false});
  return schema;
}

MemberRow example_row(const EnsembleSchema& schema, std::uint64_t member) {
  const auto number = static_cast<double>(member);
  MemberRow row;
  row.member = member;
  row.candidate = member / 2;
  row.repeat = static_cast<std::uint32_t>(member % 2);
  row.seed = 0xfedcba9876543210ULL + member;
  row.status = static_cast<MemberStatus>(1 + member % 5);
  row.steps = 1000 + member;
  row.wall_seconds = 0.25 + number;
  row.rank = static_cast<std::int32_t>(member % 3);
  for (std::size_t i = 0; i < schema.parameter_names.size(); ++i) {
    row.parameters.push_back(number + 0.1 * static_cast<double>(i));
  }
  for (std::size_t i = 0; i < schema.observable_names.size(); ++i) {
    row.observables.push_back(-number / 3.0 - static_cast<double>(i));
  }
  for (int frame = 0; frame < schema.frames; ++frame) row.time.push_back(0.1 * frame);
  if (schema.frames == 0) return row;
  for (const FieldFormat& field : schema.fields) {
    const auto entries =
        static_cast<std::size_t>(schema.frames * (field.of_nodes ? schema.nodes_of(member) : 1));
    std::vector<double>& numbers = row.fields.emplace_back();
    for (std::size_t i = 0; i < entries * static_cast<std::size_t>(field.components); ++i) {
      numbers.push_back(number + 1e-3 * static_cast<double>(i));
    }
  }
  return row;
}

std::vector<MemberRow> example_rows(const EnsembleSchema& schema, std::uint64_t first, std::uint64_t count) {
  std::vector<MemberRow> rows;
  for (std::uint64_t member = first; member < first + count; ++member)
    rows.push_back(example_row(schema, member));
  return rows;
}

void write_example(const std::string& path, const EnsembleSchema& schema) {
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, path, schema, example_provenance(), false);
  file.write(example_rows(schema, 0, schema.members));
  file.close();
}

void expect_same_scalars(const MemberRow& actual, const MemberRow& expected) {
  EXPECT_EQ(actual.member, expected.member);
  EXPECT_EQ(actual.candidate, expected.candidate);
  EXPECT_EQ(actual.repeat, expected.repeat);
  EXPECT_EQ(actual.seed, expected.seed);
  EXPECT_EQ(actual.status, expected.status);
  EXPECT_EQ(actual.steps, expected.steps);
  EXPECT_EQ(actual.wall_seconds, expected.wall_seconds);
  EXPECT_EQ(actual.rank, expected.rank);
  EXPECT_EQ(actual.parameters, expected.parameters);
  EXPECT_EQ(actual.observables, expected.observables);
}

void expect_same(const EnsembleSchema& schema, const MemberRow& actual, const MemberRow& expected) {
  expect_same_scalars(actual, expected);
  EXPECT_EQ(actual.time, expected.time);
  for (std::size_t field = 0; field < expected.fields.size(); ++field) {
    ASSERT_LT(field, actual.fields.size());
    std::vector<double> stored = expected.fields[field];
    if (schema.single_precision && schema.fields[field].of_nodes) {
      for (double& value : stored) value = static_cast<double>(static_cast<float>(value));
    }
    EXPECT_EQ(actual.fields[field], stored) << schema.fields[field].name;
  }
}

std::uint64_t offset_of(const std::string& path, const char* dataset_path) {
  const Hdf5Handle file = open_serial(path, H5F_ACC_RDONLY);
  const Hdf5Handle dataset(H5Dopen2(file.get(), dataset_path, H5P_DEFAULT), H5Dclose, dataset_path);
  return H5Dget_offset(dataset.get());
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool has_h5py() { return std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") == 0; }

int run_python(const std::string& script, const std::string& argument) {
  const std::string script_path = argument + ".check.py";
  std::ofstream(script_path) << script;
  // Debian's h5py switches to its MPI build under mpirun, which a plain reader does not want.
  const std::string command =
      "env -u OMPI_COMM_WORLD_SIZE /usr/bin/python3 '" + script_path + "' '" + argument + "'";
  const int result = std::system(command.c_str());
  std::filesystem::remove(script_path);
  return result;
}

}  // namespace rodeo::testing
