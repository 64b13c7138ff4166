#include <array>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"

#include "output/row_tables.hpp"
#include "test_support.hpp"

namespace rodeo::testing {
namespace {

const std::vector<std::string> of_program = {"forward_speed", "newest", "bending_energy"};

/// Of another revision: its columns stand in another order, the newest is missing, and one is not known now.
EnsembleSchema earlier_schema() {
  EnsembleSchema schema = example_schema();
  schema.observable_names = {"bending_energy", "gone", "forward_speed"};
  schema.observable_units = {"J", "1", "m/s"};
  schema.fields.push_back({"forward_speed", "m/s", 1, false});
  return schema;
}

/// The bytes of a member in a dataset of so many doubles, or words, for each.
std::string bytes_of(const std::string& path, const char* dataset, std::uint64_t member, std::size_t words) {
  std::string bytes(8 * words, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset_of(path, dataset) + member * bytes.size()));
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

TEST(ObservableColumns, RowsOfAFileOfAnotherRevisionGoByName) {
  EnsembleSchema schema = earlier_schema();
  schema.frames = 0;
  const TemporaryFolder folder;
  {
    EnsembleFile file =
        EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
    const std::array earlier = {example_row(schema, 0), example_row(schema, 2)};
    file.write(earlier);
    file.close();
  }
  const auto earlier_bytes = [&] {
    std::string bytes;
    for (const std::uint64_t member : {0u, 2u}) {
      bytes += bytes_of(folder.file(), "/members/observables", member, 3) +
               bytes_of(folder.file(), "/members/commit", member, 1);
    }
    return bytes;
  };
  const std::string before = earlier_bytes();

  EnsembleFile file = EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance());
  file.set_observables(of_program);
  const std::vector<double> stored = example_row(schema, 2).observables;
  const MemberRow found = file.read_rows(2, 1)[0];
  ASSERT_EQ(found.observables.size(), 3u);
  EXPECT_EQ(found.observables[0], stored[2]);
  EXPECT_TRUE(std::isnan(found.observables[1]));
  EXPECT_EQ(found.observables[2], stored[0]);
  EXPECT_TRUE(file.read_rows(1, 1)[0].observables.empty()) << "of a row that is not committed";

  std::array added = {example_row(schema, 1), example_row(schema, 3)};  // with the row between them
  added[0].observables = {1.0, 2.0, 3.0};
  added[1].observables.clear();
  file.write(added);
  const std::vector<double> again = file.read_member(1).observables;
  EXPECT_EQ(again[0], 1.0);
  EXPECT_TRUE(std::isnan(again[1]));
  EXPECT_EQ(again[2], 3.0);
  added[0].observables.pop_back();
  EXPECT_THROW(file.write(added), std::invalid_argument);
  EXPECT_EQ(file.committed(), (std::vector<bool>{true, true, true, true, false, false}));
  file.close();

  EXPECT_EQ(earlier_bytes(), before);
  const EnsembleReader reader(folder.file());
  const std::vector<double> columns = reader.read_member(1).observables;
  EXPECT_EQ(columns[0], 3.0);
  EXPECT_TRUE(std::isnan(columns[1]));
  EXPECT_EQ(columns[2], 1.0);
  for (const double value : reader.read_member(3).observables) EXPECT_TRUE(std::isnan(value));
}

TEST(ObservableColumns, ObservablesOfFramesStandInTheOrderOfTheOthers) {
  const EnsembleSchema schema = earlier_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  file.set_observables(of_program);
  const MemberRow stored = example_row(schema, 4);
  MemberRow row = stored;
  row.observables = {1.0, 2.0, 3.0};
  row.fields[2].assign(4, 20.0);  // the speed
  row.fields[3].assign(4, 30.0);  // the energy
  file.write({&row, 1});
  EXPECT_EQ(file.read_member(4).fields, row.fields);
  file.close();
  const std::vector<std::vector<double>> fields = EnsembleReader(folder.file()).read_member(4).fields;
  EXPECT_EQ(fields[1], stored.fields[1]);
  EXPECT_EQ(fields[2], row.fields[3]);
  EXPECT_EQ(fields[3], row.fields[2]);
}

}  // namespace
}  // namespace rodeo::testing
