#include <cmath>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"

#include "test_support.hpp"

namespace rodeo::testing {
namespace {

/// A ladder of three levels without errors.
ConvergenceTable example_ladder() {
  ConvergenceTable table{.key = "rod.elements", .reference = "timoshenko", .rows = {}};
  for (const int elements : {10, 20, 40}) {
    table.rows.push_back({.elements = elements, .step = 0.1 / elements, .spacing = 3.0 / elements});
  }
  return table;
}

EnsembleSchema ladder_schema() {
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {11, 21, 41};
  schema.convergence = example_ladder();
  return schema;
}

TEST(EnsembleConvergence, LevelsAreThereFromTheStartAndErrorsWhenWritten) {
  const TemporaryFolder folder;
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), ladder_schema(), example_provenance(), false);
  const ConvergenceTable before = EnsembleReader(folder.file()).schema().convergence;
  EXPECT_EQ(before.key, "rod.elements");
  EXPECT_EQ(before.reference, "timoshenko");
  ASSERT_EQ(before.rows.size(), 3u);
  EXPECT_EQ(before.rows[1].elements, 20);
  EXPECT_EQ(before.rows[1].step, 0.1 / 20);
  EXPECT_EQ(before.rows[1].spacing, 3.0 / 20);
  EXPECT_TRUE(std::isnan(before.rows[1].error.linf));

  ConvergenceTable table = example_ladder();
  table.rows[1].error = {1.0, 2.0, 3.0};
  table.rows[2].order = {1.9, 2.0, 2.1};
  file.write(table);
  file.close();
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(ladder_schema()));
  const ConvergenceTable after = EnsembleReader(folder.file()).schema().convergence;
  EXPECT_EQ(after.rows[1].error.l1, 1.0);
  EXPECT_EQ(after.rows[1].error.l2, 2.0);
  EXPECT_EQ(after.rows[1].error.linf, 3.0);
  EXPECT_EQ(after.rows[2].order.l1, 1.9);
  EXPECT_EQ(after.rows[2].order.linf, 2.1);
  EXPECT_TRUE(std::isnan(after.rows[2].error.l1));
  EXPECT_EQ(after.rows[2].elements, 40);
}

TEST(EnsembleConvergence, OtherStudiesHaveNoGroup) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  EXPECT_TRUE(EnsembleReader(folder.file()).schema().convergence.rows.empty());
  EXPECT_EQ(run_python("import h5py, sys\nassert 'convergence' not in h5py.File(sys.argv[1], 'r')\n",
                       folder.file()),
            0);
}

TEST(EnsembleConvergence, IsReadableWithPlainH5py) {
  const TemporaryFolder folder;
  write_example(folder.file(), ladder_schema());
  const std::string script = R"(
import h5py, sys
group = h5py.File(sys.argv[1], "r")["convergence"]
assert group.attrs["key"] == b"rod.elements" and group.attrs["reference"] == b"timoshenko"
assert list(group["n"]) == [10, 20, 40] and group["n"].dtype.kind == "i"
assert abs(group["step"][2] - 0.0025) < 1e-15
for name in ("L1", "L2", "Linf"):
    assert group[name].shape == (3,)
assert group["observed_order"].shape == (3, 3)
assert list(group["observed_order"].attrs["names"]) == [b"L1", b"L2", b"Linf"]
)";
  EXPECT_EQ(run_python(script, folder.file()), 0);
}

TEST(EnsembleConvergence, ATableOfOtherLevelsIsRefused) {
  const TemporaryFolder folder;
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), ladder_schema(), example_provenance(), false);
  ConvergenceTable table = example_ladder();
  table.rows.pop_back();
  EXPECT_THROW(file.write(table), std::invalid_argument);
}

TEST(EnsembleConvergence, OpenFilesGiveRowsBackWithTheirTrajectories) {
  const EnsembleSchema schema = ladder_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  const MemberRow row = example_row(schema, 1);
  file.write({&row, 1});
  file.flush();
  expect_same(schema, file.read_member(1), row);
  EXPECT_EQ(file.read_member(2).status, MemberStatus::pending);
}

}  // namespace
}  // namespace rodeo::testing
